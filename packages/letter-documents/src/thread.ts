import { type Transferable, Worker, type WorkerOptions } from "node:worker_threads";

/** A thread that answers one message after another. It is started on first use and ends once it has been idle. */
export interface Thread<Message, Answer, Ready> {
  /** Number of messages not yet answered. */
  readonly waiting: number;
  /**
   * Answers the message with the next one from the thread. A failure ends the thread.
   * @param prepare makes the message, and what is transferred with it, when its time has come
   * @param watch watches the work: it may refuse it, and returns what ends the watch
   */
  ask(
    prepare: () => { readonly message: Message; readonly transfer?: Transferable[] },
    watch: (ready: Ready, refuse: (error: Error) => void) => () => void,
  ): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * @param workerFile the built worker; its first message says that it is ready
 * @param idleMs idle time after which the thread ends, so that a server without letters does not hold its memory
 */
export function createThread<Message, Answer, Ready>(
  workerFile: URL,
  options: WorkerOptions,
  idleMs: number,
): Thread<Message, Answer, Ready> {
  let running: { readonly worker: Worker; readonly ready: Promise<Ready> } | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  return {
    get waiting() {
      return waiting;
    },
    ask(prepare, watch) {
      waiting += 1;
      clearTimeout(idle);
      const answer = last
        .then(() => work(prepare, watch))
        .finally(() => {
          waiting -= 1;
          if (waiting === 0) idle = setTimeout(end, idleMs).unref();
        });
      last = answer.catch(() => undefined);
      return answer;
    },
    async close() {
      await last;
      clearTimeout(idle);
      await end();
    },
  };

  async function work(...[prepare, watch]: Parameters<Thread<Message, Answer, Ready>["ask"]>): Promise<Answer> {
    running ??= start();
    const { worker, ready } = running;
    try {
      // Starting a thread is not the message's fault, so the watch begins when the thread is ready.
      const first = await ready;
      let endWatch = () => {};
      const answer = nextMessage<Answer>(worker, (refuse) => {
        endWatch = watch(first, refuse);
      });
      const { message, transfer } = prepare();
      worker.postMessage(message, transfer);
      return await answer.finally(() => endWatch());
    } catch (error) {
      await end();
      throw error;
    }
  }

  function start() {
    const worker = new Worker(workerFile, options);
    // Pending answers have their own listeners. An idle thread must neither keep the process alive nor crash it.
    worker.on("error", () => undefined);
    worker.unref();
    return { worker, ready: nextMessage<Ready>(worker) };
  }

  async function end(): Promise<void> {
    const ended = running;
    running = null;
    await ended?.worker.terminate();
  }
}

function nextMessage<Answer>(worker: Worker, watch: (refuse: (error: Error) => void) => void = () => {}) {
  return new Promise<Answer>((resolve, reject) => {
    const settle = (act: () => void) => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      act();
    };
    const onMessage = (answer: Answer) => settle(() => resolve(answer));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => onError(new Error("a thread for documents has ended"));
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    watch(onError);
  });
}
