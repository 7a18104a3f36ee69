import { gunzipSync } from "node:zlib";
import { FeedRefusal } from "@org/provider-kit";
import type { Bounds } from "./bounds.js";

/**
 * What a gzip file holds, all its members one after the other (RFC 1952, 2.2). Zeros behind the last one are none: tapes fill up with them.
 * @throws FeedRefusal when it is damaged, too large, or when anything else follows its last member
 */
export function gunzip(bytes: Uint8Array, place: string, bounds: Bounds): Uint8Array {
  const room = bounds.room(place, bytes.byteLength);
  try {
    const content = gunzipSync(bytes, { maxOutputLength: Math.max(1, room.bytes) });
    bounds.take(place, bytes.byteLength, content.byteLength);
    return content;
  } catch (error) {
    if (error instanceof FeedRefusal) throw error;
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw room.refusal;
    throw new FeedRefusal(place, `is a gzip file that cannot be opened: ${(error as Error).message}`);
  }
}
