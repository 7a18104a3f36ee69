import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";

/** The most calls of one kind in progress; more mean that the servers are too slow, which is a failure. */
const MAX_CONCURRENT = 60;
const STEP_MS = 20;

/**
 * Starts each kind of use at a fixed rate, whether or not earlier calls have ended.
 * @param rates `{kind: times a second}`
 * @param servers used in turn
 * @param onFailure called with the kind and the error, and at the end for a kind that was never done
 */
export function beginLoad(kinds, rates, rate, servers, onFailure) {
  const strange = Object.keys(kinds).filter((kind) => !(kind in rates));
  if (strange.length > 0) throw new Error(`no rate for ${strange.join(", ")}`);
  const started = performance.now();
  // Staggers the start of the kinds.
  const states = Object.entries(kinds).map(([kind, use], index) => ({
    kind,
    use,
    interval: 1_000 / (rates[kind] * rate),
    next: index * STEP_MS,
    running: 0,
    begun: 0,
    done: 0,
    idle: 0,
    failed: 0,
    times: [],
  }));
  const open = new Set();
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      const now = performance.now() - started;
      for (const state of states)
        for (; state.next <= now; state.next += state.interval) {
          if (state.running >= MAX_CONCURRENT) onFailure(state.kind, new Error(`${MAX_CONCURRENT} are under way`));
          else begin(state);
        }
      await delay(STEP_MS);
    }
  })();
  return {
    /** Figures since the previous call: how many of each kind were done, and their longest and median time in milliseconds. */
    figures: () =>
      Object.fromEntries(
        states.map((state) => {
          const times = state.times.splice(0).sort((a, b) => a - b);
          const of = (part) => times[Math.floor(times.length * part)] ?? null;
          return [state.kind, { done: times.length, running: state.running, p50: of(0.5), p99: of(0.99) }];
        }),
      ),
    /** Waits until this many milliseconds after the start. */
    until: (ms) => delay(Math.max(0, started + ms - performance.now())),
    async stop() {
      isOver = true;
      await loop;
      await Promise.all(open);
      for (const { kind, done, failed } of states)
        if (done + failed === 0) onFailure(kind, new Error("nothing of it was done"));
      return Object.fromEntries(states.map(({ kind, done, idle, failed }) => [kind, { done, idle, failed }]));
    },
  };

  function begin(state) {
    const at = performance.now();
    const [one, other] = [0, 1].map((step) => servers[(state.begun + step) % servers.length]);
    state.running += 1;
    state.begun += 1;
    const ended = state
      .use(one, other)
      .then(
        (result) => {
          // A call that found nothing to do does not count.
          if (result === false) state.idle += 1;
          else {
            state.done += 1;
            state.times.push(Math.round(performance.now() - at));
          }
        },
        (error) => {
          state.failed += 1;
          onFailure(state.kind, error);
        },
      )
      .finally(() => {
        state.running -= 1;
        open.delete(ended);
      });
    open.add(ended);
  }
}
