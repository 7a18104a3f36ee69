import { readFileSync } from "node:fs";

/** The text of one of the specification's examples. */
export function example(name: string): string {
  return readFileSync(new URL(`./description/examples/${name}.json`, import.meta.url), "utf8");
}

/** Parses JSON with numbers as text, as the kit's client does for `json_exact`. */
export function exactJson(text: string): unknown {
  return JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"${token}"`)),
  );
}
