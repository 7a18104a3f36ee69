import { Worker } from "node:worker_threads";
import { CoreError } from "@org/core";
import type { PdfFindings } from "./inspect-pdf.js";
import type { PdfReport, ReadyThread } from "./pdf-worker.js";
import { cpuMsOf } from "./thread-cpu.js";

/** What looking into one document may cost. */
export interface PdfLimits {
  /** Of a processor, for each 10 MiB of the document or part of them. */
  readonly cpuMs: number;
  /** On the wall: a machine may be busy. */
  readonly timeMs: number;
  /** The same where nobody tells what a thread has taken of a processor. */
  readonly uncountedTimeMs: number;
  /** Of the thread's heap. */
  readonly heapMegabytes: number;
  /** Of byte arrays made while one document is read. */
  readonly allocationBytes: number;
}

/** A thread that looks into one PDF after the other, started when there is one. */
export interface PdfThread {
  /** Documents that it has and has not answered. */
  readonly waiting: number;
  /** @throws CoreError UNAVAILABLE when it takes too long on the wall, which on a busy machine may be nobody's fault */
  inspect(bytes: Uint8Array): Promise<PdfFindings & { readonly bytes?: Uint8Array }>;
  close(): Promise<void>;
}

const TOO_MUCH = { rule: "must be a PDF that can be read in a reasonable amount of memory" };

/**
 * @param workerFile `pdf-worker.js` as it was built
 * @param idleMs after which the thread ends, so that a server that takes no letters does not hold its memory
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

  /** The start of a thread is not the document's fault: the clock runs from when it is ready. */
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
      // Nothing of what the parser prints goes to the log: it may quote the document.
      stdout: true,
      stderr: true,
    });
    // An answer that is waited for is listened to; a thread that nobody asks must neither hold up the end of the process nor break it.
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

/** A document that takes more of a processor than it may: its own fault, whatever else the machine does. */
class TooMuchWork extends Error {}

/** How often it is looked what a document has taken so far. */
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
 * Bytes that have their memory for themselves, so that it can be handed to another thread; a little room behind them may belong
 * to it. Small buffers of Node share theirs.
 */
function ownBytes(bytes: Uint8Array): Uint8Array {
  const isAlone = bytes.byteOffset === 0 && 2 * bytes.byteLength > bytes.buffer.byteLength;
  return isAlone && bytes.buffer.byteLength > Buffer.poolSize ? bytes : Uint8Array.from(bytes);
}
