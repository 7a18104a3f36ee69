/**
 * The database's time. Replicas compare times that other replicas have stored: ends of leases and sessions, windows for replays and guesses,
 * issue times of tokens. So all of them use the time of the database that they share, whatever their machines' clocks say.
 */
export interface DatabaseClock {
  /** The current time, without a query: the machine's until {@link measure} has succeeded once. Never waits. */
  readonly now: () => Date;
  /**
   * Queries the database's time three times and uses the answer with the shortest round trip.
   * @throws StorageError unavailable; the clock then continues unchanged
   */
  measure(): Promise<void>;
  /** How far the machine's clock is ahead of the database's, in seconds. The error is at most half a round trip. */
  offsetSeconds(): number;
}

const SAMPLES = 3;

/** The database's time was `at` when `elapsed` milliseconds had passed here, give or take `error`. */
interface Sample {
  readonly at: number;
  readonly elapsed: number;
  readonly error: number;
}

/** What a clock needs from its machine. */
interface Machine {
  /** The machine's time. */
  readonly now: () => Date;
  /** Monotonic milliseconds, unaffected by corrections of the machine's time. */
  readonly elapsed: () => number;
}

/** Between two measurements the clock follows the machine's monotonic time, so that setting the machine's clock does not change it. */
export function createDatabaseClock(ask: () => Promise<Date>, machine: Machine): DatabaseClock {
  let base: Sample | null = null;
  const now = () => (base === null ? machine.now() : new Date(base.at + machine.elapsed() - base.elapsed));

  return {
    now,
    offsetSeconds: () => (machine.now().getTime() - now().getTime()) / 1_000,
    async measure() {
      let best = await sample();
      for (let count = 1; count < SAMPLES; count += 1) {
        const found = await sample();
        if (found.error < best.error) best = found;
      }
      // A difference within the measurement error changes nothing.
      if (base === null || best.error <= base.error || Math.abs(differenceOf(best, base)) > best.error + base.error)
        base = best;
    },
  };

  async function sample(): Promise<Sample> {
    const asked = machine.elapsed();
    const at = (await ask()).getTime();
    const answered = machine.elapsed();
    // The driver gives whole milliseconds.
    return { at, elapsed: (asked + answered) / 2, error: (answered - asked) / 2 + 1 };
  }
}

/** How much later the time is by one sample than by another. */
function differenceOf(one: Sample, other: Sample): number {
  return one.at - one.elapsed - (other.at - other.elapsed);
}

/** The clock of an embedded database, which has no other server to agree with. */
export function machineClock(now: () => Date): DatabaseClock {
  return { now, measure: async () => undefined, offsetSeconds: () => 0 };
}
