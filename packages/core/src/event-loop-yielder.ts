/** How long work may block the event loop, in milliseconds. */
const TURN_MS = 10;

/** Lets other work run on the event loop. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resume) => {
    setImmediate(resume);
  });
}

/** Lets other work run on the event loop every ten milliseconds of long work. */
export interface EventLoopYielder {
  /** Whether the work has run for that long; the caller then awaits {@link EventLoopYielder.turn}. */
  isDue(): boolean;
  turn(): Promise<void>;
}

/** An {@link EventLoopYielder} for work that starts now. */
export function createEventLoopYielder(): EventLoopYielder {
  let turnAt = performance.now();
  return {
    isDue: () => performance.now() - turnAt > TURN_MS,
    async turn() {
      await yieldToEventLoop();
      turnAt = performance.now();
    },
  };
}
