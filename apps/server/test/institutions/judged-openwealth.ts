import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startPrism } from "../../../../packages/provider-kit/test/stand-in/prism.js";

const provider = new URL("../../../../packages/provider-openwealth/", import.meta.url);

/** The path of a published description. */
function descriptionOf(name: string): string {
  return fileURLToPath(new URL(`test/description/${name}.yaml`, provider));
}

/** Prism between a client and the stand-in: 4xx for a request, and 5xx for an answer, that does not keep to the description. */
export function startJudge(description: string, upstream: string) {
  // The provider has Prism among its devDependencies.
  return startPrism(new URL("package.json", provider), ["proxy", descriptionOf(description), upstream]);
}

/** The first enumeration that a description has after a line with these words. */
export function enumerationAfter(description: string, words: string, next = ""): readonly string[] {
  const lines = readFileSync(descriptionOf(description), "utf8")
    .split("\n")
    .map((line) => line.trim());
  const from = lines.findIndex((line, number) => line === words && (lines[number + 1] ?? "").startsWith(next));
  const start = lines.findIndex((line, number) => number > from && line === "enum:") + 1;
  const length = lines.slice(start).findIndex((line) => !line.startsWith("- "));
  return lines.slice(start, start + length).map((line) => line.slice(2).trim());
}
