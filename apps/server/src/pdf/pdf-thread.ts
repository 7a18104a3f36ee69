import { Worker } from "node:worker_threads";
import { CoreError } from "@org/core";
import type { PdfFindings } from "./inspect-pdf.js";
import type { PdfReport } from "./pdf-worker.js";

/** What looking into one document may cost. */
export interface PdfLimits {
  readonly timeMs: number;
  /** Of the thread's heap. */
  readonly heapMegabytes: number;
  /** Of byte arrays made while one document is read. */
  readonly allocationBytes: number;
}

/** A thread that looks into one PDF after the other, started when there is one. */
export interface PdfThread {
  /** Documents that it has and has not answered. */
  readonly waiting: number;
  /** @throws CoreError UNAVAILABLE when it takes too long, which on a busy machine may be nobody's fault */
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

  async function ask(bytes: Uint8Array): Promise<PdfReport | typeof TOO_MUCH> {
    const outcome = await readyThread()
      .then((thread) => reportOf(thread, bytes, limits.timeMs))
      .catch((error: unknown) => ({ error }));
    if (!("error" in outcome)) return outcome;
    await end();
    if (isOutOfMemory(outcome.error)) return TOO_MUCH;
    throw outcome.error;
  }

  /** The start of a thread is not the document's fault: the clock runs from when it is ready. */
  async function readyThread(): Promise<Worker> {
    if (worker) return worker;
    worker = start();
    const started = worker;
    await new Promise<void>((resolve, reject) => {
      started.once("message", () => resolve());
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

function reportOf(worker: Worker, bytes: Uint8Array, timeMs: number): Promise<PdfReport> {
  return new Promise<PdfReport>((resolve, reject) => {
    const settle = (act: () => void) => () => {
      clearTimeout(timer);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      act();
    };
    const timer = setTimeout(
      settle(() => reject(tooSlow(timeMs))),
      timeMs,
    );
    const onMessage = (report: PdfReport) => settle(() => resolve(report))();
    const onError = (error: Error) => settle(() => reject(error))();
    const onExit = settle(() => reject(new Error("the thread that looks into PDFs has ended")));
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    worker.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
  });
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
