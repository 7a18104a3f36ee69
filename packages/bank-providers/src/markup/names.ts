import type { Codes } from "./characters.js";

/** More kinds of names than this are no bank's. */
export const MAX_ELEMENT_NAMES = 10_000;

/** Of names as written, found again by their characters. */
const SLOTS = 1_024;

/** Names of a document by number, each kept once: a name cut out of the text would cost its own string each time. */
export class Names {
  readonly #nameOf: (written: string) => string;
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** By name as written; several may stand for one. */
  readonly #numberOfWritten = new Map<string, number>();
  /** The last name as written for each hash, and its number, so that hardly any has to be cut out of the text. */
  readonly #lastWritten: string[] = new Array(SLOTS).fill("");
  readonly #lastNumber = new Int32Array(SLOTS);

  /** @param nameOf turns a name as written into the one that counts */
  constructor(nameOf: (written: string) => string) {
    this.#nameOf = nameOf;
  }

  /**
   * The number of the name that stands in the text; -1 where it is one more than {@link MAX_NAMES}.
   * @param hash of its characters, any
   * @param codes of the text, where somebody has them
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

  /** The name with a number. */
  of(number: number): string {
    return this.#names[number] as string;
  }

  /** The number of a name; -1 where the document does not have it. */
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

/** Whether a name stands in a text from a place on, be it as the beginning of a longer one. */
export function matchesAt(codes: Codes, from: number, known: string): boolean {
  for (let at = 0; at < known.length; at += 1) if (known.charCodeAt(at) !== codes[from + at]) return false;
  return true;
}
