import { FeedRefusal } from "@org/provider-kit";
import type { ColumnReference } from "./mapping-value.js";

/** A line of a table as the mapping's values see it. */
export interface Row {
  /** Trimmed; what stands for nothing is empty. */
  readonly columns: readonly string[];
  /** Of the file, from 1. */
  readonly line: number;
}

/** What a header calls the columns of a table, or null where it has none. */
export class Header {
  readonly names: readonly string[];
  readonly #indexes = new Map<string, number | null>();
  readonly #line: number;

  /** @param line that the header is in; of a table without one, its first */
  constructor(names: readonly string[], line: number) {
    this.names = names;
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
   * Which column is meant, from 0; null for none.
   * @throws FeedRefusal where there is none of these names, or two of one
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

  /** What a person calls a column. */
  label(index: number): string {
    const name = this.names[index];
    return name === undefined || name === "" ? `column ${index + 1}` : `column ${JSON.stringify(name.slice(0, 60))}`;
  }
}

/** No column has a longer name. Marks that are piled up on one letter take time by the square of their number (UAX #15 §3.11). */
const MAX_NAME_LENGTH = 1_000;

/** Names of columns compare without regard to case and spaces. */
export function nameKey(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).normalize("NFC").replace(/\s+/gu, " ").trim().toLowerCase();
}
