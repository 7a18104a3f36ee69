import { Names } from "./names.js";

/** Numbers of an attribute: its name and whether it has references, where its value starts in the text, and where it ends. */
const SIZE = 3;

/** The attributes of all elements of a document: where they stand in its text. An element's are one after the other. */
export class AttributeList {
  readonly names = new Names((written) => written);
  /** Before those of each element stands how many there are, twice, plus one where one has references. Nothing is at 0. */
  #numbers = new Int32Array(1_024);
  #length = 1;

  /** Begins those of an element; returns where they are. */
  begin(): number {
    this.#makeRoom(1);
    const list = this.#length;
    this.#numbers[list] = 0;
    this.#length += 1;
    return list;
  }

  /** Adds one to those that were begun last. */
  add(list: number, name: number, from: number, to: number, hasReferences: boolean): void {
    this.#makeRoom(SIZE);
    const mark = hasReferences ? 1 : 0;
    const numbers = this.#numbers;
    numbers[this.#length] = name * 2 + mark;
    numbers[this.#length + 1] = from;
    numbers[this.#length + 2] = to;
    numbers[list] = ((numbers[list] as number) + 2) | mark;
    this.#length += SIZE;
  }

  /** Whether one of an element's has references. */
  hasReferences(list: number): boolean {
    return list !== 0 && ((this.#numbers[list] as number) & 1) === 1;
  }

  /**
   * The next attribute of a name, or any with references; 0 for none.
   * @param after the one that was found before, or 0
   */
  next(list: number, after: number, wanted: number | "with references"): number {
    if (list === 0) return 0;
    const numbers = this.#numbers;
    const end = list + 1 + ((numbers[list] as number) >> 1) * SIZE;
    for (let at = after === 0 ? list + 1 : after + SIZE; at < end; at += SIZE) {
      const mark = numbers[at] as number;
      if (wanted === "with references" ? (mark & 1) === 1 : mark >> 1 === wanted) return at;
    }
    return 0;
  }

  nameAt(at: number): string {
    return this.names.of((this.#numbers[at] as number) >> 1);
  }

  /** A value as it stands in the text of the document. */
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
