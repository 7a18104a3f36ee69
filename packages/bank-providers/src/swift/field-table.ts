import { Names } from "../markup/names.js";

/** Columns of a row, relative to its place. */
const TAG = 0;
/** For a block its name; {@link NO_NAME} if there is none. */
const QUALIFIER = 1;
const LINE = 2;
/** Start of a field's value in the text, or {@link APART}. */
const FROM = 3;
/** End of a field's value in the text; for a block, the place of the row after its last one. */
const TO = 4;
const SIZE = 5;

/** In {@link FROM}: the value is not contiguous in the text. */
const APART = -1;

/** The number of the empty name. */
export const NO_NAME = -2;

const MIN_FIELD_LENGTH = ":20:".length;

/** A row of the {@link FieldTable}, with names as numbers. */
interface FieldRow {
  readonly tag: number;
  readonly qualifier: number;
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

/**
 * The fields of a file of SWIFT messages as numbers in one typed array: a file of 64 MiB has more than a million fields, most of which are read
 * once. A block is a row, followed by the rows of its contents.
 */
export class FieldTable {
  /** Tags, qualifiers and names of blocks. */
  readonly names = new Names((written) => written);
  /** Tags that open and close a block. */
  readonly opening = this.numberOf("16R");
  readonly closing = this.numberOf("16S");
  /** Place of the next row. */
  end = 0;
  readonly source: string;
  /** Sized for the worst case; the system allocates only the pages that are written to. */
  readonly #rows: Int32Array;
  readonly #valuesApart = new Map<number, string>();

  constructor(source: string, maxFields: number) {
    this.source = source;
    this.#rows = new Int32Array(Math.min(maxFields, Math.ceil(source.length / MIN_FIELD_LENGTH)) * SIZE);
  }

  /** The number of a name in the source; -1 if there are too many names. */
  nameAt(from: number, to: number): number {
    return this.numberOf(this.source, from, to);
  }

  /** The number of a name, or of a part of a text; -1 if there are too many names. */
  numberOf(text: string, from = 0, to = text.length): number {
    if (from === to) return NO_NAME;
    let hash = 0;
    for (let at = from; at < to; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    return this.names.at(text, from, to, hash);
  }

  addField({ tag, qualifier, line, from, to }: FieldRow): void {
    const rows = this.#rows;
    const place = this.end;
    rows[place + TAG] = tag;
    rows[place + QUALIFIER] = qualifier;
    rows[place + LINE] = line;
    rows[place + FROM] = from;
    rows[place + TO] = to;
    this.end += SIZE;
  }

  /** Adds a field whose value is not contiguous in the text. */
  addFieldApart(row: FieldRow, value: string): void {
    this.#valuesApart.set(this.end, value);
    this.addField({ ...row, from: APART });
  }

  /** Opens a block; returns the place of its row. */
  openBlock(name: number, line: number): number {
    const place = this.end;
    this.addField({ tag: this.opening, qualifier: name, line, from: 0, to: 0 });
    return place;
  }

  /** Closes a block: it contains all rows added since it was opened. */
  closeBlock(place: number): void {
    this.#rows[place + TO] = this.end;
  }

  tagAt(place: number): string {
    return this.names.of(this.#rows[place + TAG] as number);
  }

  qualifierAt(place: number): string {
    const name = this.#rows[place + QUALIFIER] as number;
    return name === NO_NAME ? "" : this.names.of(name);
  }

  lineAt(place: number): number {
    return this.#rows[place + LINE] as number;
  }

  valueAt(place: number): string {
    const from = this.#rows[place + FROM] as number;
    if (from === APART) return this.#valuesApart.get(place) ?? "";
    return normalizeLineEnds(this.source.slice(from, this.#rows[place + TO]));
  }

  /** The place of the row after a field, or after everything in a block. */
  behind(place: number): number {
    return this.isBlock(place) ? (this.#rows[place + TO] as number) : place + SIZE;
  }

  /** The place of the first row in a block. */
  within(block: number): number {
    return block + SIZE;
  }

  isBlock(place: number): boolean {
    return this.#rows[place + TAG] === this.opening;
  }

  /** Whether a row is a field whose tag begins with a number. */
  isField(place: number, number: string, qualifier: number): boolean {
    return this.#rows[place + QUALIFIER] === qualifier && !this.isBlock(place) && this.tagAt(place).startsWith(number);
  }
}

/** Separates a value's lines by `\n`. */
export function normalizeLineEnds(value: string): string {
  return value.includes("\r") ? value.replace(/\r\n?/g, "\n") : value;
}

/** A field of a SWIFT message: `:93B::AGGR//UNIT/100,` has tag `93B`, qualifier `AGGR` and value `/UNIT/100,`. */
export class SwiftField {
  readonly table: FieldTable;
  /** Place of its row in the table. */
  readonly place: number;

  constructor(table: FieldTable, place: number) {
    this.table = table;
    this.place = place;
  }

  get tag(): string {
    return this.table.tagAt(this.place);
  }

  /** Four letters, or "" if the tag has none (`35B`, `28E`, and every field outside of blocks). */
  get qualifier(): string {
    return this.table.qualifierAt(this.place);
  }

  /** Lines joined by `\n`; cut out of the file on each call. */
  get value(): string {
    return this.table.valueAt(this.place);
  }

  get line(): number {
    return this.table.lineAt(this.place);
  }
}

/** Consecutive fields and blocks. Their objects are created on demand and need not be kept. */
export class SwiftRows {
  readonly table: FieldTable;
  readonly #from: number;
  readonly #to: number;

  constructor(table: FieldTable, from: number, to: number) {
    this.table = table;
    this.#from = from;
    this.#to = to;
  }

  /** In file order, without the fields of blocks. */
  *fields(): Generator<SwiftField> {
    const { table } = this;
    for (let at = this.#from; at < this.#to; at = table.behind(at))
      if (!table.isBlock(at)) yield new SwiftField(table, at);
  }

  /** Fields with this number (`93` finds `93B` and `93C`) and qualifier, in file order. */
  fieldsOf(number: string, qualifier: string): SwiftField[] {
    const found: SwiftField[] = [];
    for (let at = this.#next(this.#from, number, qualifier); at < this.#to; ) {
      found.push(new SwiftField(this.table, at));
      at = this.#next(this.table.behind(at), number, qualifier);
    }
    return found;
  }

  /** The first of {@link fieldsOf}. */
  fieldOf(number: string, qualifier: string): SwiftField | null {
    const at = this.#next(this.#from, number, qualifier);
    return at < this.#to ? new SwiftField(this.table, at) : null;
  }

  /** In file order, without nested blocks. */
  get blocks(): SwiftBlock[] {
    const { table } = this;
    const found: SwiftBlock[] = [];
    for (let at = this.#from; at < this.#to; at = table.behind(at))
      if (table.isBlock(at)) found.push(new SwiftBlock(table, at));
    return found;
  }

  #next(from: number, number: string, qualifier: string): number {
    const { table } = this;
    const wanted = qualifier === "" ? NO_NAME : table.names.numberOf(qualifier);
    let at = from;
    while (at < this.#to && !table.isField(at, number, wanted)) at = table.behind(at);
    return at;
  }
}

/** The contents between a `16R` and its `16S`. */
export class SwiftBlock extends SwiftRows {
  readonly name: string;
  readonly line: number;

  constructor(table: FieldTable, place: number) {
    super(table, table.within(place), table.behind(place));
    this.name = table.qualifierAt(place);
    this.line = table.lineAt(place);
  }
}
