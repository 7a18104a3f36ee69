import { CoreError, type PdfInspector } from "@org/core";
import { collectAfter } from "../collect-garbage.js";
import { createPdfThread, type PdfLimits } from "./pdf-thread.js";

/** Two, so that a document that takes all its time does not hold up everybody else's. */
const THREADS = 2;
const MOST_WAITING = 200;
const IDLE_MS = 30_000;
/** A sound document of 10 MB takes 0.3 s of a processor; a machine may be busy. */
const LIMITS: PdfLimits = { timeMs: 15_000, heapMegabytes: 192, allocationBytes: 128 * 1024 * 1024 };

/** Looks into PDFs in threads with limits on time and memory, so that a hostile one stalls nobody. */
export interface ThreadedPdfInspector {
  readonly inspect: PdfInspector;
  close(): Promise<void>;
}

/** @param workerFile `pdf-worker.js` as it was built */
export function createPdfInspector(workerFile: URL, limits = LIMITS): ThreadedPdfInspector {
  const threads = Array.from({ length: THREADS }, () => createPdfThread(workerFile, limits, IDLE_MS));
  return {
    async inspect(bytes) {
      const thread = threads.reduce((one, other) => (other.waiting < one.waiting ? other : one));
      if (thread.waiting >= MOST_WAITING / THREADS)
        throw new CoreError("UNAVAILABLE", "too many documents are being looked at", { retryAfterSeconds: 10 });
      // What it was decoded from.
      collectAfter(bytes.length, "minor");
      const { bytes: returned, ...found } = await thread.inspect(bytes);
      if (!("signature" in found && returned)) return found as { rule: string };
      return { ...found, bytes: Buffer.from(returned.buffer, returned.byteOffset, returned.byteLength) };
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
