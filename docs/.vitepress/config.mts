// The site: the pages of docs/ and the README of each package, app and example. Links are written for the repository, where they work too; here they
// become addresses of the site, and what leads to a file that is no page stays as text.
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { defineConfig, type MarkdownOptions } from "vitepress";
import { anchorOf } from "../../scripts/pages.mjs";
import { root } from "../../scripts/step.mjs";
import { listFiles } from "../../scripts/working-tree.mjs";

type Kinds = Readonly<Record<string, readonly string[]>>;

/** What each reader reads, by kind of page. */
const readers: Readonly<Record<string, Kinds>> = JSON.parse(
  readFileSync(new URL("pages.json", import.meta.url), "utf8"),
);
const files = listFiles().filter((file: string) => file.endsWith(".md"));
const pages = files.filter((file: string) => !/^\.changeset\/|\/test\//.test(file));

checkSidebar();

export default defineConfig({
  title: "Wealth Connect",
  description:
    "Gives AI assistants and programs access to a person's investments at many banks, on a server of your own.",
  srcDir: root,
  srcExclude: ["artifacts/**", ".data/**", ...files.filter((file: string) => !pages.includes(file))],
  outDir: join(root, "artifacts/site"),
  cacheDir: join(root, "node_modules/.cache/vitepress"),
  cleanUrls: true,
  ignoreDeadLinks: "localhostLinks",
  rewrites: Object.fromEntries(pages.map((page: string) => [page, rewritten(page)])),
  // The root is the repository's, whose other pages are none of the site's.
  vite: { optimizeDeps: { entries: [] } },
  markdown: { anchor: { slugify: anchorOf }, config: rewriteLinks },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: Object.entries(readers).map(([text, kinds]) => ({ text, link: addressOf(firstOf(kinds)) })),
    sidebar: [
      ...Object.entries(readers).map(([text, kinds]) => ({
        text,
        collapsed: true,
        items: Object.entries(kinds).map(([kind, names]) => ({ text: kind, items: names.map(itemOf) })),
      })),
      { text: "Decisions", collapsed: true, items: allUnder("decisions/").map(itemOf) },
    ],
  },
});

/** The page's path in the site's folder. A README is the index of its folder. */
function rewritten(page: string): string {
  if (page === "README.md") return "about.md";
  return page.replace(/^docs\//, "").replace(/README\.md$/, "index.md");
}

function addressOf(name: string): string {
  return `/${rewritten(`docs/${name}.md`).replace(/(index)?\.md$/, "")}`;
}

function itemOf(name: string): { text: string; link: string } {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(root, `docs/${name}.md`), "utf8")) ?? [];
  if (title === undefined) throw new Error(`docs/${name}.md has no title`);
  return { text: title.replaceAll("`", ""), link: addressOf(name) };
}

function firstOf(kinds: Kinds): string {
  const [name] = Object.values(kinds).flat();
  if (name === undefined) throw new Error("pages.json has a reader without pages");
  return name;
}

function allUnder(folder: string): readonly string[] {
  return pages
    .filter((page: string) => page.startsWith(`docs/${folder}`))
    .map((page: string) => page.slice("docs/".length, -".md".length));
}

/** @throws Error if a page of docs/ is in no reader's list, or is listed twice */
function checkSidebar(): void {
  const listed = Object.values(readers).flatMap((kinds) => Object.values(kinds).flat());
  const kept = allUnder("").filter((name) => name !== "README" && !name.startsWith("decisions/"));
  for (const name of new Set([...kept, ...listed])) {
    const times = listed.filter((each) => each === name).length;
    if (times !== 1 || !kept.includes(name))
      throw new Error(`docs/.vitepress/pages.json lists ${name} ${times} times; each page of docs/ is listed once`);
  }
}

/** Turns a link from page to page into the site's address, and a link to another file into text. */
function rewriteLinks(markdown: Parameters<NonNullable<MarkdownOptions["config"]>>[0]): void {
  markdown.core.ruler.push("links-of-the-repository", ({ tokens, env }) => {
    const page = posix.relative(root, env.realPath ?? env.path);
    for (const { children } of tokens) {
      let isText = false;
      for (const token of children ?? []) {
        if (token.type === "link_close" && isText) {
          token.type = "html_inline";
          token.content = "";
          isText = false;
        }
        const href = token.type === "link_open" ? token.attrGet("href") : null;
        if (href === null || /^([a-z][a-z+.-]*:|#|\/)/i.test(href)) continue;
        const [path = "", anchor] = href.split("#");
        const target = pageAt(posix.normalize(posix.join(dirname(page), path)));
        if (target === null) {
          token.type = "html_inline";
          token.content = "";
          isText = true;
        } else {
          const address = `/${rewritten(target).replace(/(index)?\.md$/, "")}`;
          token.attrSet("href", anchor === undefined ? address : `${address}#${anchor}`);
        }
      }
    }
  });
}

/** The page that a link leads to, also by its folder; null if it leads to another file. */
function pageAt(path: string): string | null {
  const readme = posix.join(path, "README.md");
  return pages.find((page: string) => page === path || page === readme) ?? null;
}
