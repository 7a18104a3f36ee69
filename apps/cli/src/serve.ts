import { existsSync } from "node:fs";
import { failed } from "./cli-error.js";
import type { Shell } from "./shell.js";

/** Path of the server in the repository; the package `wealth-connect` has the same folders. */
const SERVER = new URL("../../server/dist/program.js", import.meta.url);

/**
 * `serve`: runs the built server in this process. It has its own arguments, help and exit codes.
 * @throws CliError when the server is not built
 */
export async function serve(args: readonly string[], { program }: Pick<Shell, "program">): Promise<void> {
  if (!existsSync(SERVER))
    throw failed("the server is not built: pnpm build, or npm start, which builds and starts it");
  const { runProgram } = await import(SERVER.href);
  await runProgram(args, { server: `${program} serve`, commands: program });
}
