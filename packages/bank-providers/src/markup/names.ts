import type { Codes } from "./characters.js";

/** Maximum number of names. No bank uses more. */
export const MAX_ELEMENT_NAMES = 10_000;

/** Size of the hash table of names as written. */
const SLOTS = 1_024;

/** Numbers the names of a document and keeps each once: cutting a name out of the text would create a new string each time. */
export class Names {
  readonly #nameOf: (written: string) => string;
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** By name as written; several spellings may have the same number. */
  readonly #numberOfWritten = new Map<string, number>();
  /** The last name as written for each hash, and its number, so that a name rarely has to be cut out of the text. */
  readonly #lastWritten: string[] = new Array(SLOTS).fill("");
  readonly #lastNumber = new Int32Array(SLOTS);

  /** @param nameOf converts a name as written to the name to use */
  constructor(nameOf: (written: string) => string) {
    this.#nameOf = nameOf;
  }

  /**
   * The number of the name at this place in the text; -1 if there are {@link MAX_ELEMENT_NAMES} already.
   * @param hash any hash of the name's characters
   * @param codes of the text, if available
   */
  at(text: string, from: number, to: number, hash: number, codes?: Codes): number {
    const slot = hash & (SLOTS - 1);
    const last = this.#lastWritten[slot] as string;
    const isLast = last.length === to - from && (codes ? matchesAt(codes, from, last) : text.startsWith(last, from));
    if (isLast) return this.#lastNumber[slot] as number;
    const written = text.slice(from, to);
    const number = this.#numberOfWritten.get(written) ?? this.#add(written);
    if (number < 0) return number;
    this.#lastWritten[slot] = written;
    this.#lastNumber[slot] = number;
    return number;
  }

  /** The name with this number. */
  of(number: number): string {
    return this.#names[number] as string;
  }

  /** The number of a name; -1 if the document does not have it. */
  numberOf(name: string): number {
    return this.#numbers.get(name) ?? -1;
  }

  #add(written: string): number {
    if (this.#numberOfWritten.size >= MAX_ELEMENT_NAMES) return -1;
    const name = this.#nameOf(written);
    const number = this.#numbers.get(name) ?? this.#names.push(name) - 1;
    this.#numbers.set(name, number);
    this.#numberOfWritten.set(written, number);
    return number;
  }
}

/** Whether the text has `known` at this position, possibly as the beginning of a longer name. */
export function matchesAt(codes: Codes, from: number, known: string): boolean {
  for (let at = 0; at < known.length; at += 1) if (known.charCodeAt(at) !== codes[from + at]) return false;
  return true;
}
