import { FeedRefusal } from "@org/provider-kit";
import type { ColumnReference } from "./mapping-value.js";
import { nameKey } from "./name-key.js";

/** A line of a table, as the mapping's values read it. */
export interface Row {
  /** Trimmed; texts that the mapping declares as `empty` are empty strings. */
  readonly columns: readonly string[];
  /** Line of the file, from 1. */
  readonly line: number;
}

/** The column names of a table; a table without a header may have none. */
export class Header {
  readonly names: readonly string[];
  /** Number of columns up to the last that has a name. */
  readonly width: number;
  readonly #indexes = new Map<string, number | null>();
  readonly #line: number;

  /** @param line of the header; for a table without a header its first line */
  constructor(names: readonly string[], line: number) {
    this.names = names;
    this.width = names.findLastIndex((name) => name !== "") + 1;
    this.#line = line;
    for (const [index, name] of names.entries()) {
      const key = nameKey(name);
      if (key !== "") this.#indexes.set(key, this.#indexes.has(key) ? null : index);
    }
  }

  /** Whether the header has this name. */
  has(name: string): boolean {
    return this.#indexes.has(nameKey(name));
  }

  /**
   * Finds a column's index, from 0; null if it is optional and missing.
   * @throws FeedRefusal if none of the names exists, or one exists twice
   */
  indexOf(reference: ColumnReference, optional: boolean): number | null {
    const names = typeof reference === "object" ? reference : [reference];
    for (const name of names) {
      if (typeof name === "number") return name - 1;
      const index = this.#indexes.get(nameKey(name));
      if (index === null)
        throw new FeedRefusal(
          `line ${this.#line}`,
          `has two columns ${JSON.stringify(name)}: the mapping has to say which, by position`,
        );
      if (index !== undefined) return index;
    }
    if (optional) return null;
    throw new FeedRefusal(
      `line ${this.#line}`,
      `has no column ${names.map((name) => JSON.stringify(name)).join(" or ")}`,
    );
  }

  /** The column's name for messages. */
  label(index: number): string {
    const name = this.names[index];
    return name === undefined || name === "" ? `column ${index + 1}` : `column ${JSON.stringify(name.slice(0, 60))}`;
  }
}
