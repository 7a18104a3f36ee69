import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const source = fileURLToPath(new URL("..", import.meta.url));
/** Field names of the API, options and names of commands, and commands in backticks. */
const codes = /\b[a-z]+_[a-z_]+\b|(?<![\w-])--[a-z]|\bwealth-connect\b|`|\bdocs\/|SMTP_|_URL\b/;

it("[C-14.843] no text of the console in any language has field names, options of commands or names of files", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) => /(words|terms|sentences|to-dos)[\w-]*\.ts$/.test(file) && !file.endsWith(".test.ts"),
  );
  expect(files.length).toBeGreaterThan(35);
  const found = files.flatMap((file) =>
    textsIn(readFileSync(`${source}/${file}`, "utf8"))
      .filter((text) => codes.test(text))
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
  const planted = 'a: "as in connector_filter of it", "b_c": `sent by --mail`, /** d_e */ f: "see `letters sign`"';
  expect(textsIn(planted).filter((text) => codes.test(text)).length).toBe(3);
});

/** The texts between quotes, without keys of objects, types, imports and placeholders. */
function textsIn(code: string): readonly string[] {
  const shown = code
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
    .replace(/^\s*\| "[^"]*";?$|\bfrom "[^"]*"|Record<.*>|AnswerOf<.*>|RowOf<.*>|\["\w+"\]/gm, "");
  const quoted = [...shown.matchAll(/"((?:[^"\\\n]|\\.)*)"(?!\s*:)/g)].map(([, text = ""]) => text);
  const templates = [...shown.matchAll(/`((?:[^`\\]|\\.)*)`/g)].map(([, text = ""]) =>
    text.replace(/\$\{[^}]*\}/g, ""),
  );
  return [...quoted, ...templates].filter((text) => /\s/.test(text) || text.includes("_"));
}
