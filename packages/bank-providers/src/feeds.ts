import {
  type FeedContent,
  type FeedFormat,
  type FeedReadOptions,
  FeedRefusal,
  faultsOfContent,
  type ReadFeed,
} from "@org/provider-kit";
import { camt052Format, camt053Format, camt054Format } from "./camt/camt-format.js";
import { warningsOfText } from "./feed-warnings.js";
import { flexConfirmationsFormat } from "./flex/confirmations.js";
import { flexFormat } from "./flex/flex-format.js";
import { mt515Format } from "./mt515/mt515-format.js";
import { mt535Format } from "./mt535/mt535-format.js";
import { mt536Format } from "./mt536/mt536-format.js";
import { mt544Format } from "./mt544/mt544-format.js";
import { mt566Format } from "./mt566/mt566-format.js";
import { mt940Format, mt942Format, mt950Format } from "./mt940/mt940-format.js";
import { ofxFormat } from "./ofx/ofx-format.js";
import { semt002Format, semt003Format } from "./semt/balances.js";
import { semt017Format } from "./semt/postings.js";
import { refuseUnread } from "./unread-formats.js";

/** The shipped formats of custodian files. Add a new format here. */
export const feedFormats: readonly FeedFormat[] = [
  ofxFormat,
  camt053Format,
  camt052Format,
  camt054Format,
  mt535Format,
  mt536Format,
  mt515Format,
  mt544Format,
  mt566Format,
  semt002Format,
  semt003Format,
  semt017Format,
  mt940Format,
  mt942Format,
  mt950Format,
  flexConfirmationsFormat,
  flexFormat,
];

/** How a file is to be read, and the formats besides {@link feedFormats}. */
export interface FeedReading extends FeedReadOptions {
  /** Asked before the shipped formats. */
  readonly formats?: readonly FeedFormat[];
}

/** Enough to get past what banks and transports put before a statement. */
const HEAD_BYTES = 65_536;

/**
 * Reads a custodian file in whichever known format it has.
 * @throws FeedRefusal if no format recognises the file, or any part of it is faulty
 */
export function readFeed(file: Uint8Array, options: FeedReading = { interim: false }): ReadFeed {
  const head = headOf(file);
  const known = formatsOf(options);
  const format = known.find((candidate) => recognisedBy(candidate, head, options));
  if (!format)
    throw refuseUnread(
      head,
      known.map(({ name }) => name),
    );
  const { as_of, portfolios, holdings, transactions, warnings, ...rest } = contentBy(format, file, options);
  const snapshot = { as_of, portfolios, holdings, transactions };
  return { format: format.name, snapshot, warnings: [...warnings, ...warningsOfText(snapshot)], ...rest };
}

/** Whether {@link readFeed} has a format for a file. It may still fail to read it. */
export function recognisesFeed(file: Uint8Array, options: FeedReading): boolean {
  const head = headOf(file);
  return formatsOf(options).some((candidate) => recognisedBy(candidate, head, options));
}

/** Removes the zero bytes of UTF-16, so that tags look like those of any other file. */
function headOf(file: Uint8Array): string {
  return Buffer.from(file.subarray(0, HEAD_BYTES)).toString("latin1").replaceAll("\u0000", "");
}

function formatsOf({ formats = [] }: FeedReading): readonly FeedFormat[] {
  return [...formats, ...feedFormats];
}

function isForeign(format: FeedFormat, { formats = [] }: FeedReading): boolean {
  return formats.includes(format);
}

function recognisedBy(format: FeedFormat, head: string, options: FeedReading): boolean {
  if (!isForeign(format, options)) return format.recognises(head);
  return guarded(format, () => format.recognises(head) === true);
}

/** Checks the content that a third-party format returns. If it is invalid the file is refused, because nothing else in it can be trusted. */
function contentBy(format: FeedFormat, file: Uint8Array, options: FeedReading): FeedContent {
  const { interim } = options;
  if (!isForeign(format, options)) return format.read(file, { interim });
  const content = guarded(format, () => format.read(file, { interim }));
  const [fault] = faultsOfContent(content);
  if (fault !== undefined)
    throw new FeedRefusal("file", `the format ${format.name} makes no good content of it: ${fault}`);
  return content;
}

/** Passes on where and why a format refuses a file. Other errors may quote the file, so their message is not passed on. */
function guarded<Answer>(format: FeedFormat, call: () => Answer): Answer {
  try {
    return call();
  } catch (error) {
    if (error instanceof FeedRefusal) throw new FeedRefusal(String(error.place), String(error.reason));
    const kind = error instanceof Error ? error.name : typeof error;
    throw new FeedRefusal("file", `the format ${format.name} failed (${kind})`);
  }
}
