import { setFlagsFromString } from "node:v8";
import { readArguments } from "./arguments.js";

/** The commands that a person types, for messages that say what to type next. */
export interface CommandNames {
  /** Starts the server: `wealth-connect serve`. */
  readonly server: string;
  /** Before each command: `wealth-connect`. */
  readonly commands: string;
}

/** Runs the server as a program: prints help or its version, or runs the server in the foreground. Wrong usage ends the process with 2. */
export async function runProgram(args: readonly string[], typed: CommandNames): Promise<void> {
  const wanted = readArguments(args, typed.server);
  if (wanted.kind === "start") {
    // V8 takes requests for long-lived, since some are alive whenever it looks, and would keep them and all that they lead to until a full collection.
    setFlagsFromString("--no-allocation-site-pretenuring");
    // Loaded lazily, so that help is fast.
    const { runServer } = await import("./run-server.js");
    await runServer({}, typed.commands);
  } else if (wanted.kind === "say") process.stdout.write(`${wanted.text}\n`);
  else {
    process.stderr.write(`${wanted.text}\n`);
    process.exitCode = 2;
  }
}
