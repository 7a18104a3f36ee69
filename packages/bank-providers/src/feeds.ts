import type { FeedParser, ReadFeed } from "@org/core";
import { camtParser } from "./camt/camt-parser.js";
import { warningsOfText } from "./feed-warnings.js";
import { flexParser } from "./flex/flex-parser.js";
import { mt535Parser } from "./mt535/mt535-parser.js";
import { ofxParser } from "./ofx/ofx-parser.js";
import { refuseUnread } from "./unread-formats.js";

/** Formats of custodian files that can be read. A new format is one more parser here. */
export const feedParsers: readonly FeedParser[] = [ofxParser, camtParser, mt535Parser, flexParser];

/** Enough to look past what banks and transports wrap around a statement. */
const HEAD_BYTES = 65_536;

/**
 * Reads a custodian file in whichever known format it is.
 * @throws FeedRefusal when the file is in none of them, or is not right in every part
 */
export function readFeed(file: Uint8Array): ReadFeed {
  // Every second byte of UTF-16 is a zero, without which its tags look like those of any other file.
  const head = Buffer.from(file.subarray(0, HEAD_BYTES)).toString("latin1").replaceAll("\u0000", "");
  const parser = feedParsers.find((candidate) => candidate.recognises(head));
  if (!parser)
    throw refuseUnread(
      head,
      feedParsers.map(({ format }) => format),
    );
  const { warnings, pages, ...snapshot } = parser.parse(file);
  return {
    format: parser.format,
    snapshot,
    warnings: [...warnings, ...warningsOfText(snapshot)],
    ...(pages && { pages }),
  };
}
