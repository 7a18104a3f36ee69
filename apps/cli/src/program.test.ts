import type { Command } from "commander";
import { expect, it } from "vitest";
import { createProgram } from "./program.js";
import { processShell } from "./shell.js";

function commandsOf(command: Command): Command[] {
  return command.commands.flatMap((inner) => [inner, ...commandsOf(inner)]);
}

it("[C-4.64] every command that lists something says in which order", () => {
  const commands = commandsOf(createProgram(processShell(), "0.0.0"));
  const lists = commands.filter(
    (command) =>
      command.commands.length === 0 &&
      // An export of a single named object has no order.
      !(command.name() === "export" && command.registeredArguments.length > 0) &&
      (["list", "search", "export"].includes(command.name()) || /^list /.test(command.description())),
  );
  expect(lists.length).toBeGreaterThan(10);
  for (const command of lists)
    expect(command.description(), `${command.parent?.name()} ${command.name()}`).toMatch(/ first\b| by id\b| order\b/);
});
