import { faultsOfContent } from "../answers.js";
import { type FeedContent, type FeedFormat, FeedRefusal } from "../feed-format.js";

/** The input of {@link feedFormatCases}. */
export interface FeedFormatSetup {
  readonly format: FeedFormat;
  /** Readable files, at least one, each small: a few thousand bytes. */
  readonly files: readonly Uint8Array[];
  /** Files for the same accounts on two days. */
  readonly days?: readonly [earlier: Uint8Array, later: Uint8Array];
  /** Files of another format, or of none. */
  readonly others?: readonly Uint8Array[];
  /** Files of this format that must be refused. */
  readonly broken?: readonly Uint8Array[];
}

/** One rule, for any test runner; `run` throws if it is broken. */
export interface FeedFormatCase {
  readonly name: string;
  run(): void;
}

/** The rules for every format of custodian files. */
export function feedFormatCases(setup: FeedFormatSetup): readonly FeedFormatCase[] {
  const { format, files, days, others = [], broken = [] } = setup;
  return [
    {
      name: "a format knows its own files, and no others",
      run() {
        if (files.length === 0) throw new Error("the setup has no file that can be read");
        for (const [index, file] of files.entries())
          if (!format.recognises(headOf(file))) throw new Error(`file ${index} is not recognised`);
        for (const [index, file] of [...others, new Uint8Array(), Buffer.from("no statement at all")].entries())
          if (format.recognises(headOf(file))) throw new Error(`other file ${index} is taken for one of this format`);
      },
    },
    {
      name: "a file is read whole, and its figures are decimal strings",
      run: () => files.forEach((file, index) => void contentOf(format, file, `file ${index}`)),
    },
    {
      name: "what is wrong is refused with a place and a reason",
      run() {
        for (const [index, file] of broken.entries())
          if (taken(format, file, `broken file ${index}`)) throw new Error(`broken file ${index} is taken`);
      },
    },
    {
      name: "the same bytes are the same content",
      run() {
        for (const [index, file] of files.entries()) {
          const [first, again] = [0, 1].map(() =>
            JSON.stringify(contentOf(format, new Uint8Array(file), `file ${index}`)),
          );
          if (first !== again) throw new Error(`file ${index} is not read alike twice`);
        }
      },
    },
    {
      name: "accounts and holdings have the same keys on another day, and rows name accounts of the file",
      run() {
        for (const [index, file] of files.entries()) checkKeys(contentOf(format, file, `file ${index}`));
        if (!days) return;
        const [earlier, later] = days.map((file) => contentOf(format, file, "a day"));
        const keys = (content?: FeedContent) => new Set(content?.portfolios?.map(({ key }) => key));
        for (const key of keys(earlier))
          if (!keys(later).has(key)) throw new Error("an account has another key the next day");
      },
    },
    {
      name: "a damaged file is read or refused, and nothing else",
      run() {
        for (const [index, file] of files.entries())
          for (const damaged of corruptions(file)) taken(format, damaged, `file ${index}, damaged`);
      },
    },
  ];
}

function headOf(file: Uint8Array): string {
  return Buffer.from(file.subarray(0, 65_536)).toString("latin1").replaceAll("\u0000", "");
}

function contentOf(format: FeedFormat, file: Uint8Array, name: string): FeedContent {
  const content = format.read(file, { interim: false });
  const [fault] = faultsOfContent(content);
  if (fault !== undefined) throw new Error(`${name}: ${fault}`);
  return content;
}

/** Whether a file was accepted. A refusal must have a place and a reason. */
function taken(format: FeedFormat, file: Uint8Array, name: string): boolean {
  try {
    contentOf(format, file, name);
    return true;
  } catch (error) {
    if (!(error instanceof FeedRefusal)) throw error;
    if (error.place === "" || error.reason === "") throw new Error(`${name}: a refusal without a place or a reason`);
    return false;
  }
}

function checkKeys({ portfolios, holdings, transactions }: FeedContent): void {
  const keys = new Set<string>();
  for (const { key } of portfolios ?? []) {
    if (keys.has(key)) throw new Error("two portfolios have one key");
    keys.add(key);
  }
  for (const { portfolio_key } of [...(holdings ?? []), ...(transactions ?? [])])
    if (!keys.has(portfolio_key)) throw new Error("a row names an account that the file does not state");
}

/** Truncated copies, and copies with bytes changed, doubled and left out; the same every time. */
function* corruptions(original: Uint8Array): Generator<Uint8Array> {
  // A copy: `slice` of a Buffer is a view, and its changes would persist.
  const file = new Uint8Array(original);
  const CUTS = 100;
  for (let cut = 0; cut < CUTS; cut += 1) yield file.slice(0, Math.floor((file.length * cut) / CUTS));
  let state = 1;
  // A linear congruential generator (Numerical Recipes), so that tests are deterministic.
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % Math.max(below, 1);
  };
  for (let round = 0; round < 200; round += 1) {
    const bytes = file.slice();
    for (let change = 0; change <= next(4); change += 1) bytes[next(bytes.length)] = next(256);
    yield bytes;
    const [from, length] = [next(file.length), next(40)];
    yield Buffer.concat([file.slice(0, from), file.slice(from + length)]);
    yield Buffer.concat([file.slice(0, from + length), file.slice(from)]);
  }
}
