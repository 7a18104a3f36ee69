import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const source = fileURLToPath(new URL("..", import.meta.url));
const root = fileURLToPath(new URL("../../../..", import.meta.url));
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

it("[C-14.1029] the console's English calls the person whose investments they are a client", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) => /(words|terms|sentences|to-dos)[\w-]*\.ts$/.test(file) && !file.endsWith(".test.ts"),
  );
  const found = files.flatMap((file) =>
    textsIn(readFileSync(`${source}/${file}`, "utf8"))
      .filter((text) => /\bcustomers?\b/i.test(text))
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

/** A time that is shown relative to now. */
const relativeTimes =
  /header: (\w+)\.(\w+),\s*cell: [^\n]*\n?[^\n]*<Moment at=\{[^}]*\} \/>|\[(\w+)\.(\w+), [^\n]*<Moment at=\{[^}]*\} look="both"/g;

it("[C-14.1030] no time relative to now has a heading that ends or begins with a preposition", () => {
  const words = readdirSync(source, { recursive: true, encoding: "utf8" });
  const screens = words.filter((file) => file.endsWith(".tsx"));
  const found = screens.flatMap((screen) => {
    const code = readFileSync(`${source}/${screen}`, "utf8");
    const keys = [...code.matchAll(relativeTimes)].map(([, , header, , fact]) => header ?? fact ?? "");
    const folder = screen.replace(/[^/]*$/, "");
    return words
      .filter((file) => file.startsWith(folder) && /words[\w-]*\.ts$/.test(file))
      .flatMap((file) => {
        const texts = readFileSync(`${source}/${file}`, "utf8");
        return keys
          .flatMap((key) => [...texts.matchAll(new RegExp(`\\b${key}: "([^"]*)"`, "g"))].map(([, text = ""]) => text))
          .filter((text) => /(^|\s)(since|until|of|seit|bis|ab|depuis|jusqu’(à|au)|au|du|dès|desde|hasta)$/i.test(text))
          .map((text) => `${screen}: ${text}`);
      });
  });
  expect(found).toEqual([]);
});

/** A label and its value that code joins with a colon, in a template or between elements. */
const ownColon = /`\$\{[^`{}]*\}: \$\{|(?:^\s*|>)\{[^\s{}][^{}\n]*\}: [<{]|\{": "\}/m;

it("[C-14.1093] labels and their values are joined as the language writes it", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tsx"));
  expect(files.filter((file) => ownColon.test(readFileSync(`${source}/${file}`, "utf8")))).toEqual([]);
  for (const planted of [
    `title={\`\${words.end}: \${name}\`}`,
    "<li>{words.end}: {name}</li>",
    "  {words.end}: {name}",
  ])
    expect(planted).toMatch(ownColon);
});

/** A plain space where French has one that no line breaks at. */
const plainSpace = / [;?!»]| :(?=\s|\\n|$)|« /;

it("[C-14.1028] French has spaces that do not break before its signs and inside its quotes, in all that is shown", () => {
  const files = ["apps", "packages"].flatMap((group) =>
    readdirSync(`${root}/${group}`).flatMap((member) => sourcesIn(`${group}/${member}/src`)),
  );
  const french = files.flatMap((file) => {
    const texts = frenchIn(readFileSync(`${root}/${file}`, "utf8"), /[-/]fr\.ts$/.test(file));
    return texts.map((text) => [file, text] as const);
  });
  expect(new Set(french.map(([file]) => file)).size).toBeGreaterThan(60);
  expect(french.filter(([, text]) => plainSpace.test(text))).toEqual([]);
  const planted = `{\n  en: "Why ?",\n  fr: {\n    a: "Retirer « x »",\n    b: (n) => \`\${n} : \`,\n    c: n ? "x" : "y",\n  },\n};`;
  expect(frenchIn(planted, false).filter((text) => plainSpace.test(text))).toEqual(["Retirer « x »", "x : "]);
});

/** The sources of a package, but for the letters, which are printed and mailed in a form of their own. */
function sourcesIn(folder: string): readonly string[] {
  if (!existsSync(`${root}/${folder}`)) return [];
  return readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|letter-mail/.test(file))
    .map((file) => `${folder}/${file}`)
    .filter((file) => !file.includes("letter-documents"));
}

/** The texts of what is named `fr`, or of a whole file; x stands for values. */
function frenchIn(code: string, isFrench: boolean): readonly string[] {
  const blocks = /^( *)(?:export )?(?:const )?fr\b[^\n]*[{([]\n[\s\S]*?^\1[})\]]|\bfr:\s*["`].*/gm;
  const parts = isFrench ? [code] : [...code.matchAll(blocks)].map(([block]) => block);
  return parts.flatMap((part) => {
    let plain = part.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    for (let before = ""; before !== plain; ) {
      before = plain;
      plain = plain.replace(/\$\{[^{}]*\}/g, "x");
    }
    return [...plain.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
      ([, one, other]) => one ?? other ?? "",
    );
  });
}

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
