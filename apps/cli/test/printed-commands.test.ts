import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../src/program.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A new program each time, because it keeps what it parsed. */
function program(): Command {
  const ignore = () => undefined;
  const progress = new PassThrough() as unknown as NodeJS.WriteStream;
  const terminal = { print: ignore, note: ignore, progress, stdin: Readable.from([]) };
  const process = { env: {}, cwd: root, program: "wealth-connect", clock: () => new Date() };
  const time = { sleep: async () => undefined, interrupted: () => new AbortController().signal };
  return createProgram({ ...process, ...terminal, ...time }, "0.0.0");
}

/** Files of the repository below these folders, except installed or built ones. */
function filesOf(folders: readonly string[], ending: RegExp): { file: string; text: string }[] {
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) return [path];
      return /^(node_modules|dist|\.\w+)$/.test(entry.name) ? [] : below(path);
    });
  const own = readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  return [...own, ...folders.flatMap(below)]
    .filter((file) => ending.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
}

/** The names of the command line in what we print: its own, and those for running it from the repository. */
const NAME = String.raw`(?:wealth-connect|npm run cli --|node apps/cli/dist/main\.js)`;

/** The words of a command line, without comments and redirections; parts in square brackets are optional, but have to be valid. */
function wordsOf(line: string): string[] {
  const text = line
    .replace(/\s+#.*$/, "")
    .replace(/\s<\s+\S+/, "")
    .replace(/[[\]]/g, " ");
  return [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? (word as string));
}

/** The fault of a command line; null if it could be executed. @param isWhole whether its arguments are complete */
function faultOf(line: string, isWhole: boolean): string | null {
  let command = program();
  const words = wordsOf(line);
  for (let [word] = words; word !== undefined && command.commands.length > 0; [word] = words) {
    const next = command.commands.find((each) => each.name() === word);
    if (!next) return `${command.name()} has no ${word}`;
    command = next;
    words.shift();
  }
  if (command.commands.length > 0) return isWhole ? `${command.name()} needs a subcommand` : null;
  try {
    const { operands, unknown } = command.parseOptions(words.filter((word) => word !== "--help"));
    if (unknown.length > 0) return `${command.name()} does not know ${unknown[0]}`;
    const taken = command.registeredArguments;
    const needed = taken.filter(({ required }) => required).length;
    const most = taken.some(({ variadic }) => variadic) ? Number.POSITIVE_INFINITY : taken.length;
    if (operands.length > most) return `${command.name()} takes ${most} arguments`;
    return isWhole && operands.length < needed ? `${command.name()} needs ${needed} arguments` : null;
  } catch (error) {
    const { message } = error as Error;
    // A sentence may name an option without its value, or with a shortened one.
    return isWhole || !/argument missing|…/.test(message) ? message : null;
  }
}

describe("[C-8.25] every command that is printed can be carried out:", () => {
  it("in the examples of our pages", () => {
    const pages = filesOf(["docs", "apps", "packages", "examples"], /\.md$/);
    const found = pages.flatMap(({ file, text }) =>
      [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) =>
        // Also after a pipe.
        [
          ...block.replace(/\\\n */g, " ").matchAll(new RegExp(`(?:^|\\| *)${NAME} (?!http|--help)([^|>\n]+)`, "gm")),
        ].map(([line, rest = ""]) => {
          return { file, line, fault: faultOf(rest, true) };
        }),
      ),
    );
    expect(found.length).toBeGreaterThan(30);
    expect(found.filter(({ fault }) => fault !== null)).toEqual([]);
  });

  it("in their sentences", () => {
    const pages = filesOf(["docs", "apps", "packages", "examples"], /\.md$/);
    const groups = program().commands.map((each) => each.name());
    const known = new Set(
      program().commands.flatMap((group) => group.commands.map((each) => `${group.name()} ${each.name()}`)),
    );
    const found = pages.flatMap(({ file, text }) =>
      [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)].flatMap(([, code = ""]) => {
        const [, named] = new RegExp(`^${NAME} (?!http)([a-z].*)$`).exec(code) ?? [];
        // Without the program's name it is a command if both of its words are known.
        const isCommand =
          groups.some((group) => code.startsWith(`${group} `)) && known.has(code.split(" ").slice(0, 2).join(" "));
        const line = named ?? (isCommand ? code : null);
        // Several commands in one, such as `letters search|show`.
        if (line === null || /[|]|^\S+ \S+, /.test(line)) return [];
        return [{ file, line, fault: faultOf(line, false) }];
      }),
    );
    expect(found.length).toBeGreaterThan(30);
    expect(found.filter(({ fault }) => fault !== null)).toEqual([]);
  });

  it("by server and command line themselves", () => {
    const sources = filesOf(["apps", "packages", "scripts"], /(?<!\.test)\.(ts|mjs)$/).filter(
      ({ file }) => !/[/\\]test(ing)?[/\\]/.test(file),
    );
    const groups = program().commands.filter(({ commands }) => commands.length > 0);
    const bare = groups.flatMap((group) => group.commands.map((each) => `${group.name()} ${each.name()}`)).join("|");
    const found = sources.flatMap(({ file, text }) =>
      [
        ...[...text.matchAll(new RegExp(`${NAME} (?!http|watch)([a-z][^\`"'\\n;:,)\\\\]*)`, "g"))].map(
          ([, rest = ""]) => rest,
        ),
        ...[...text.matchAll(new RegExp(`\\b((?:${bare})(?: --[a-z-]+)+)`, "g"))].map(([, rest = ""]) => rest),
      ].map((line) => {
        // The command and its options: the sentence may go on afterwards.
        const [command = ""] = /^(?:[a-z-]+ ?){1,3}/.exec(line) ?? [];
        const options = [...line.matchAll(/ (--[a-z-]+)/g)].map(([, option]) => option);
        const depth = groups.some((group) => command.startsWith(`${group.name()} `)) ? 2 : 1;
        const words = command.trim().split(" ").slice(0, depth);
        return {
          file,
          line,
          fault: faultOf(
            [
              ...words,
              ...options.filter((option) => option !== "--help").flatMap((option) => [option as string, "1"]),
            ].join(" "),
            false,
          ),
        };
      }),
    );
    expect(found.length).toBeGreaterThan(15);
    expect(found.filter(({ fault }) => fault !== null && !/takes \d arguments/.test(fault))).toEqual([]);
  });
});
