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

it("docs/reference/command-line.md lists every command (run this file with -u to renew the page)", async () => {
  await expect(pageOf(createProgram(processShell(), "0.0.0"))).toMatchFileSnapshot(
    "../../../docs/reference/command-line.md",
  );
});

function pageOf(program: Command): string {
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  const single = program.commands.filter(({ commands }) => commands.length === 0);
  return [
    "# Command line",
    "",
    "The commands of `wealth-connect`, in a clone `npm run cli --`. `<command> --help` shows a command's options and examples, and",
    "`--json` prints its answer for programs. The page is written from the program: `npx vitest run apps/cli/src/program.test.ts -u`.",
    "",
    ...tableOf(single),
    ...groups.flatMap((group) => [
      "",
      `## ${group.name()}`,
      "",
      `${sentence(group.description())}`,
      "",
      ...tableOf(group.commands),
    ]),
    "",
  ].join("\n");
}

function tableOf(commands: readonly Command[]): readonly string[] {
  return [
    "| command | what it does |",
    "| --- | --- |",
    ...commands.map((command) => {
      const names = command.registeredArguments.map((argument) => {
        const shown = `${argument.name()}${argument.variadic ? "..." : ""}`;
        return argument.required ? ` \`<${shown}>\`` : ` \`[${shown}]\``;
      });
      const cells = [`\`${nameOf(command)}\`${names.join("")}`, command.description().replaceAll("\n", " ")];
      return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
    }),
  ];
}

/** With the names of the groups that hold it. */
function nameOf(command: Command): string {
  const above = command.parent;
  return above?.parent ? `${nameOf(above)} ${command.name()}` : command.name();
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
