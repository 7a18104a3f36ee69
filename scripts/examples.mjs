// The examples of the documentation as a reader's compiler sees them: every JavaScript or TypeScript block on every page, written to its own file and
// compiled strictly against the packages as shipped (scripts/packages.mjs).
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./step.mjs";
import { listFiles } from "./working-tree.mjs";

const OPTIONS = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  target: "ES2022",
  module: "NodeNext",
  types: ["node"],
};

/** The code blocks for a TypeScript compiler, with page and first line. Examples of unpublished packages are included. */
export function findExamples() {
  return listFiles()
    .filter((page) => page.endsWith(".md") && !page.endsWith("CHANGELOG.md"))
    .flatMap(blocksOf);
}

function blocksOf(page) {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```(?:js|mjs|javascript|ts|mts|typescript)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: code, index }) => ({
      page,
      code,
      line: text.slice(0, index).split("\n").length,
    }),
  );
}

/**
 * Writes the blocks as a project for `tsc -p`, into a folder in which their packages are found. A block keeps the line number of its page, so that an
 * error names the place.
 */
export function writeProject(folder, examples, options = {}) {
  mkdirSync(folder, { recursive: true });
  const files = examples.map(({ page, code, line }) => {
    const file = `${page.replaceAll("/", "~")}.${line}.ts`;
    writeFileSync(join(folder, file), `${"\n".repeat(line)}${code}export {};\n`);
    return file;
  });
  const compilerOptions = { ...OPTIONS, typeRoots: [join(root, "node_modules/@types")], ...options };
  // Ambient declarations that the sources need besides their imports.
  const ambient = options.customConditions ? [join(root, "packages/storage-postgres/src/sql-text.d.ts")] : [];
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [...files, ...ambient] }));
}
