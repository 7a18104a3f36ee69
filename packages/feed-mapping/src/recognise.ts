import { toUtf8 } from "./decoding.js";
import type { FeedMapping } from "./mapping.js";
import { nameKey } from "./name-key.js";
import { normalizeLineBreaks } from "./records.js";

/** Number of lines searched for a header or an identifying line. */
export const MAX_LINES_ABOVE = 200;
/** Number of bytes searched for them. */
const HEAD_BYTES = 65_536;

/** The first of the mappings that recognises the beginning of the file; null if none does. */
export function findMapping(file: Uint8Array, mappings: readonly FeedMapping[]): FeedMapping | null {
  const heads = new Map<string, readonly string[]>();
  return (
    mappings.find((mapping) => {
      const encoding = mapping.encoding ?? "utf-8";
      const lines = heads.get(encoding) ?? headLines(file, encoding);
      heads.set(encoding, lines);
      return recognises(lines, mapping);
    }) ?? null
  );
}

/** The first lines of a file; none if it is not text in this encoding. */
export function headLines(
  file: Uint8Array,
  encoding: string,
  most = { bytes: HEAD_BYTES, lines: MAX_LINES_ABOVE },
): readonly string[] {
  const head = file.subarray(0, most.bytes);
  const isCut = head.byteLength < file.byteLength;
  // The end of the head may cut a character.
  for (let cut = 0; cut < (isCut ? 4 : 1); cut += 1) {
    try {
      return normalizeLineBreaks(toUtf8(head.subarray(0, head.byteLength - cut), encoding))
        .toString("utf8")
        .split("\n", most.lines);
    } catch {
      // A shorter cut may succeed; otherwise the file has another encoding.
    }
  }
  return [];
}

function recognises(lines: readonly string[], mapping: FeedMapping): boolean {
  const { header, line: beginning } = mapping.recognise;
  if (beginning !== undefined && !lines.some((line) => line.trimStart().startsWith(beginning))) return false;
  return header === undefined || lines.some((line) => isHeader(line, mapping));
}

/** Whether a line has all the column names in the mapping's `recognise.header`. */
export function isHeader(line: string, { recognise, delimiter }: FeedMapping): boolean {
  if (!recognise.header || line.trim() === "") return false;
  return hasNames(cellsOf(line, delimiter), recognise.header);
}

function cellsOf(line: string, delimiter: string | undefined): readonly string[] {
  const cells = delimiter === undefined ? line.split(/\s{2,}/) : line.split(delimiter);
  return cells.map((cell) => cell.trim().replace(/^(["'])(.*)\1$/, "$2"));
}

/** Why a mapping does not recognise a file, for a message: the columns that its header lacks, or the line that it has none of. */
export function whyUnrecognised(file: Uint8Array, mapping: FeedMapping): string {
  const { encoding = "utf-8", recognise, delimiter } = mapping;
  const lines = headLines(file, encoding);
  if (lines.length === 0) return `it is no text in ${encoding}`;
  const { header = [], line: beginning } = recognise;
  if (beginning !== undefined && !lines.some((line) => line.trimStart().startsWith(beginning)))
    return `no line begins with ${JSON.stringify(beginning)}`;
  const lacks = lines.map((line) => {
    const cells = cellsOf(line, delimiter);
    return header.filter((name) => !hasNames(cells, [name])).map((name) => (typeof name === "string" ? name : name[0]));
  });
  const best = lacks.reduce((top, { length }, at) => (length < (lacks[top]?.length ?? 0) ? at : top), 0);
  const names = (lacks[best] ?? []).map((name) => JSON.stringify(name)).join(", ");
  return lacks[best]?.length === header.length ? `no line has the columns ${names}` : `line ${best + 1} lacks ${names}`;
}

/** Whether the cells of a line are a header with all these column names. */
export function hasNames(cells: readonly string[], wanted: readonly (string | readonly string[])[]): boolean {
  const names = new Set(cells.map(nameKey));
  return wanted.every((name) => (typeof name === "string" ? [name] : name).some((each) => names.has(nameKey(each))));
}
