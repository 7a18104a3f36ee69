import { CommanderError } from "commander";
import { CliError } from "./cli-error.js";
import { fileFault, OWN_FOLDER } from "./input.js";
import { createProgram } from "./program.js";
import { renderCommand, type Shell } from "./shell.js";
import { printable } from "./table.js";

/** Runs one command line, without the program's own name, and returns the exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export async function runCommandLine(args: readonly string[], terminal: Shell, version: string): Promise<number> {
  const shell = { ...terminal, note: (text: string) => terminal.note(renderCommand(terminal, text)) };
  try {
    await createProgram(shell, version).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    // Help and version end the same way as wrong usage, but with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof CliError) {
      shell.note(`error: ${printable(error.message)}`);
      for (const line of error.lines) shell.note(`  ${printable(line)}`);
      return error.code === "WRONG_USAGE" ? 2 : 1;
    }
    const fault = fileFault(error);
    if (fault !== null) shell.note(`error: ${printable(`${fault}: ${OWN_FOLDER}`)}`);
    else shell.note(`error: ${printable(error instanceof Error ? error.message : String(error))} (this is a defect)`);
    return 1;
  }
}
