import { Worker } from "node:worker_threads";
import { CoreError } from "@org/core";
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

/** A thread that inspects one PDF after another. It is started on first use. */
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
 * @param idleMs idle time after which the thread ends, so that a server without letters does not hold its memory
 */
export function createPdfThread(workerFile: URL, limits: PdfLimits, idleMs: number): PdfThread {
  let worker: Worker | null = null;
  let threadId: number | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  return {
    get waiting() {
      return waiting;
    },
    inspect(bytes) {
      waiting += 1;
      clearTimeout(idle);
      const turn = last
        .then(() => ask(ownBytes(bytes)))
        .finally(() => {
          waiting -= 1;
          if (waiting === 0) idle = setTimeout(end, idleMs).unref();
        });
      last = turn.catch(() => undefined);
      return turn;
    },
    async close() {
      await last;
      clearTimeout(idle);
      await end();
    },
  };

  async function ask(bytes: Uint8Array): Promise<PdfReport | { readonly rule: string }> {
    const outcome = await readyThread()
      .then((thread) => reportOf(thread, threadId, bytes, limits))
      .catch((error: unknown) => ({ error }));
    if (!("error" in outcome)) return outcome;
    await end();
    if (outcome.error instanceof TooMuchWork) return { rule: outcome.error.message };
    if (isOutOfMemory(outcome.error)) return TOO_MUCH;
    throw outcome.error;
  }

  /** Starting a thread is not the document's fault, so the clock starts when the thread is ready. */
  async function readyThread(): Promise<Worker> {
    if (worker) return worker;
    worker = start();
    const started = worker;
    await new Promise<void>((resolve, reject) => {
      started.once("message", (ready: ReadyThread) => {
        threadId = ready.threadId;
        resolve();
      });
      started.once("error", reject);
      started.once("exit", () => reject(new Error("the thread that looks into PDFs did not start")));
    });
    return started;
  }

  function start(): Worker {
    const started = new Worker(workerFile, {
      workerData: { allocationBytes: limits.allocationBytes },
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes },
      // Keeps the parser's output out of the log: it may quote the document.
      stdout: true,
      stderr: true,
    });
    // Pending answers have their own listeners. An idle thread must neither keep the process alive nor crash it.
    started.on("error", () => undefined);
    started.unref();
    return started;
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = null;
    await ended?.terminate();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/** A document that exceeds its CPU time: the document's own fault, however busy the machine is. */
class TooMuchWork extends Error {}

/** How often the CPU time of a document is checked. */
const POLL_MS = 100;
const SHARE_BYTES = 10 * 1024 * 1024;

function reportOf(worker: Worker, threadId: number | null, bytes: Uint8Array, limits: PdfLimits): Promise<PdfReport> {
  const cpuLimit = limits.cpuMs * Math.max(1, Math.ceil(bytes.length / SHARE_BYTES));
  const cpuBefore = cpuMsOf(threadId);
  const timeMs = cpuBefore === null ? limits.uncountedTimeMs : limits.timeMs;
  const began = performance.now();
  return new Promise<PdfReport>((resolve, reject) => {
    const settle = (act: () => void) => () => {
      clearInterval(timer);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      act();
    };
    const timer = setInterval(() => {
      const cpu = cpuMsOf(threadId);
      if (cpu !== null && cpuBefore !== null && cpu - cpuBefore >= cpuLimit)
        settle(() => reject(new TooMuchWork(tooMuchWork(cpuLimit))))();
      else if (performance.now() - began >= timeMs) settle(() => reject(tooSlow(timeMs)))();
    }, POLL_MS);
    const onMessage = (report: PdfReport) => settle(() => resolve(report))();
    const onError = (error: Error) => settle(() => reject(error))();
    const onExit = settle(() => reject(new Error("the thread that looks into PDFs has ended")));
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    worker.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
  });
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
