import { readArguments } from "./arguments.js";

/** The commands that a person types, for texts that say what to type next. */
export interface CommandNames {
  /** Starts the server: `wealth-connect serve`. */
  readonly server: string;
  /** Before each command: `wealth-connect`. */
  readonly commands: string;
}

/** The server as a program of its own: help, its version, or the server itself, in the foreground. Wrong usage ends the process with 2. */
export async function runProgram(args: readonly string[], typed: CommandNames): Promise<void> {
  const wanted = readArguments(args, typed.server);
  if (wanted.kind === "start") {
    // Loaded only now, so that help is fast.
    const { runServer } = await import("./run-server.js");
    await runServer({}, typed.commands);
  } else if (wanted.kind === "say") process.stdout.write(`${wanted.text}\n`);
  else {
    process.stderr.write(`${wanted.text}\n`);
    process.exitCode = 2;
  }
}
