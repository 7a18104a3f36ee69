/** For how long a file may keep everybody else from the event loop, in milliseconds. */
const TURN_MS = 10;

/** Lets everybody else have a turn of the event loop every ten milliseconds of long work. */
export interface Pace {
  /** Whether the work has gone on for so long; then {@link Pace.turn} is awaited. */
  isDue(): boolean;
  turn(): Promise<void>;
}

export function createPace(): Pace {
  let turnAt = performance.now();
  return {
    isDue: () => performance.now() - turnAt > TURN_MS,
    async turn() {
      await new Promise((resume) => setImmediate(resume));
      turnAt = performance.now();
    },
  };
}
