import { FeedRefusal } from "@org/provider-kit";
import { decodeAs, decodeUtf8, refuseTooLarge } from "../decoding.js";
import { keepShared } from "../kept-objects.js";
import { isSpace } from "../markup/characters.js";
import { lineAndColumn } from "../markup/lines.js";
import { MAX_ELEMENT_NAMES } from "../markup/names.js";
import { FieldTable, NO_NAME, normalizeLineEnds, SwiftBlock, SwiftRows } from "./field-table.js";
import { CR, LF, lineEndFinder } from "./lines.js";

/** One message: messages about securities have blocks, those about cash accounts fields. It has neither if its type is not parsed. */
export class SwiftMessage extends SwiftRows {
  /** Its number, if a header of the network or a line before the first field states it. */
  readonly type: string | null;
  /** BIC of the sender, from the header. */
  readonly sender: string | null;
  readonly line: number;
  /** The message as in the file, without anything between messages. */
  readonly text: string;
  /** Whether something marks its end: `-}`, `-`, or another line after its last one. */
  readonly isEnded: boolean;

  constructor(table: FieldTable, { type, sender, line, from, to, isEnded, rows }: OpenMessage, rowsEnd: number) {
    super(table, rows, rowsEnd);
    this.type = type;
    this.sender = sender;
    this.line = line;
    this.text = table.source.slice(from, to);
    this.isEnded = isEnded || to < table.source.length;
  }
}

const MAX_DEPTH = 10;

/** Real statements have fewer than 100,000 fields over all their pages. */
const MAX_FIELDS = 2_000_000;

/** Headers of the network have about a hundred characters. */
const MAX_HEADER = 10_000;

/**
 * Decodes a file of SWIFT messages and removes the marks that old terminals put around each message.
 * @throws FeedRefusal for a file that is too large, or has other control characters
 */
export function swiftText(file: Uint8Array): string {
  refuseTooLarge(file);
  const decoded = decodeUtf8(file) ?? decodeAs(file, "windows-1252");
  // The terminal marks are control characters too.
  if (!controlCharacters.test(decoded)) return decoded;
  const text = decoded.replace(terminalMarks, "");
  const offset = text.search(controlCharacters);
  if (offset >= 0) throw new FeedRefusal(lineAndColumn(text, offset), "a control character");
  return text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const terminalMarks = /[\u0001\u0003\u001A]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/;

/**
 * Splits a file into messages: with the headers and trailers of the network (blocks 1 to 5) or as bare text of block 4. Messages follow one
 * another on new lines or on the same line, with or without `$` between them (RJE). Lines may end with `@@`, as FinTS sends them. Blocks that do
 * not nest, text outside of a message and a truncated message are a FeedRefusal.
 * @param types numbers of the messages to parse; of other messages with a header only the type is read
 */
export function readMessages(text: string, types: ReadonlySet<string>): readonly SwiftMessage[] {
  const reader = new MessageReader(text, types);
  const endOfLine = lineEndFinder(text);
  let at = 0;
  for (let line = 1; at <= text.length; line += 1) {
    const { end, next } = endOfLine(text, at);
    reader.take(text.slice(at, end), line, at);
    at = next;
  }
  return reader.finish();
}

/** Tags are at the start of a line. `NS` is an addition of German banks. */
const fieldStart = /^:(?:\d\d[A-Z]?|NS):/;
/** Line separators within a line: a line with one does not start a field. */
const separators = /[\u2028\u2029]/;
/**
 * Lines that some banks put before bare text: the sender, or the number of the message (`ABNANL2A`, `0000 01INGBNL2AXXXX00001`, `940 00`,
 * `:940:`).
 */
const senderLine = /^(?:\d{4} \d\d)?([A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3,4})?)\d{0,10}\s*$/;
const typeLine = /^:?(9\d\d)(?::| \d\d)?\s*$/;

interface OpenMessage {
  readonly type: string | null;
  readonly sender: string | null;
  readonly line: number;
  readonly hasHeader: boolean;
  /** Place of its first row in the table. */
  readonly rows: number;
  hasFields: boolean;
  hasBlocks: boolean;
  /** Start of its text, and its end as far as known. */
  readonly from: number;
  to: number;
  isEnded: boolean;
}

/** A field whose last line may still come. */
interface OpenField {
  readonly tag: number;
  readonly line: number;
  /** Place of its value in the source. */
  readonly from: number;
  to: number;
  /** Its lines, if they are not contiguous in the source. */
  lines: string[] | null;
}

class MessageReader {
  readonly #source: string;
  readonly #types: ReadonlySet<string>;
  readonly #messages: OpenMessage[] = [];
  readonly #table: FieldTable;
  /** Places of the open blocks. */
  readonly #open: number[] = [];
  #message: OpenMessage | null = null;
  #field: OpenField | null = null;
  readonly #hasSeparators: boolean;
  /** Offset in the last line at which a further line starts within it; -1 if none does. */
  #rest = -1;
  #header = "";
  /** Start of the header being read. */
  #headerFrom = 0;
  /** What lines before the next bare message state about it. */
  #announced: { type: string | null; sender: string | null } = noAnnouncement;
  #fields = 0;

  constructor(source: string, types: ReadonlySet<string>) {
    this.#source = source;
    this.#types = types;
    this.#table = new FieldTable(source, MAX_FIELDS);
    this.#hasSeparators = separators.test(source);
  }

  /** @param at position of the line in the source */
  take(line: string, number: number, at: number): void {
    for (let from = 0; from >= 0; from = this.#rest < 0 ? -1 : from + this.#rest) {
      this.#rest = -1;
      this.#takeLine(line.slice(from), number, at + from);
    }
  }

  #takeLine(line: string, number: number, at: number): void {
    const message = this.#message;
    if (message?.hasHeader !== true && line.startsWith("{")) this.#takeHeader(line, number, at);
    else if (message?.hasHeader && /^-(?:\}|\s*$)/.test(line)) this.#end(line, number, at);
    else if (message?.hasHeader && message.type !== null && !this.#types.has(message.type)) return;
    else if (line.startsWith("$") && this.#separates(line)) this.#rest = line.search(/[^$]|$/);
    else if (line.startsWith(":")) this.#takeField(line, number, at);
    else if (this.#endsBareText(line)) this.#endBareText(at + line.length);
    else if (this.#field) this.#continue(line, at);
    else if (message?.hasHeader || !this.#announces(line)) this.#refuseText(line, number);
  }

  finish(): readonly SwiftMessage[] {
    this.#closeField();
    const open = this.#innermost();
    if (open)
      throw refusal(open.line, `the file ends before ${shown(open.name)} is closed by :16S:${shown(open.name)}`);
    if (this.#message?.hasHeader) throw refusal(this.#message.line, "the file ends before the message is closed by -}");
    if (!/^(?:\{[5S]:.*\})?\s*$/s.test(this.#header))
      throw new FeedRefusal("file", "ends within the header of a message");
    const table = this.#table;
    return this.#messages.map(
      (message, index) => new SwiftMessage(table, message, this.#messages[index + 1]?.rows ?? table.end),
    );
  }

  /** Whether `$` separates messages: within a field outside of blocks it may be text. */
  #separates(line: string): boolean {
    return this.#open.length === 0 && (this.#field === null || /^\$+(?:$|[:{])/.test(line));
  }

  #continue(line: string, at: number): void {
    if (this.#field) this.#addLine(this.#field, line, at);
    if (this.#message) this.#message.to = at + line.length;
  }

  #addLine(field: OpenField, line: string, at: number): void {
    const isReturn = this.#source.charCodeAt(field.to) === CR;
    const isNext = at - field.to === (isReturn && this.#source.charCodeAt(field.to + 1) === LF ? 2 : 1);
    if (!isNext) field.lines ??= [normalizeLineEnds(this.#source.slice(field.from, field.to))];
    field.lines?.push(line);
    field.to = at + line.length;
  }

  #endsBareText(line: string): boolean {
    return this.#message?.hasHeader === false && !this.#message.hasBlocks && /^-(?:\}|X{3})?\s*$/.test(line);
  }

  #endBareText(end: number): void {
    this.#closeField();
    if (this.#message) {
      this.#message.isEnded = true;
      this.#message.to = end;
    }
    this.#message = null;
  }

  /** Reads a line that states something about the next message. Returns false for any other line. */
  #announces(line: string): boolean {
    const type = typeLine.exec(line)?.[1];
    const sender = senderLine.exec(line)?.[1];
    if (type === undefined && sender === undefined) return false;
    this.#announced = {
      type: type ?? this.#announced.type,
      sender: (sender && bicOf(sender)) ?? this.#announced.sender,
    };
    return true;
  }

  #refuseText(line: string, number: number): void {
    if (!/^(?:[\s$-]*|\{[1-5S]:.*)$/.test(line)) throw refusal(number, "text outside of a field");
  }

  /** Headers are usually on one line: `{1:…}{2:O535…}{4:`. An acknowledgement may come before them: `{1:F21…}{4:{177:…}{451:0}}`. */
  #takeHeader(line: string, number: number, at: number): void {
    this.#refuseOpen(number);
    if (this.#header === "") this.#headerFrom = at;
    const text = line.search(/\{4:(?!\{)/);
    this.#header += line.slice(0, text < 0 ? MAX_HEADER : text);
    if (this.#header.length > MAX_HEADER) throw refusal(number, "a header of more than 10,000 characters");
    if (text < 0) return;
    const header = this.#header;
    this.#header = "";
    const type = /\{2:[IO](\d{3})/.exec(header)?.[1] ?? null;
    this.#begin({ type, sender: senderOf(header), line: number, hasHeader: true, from: this.#headerFrom, to: at });
    if (text + 3 < line.length) this.#rest = text + 3;
  }

  #begin(message: Omit<OpenMessage, "rows" | "hasFields" | "hasBlocks" | "isEnded">): OpenMessage {
    const isEnded = message.hasHeader;
    this.#message = { ...message, rows: this.#table.end, hasFields: false, hasBlocks: false, isEnded };
    this.#messages.push(this.#message);
    this.#announced = noAnnouncement;
    return this.#message;
  }

  #beginBareText(line: number, at: number): OpenMessage {
    return this.#begin({ ...this.#announced, line, hasHeader: false, from: at, to: at });
  }

  /** Ends a message. The next one may begin after the trailers on the same line. */
  #end(line: string, number: number, at: number): void {
    this.#refuseOpen(number);
    if (this.#message) this.#message.to = at + (line.startsWith("-}") ? 2 : 1);
    this.#message = null;
    const next = line.search(/\$|\{1:/);
    if (next > 0) this.#rest = next;
  }

  #refuseOpen(line: number): void {
    this.#closeField();
    const open = this.#innermost();
    if (open) throw refusal(line, `the message ends before ${shown(open.name)} (line ${open.line}) is closed by :16S:`);
  }

  #takeField(line: string, number: number, at: number): void {
    if (!fieldStart.test(line) || (this.#hasSeparators && separators.test(line))) {
      if (this.#open.length === 0 && typeLine.test(line)) {
        this.#closeField();
        this.#message = null;
        this.#announces(line);
        // A further line of a narrative may begin with a colon.
      } else if (this.#field) this.#continue(line, at);
      else throw refusal(number, "a field whose tag cannot be read");
      return;
    }
    const end = line.indexOf(":", 1);
    const tag = this.#name(at + 1, at + end, number);
    this.#closeField();
    this.#fields += 1;
    if (this.#fields > MAX_FIELDS) throw refusal(number, `holds more than ${MAX_FIELDS} fields`);
    if (tag === this.#table.opening) this.#openBlock(line.slice(end + 1).trim(), number, at);
    else if (tag === this.#table.closing) this.#closeBlock(line.slice(end + 1).trim(), number, at + line.length);
    else {
      if (this.#open.length === 0) this.#messageOfField(tag, number, at).to = at + line.length;
      this.#field = { tag, line: number, from: at + end + 1, to: at + line.length, lines: null };
    }
  }

  /** The number of a tag, qualifier or block name. */
  #name(from: number, to: number, line: number): number {
    const name = this.#table.nameAt(from, to);
    if (name === -1) throw tooManyNames(line);
    return name;
  }

  /** The message of a field outside of blocks. In bare text, `:20:` is the first field of each message. */
  #messageOfField(tagNumber: number, line: number, at: number): OpenMessage {
    const message = this.#message;
    const tag = this.#table.names.of(tagNumber);
    if (message && (message.hasBlocks || message.type?.startsWith("5")))
      throw refusal(line, `:${tag}: outside of a block`);
    if (message && (message.hasHeader || tag !== "20" || !message.hasFields)) return message;
    return this.#beginBareText(line, at);
  }

  #openBlock(name: string, line: number, at: number): void {
    if (this.#open.length >= MAX_DEPTH) throw refusal(line, `blocks are nested more than ${MAX_DEPTH} deep`);
    if (this.#open.length === 0) {
      // In bare text, only the general information shows that a new message about securities begins.
      const message =
        this.#message && (this.#message.hasHeader || name !== "GENL" || !this.#message.hasBlocks)
          ? this.#message
          : this.#beginBareText(line, at);
      message.hasBlocks = true;
    }
    const number = this.#table.numberOf(name);
    if (number === -1) throw tooManyNames(line);
    this.#open.push(this.#table.openBlock(number, line));
  }

  #innermost(): SwiftBlock | null {
    const place = this.#open.at(-1);
    return place === undefined ? null : new SwiftBlock(this.#table, place);
  }

  #closeBlock(name: string, line: number, end: number): void {
    const place = this.#open.pop();
    if (place === undefined) throw refusal(line, `:16S:${shown(name)} closes nothing that is open`);
    if (this.#message) this.#message.to = end;
    const open = new SwiftBlock(this.#table, place);
    if (open.name !== name) throw refusal(line, `:16S:${shown(name)} where :16S:${shown(open.name)} was expected`);
    this.#table.closeBlock(place);
  }

  #closeField(): void {
    const field = this.#field;
    if (!field) return;
    this.#field = null;
    const source = this.#source;
    const { tag, line, from, lines } = field;
    let { to } = field;
    while (to > from && isSpace(source.charCodeAt(to - 1))) to -= 1;
    const isQualified = this.#open.length > 0 && isQualifiedAt(source, from, to);
    const qualifier = isQualified ? this.#name(from + 1, from + QUALIFIER_LENGTH - 1, line) : NO_NAME;
    const row = { tag, qualifier, line, from: isQualified ? from + QUALIFIER_LENGTH : from, to };
    if (!lines) this.#table.addField(row);
    else {
      const text = lines.join("\n").trimEnd();
      this.#table.addFieldApart(row, text.slice(row.from - from));
    }
    if (this.#open.length === 0 && this.#message) this.#message.hasFields = true;
  }
}

const QUALIFIER_LENGTH = 6;
const COLON = 0x3a;
const SLASH = 0x2f;

/** Whether `/^:[A-Z0-9]{4}\//` matches at this position. */
function isQualifiedAt(text: string, from: number, to: number): boolean {
  if (to - from < QUALIFIER_LENGTH || text.charCodeAt(from) !== COLON || text.charCodeAt(from + 5) !== SLASH)
    return false;
  for (let at = from + 1; at < from + 5; at += 1) {
    const code = text.charCodeAt(at);
    const isDigit = code >= 0x30 && code <= 0x39;
    if (!isDigit && !(code >= 0x41 && code <= 0x5a)) return false;
  }
  return true;
}

const noAnnouncement = { type: null, sender: null };

keepShared(new MessageReader("", new Set()));
for (const message of readMessages(":16R:GENL\n:23G:NEWM\n:16S:GENL", new Set()))
  keepShared(message, ...message.blocks, ...message.blocks.flatMap((block) => block.fieldsOf("23", "")));

/** The sender of a message. Its address is in block 2 of messages that the network delivers, and in block 1 of those handed to the network. */
function senderOf(header: string): string | null {
  const address =
    /\{2:O\d{3}\d{10}([A-Z]{6}[A-Z0-9]{5,6})\d/.exec(header)?.[1] ??
    (header.includes("{2:O") ? undefined : /\{1:F01([A-Z]{6}[A-Z0-9]{2,6})/.exec(header)?.[1]);
  return address === undefined ? null : bicOf(address);
}

/** The BIC of a logical terminal address, whose ninth of twelve characters names the terminal. Branch `XXX` is the head office. */
function bicOf(address: string): string {
  const branch = address.length >= 11 ? address.slice(-3) : "";
  return `${address.slice(0, 8)}${branch === "XXX" ? "" : branch}`;
}

function refusal(line: number, reason: string): FeedRefusal {
  return new FeedRefusal(`line ${line}`, reason);
}

function tooManyNames(line: number): FeedRefusal {
  return refusal(line, `more than ${MAX_ELEMENT_NAMES} tags, qualifiers and names of blocks`);
}

/** The name of a block for a refusal, shortened: valid names have at most 16 characters, but a damaged file may have more. */
function shown(name: string): string {
  return name.slice(0, 20);
}
