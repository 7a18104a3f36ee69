import { CoreError } from "@org/core";
import { createThread } from "../thread.js";
import type { PdfFindings } from "./inspect-pdf.js";
import type { PdfReport, ReadyThread } from "./pdf-worker.js";
import { cpuMsOf } from "./thread-cpu.js";

/** Limits for the inspection of one document. */
export interface PdfLimits {
  /** CPU time for each started 10 MiB of the document. */
  readonly cpuMs: number;
  /** Wall-clock time: a machine may be busy. */
  readonly timeMs: number;
  /** Wall-clock time on systems that do not report a thread's CPU time. */
  readonly uncountedTimeMs: number;
  /** Size of the thread's heap. */
  readonly heapMegabytes: number;
  /** Total size of the byte arrays allocated while one document is read. */
  readonly allocationBytes: number;
}

/** A thread that inspects one PDF after another. */
export interface PdfThread {
  /** Number of documents not yet answered. */
  readonly waiting: number;
  /** @throws CoreError UNAVAILABLE when wall-clock time runs out, which on a busy machine may not be the document's fault */
  inspect(bytes: Uint8Array): Promise<PdfFindings & { readonly bytes?: Uint8Array }>;
  close(): Promise<void>;
}

const TOO_MUCH = { rule: "must be a PDF that can be read in a reasonable amount of memory" };

/**
 * @param workerFile the built `pdf-worker.js`
 * @param idleMs idle time after which the thread ends
 */
export function createPdfThread(workerFile: URL, limits: PdfLimits, idleMs: number): PdfThread {
  const options = {
    workerData: { allocationBytes: limits.allocationBytes },
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes },
    // Keeps the parser's output out of the log: it may quote the document.
    stdout: true,
    stderr: true,
  };
  const thread = createThread<Uint8Array, PdfReport, ReadyThread>(workerFile, options, idleMs);
  return {
    get waiting() {
      return thread.waiting;
    },
    async inspect(bytes) {
      const prepare = () => {
        const message = ownBytes(bytes);
        return { message, transfer: [message.buffer as ArrayBuffer] };
      };
      try {
        return await thread.ask(prepare, limitWork(bytes.length, limits));
      } catch (error) {
        if (error instanceof TooMuchWork) return { rule: error.message };
        if (isOutOfMemory(error)) return TOO_MUCH;
        throw error;
      }
    },
    close: thread.close,
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/** A document that exceeds its CPU time: the document's own fault, however busy the machine is. */
class TooMuchWork extends Error {}

/** How often the CPU time of a document is checked. */
const POLL_MS = 100;
const SHARE_BYTES = 10 * 1024 * 1024;

function limitWork(bytes: number, limits: PdfLimits) {
  const cpuLimit = limits.cpuMs * Math.max(1, Math.ceil(bytes / SHARE_BYTES));
  return ({ threadId }: ReadyThread, refuse: (error: Error) => void) => {
    const cpuBefore = cpuMsOf(threadId);
    const timeMs = cpuBefore === null ? limits.uncountedTimeMs : limits.timeMs;
    const began = performance.now();
    const timer = setInterval(() => {
      const cpu = cpuMsOf(threadId);
      if (cpu !== null && cpuBefore !== null && cpu - cpuBefore >= cpuLimit)
        refuse(new TooMuchWork(tooMuchWork(cpuLimit)));
      else if (performance.now() - began >= timeMs) refuse(tooSlow(timeMs));
    }, POLL_MS);
    return () => clearInterval(timer);
  };
}

function tooMuchWork(cpuMs: number): string {
  return `must be a PDF that can be read within ${cpuMs / 1000} s of a processor's time`;
}

function tooSlow(timeMs: number): CoreError {
  return new CoreError("UNAVAILABLE", `a document could not be looked into within ${timeMs / 1000} s`, {
    retryAfterSeconds: 60,
  });
}

/**
 * Returns bytes that own their buffer, so that it can be transferred to another thread. The buffer may be somewhat larger than the
 * bytes. Node's small buffers share a pool and are copied.
 */
function ownBytes(bytes: Uint8Array): Uint8Array {
  const isAlone = bytes.byteOffset === 0 && 2 * bytes.byteLength > bytes.buffer.byteLength;
  return isAlone && bytes.buffer.byteLength > Buffer.poolSize ? bytes : Uint8Array.from(bytes);
}
