import { parseArgs } from "node:util";
import packageJson from "../package.json" with { type: "json" };

/** What the command line requests: start the server, print a text and exit, or report an unknown argument. */
export type Arguments =
  | { readonly kind: "start" }
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "refuse"; readonly text: string };

/**
 * Reads the arguments after the program's name. Settings are not accepted as arguments, because other users of the machine could read keys in
 * them.
 * @param program what was typed before them
 */
export function readArguments(args: readonly string[], program: string): Arguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { help: { type: "boolean", short: "h" }, version: { type: "boolean", short: "v" } },
    });
    if (values.help) return { kind: "say", text: usage(program) };
    return values.version ? { kind: "say", text: packageJson.version } : { kind: "start" };
  } catch (error) {
    const [reason = ""] = (error as Error).message.split(". ");
    return {
      kind: "refuse",
      text: `${reason}; settings are environment variables, such as PORT; --help shows what there is`,
    };
  }
}

const usage = (program: string) => `Usage: ${program} [--help] [--version]

Starts the Wealth Connect server in the foreground. Settings are environment variables, such as PORT, PUBLIC_URL,
DATABASE_URL and DATA_DIR; without any, it serves http://localhost:3000 on an embedded database in ./.data.
All settings: docs/reference/configuration.md. Running it: docs/how-to/operate.md.

Records go to stdout, one JSON object a line, readable on a terminal. What keeps the server from starting goes to stderr, a line for each fault.
SIGTERM ends it in order after DRAIN_SECONDS, SIGINT in order at once, a second signal whatever is under way.

Exit codes:
  0         ended in order
  1         could not start, or ending in order failed
  2         wrong usage
  130, 143  ended by a second SIGINT or SIGTERM`;
