import type { ReadPart } from "@org/data-feeds";

/** Rows sent at a time: the server receives them in some milliseconds. */
const SLICE = 1_000;

const lists = ["portfolios", "holdings", "transactions"] as const;

/** Some rows of one list of one part of a file, sent by the thread that read it. */
export interface RowSlice {
  /** Index of the part. */
  readonly part: number;
  readonly list: (typeof lists)[number];
  readonly rows: readonly object[];
}

/** Sends the rows of long lists with `send`, slice by slice, and returns the parts with those lists emptied. */
export async function sliceRows(
  parts: readonly ReadPart[],
  send: (slice: RowSlice) => Promise<unknown>,
): Promise<readonly ReadPart[]> {
  const shortened: ReadPart[] = [];
  for (const [index, part] of parts.entries()) {
    if ("refusal" in part) {
      shortened.push(part);
      continue;
    }
    const snapshot = { ...part.read.snapshot };
    for (const list of lists) {
      const rows = snapshot[list];
      if (rows === null || rows.length <= SLICE) continue;
      for (let start = 0; start < rows.length; start += SLICE)
        await send({ part: index, list, rows: rows.slice(start, start + SLICE) });
      snapshot[list] = [];
    }
    shortened.push({ ...part, read: { ...part.read, snapshot } });
  }
  return shortened;
}

/** Gathers the slices that {@link sliceRows} sends, and restores the lists. */
export function createRowGatherer() {
  const gathered = new Map<string, object[]>();
  const shared = sharedTexts();
  return {
    add({ part, list, rows }: RowSlice): void {
      for (const row of rows) shared(row);
      const key = `${part} ${list}`;
      const before = gathered.get(key);
      if (before) before.push(...rows);
      else gathered.set(key, [...rows]);
    },
    /** The parts as they were before slicing. */
    complete(parts: readonly ReadPart[]): readonly ReadPart[] {
      if (gathered.size === 0) return parts;
      return parts.map((part, index) => {
        if ("refusal" in part) return part;
        const long = lists.flatMap((list) => {
          const rows = gathered.get(`${index} ${list}`);
          return rows ? [[list, rows] as const] : [];
        });
        return { ...part, read: { ...part.read, snapshot: { ...part.read.snapshot, ...Object.fromEntries(long) } } };
      });
    },
  };
}

/** Each received row has its own copies of strings that many rows share, such as accounts, days and currencies. This keeps one copy. */
function sharedTexts(): (row: object) => void {
  const known = new Map<string, Map<unknown, unknown>>();
  return (row) => {
    for (const [name, text] of Object.entries(row)) {
      if (typeof text !== "string" || text.length > MAX_SHARED) continue;
      const texts = known.get(name) ?? new Map<unknown, unknown>();
      known.set(name, texts);
      const before = texts.get(text);
      if (before !== undefined) (row as Record<string, unknown>)[name] = before;
      else if (texts.size < MAX_KNOWN) texts.set(text, text);
    }
  };
}

/** Maximum length of a shared text. */
const MAX_SHARED = 64;

/** Maximum number of shared texts per field. A field with more values rarely repeats them. */
const MAX_KNOWN = 1_000;
