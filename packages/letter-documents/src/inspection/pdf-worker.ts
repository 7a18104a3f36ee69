// A thread that looks into the PDFs that `createPdfInspector` sends it, one at a time; it says when it is ready.
import { parentPort, workerData } from "node:worker_threads";
import { collectGarbageAfter } from "../collect-garbage.js";
import { inspectPdf, type PdfFindings } from "./inspect-pdf.js";
import { kernelThreadId } from "./thread-cpu.js";

/** What comes back: the findings and, so that they are never held twice, the bytes themselves. */
export type PdfReport = PdfFindings & { readonly bytes: Uint8Array };

/** What a thread says when it is ready: the kernel's number of it. */
export interface ReadyThread {
  readonly threadId: number | null;
}

const limit = limitAllocations(workerData.allocationBytes);

parentPort?.postMessage({ threadId: kernelThreadId() } satisfies ReadyThread);
parentPort?.on("message", async (bytes: Uint8Array) => {
  limit.reset();
  const findings = await inspectPdf(bytes);
  // The parser takes an object that it cannot unpack for a damaged one and goes on.
  const report: PdfReport = { ...(limit.isReached ? { rule: TOO_MUCH } : findings), bytes };
  const size = bytes.length;
  parentPort?.postMessage(report, [bytes.buffer as ArrayBuffer]);
  // The parser's copy of a large document would stay until there is more of the like, while the document itself goes on.
  collectGarbageAfter(size, "major");
});

const TOO_MUCH = "must be a PDF that unpacks to a reasonable size";

/** Counts what a thread allocates in byte arrays. */
interface AllocationLimit {
  /** Counts from zero again. */
  reset(): void;
  readonly isReached: boolean;
}

/**
 * Limits the byte arrays that JavaScript code of this thread makes from here on, taken together: beyond `bytes` making one throws.
 * A worker's `resourceLimits` count its heap, and what a parser inflates lies outside of it. It changes the thread's global
 * `Uint8Array`, so it is for threads that do nothing else.
 */
function limitAllocations(bytes: number): AllocationLimit {
  let taken = 0;
  globalThis.Uint8Array = new Proxy(globalThis.Uint8Array, {
    construct(target, given, newTarget) {
      if (typeof given[0] === "number") taken += given[0];
      if (taken > bytes) throw new RangeError("no more byte arrays");
      return Reflect.construct(target, given, newTarget);
    },
  });
  return {
    reset() {
      taken = 0;
    },
    get isReached() {
      return taken > bytes;
    },
  };
}
