import { type FeedParser, FeedRefusal, type SnapshotData } from "@org/core";
import { ofxParser } from "./ofx/ofx-parser.js";

/** Formats of custodian files that can be read. A new format is one more parser here. */
export const feedParsers: readonly FeedParser[] = [ofxParser];

const HEAD_BYTES = 4096;

/**
 * Reads a custodian file in whichever known format it is.
 * @throws FeedRefusal when the file is in none of them, or is not right in every part
 */
export function readFeed(file: Uint8Array): { format: string; snapshot: SnapshotData } {
  const head = Buffer.from(file.subarray(0, HEAD_BYTES)).toString("latin1");
  const parser = feedParsers.find((candidate) => candidate.recognises(head));
  if (!parser) {
    throw new FeedRefusal(
      "file",
      `is in none of the formats that can be read: ${feedParsers.map(({ format }) => format).join(", ")}`,
    );
  }
  return { format: parser.format, snapshot: parser.parse(file) };
}
