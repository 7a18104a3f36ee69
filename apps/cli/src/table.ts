import Table from "cli-table3";

/** What a cell may hold. */
export type Cell = string | number | boolean | null | undefined | readonly string[];

const none = { top: "", "top-mid": "", "top-left": "", "top-right": "", bottom: "", "bottom-mid": "" } as const;
const plain = {
  chars: {
    ...none,
    "bottom-left": "",
    "bottom-right": "",
    left: "",
    "left-mid": "",
    mid: "",
    "mid-mid": "",
    right: "",
    "right-mid": "",
    middle: "  ",
  },
  style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
};

/** Rows under a heading, without lines or colours, so that other programs can cut it up too. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const drawn = new Table({ ...plain, head: head.map((word) => word.toUpperCase()) });
  drawn.push(...rows.map((row) => row.map(textOf)));
  return trimmed(drawn.toString());
}

/** One object: a field and its value on each line. */
export function details(fields: Readonly<Record<string, Cell>>): string {
  const drawn = new Table(plain);
  drawn.push(...Object.entries(fields).map(([name, value]) => [name, textOf(value)]));
  return trimmed(drawn.toString());
}

/** Values come from elsewhere: what a terminal would obey is left out. */
function textOf(value: Cell): string {
  if (value === null || value === undefined || value === "") return "-";
  const text = Array.isArray(value) ? value.join(", ") : String(value);
  return printable(text);
}

/** Text without control characters (a terminal obeys them) and without the characters that turn its direction. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, " ");
}

function trimmed(text: string): string {
  return text.replace(/ +$/gm, "");
}
