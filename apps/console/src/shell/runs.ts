import type { ApiProblem } from "../api/api-problem.js";
import { withFreshProof } from "../api/proving.js";
import { createStored, type Stored } from "./stored.js";

/** One change of many things, made request by request in the order of `items`. */
export interface Run<Plan, Item, Outcome> {
  /** Names the run, and with a position each of its requests. */
  readonly id: string;
  /** When it began, in milliseconds since 1970. */
  readonly begun: number;
  /** Whose run it is. */
  readonly person: string;
  readonly plan: Plan;
  readonly items: readonly Item[];
  /** What became of the first items; the others are left. */
  readonly outcomes: readonly Outcome[];
}

/** A run at this page. */
export interface RunHere<Plan, Item, Outcome> extends Run<Plan, Item, Outcome> {
  readonly isRunning: boolean;
  /** Why it stopped, if it failed. */
  readonly problem: ApiProblem | null;
}

/** Runs of one kind, one at a time. They are kept for this tab: after a reload what was done is there, and the rest can be done. */
export interface Runs<Plan, Item, Outcome> {
  readonly here: Stored<RunHere<Plan, Item, Outcome> | null>;
  /** Starts a run instead of the one that is there. */
  start(run: Pick<Run<Plan, Item, Outcome>, "person" | "plan" | "items">): void;
  /** Goes on until everything is done, it is stopped, or a request fails. */
  goOn(): void;
  /** Stops behind the request that is on its way. */
  stop(): void;
  /** Forgets the run; what is left stays as it is. */
  end(): void;
}

/** The server keeps its answers for a day: a request whose answer was lost is made once as long as it is asked again before. */
const ANSWERS_KEPT_MS = 23 * 60 * 60_000;

/** How many items are left, and whether they can still be done. */
export function restOf({ items, outcomes, isRunning, begun }: RunHere<unknown, unknown, unknown>, now = Date.now()) {
  const left = items.length - outcomes.length;
  const hasStopped = left > 0 && !isRunning;
  return { left, hasStopped, canGoOn: hasStopped && now - begun < ANSWERS_KEPT_MS };
}

/**
 * @param kind.nextOf the items at the front that one request takes
 * @param kind.send makes one request. `key` is the same whenever these items are asked for again. @throws ApiProblem to stop the run there
 * @param kind.onPause called with what was done after the last pause, whenever the run ends or stops
 */
export function createRuns<Plan, Item, Outcome>(kind: {
  readonly keptAs: string;
  readonly nextOf: (rest: readonly Item[], plan: Plan) => readonly Item[];
  readonly send: (items: readonly Item[], plan: Plan, key: string) => Promise<readonly Outcome[]>;
  readonly onPause: (run: Run<Plan, Item, Outcome>, since: number) => Promise<void>;
}): Runs<Plan, Item, Outcome> {
  type Here = RunHere<Plan, Item, Outcome>;
  const outcomesKeptAs = `${kind.keptAs}-outcomes`;
  /** The outcomes up to here were told by `onPause`. */
  let told = 0;
  const here = createStored<Here | null>(kept());
  let isStopping = false;
  return { here, start, goOn, stop, end };

  function start(run: Pick<Here, "person" | "plan" | "items">): void {
    if (here.get()?.isRunning) return;
    const fresh = { ...run, id: crypto.randomUUID(), begun: Date.now(), outcomes: [], isRunning: false, problem: null };
    told = 0;
    here.set(fresh);
    keep(kind.keptAs, { ...fresh, outcomes: undefined });
    keepOutcomes([]);
    goOn();
  }

  function goOn(): void {
    const before = here.get();
    if (before === null || before.isRunning) return;
    isStopping = false;
    here.set({ ...before, isRunning: true, problem: null });
    void doRest(before.id);
  }

  function stop(): void {
    isStopping = true;
  }

  function end(): void {
    isStopping = true;
    here.set(null);
    keep(kind.keptAs, null);
    keep(outcomesKeptAs, null);
  }

  async function doRest(id: string): Promise<void> {
    let problem: ApiProblem | null = null;
    for (let run = own(id); run !== null && run.outcomes.length < run.items.length && !isStopping; run = own(id)) {
      const { plan, items, outcomes } = run;
      const next = kind.nextOf(items.slice(outcomes.length), plan);
      try {
        const made = await withFreshProof(() => kind.send(next, plan, `${id}:${outcomes.length}`));
        if (own(id) === null) return;
        here.set({ ...run, outcomes: [...outcomes, ...made] });
        keepOutcomes([...outcomes, ...made]);
      } catch (error) {
        problem = error as ApiProblem;
        break;
      }
    }
    const after = own(id);
    if (after === null) return;
    here.set({ ...after, isRunning: false, problem });
    const since = told;
    told = after.outcomes.length;
    keepOutcomes(after.outcomes);
    await kind.onPause(after, since);
  }

  /** The run, unless it was ended or another one has begun. */
  function own(id: string): Here | null {
    const run = here.get();
    return run?.id === id ? run : null;
  }

  function keepOutcomes(outcomes: readonly Outcome[]): void {
    keep(outcomesKeptAs, { told, outcomes });
  }

  function kept(): Here | null {
    try {
      const run: Here | null = JSON.parse(sessionStorage.getItem(kind.keptAs) ?? "null");
      const done = JSON.parse(sessionStorage.getItem(outcomesKeptAs) ?? "null");
      told = done?.told ?? 0;
      return run && { ...run, outcomes: done?.outcomes ?? [], isRunning: false, problem: null };
    } catch {
      return null;
    }
  }
}

function keep(keptAs: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(keptAs);
    else sessionStorage.setItem(keptAs, JSON.stringify(value));
  } catch {
    // Without storage the run does not survive a reload.
  }
}
