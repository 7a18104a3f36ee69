/** The time limit of a connection's statements, one after the other. Its timer is not made anew for each of them. */
export interface Deadline {
  /** Begins the time of a statement, in milliseconds. */
  begin(milliseconds: number): RunningTime;
}

/** The time of one statement. */
export interface RunningTime {
  /** Ends it, and returns whether it was over before. */
  end(): boolean;
}

/** @param onOver called when the time of a statement is over */
export function createDeadline(onOver: () => void): Deadline {
  let timer: NodeJS.Timeout | undefined;
  let firesAt = Number.POSITIVE_INFINITY;
  /** When the present statement's time is over; null between statements. */
  let until: number | null = null;
  let isOver = false;
  const running: RunningTime = {
    end() {
      until = null;
      return isOver;
    },
  };

  return {
    begin(milliseconds) {
      until = performance.now() + milliseconds;
      if (until < firesAt) fireIn(milliseconds);
      return running;
    },
  };

  function fireIn(milliseconds: number): void {
    clearTimeout(timer);
    firesAt = performance.now() + milliseconds;
    // An answer that has arrived by then counts, even if this process was too busy to read it.
    timer = setTimeout(() => setImmediate(check), Math.ceil(milliseconds)).unref();
  }

  function check(): void {
    firesAt = Number.POSITIVE_INFINITY;
    if (until === null) return;
    const left = until - performance.now();
    if (left > 0) fireIn(left);
    else {
      isOver = true;
      onOver();
    }
  }
}
