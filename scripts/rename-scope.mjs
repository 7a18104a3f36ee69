// Gives all packages another scope than the one that package.json of the repository names, which is the one place where it is told, and
// says in each manifest where its sources are:
//
//   node scripts/rename-scope.mjs @example --repository https://github.com/example/wealth-connect
//
// Then `pnpm install` and `pnpm format`, for imports are in the order of their names.
import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { publicPackages } from "./public-packages.mjs";
import { refuse, root } from "./step.mjs";
import { knownFiles } from "./working-tree.mjs";

/**
 * Writes the new scope into every file that Git knows in a folder. Returns how many it changed.
 * @param to `@` and a name as npm allows it
 * @param repository https address without `.git`; left alone when it is not given
 */
export function renameScope({ folder = root, to, repository }) {
  if (!/^@[a-z0-9][a-z0-9._-]*$/.test(to))
    throw new Error(`a scope is @ and lower-case letters, digits, ., _ or -, not ${to}`);
  const { scope } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const changed = textsOf(folder).filter(({ file, text }) => {
    const renamed = text.replace(mentionsOf(scope), to);
    if (renamed !== text) writeFileSync(file, renamed);
    return renamed !== text;
  });
  if (repository !== undefined) for (const each of publicPackages(folder)) tellRepository(folder, each, repository);
  return changed.length;
}

/** Lines that name a scope, as `file: line`. */
export function mentions(folder, scope) {
  return textsOf(folder).flatMap(({ file, text }) =>
    text
      .split("\n")
      .filter((line) => line.includes(scope))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

/** As a name in code or text, also with its slash escaped; an address of mail at a host of that name is none. */
function mentionsOf(scope) {
  return new RegExp(`(?<![\\w.])${scope}(?=\\\\?/|["'\`\\s])`, "g");
}

function textsOf(folder) {
  return knownFiles(folder)
    .filter((name) => !/\.(png|pdf|gz|zip|ttf)$/.test(name))
    .map((name) => join(folder, name))
    .filter((file) => lstatSync(file).isFile())
    .map((file) => ({ file, text: readFileSync(file, "utf8") }));
}

function tellRepository(folder, { folder: directory, manifest }, address) {
  const told = { ...manifest, homepage: `${address}/tree/main/${directory}#readme`, bugs: `${address}/issues` };
  told.repository = { type: "git", url: `git+${address}.git`, directory };
  writeFileSync(join(folder, directory, "package.json"), `${JSON.stringify(told, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { repository: { type: "string" } } });
  if (positionals.length !== 1) refuse("usage: node scripts/rename-scope.mjs @scope [--repository https://…]");
  try {
    console.log(`${renameScope({ to: positionals[0], ...values })} files changed; now: pnpm install && pnpm format`);
  } catch (error) {
    refuse(error.message);
  }
}
