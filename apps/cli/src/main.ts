import { CommanderError } from "commander";
import manifest from "../package.json" with { type: "json" };
import { CliError } from "./cli-error.js";
import { createProgram } from "./program.js";
import { processShell, type Shell } from "./shell.js";
import { printable } from "./table.js";

/** Whoever reads our output may stop early, as `head` does; that is no failure. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

process.exitCode = await run(process.argv.slice(2), processShell());

/** Runs one command line and answers the exit code: 0 done, 1 refused or failed, 2 wrong usage. */
async function run(args: readonly string[], shell: Shell): Promise<number> {
  try {
    await createProgram(shell, manifest.version).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof CliError) {
      shell.note(`error: ${printable(error.message)}`);
      return error.code === "WRONG_USAGE" ? 2 : 1;
    }
    shell.note(`error: ${printable(error instanceof Error ? error.message : String(error))} (this is a defect)`);
    return 1;
  }
}
