import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Smaller documents leave less behind than a collection is worth. */
const LARGE_BYTES = 512 * 1024;

let collect: ((options: { type: "minor" | "major" }) => void) | undefined;

/**
 * Collects garbage once a large document has been worked on: `minor` takes a millisecond and frees what is young, such as the
 * pieces in which it arrived. The engine counts its heap and hardly the buffers outside, so that without this ten times the
 * document lies around before it looks.
 */
export function collectGarbageAfter(documentBytes: number, type: "minor" | "major"): void {
  if (documentBytes < LARGE_BYTES) return;
  collect ??= garbageCollector();
  collect({ type });
}

/** Only contexts that are made after the flag was set have the function: the program's own does not get it. */
function garbageCollector(): NonNullable<typeof collect> {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
