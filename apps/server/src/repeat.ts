/** Work that is done again and again. */
export interface Job {
  /** Begins no more, and waits for what is under way. */
  stop: () => Promise<void>;
}

/** Runs `work`, which never throws, now and every `everyMs`, never two at a time. `again` runs it now, if it does not run. */
export function repeat(everyMs: number, work: (signal: AbortSignal) => Promise<void>): Job & { again: () => void } {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const again = () => {
    if (stopping.signal.aborted) return;
    running ??= work(stopping.signal).finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(again, everyMs);
  timer.unref();
  again();
  return {
    again,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
