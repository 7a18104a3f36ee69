import { createSemaphore, type SemaphoreLoad } from "@org/admission";
import { type PdfInspector, queueRefusal } from "@org/core";
import { collectGarbageAfter } from "../collect-garbage.js";
import { createPdfThread, type PdfLimits } from "./pdf-thread.js";

/** Two threads, of which one tenant may use one: a slow document does not hold up other tenants' documents. */
const THREADS = 2;
const IDLE_MS = 30_000;
/** A sound document of 10 MB takes 0.3 s of CPU time. */
const LIMITS: PdfLimits = {
  cpuMs: 3_000,
  timeMs: 60_000,
  uncountedTimeMs: 15_000,
  heapMegabytes: 192,
  allocationBytes: 128 * 1024 * 1024,
};

/** Inspects PDFs in threads with limits on time and memory, taking tenants in turn, so that a hostile document stalls nobody else. */
export interface ThreadedPdfInspector {
  readonly inspect: PdfInspector;
  /** Numbers of documents in inspection and waiting. */
  readonly load: SemaphoreLoad;
  close(): Promise<void>;
}

/** @param options.workerFile the built `pdf-worker.js`; by default it is next to this code, so a bundler must place it there */
export function createPdfInspector({
  workerFile = new URL("pdf-worker.js", import.meta.url),
  limits = LIMITS,
} = {}): ThreadedPdfInspector {
  const threads = Array.from({ length: THREADS }, () => createPdfThread(workerFile, limits, IDLE_MS));
  const semaphore = createSemaphore({
    name: "documents_waiting",
    permits: THREADS,
    keepsRoom: true,
    waiting: 400,
    waitingPerKey: 200,
    retryAfterSeconds: 10,
    refuse: queueRefusal,
  });
  return {
    load: semaphore,
    async inspect(bytes, whose) {
      const { bytes: returned, ...found } = await semaphore.run(whose, () => {
        const thread = threads.reduce((one, other) => (other.waiting < one.waiting ? other : one));
        // Frees the encoded text that the bytes were decoded from.
        collectGarbageAfter(bytes.length, "minor");
        return thread.inspect(bytes);
      });
      if (!("signature" in found && returned)) return found as { rule: string };
      return { ...found, bytes: Buffer.from(returned.buffer, returned.byteOffset, returned.byteLength) };
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
