import { FeedRefusal, MAX_FEED_BYTES } from "@org/provider-kit";

/** How deeply containers may be nested: a zip of PGP of gzip is three. */
export const MAX_CONTAINER_DEPTH = 5;

/** The most files in one container, including those of nested containers. */
const MAX_ENTRIES = 1_000;

/** The most bytes that unpacking one file may produce, over all layers. */
const MAX_UNPACKED_BYTES = 3 * MAX_FEED_BYTES;

/** Statements rarely compress to less than a fiftieth. */
const MAX_RATIO = 250;

/** Up to this size the compression ratio is not checked. */
const ANY_RATIO_BYTES = 8 * 1024 * 1024;

/** How much may be unpacked next, and the refusal if there is more. */
export interface Room {
  readonly bytes: number;
  readonly refusal: FeedRefusal;
}

/** What unpacking one file may still cost. */
export interface Bounds {
  /** The room for unpacking something of `packedBytes`. */
  room(place: string, packedBytes: number): Room;
  /** Counts bytes that were unpacked, or are about to be. @throws FeedRefusal if they exceed the room */
  count(place: string, packedBytes: number, unpackedBytes: number): void;
  /** Counts the files of a container. @throws FeedRefusal beyond {@link MAX_ENTRIES} */
  enter(files: number): void;
}

/** Creates the bounds for one file and everything in it. */
export function createBounds(): Bounds {
  let unpacked = 0;
  let entries = 0;
  const bounds: Bounds = {
    room(place, packedBytes) {
      const rooms = [
        { bytes: MAX_FEED_BYTES, reason: `is larger than ${mebibytes(MAX_FEED_BYTES)} when it is unpacked` },
        {
          bytes: Math.max(ANY_RATIO_BYTES, packedBytes * MAX_RATIO),
          reason: `is more than ${MAX_RATIO} times as large when it is unpacked, as no statement is`,
        },
        {
          bytes: MAX_UNPACKED_BYTES - unpacked,
          reason: `comes to more than ${mebibytes(MAX_UNPACKED_BYTES)} with everything in it unpacked`,
        },
      ];
      const tightest = rooms.reduce((a, b) => (b.bytes < a.bytes ? b : a));
      return { bytes: Math.max(0, tightest.bytes), refusal: new FeedRefusal(place, tightest.reason) };
    },
    count(place, packedBytes, unpackedBytes) {
      const { bytes, refusal } = bounds.room(place, packedBytes);
      if (unpackedBytes > bytes) throw refusal;
      unpacked += unpackedBytes;
    },
    enter(files) {
      entries += files;
      if (entries > MAX_ENTRIES) throw new FeedRefusal("file", `holds more than ${MAX_ENTRIES} files`);
    },
  };
  return bounds;
}

function mebibytes(bytes: number): string {
  return `${bytes / 1024 / 1024} MiB`;
}
