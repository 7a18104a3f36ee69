/** For how long work may keep everybody else from the event loop, in milliseconds. */
const TURN_MS = 10;

/** Lets everybody else have a turn of the event loop. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resume) => {
    setImmediate(resume);
  });
}

/** Lets everybody else have a turn of the event loop every ten milliseconds of long work. */
export interface EventLoopYielder {
  /** Whether the work has gone on for so long; then {@link EventLoopYielder.turn} is awaited. */
  isDue(): boolean;
  turn(): Promise<void>;
}

/** A {@link EventLoopYielder} of work that begins now. */
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
