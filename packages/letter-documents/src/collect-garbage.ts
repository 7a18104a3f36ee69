import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Smaller documents leave too little garbage to be worth a collection. */
const LARGE_BYTES = 512 * 1024;

let collect: ((options: { type: "minor" | "major" }) => void) | undefined;

/**
 * Collects garbage after processing a large document. `minor` takes a millisecond and frees young objects, such as the chunks
 * in which the document arrived. V8 counts its heap but hardly any external buffers, so without this, ten times the document's
 * size piles up before it collects.
 */
export function collectGarbageAfter(documentBytes: number, type: "minor" | "major"): void {
  if (documentBytes < LARGE_BYTES) return;
  collect ??= garbageCollector();
  collect({ type });
}

/** Only contexts created after setting the flag have the function, so the program's own context does not get it. */
function garbageCollector(): NonNullable<typeof collect> {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
