import { Names } from "./names.js";

/** Numbers stored per attribute: its name with the reference flag, the start of its value in the text, and the end. */
const SIZE = 3;

/** Flags of an element's attributes: one has references, one name occurs twice. The bits above them count the attributes. */
const HAS_REFERENCES = 1;
const HAS_DOUBLES = 2;
const ONE = 4;

/** Positions in the text of the attributes of all elements of a document. Those of one element are consecutive. */
export class AttributeList {
  readonly names = new Names((written) => written);
  /** Each element's attributes follow one number that holds their count and flags. Index 0 is unused. */
  #numbers = new Int32Array(1_024);
  #length = 1;
  /** By name: the last element that had it, and its place among that element's attributes. Rows of one kind mostly have the same place. */
  readonly #lastList: number[] = [];
  readonly #lastPlace: number[] = [];

  /** Starts the attributes of an element; returns their position. */
  begin(): number {
    this.#makeRoom(1);
    const list = this.#length;
    this.#numbers[list] = 0;
    this.#length += 1;
    return list;
  }

  /** Adds an attribute to the list started last. */
  add(list: number, name: number, from: number, to: number, hasReferences: boolean): void {
    this.#makeRoom(SIZE);
    const mark = hasReferences ? 1 : 0;
    const numbers = this.#numbers;
    numbers[this.#length] = name * 2 + mark;
    numbers[this.#length + 1] = from;
    numbers[this.#length + 2] = to;
    const doubles = this.#lastList[name] === list ? HAS_DOUBLES : 0;
    this.#lastList[name] = list;
    numbers[list] = ((numbers[list] as number) + ONE) | doubles | (hasReferences ? HAS_REFERENCES : 0);
    this.#length += SIZE;
  }

  /** Whether an attribute of the element has references. */
  hasReferences(list: number): boolean {
    return list !== 0 && ((this.#numbers[list] as number) & HAS_REFERENCES) !== 0;
  }

  /** Whether the element has two attributes of one name. */
  hasDoubles(list: number): boolean {
    return list !== 0 && ((this.#numbers[list] as number) & HAS_DOUBLES) !== 0;
  }

  /** The element's first attribute of a name; 0 = none. */
  find(list: number, wanted: number): number {
    if (list === 0) return 0;
    const numbers = this.#numbers;
    const likely = list + (this.#lastPlace[wanted] ?? 0);
    const isThere = likely !== list && likely < this.#endOf(list) && (numbers[likely] as number) >> 1 === wanted;
    if (isThere && !this.hasDoubles(list)) return likely;
    const found = this.next(list, 0, wanted);
    if (found !== 0) this.#lastPlace[wanted] = found - list;
    return found;
  }

  #endOf(list: number): number {
    return list + 1 + ((this.#numbers[list] as number) >> 2) * SIZE;
  }

  /**
   * The next attribute of a name, or the next one with references; 0 = none.
   * @param after the attribute found before, or 0
   */
  next(list: number, after: number, wanted: number | "with references"): number {
    if (list === 0) return 0;
    const numbers = this.#numbers;
    const end = this.#endOf(list);
    for (let at = after === 0 ? list + 1 : after + SIZE; at < end; at += SIZE) {
      const mark = numbers[at] as number;
      if (wanted === "with references" ? (mark & 1) === 1 : mark >> 1 === wanted) return at;
    }
    return 0;
  }

  /** The element's next attribute of the same name; 0 = none. */
  alikeAfter(list: number, at: number): number {
    return this.next(list, at, (this.#numbers[at] as number) >> 1);
  }

  nameAt(at: number): string {
    return this.names.of((this.#numbers[at] as number) >> 1);
  }

  /** A value as written in the document. */
  writtenAt(at: number, source: string): string {
    return source.slice(this.#numbers[at + 1], this.#numbers[at + 2]);
  }

  hasReferencesAt(at: number): boolean {
    return ((this.#numbers[at] as number) & 1) === 1;
  }

  #makeRoom(count: number): void {
    if (this.#length + count <= this.#numbers.length) return;
    const grown = new Int32Array(this.#numbers.length * 2);
    grown.set(this.#numbers);
    this.#numbers = grown;
  }
}
