import { FeedRefusal } from "@org/provider-kit";

/** A field of a SWIFT message: `:93B::AGGR//UNIT/100,` has tag `93B`, qualifier `AGGR` and value `UNIT/100,`. */
export interface SwiftField {
  readonly tag: string;
  /** Four letters, or "" where the tag has none (`35B`, `28E`). */
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

/** One message: its number where it has a header, and its outermost blocks; none where its number says that it is no MT535. */
export interface SwiftMessage {
  readonly type: string | null;
  readonly line: number;
  readonly blocks: readonly SwiftBlock[];
  /** The message as the file has it, without what stands between messages. */
  readonly text: string;
}

const MAX_DEPTH = 10;

/** Real statements stay below 100,000 fields in all their pages. */
const MAX_FIELDS = 2_000_000;

/**
 * Cuts a file into messages: with the headers and trailers of the network (blocks 1 to 5) or as bare text of block 4, one after
 * the other, each on lines of its own or right after the last, with or without `$` between them (RJE). What does not nest, stands
 * outside of a message or is cut off is a FeedRefusal.
 */
export function readMessages(text: string): readonly SwiftMessage[] {
  const reader = new MessageReader(text);
  let at = 0;
  for (let line = 1; at <= text.length; line += 1) {
    const end = lineEnd(text, at);
    reader.take(text.slice(at, end), line, at);
    at = text[end] === "\r" && text[end + 1] === "\n" ? end + 2 : end + 1;
  }
  return reader.finish();
}

function lineEnd(text: string, from: number): number {
  lineBreak.lastIndex = from;
  return lineBreak.exec(text)?.index ?? text.length;
}

const lineBreak = /[\r\n]/g;
const fieldStart = /^:(\d\d[A-Z]?):(.*)$/;
const qualified = /^:([A-Z0-9]{4})\/([\s\S]*)$/;

interface OpenBlock {
  readonly name: string;
  readonly line: number;
  readonly fields: SwiftField[];
  readonly blocks: OpenBlock[];
}

interface OpenMessage {
  readonly type: string | null;
  readonly line: number;
  readonly blocks: OpenBlock[];
  readonly hasHeader: boolean;
  /** Where its text starts, and where it ends as far as is known. */
  readonly from: number;
  to: number;
}

class MessageReader {
  readonly #source: string;
  readonly #messages: OpenMessage[] = [];
  readonly #open: OpenBlock[] = [];
  #message: OpenMessage | null = null;
  #field: { tag: string; lines: string[]; line: number } | null = null;
  #header = "";
  /** Where the header that is being read starts. */
  #headerFrom = 0;
  #fields = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** @param at where the line starts in the source */
  take(line: string, number: number, at: number): void {
    if (this.#message?.hasHeader !== true && line.startsWith("{")) this.#takeHeader(line, number, at);
    else if (this.#message?.hasHeader && /^-(?:\}|$)/.test(line)) this.#end(line, number, at);
    else if (this.#message?.hasHeader && this.#message.type !== null && this.#message.type !== "535") return;
    else if (line.startsWith("$") && this.#open.length === 0) this.#takeRest(line, number, at, line.search(/[^$]|$/));
    else if (line.startsWith(":")) this.#takeField(line, number, at);
    else if (this.#field && this.#open.length > 0) this.#field.lines.push(line);
    else if (!/^(?:[\s$-]*|\{[1-5S]:.*)$/.test(line)) throw refusal(number, "text outside of a field");
  }

  finish(): readonly SwiftMessage[] {
    this.#closeField();
    const open = this.#open.at(-1);
    if (open) throw refusal(open.line, `the file ends before ${open.name} is closed by :16S:${open.name}`);
    if (this.#message?.hasHeader) throw refusal(this.#message.line, "the file ends before the message is closed by -}");
    return this.#messages.map(({ type, line, blocks, from, to }) => ({
      type,
      line,
      blocks,
      text: this.#source.slice(from, to),
    }));
  }

  #takeRest(line: string, number: number, at: number, cut: number): void {
    this.take(line.slice(cut), number, at + cut);
  }

  /** Headers stand on one line as a rule: `{1:…}{2:O535…}{4:`. */
  #takeHeader(line: string, number: number, at: number): void {
    this.#refuseOpen(number);
    if (this.#header === "") this.#headerFrom = at;
    this.#header += line.slice(0, 1_000);
    if (!line.endsWith("{4:")) return;
    const type = /\{2:[IO](\d{3})/.exec(this.#header)?.[1] ?? null;
    this.#begin({ type, line: number, blocks: [], hasHeader: true, from: this.#headerFrom, to: at });
    this.#header = "";
  }

  #begin(message: OpenMessage): OpenMessage {
    this.#message = message;
    this.#messages.push(message);
    return message;
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
    if (open) throw refusal(line, `the message ends before ${open.name} (line ${open.line}) is closed by :16S:`);
  }

  #takeField(line: string, number: number, at: number): void {
    const [, tag, rest = ""] = fieldStart.exec(line) ?? [];
    if (tag === undefined) {
      // A further line of a narrative may begin with a colon.
      if (!this.#field) throw refusal(number, "a field whose tag cannot be read");
      this.#field.lines.push(line);
      return;
    }
    this.#closeField();
    this.#fields += 1;
    if (this.#fields > MAX_FIELDS) throw refusal(number, `holds more than ${MAX_FIELDS} fields`);
    if (tag === "16R") this.#openBlock(rest.trim(), number, at);
    else if (tag === "16S") this.#closeBlock(rest.trim(), number, at + line.length);
    else if (this.#open.length === 0) throw refusal(number, `:${tag}: outside of a block`);
    else this.#field = { tag, lines: [rest], line: number };
  }

  #openBlock(name: string, line: number, at: number): void {
    if (this.#open.length >= MAX_DEPTH) throw refusal(line, `blocks are nested more than ${MAX_DEPTH} deep`);
    const block: OpenBlock = { name, line, fields: [], blocks: [] };
    const parent = this.#open.at(-1);
    if (parent) parent.blocks.push(block);
    else {
      // In bare text nothing but the general information says that a new message begins.
      const message =
        this.#message && (this.#message.hasHeader || name !== "GENL" || this.#message.blocks.length === 0)
          ? this.#message
          : this.#begin({ type: null, line, blocks: [], hasHeader: false, from: at, to: at });
      message.blocks.push(block);
    }
    this.#open.push(block);
  }

  #closeBlock(name: string, line: number, end: number): void {
    const open = this.#open.pop();
    if (!open) throw refusal(line, `:16S:${name.slice(0, 20)} closes nothing that is open`);
    if (this.#message) this.#message.to = end;
    if (open.name !== name) throw refusal(line, `:16S:${name.slice(0, 20)} where :16S:${open.name} was expected`);
  }

  #closeField(): void {
    if (!this.#field) return;
    const { tag, lines, line } = this.#field;
    this.#field = null;
    const text = lines.join("\n").trimEnd();
    const [, qualifier = "", value = text] = qualified.exec(text) ?? [];
    this.#open.at(-1)?.fields.push({ tag, qualifier, value, line });
  }
}

function refusal(line: number, reason: string): FeedRefusal {
  return new FeedRefusal(`line ${line}`, reason);
}
