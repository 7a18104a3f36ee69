// What the checks and the site both read of the documentation's pages.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./step.mjs";
import { listFiles } from "./working-tree.mjs";

/** The pictures that pages of docs/ and the README show, by path from the root of the repository; docs/screenshots may contain no others. */
export function picturesOnPages() {
  const pages = listFiles().filter((file) => /^(docs\/.*|README)\.md$/.test(file));
  const links = pages.flatMap(
    (page) => readFileSync(join(root, page), "utf8").match(/screenshots\/[^)]+\.webp(?=\))/g) ?? [],
  );
  return new Set(links.map((link) => `docs/${link}`));
}

/** The anchor that GitHub derives from a heading. */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
