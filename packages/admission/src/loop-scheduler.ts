import { Queue } from "./queue.js";
import type { Share } from "./share.js";

/**
 * Shares the time of the event loop. Work begins immediately for as long as the loop's present turn is short. Once a turn has lasted too long,
 * further work waits, by share, and is begun in slices of a few milliseconds, between which the loop reads and writes for everybody.
 */
export interface LoopScheduler {
  /**
   * Begins work now, or in a later turn.
   * @param share who pays for it; called only when it has to wait
   * @param isGone whether nobody needs it any more, such as a client who has left: then it is dropped without having had a part
   */
  run(share: () => Share, work: () => void, isGone?: () => boolean): void;
  /** Waits until a share's work may go on; null when that is now. */
  wait(share: () => Share): Promise<void> | null;
  /** Leaves out the next slice, because something waits that the loop does once a turn: accepting connections. It gets at most half of the time. */
  skipSlice(): void;
  /**
   * The shortest wait of what was begun since the last call, in milliseconds: above 0 a queue persists (CoDel, RFC 8289 §3). 0 when something
   * began without waiting, or when too little began to tell.
   */
  standing(): number;
  /** Number of pieces of work that wait. */
  readonly waiting: number;
}

/** Options of the scheduler; all are optional. */
export interface LoopSchedulerOptions {
  /** How long a turn of the loop may last before work waits, and how long a slice takes, in milliseconds. */
  readonly sliceMs?: number;
  /** Monotonic clock, in milliseconds; `performance.now` by default. */
  readonly stopwatch?: () => number;
}

const SLICE_MS = 2;
/** What a share may use before the next one is served, and the least that any work is charged, in milliseconds. */
const QUANTUM_MS = 0.5;
const MIN_CHARGE_MS = 0.02;
/** What one group may owe the other. Longer work is its share's debt alone: others of its group do not wait for that. */
const MAX_DEBT_MS = 100;
/** With less work than this no queue is reported: a single request behind a slow one proves nothing. */
const MIN_SAMPLES = 8;
/** A shorter wait of a share that is served before the round says nothing of those who wait in it. */
const LONG_WAIT_MS = 20;

interface Piece {
  readonly work: () => void;
  readonly isGone: (() => boolean) | undefined;
  readonly since: number;
}

/** One share that has work waiting. */
interface ShareQueue {
  readonly name: string;
  readonly pieces: Queue<Piece>;
  /** Milliseconds that it may still use in this round; negative after expensive work. */
  credit: number;
}

/** Authenticated shares, or unauthenticated ones. */
interface Group {
  readonly queues: Map<string, ShareQueue>;
  /** Shares that had nothing waiting. They are served before those of the round, which they join once they have had a part (RFC 8290). */
  readonly fresh: Queue<ShareQueue>;
  readonly round: Queue<ShareQueue>;
  /** Pieces of all its queues. */
  waiting: number;
  /** Milliseconds that its shares have used, comparable with the other group's. */
  used: number;
}

/**
 * Makes a scheduler. Waiting shares are served by deficit round robin over measured time, which includes the promise reactions that follow
 * immediately. A share that had nothing waiting comes first, once in a round, so that few requests do not wait for many. All authenticated shares
 * together get at least half of the time, however many unauthenticated ones wait.
 */
export function createLoopScheduler({
  sliceMs = SLICE_MS,
  stopwatch = () => performance.now(),
}: LoopSchedulerOptions = {}): LoopScheduler {
  const [known, unknown] = [createGroup(), createGroup()];
  /** When the present turn of the loop has lasted long enough; null while no work came in it. */
  let turnEnd: number | null = null;
  let isSliceSkipped = false;
  /** When the last slice ended. */
  let sliceEnd = Number.NEGATIVE_INFINITY;
  let samples = 0;
  let shortestWait = 0;

  return {
    get waiting() {
      return waiting();
    },
    run(share, work, isGone) {
      if (mayGoOn()) work();
      else add(share(), work, isGone);
    },
    wait(share) {
      return mayGoOn() ? null : new Promise((resume) => add(share(), resume));
    },
    skipSlice() {
      isSliceSkipped = true;
    },
    standing() {
      const ms = samples < MIN_SAMPLES ? 0 : shortestWait;
      samples = 0;
      return ms;
    },
  };

  function waiting(): number {
    return known.waiting + unknown.waiting;
  }

  function mayGoOn(): boolean {
    if (waiting() > 0) return false;
    if (turnEnd === null) {
      turnEnd = stopwatch() + sliceMs;
      setImmediate(nextTurn);
    } else if (stopwatch() > turnEnd) return false;
    sample(0);
    return true;
  }

  function add({ name, isKnown }: Share, work: () => void, isGone?: () => boolean): void {
    const [group, other] = isKnown ? [known, unknown] : [unknown, known];
    // A group that was idle has saved nothing up.
    if (group.waiting === 0) group.used = Math.max(group.used, other.used);
    let queue = group.queues.get(name);
    if (queue === undefined) {
      queue = { name, pieces: new Queue(), credit: QUANTUM_MS };
      group.queues.set(name, queue);
      group.fresh.push(queue);
    }
    queue.pieces.push({ work, isGone, since: stopwatch() });
    group.waiting += 1;
  }

  /** Runs after the loop has read what had arrived. */
  function nextTurn(): void {
    turnEnd = null;
    if (waiting() === 0) {
      // Debts are owed to those who wait.
      for (const group of [known, unknown]) Object.assign(group, createGroup());
      return;
    }
    const now = stopwatch();
    if (isSliceSkipped && now < sliceEnd + sliceMs) setImmediate(nextTurn);
    else {
      turnEnd = now + sliceMs;
      beginOne();
    }
    isSliceSkipped = false;
  }

  function beginOne(): void {
    const isOfKnown = known.waiting > 0 && (unknown.waiting === 0 || known.used <= unknown.used);
    const group = isOfKnown ? known : unknown;
    const queue = nextQueue(group);
    if (queue === null) {
      goOn(stopwatch());
      return;
    }
    const { work, since } = queue.pieces.shift() as Piece;
    group.waiting -= 1;
    const begun = stopwatch();
    if (group.fresh.first !== queue || begun - since > LONG_WAIT_MS) sample(begun - since);
    // Promise reactions of the work run before the second of these steps, so that they are charged too.
    queueMicrotask(() => process.nextTick(charge, group, queue, begun));
    work();
  }

  /**
   * The queue whose turn it is; null when nobody needs what waited. One that owes time is passed over until its part of further rounds has paid
   * for it.
   */
  function nextQueue(group: Group): ShareQueue | null {
    const { queues, fresh, round } = group;
    while (group.waiting > 0) {
      const from = fresh.size > 0 ? fresh : round;
      const queue = from.first as ShareQueue;
      while (queue.pieces.first?.isGone?.()) {
        queue.pieces.shift();
        group.waiting -= 1;
      }
      if (queue.pieces.size > 0 && queue.credit > 0) return queue;
      from.shift();
      if (from === round && queue.pieces.size === 0 && queue.credit >= 0) queues.delete(queue.name);
      else {
        queue.credit = Math.min(QUANTUM_MS, queue.credit + QUANTUM_MS);
        round.push(queue);
      }
    }
    return null;
  }

  function charge(group: Group, queue: ShareQueue, begun: number): void {
    const now = stopwatch();
    const ms = Math.max(MIN_CHARGE_MS, now - begun);
    const other = group === known ? unknown : known;
    group.used = Math.min(group.used + ms, other.used + MAX_DEBT_MS);
    queue.credit -= ms;
    goOn(now);
  }

  /** Begins the next piece while the slice lasts. */
  function goOn(now: number): void {
    if (waiting() > 0 && now < (turnEnd as number)) beginOne();
    else {
      sliceEnd = now;
      setImmediate(nextTurn);
    }
  }

  function sample(waitedMs: number): void {
    shortestWait = samples === 0 ? waitedMs : Math.min(shortestWait, waitedMs);
    samples += 1;
  }
}

function createGroup(): Group {
  return { queues: new Map(), fresh: new Queue(), round: new Queue(), waiting: 0, used: 0 };
}
