import type { Command } from "commander";
import { serve } from "../serve.js";
import type { Shell } from "../shell.js";

/** Adds `serve`, which passes all its arguments to the server. */
export function addServeCommand(program: Command, shell: Shell): void {
  program
    .command("serve")
    .description(
      "start the server in the foreground, as the npm package does without any command; settings are environment variables (serve --help)",
    )
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action((_options: object, command: Command) => serve(command.args, shell));
}
