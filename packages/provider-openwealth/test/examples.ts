import { readFileSync } from "node:fs";

/** Text of one of the description's own examples. */
export function example(name: string): string {
  return readFileSync(new URL(`./description/examples/${name}.json`, import.meta.url), "utf8");
}

/** JSON whose numbers are read as their text, as the kit's client reads `json_exact`. */
export function exactJson(text: string): unknown {
  return JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"${token}"`)),
  );
}
