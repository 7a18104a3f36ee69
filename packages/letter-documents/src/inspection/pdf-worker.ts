// Worker thread that inspects the PDFs that `createPdfInspector` sends, one at a time. It reports when it is ready.
import { parentPort, workerData } from "node:worker_threads";
import { collectGarbageAfter } from "../collect-garbage.js";
import { inspectPdf, type PdfFindings } from "./inspect-pdf.js";
import { kernelThreadId } from "./thread-cpu.js";

/** The reply: the findings, and the bytes themselves, so that they are never held twice. */
export type PdfReport = PdfFindings & { readonly bytes: Uint8Array };

/** Message of a thread that is ready, with its kernel thread id. */
export interface ReadyThread {
  readonly threadId: number | null;
}

const limit = limitAllocations(workerData.allocationBytes);

parentPort?.postMessage({ threadId: kernelThreadId() } satisfies ReadyThread);
parentPort?.on("message", async (bytes: Uint8Array) => {
  limit.reset();
  const findings = await inspectPdf(bytes);
  // The parser treats an object that it cannot unpack as damaged and continues, so the limit is checked here.
  const report: PdfReport = { ...(limit.isReached ? { rule: TOO_MUCH } : findings), bytes };
  const size = bytes.length;
  parentPort?.postMessage(report, [bytes.buffer as ArrayBuffer]);
  // Otherwise the parser's copy of a large document would stay in memory until the next one arrives.
  collectGarbageAfter(size, "major");
});

const TOO_MUCH = "must be a PDF that unpacks to a reasonable size";

/** Counts the byte arrays that a thread allocates. */
interface AllocationLimit {
  /** Restarts the count at zero. */
  reset(): void;
  readonly isReached: boolean;
}

/**
 * Limits the total size of byte arrays that JavaScript code of this thread allocates from now on: beyond `bytes`, allocation throws.
 * A worker's `resourceLimits` cover its heap, but inflated streams are outside of it. This replaces the thread's global
 * `Uint8Array`, so it is only for threads that do nothing else.
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
