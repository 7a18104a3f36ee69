/**
 * Time as the database has it. Replicas compare moments that others have stored: ends of leases and sessions, windows for replays and
 * guesses, when a token was issued. So all of them take their time from the database that they share, whatever their machines' clocks say.
 */
export interface DatabaseClock {
  /** The time now, without asking: that of the machine until {@link measure} has succeeded once. Never waits. */
  readonly now: () => Date;
  /**
   * Asks the database what time it is, three times, and believes the quickest answer.
   * @throws StorageError unavailable; the clock goes on as it was
   */
  measure(): Promise<void>;
  /** How far the machine's clock is ahead of the database's, in seconds. Wrong by half of the time of a round trip, at most. */
  offsetSeconds(): number;
}

const SAMPLES = 3;

/** It was `at` by the database when `elapsed` milliseconds had passed here, give or take `error`. */
interface Sample {
  readonly at: number;
  readonly elapsed: number;
  readonly error: number;
}

/** What a clock needs of its machine. */
interface Machine {
  /** The time that the machine shows. */
  readonly now: () => Date;
  /** Milliseconds since some moment, which no correction of the machine's time changes. */
  readonly elapsed: () => number;
}

/** Between two measurements it goes on with the machine's monotonic time, so that nobody who sets the machine's clock moves it. */
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
      // What may be the noise of measuring moves nothing.
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

/** By how much later it is by one sample than by another. */
function differenceOf(one: Sample, other: Sample): number {
  return one.at - one.elapsed - (other.at - other.elapsed);
}

/** The clock of an embedded database: nobody else has to agree with it. */
export function machineClock(now: () => Date): DatabaseClock {
  return { now, measure: async () => undefined, offsetSeconds: () => 0 };
}
