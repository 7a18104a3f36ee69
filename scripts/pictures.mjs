// The pictures that pages of docs/ show; docs/screenshots may contain no others.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./step.mjs";
import { listFiles } from "./working-tree.mjs";

/** Their paths, from the root of the repository. */
export function picturesOnPages() {
  const pages = listFiles().filter((file) => /^(docs\/.*|README)\.md$/.test(file));
  const links = pages.flatMap(
    (page) => readFileSync(join(root, page), "utf8").match(/screenshots\/[^)]+\.webp(?=\))/g) ?? [],
  );
  return new Set(links.map((link) => `docs/${link}`));
}
