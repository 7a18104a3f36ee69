import { Names } from "../markup/names.js";

/** Numbers of a row, one after the other from its place on. */
const TAG = 0;
/** Of a block its name. {@link NO_NAME} where there is none. */
const QUALIFIER = 1;
const LINE = 2;
/** Where a field's value starts in the text, or {@link APART}. */
const FROM = 3;
/** Where a field's value ends in the text; of a block, where in the table the row behind its last one stands. */
const TO = 4;
const SIZE = 5;

/** In {@link FROM}: the value does not stand in the text in one piece. */
const APART = -1;

/** The number of the empty name. */
export const NO_NAME = -2;

const MIN_FIELD_LENGTH = ":20:".length;

/** What a row says; see {@link FieldTable}. Of names their numbers. */
interface FieldRow {
  readonly tag: number;
  readonly qualifier: number;
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

/**
 * The fields of a file of SWIFT messages, as numbers in one piece of memory beside the heap: a file of 64 MiB has more than a million,
 * most of which are asked for once. A block is a row, behind which the rows of what stands in it follow.
 */
export class FieldTable {
  /** Tags, qualifiers and names of blocks. */
  readonly names = new Names((written) => written);
  /** Tags of the beginning and the end of a block. */
  readonly opening = this.numberOf("16R");
  readonly closing = this.numberOf("16S");
  /** Where the next row will be. */
  end = 0;
  readonly source: string;
  /** Memory that is not written to is not taken. */
  readonly #rows: Int32Array;
  readonly #valuesApart = new Map<number, string>();

  constructor(source: string, maxFields: number) {
    this.source = source;
    this.#rows = new Int32Array(Math.min(maxFields, Math.ceil(source.length / MIN_FIELD_LENGTH)) * SIZE);
  }

  /** The number of the name that stands in the text; -1 where there are too many. */
  nameAt(from: number, to: number): number {
    return this.numberOf(this.source, from, to);
  }

  /** The number of a name, or of one in a text; -1 where there are too many. */
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

  /** Adds a field whose value does not stand in the text in one piece. */
  addFieldApart(row: FieldRow, value: string): void {
    this.#valuesApart.set(this.end, value);
    this.addField({ ...row, from: APART });
  }

  /** Opens a block; where its row is. */
  openBlock(name: number, line: number): number {
    const place = this.end;
    this.addField({ tag: this.opening, qualifier: name, line, from: 0, to: 0 });
    return place;
  }

  /** Ends the block of a row: what was added since is in it. */
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

  /** Where the row behind a field stands, or behind all that is in a block. */
  behind(place: number): number {
    return this.isBlock(place) ? (this.#rows[place + TO] as number) : place + SIZE;
  }

  /** Where the first row within a block stands. */
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

/** A value with `\n` between its lines. */
export function normalizeLineEnds(value: string): string {
  return value.includes("\r") ? value.replace(/\r\n?/g, "\n") : value;
}

/** A field of a SWIFT message: `:93B::AGGR//UNIT/100,` has tag `93B`, qualifier `AGGR` and value `/UNIT/100,`. */
export class SwiftField {
  readonly table: FieldTable;
  /** Where its row is. */
  readonly place: number;

  constructor(table: FieldTable, place: number) {
    this.table = table;
    this.place = place;
  }

  get tag(): string {
    return this.table.tagAt(this.place);
  }

  /** Four letters, or "" where the tag has none (`35B`, `28E`, and every field outside of blocks). */
  get qualifier(): string {
    return this.table.qualifierAt(this.place);
  }

  /** Lines joined by `\n`; cut out of the file each time. */
  get value(): string {
    return this.table.valueAt(this.place);
  }

  get line(): number {
    return this.table.lineAt(this.place);
  }
}

/** Fields and blocks that follow each other. Their objects are made whenever they are asked for, and may be thrown away. */
export class SwiftRows {
  readonly table: FieldTable;
  readonly #from: number;
  readonly #to: number;

  constructor(table: FieldTable, from: number, to: number) {
    this.table = table;
    this.#from = from;
    this.#to = to;
  }

  /** In file order, without those of the blocks. */
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

  /** In file order, without those that they hold. */
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

/** What stands between a `16R` and its `16S`. */
export class SwiftBlock extends SwiftRows {
  readonly name: string;
  readonly line: number;

  constructor(table: FieldTable, place: number) {
    super(table, table.within(place), table.behind(place));
    this.name = table.qualifierAt(place);
    this.line = table.lineAt(place);
  }
}
