import { existsSync } from "node:fs";
import { failed } from "./cli-error.js";
import type { Shell } from "./shell.js";

/** Where the server is in the repository; the package `wealth-connect` has the same folders. */
const SERVER = new URL("../../server/dist/program.js", import.meta.url);

/**
 * `serve`: the server in this process, by its built file. It has arguments, help and exit codes of its own.
 * @throws CliError when nobody has built it
 */
export async function serve(args: readonly string[], { program }: Pick<Shell, "program">): Promise<void> {
  if (!existsSync(SERVER))
    throw failed("the server is not built: pnpm build, or npm start, which builds and starts it");
  const { runProgram } = await import(SERVER.href);
  await runProgram(args, { server: `${program} serve`, commands: program });
}
