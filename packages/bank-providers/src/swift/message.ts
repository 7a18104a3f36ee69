import { FeedRefusal } from "@org/provider-kit";
import { decodeAs, decodeUtf8, refuseTooLarge } from "../decoding.js";
import { lineAndColumn } from "../markup/element.js";
import { CR, LF, linesOf } from "./lines.js";

/** A field of a SWIFT message: `:93B::AGGR//UNIT/100,` has tag `93B`, qualifier `AGGR` and value `/UNIT/100,`. */
export interface SwiftField {
  readonly tag: string;
  /** Four letters, or "" where the tag has none (`35B`, `28E`, and every field outside of blocks). */
  readonly qualifier: string;
  /** Lines joined by `\n`. */
  readonly value: string;
  readonly line: number;
}

/** What stands between a `16R` and its `16S`. */
export interface SwiftBlock {
  readonly name: string;
  readonly line: number;
  readonly fields: readonly SwiftField[];
  readonly blocks: readonly SwiftBlock[];
}

/** One message: messages about securities have blocks, those about cash accounts fields. It has neither where its type is not read. */
export interface SwiftMessage {
  /** Its number where the file says it, in a header of the network or a line before the first field. */
  readonly type: string | null;
  /** BIC of who sent it, by its header. */
  readonly sender: string | null;
  readonly line: number;
  /** Those outside of blocks. */
  readonly fields: readonly SwiftField[];
  readonly blocks: readonly SwiftBlock[];
  /** The message as the file has it, without what stands between messages. */
  readonly text: string;
  /** Whether something says where it ends: `-}`, `-`, or that another line follows its last one. */
  readonly isEnded: boolean;
}

const MAX_DEPTH = 10;
/** Tags and qualifiers that are kept once; there are some hundred. */
const MAX_WORDS = 2_000;

/** Real statements stay below 100,000 fields in all their pages. */
const MAX_FIELDS = 2_000_000;

/** Headers of the network have some hundred characters. */
const MAX_HEADER = 10_000;

/**
 * The text of a file of SWIFT messages, without the marks that old terminals put around each of them.
 * @throws FeedRefusal for a file that is too large, or holds other control characters
 */
export function swiftText(file: Uint8Array): string {
  refuseTooLarge(file);
  const decoded = decodeUtf8(file) ?? decodeAs(file, "windows-1252");
  // The marks are among them.
  if (!controlCharacters.test(decoded)) return decoded;
  const text = decoded.replace(terminalMarks, "");
  const offset = text.search(controlCharacters);
  if (offset >= 0) throw new FeedRefusal(lineAndColumn(text, offset), "a control character");
  return text;
}

/** Whether a file of messages with headers has one of these types, numbers as a pattern; others may come before it. */
export function hasMessage(head: string, types: string): boolean {
  return /^[^\w:{]{0,16}\{1:/.test(head) && new RegExp(`\\{2:[IO](?:${types})`).test(head);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const terminalMarks = /[\u0001\u0003\u001A]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/;

/**
 * Cuts a file into messages: with the headers and trailers of the network (blocks 1 to 5) or as bare text of block 4, one after
 * the other, each on lines of its own or right after the last, with or without `$` between them (RJE). Lines may end with `@@`, as
 * FinTS sends them. What does not nest, stands outside of a message or is cut off is a FeedRefusal.
 * @param types numbers of the messages to take apart; of others with a header only the type is told
 */
export function readMessages(text: string, types: ReadonlySet<string>): readonly SwiftMessage[] {
  const reader = new MessageReader(text, types);
  const endOfLine = linesOf(text);
  let at = 0;
  for (let line = 1; at <= text.length; line += 1) {
    const { end, next } = endOfLine(text, at);
    reader.take(text.slice(at, end), line, at);
    at = next;
  }
  return reader.finish();
}

/** Tags stand at the start of a line. `NS` is what German banks add for themselves. */
const fieldStart = /^:(?:\d\d[A-Z]?|NS):/;
/** Within a line; what is behind them is no field. */
const separators = /[\u2028\u2029]/;
const qualified = /^:[A-Z0-9]{4}\//;
/** Lines that some banks put before bare text: who sends, or the number of the message (`ABNANL2A`, `0000 01INGBNL2AXXXX00001`, `940 00`, `:940:`). */
const senderLine = /^(?:\d{4} \d\d)?([A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3,4})?)\d{0,10}\s*$/;
const typeLine = /^:?(9\d\d)(?::| \d\d)?\s*$/;

interface OpenBlock {
  readonly name: string;
  readonly line: number;
  readonly fields: SwiftField[];
  readonly blocks: OpenBlock[];
}

interface OpenMessage {
  readonly type: string | null;
  readonly sender: string | null;
  readonly line: number;
  readonly fields: SwiftField[];
  readonly blocks: OpenBlock[];
  readonly hasHeader: boolean;
  /** Where its text starts, and where it ends as far as is known. */
  readonly from: number;
  to: number;
  isEnded: boolean;
}

/** A field whose last line may still come. */
interface OpenField {
  readonly tag: string;
  readonly line: number;
  /** Where its value stands in the source. */
  readonly from: number;
  to: number;
  hasReturns: boolean;
  /** Its lines, where something between them is no part of it. */
  lines: string[] | null;
}

class MessageReader {
  readonly #source: string;
  readonly #types: ReadonlySet<string>;
  readonly #messages: OpenMessage[] = [];
  readonly #open: OpenBlock[] = [];
  #message: OpenMessage | null = null;
  #field: OpenField | null = null;
  readonly #hasSeparators: boolean;
  /** Tags and qualifiers, each once: one cut out of the text would cost its own string each time. */
  readonly #words = new Map<string, string>();
  #header = "";
  /** Where the header that is being read starts. */
  #headerFrom = 0;
  /** What lines before the next bare message say of it. */
  #announced: { type: string | null; sender: string | null } = noAnnouncement;
  #fields = 0;

  constructor(source: string, types: ReadonlySet<string>) {
    this.#source = source;
    this.#types = types;
    this.#hasSeparators = separators.test(source);
  }

  /** @param at where the line starts in the source */
  take(line: string, number: number, at: number): void {
    const message = this.#message;
    if (message?.hasHeader !== true && line.startsWith("{")) this.#takeHeader(line, number, at);
    else if (message?.hasHeader && /^-(?:\}|\s*$)/.test(line)) this.#end(line, number, at);
    else if (message?.hasHeader && message.type !== null && !this.#types.has(message.type)) return;
    else if (line.startsWith("$") && this.#separates(line)) this.#takeRest(line, number, at, line.search(/[^$]|$/));
    else if (line.startsWith(":")) this.#takeField(line, number, at);
    else if (this.#endsBareText(line)) this.#endBareText(at + line.length);
    else if (this.#field) this.#continue(line, at);
    else if (message?.hasHeader || !this.#announces(line)) this.#refuseText(line, number);
  }

  finish(): readonly SwiftMessage[] {
    this.#closeField();
    const open = this.#open.at(-1);
    if (open)
      throw refusal(open.line, `the file ends before ${shown(open.name)} is closed by :16S:${shown(open.name)}`);
    if (this.#message?.hasHeader) throw refusal(this.#message.line, "the file ends before the message is closed by -}");
    if (!/^(?:\{[5S]:.*\}|\s)*$/.test(this.#header))
      throw new FeedRefusal("file", "ends within the header of a message");
    return this.#messages.map(({ type, sender, line, fields, blocks, from, to, isEnded }) => ({
      type,
      sender,
      line,
      fields,
      blocks,
      text: this.#source.slice(from, to),
      isEnded: isEnded || to < this.#source.length,
    }));
  }

  #takeRest(line: string, number: number, at: number, cut: number): void {
    this.take(line.slice(cut), number, at + cut);
  }

  /** Within a field outside of blocks a `$` may be text. */
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
    if (!isNext) field.lines ??= this.#valueOf(field).split("\n");
    field.lines?.push(line);
    if (isReturn) field.hasReturns = true;
    field.to = at + line.length;
  }

  #valueOf({ lines, from, to, hasReturns }: OpenField): string {
    if (lines) return lines.join("\n");
    const value = this.#source.slice(from, to);
    return hasReturns ? value.replace(/\r\n?/g, "\n") : value;
  }

  #endsBareText(line: string): boolean {
    return this.#message?.hasHeader === false && this.#message.blocks.length === 0 && /^-(?:\}|X{3})?\s*$/.test(line);
  }

  #endBareText(end: number): void {
    this.#closeField();
    if (this.#message) {
      this.#message.isEnded = true;
      this.#message.to = end;
    }
    this.#message = null;
  }

  /** Takes a line that says something of the message that comes. */
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

  /** Headers stand on one line as a rule: `{1:…}{2:O535…}{4:`. An acknowledgement may come before them: `{1:F21…}{4:{177:…}{451:0}}`. */
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
    if (text + 3 < line.length) this.#takeRest(line, number, at, text + 3);
  }

  #begin(message: Omit<OpenMessage, "fields" | "blocks" | "isEnded">): OpenMessage {
    this.#message = { ...message, fields: [], blocks: [], isEnded: message.hasHeader };
    this.#messages.push(this.#message);
    this.#announced = noAnnouncement;
    return this.#message;
  }

  #beginBareText(line: number, at: number): OpenMessage {
    return this.#begin({ ...this.#announced, line, hasHeader: false, from: at, to: at });
  }

  /** The next message may begin behind the trailers on the same line. */
  #end(line: string, number: number, at: number): void {
    this.#refuseOpen(number);
    if (this.#message) this.#message.to = at + (line.startsWith("-}") ? 2 : 1);
    this.#message = null;
    const next = line.search(/\$|\{1:/);
    if (next > 0) this.#takeRest(line, number, at, next);
  }

  #refuseOpen(line: number): void {
    this.#closeField();
    const open = this.#open.at(-1);
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
    const tag = this.#word(line.slice(1, end));
    const rest = () => line.slice(end + 1).trim();
    this.#closeField();
    this.#fields += 1;
    if (this.#fields > MAX_FIELDS) throw refusal(number, `holds more than ${MAX_FIELDS} fields`);
    if (tag === "16R") this.#openBlock(rest(), number, at);
    else if (tag === "16S") this.#closeBlock(rest(), number, at + line.length);
    else {
      if (this.#open.length === 0) this.#messageOfField(tag, number, at).to = at + line.length;
      const [from, to] = [at + end + 1, at + line.length];
      this.#field = { tag, line: number, from, to, hasReturns: false, lines: null };
    }
  }

  #word(word: string): string {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    if (this.#words.size < MAX_WORDS) this.#words.set(word, word);
    return word;
  }

  /** The message of a field outside of blocks. In bare text `:20:` is the first field of each. */
  #messageOfField(tag: string, line: number, at: number): OpenMessage {
    const message = this.#message;
    if (message && (message.blocks.length > 0 || message.type?.startsWith("5")))
      throw refusal(line, `:${tag}: outside of a block`);
    if (message && (message.hasHeader || tag !== "20" || message.fields.length === 0)) return message;
    return this.#beginBareText(line, at);
  }

  #openBlock(name: string, line: number, at: number): void {
    if (this.#open.length >= MAX_DEPTH) throw refusal(line, `blocks are nested more than ${MAX_DEPTH} deep`);
    const block: OpenBlock = { name, line, fields: [], blocks: [] };
    const parent = this.#open.at(-1);
    if (parent) parent.blocks.push(block);
    else {
      // In bare text nothing but the general information says that a new message about securities begins.
      const message =
        this.#message && (this.#message.hasHeader || name !== "GENL" || this.#message.blocks.length === 0)
          ? this.#message
          : this.#beginBareText(line, at);
      message.blocks.push(block);
    }
    this.#open.push(block);
  }

  #closeBlock(name: string, line: number, end: number): void {
    const open = this.#open.pop();
    if (!open) throw refusal(line, `:16S:${shown(name)} closes nothing that is open`);
    if (this.#message) this.#message.to = end;
    if (open.name !== name) throw refusal(line, `:16S:${shown(name)} where :16S:${shown(open.name)} was expected`);
  }

  #closeField(): void {
    const field = this.#field;
    if (!field) return;
    this.#field = null;
    const { tag, line } = field;
    const text = this.#valueOf(field).trimEnd();
    const block = this.#open.at(-1);
    if (!block) this.#message?.fields.push({ tag, qualifier: "", value: text, line });
    else if (!qualified.test(text)) block.fields.push({ tag, qualifier: "", value: text, line });
    else block.fields.push({ tag, qualifier: this.#word(text.slice(1, 5)), value: text.slice(6), line });
  }
}

const noAnnouncement = { type: null, sender: null };

/** The bank that sent a message: in what the network delivers its address is in block 2, in what is handed to the network in block 1. */
function senderOf(header: string): string | null {
  const address =
    /\{2:O\d{3}\d{10}([A-Z]{6}[A-Z0-9]{5,6})\d/.exec(header)?.[1] ??
    (header.includes("{2:O") ? undefined : /\{1:F01([A-Z]{6}[A-Z0-9]{2,6})/.exec(header)?.[1]);
  return address === undefined ? null : bicOf(address);
}

/** The BIC of a logical terminal, whose ninth of twelve characters names the terminal. A branch of `XXX` is the head office. */
function bicOf(address: string): string {
  const branch = address.length >= 11 ? address.slice(-3) : "";
  return `${address.slice(0, 8)}${branch === "XXX" ? "" : branch}`;
}

function refusal(line: number, reason: string): FeedRefusal {
  return new FeedRefusal(`line ${line}`, reason);
}

/** The name of a block for a refusal. It has 16 characters at most; of a damaged file it may be the rest of it. */
function shown(name: string): string {
  return name.slice(0, 20);
}
