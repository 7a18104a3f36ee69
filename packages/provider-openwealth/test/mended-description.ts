/**
 * A description before version 3, with what keeps Prism from answering with its examples mended: examples of texts that are written as numbers, a
 * required member of positions that is defined nowhere, and instruments within instruments without an end. What it says about requests stays.
 */
export function mendedDescription(yaml: string): string {
  const lines = yaml.split("\n").filter((line) => line.trim() !== "- instrumentIdentification");
  return lines
    .map((line, index) => {
      if (lines.slice(index - 4, index).some((before) => before.trim() === "underlyingList:"))
        return line.replace('$ref: "#/components/schemas/financialInstrument"', "type: object");
      const [, indent, value] = /^( *)example: ([^'"\s].*?)\s*$/.exec(line) ?? [];
      if (indent === undefined || value === undefined) return line;
      return isText(lines, index, indent) ? `${indent}example: "${value}"` : line;
    })
    .join("\n");
}

/** Whether the schema whose example is in a line says `type: string`: members of the same indent, above and below. */
function isText(lines: readonly string[], index: number, indent: string): boolean {
  for (const step of [-1, 1]) {
    for (let at = index + step; at >= 0 && at < lines.length; at += step) {
      const line = lines[at] ?? "";
      if (line.trim() === "" || line.startsWith(`${indent} `)) continue;
      if (!line.startsWith(indent)) break;
      if (line.trim() === "type: string") return true;
    }
  }
  return false;
}
