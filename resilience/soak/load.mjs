import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";

/** So many of one kind may be under way at once; beyond that the servers are too slow, which is a failure. */
const MAX_CONCURRENT = 60;
const STEP_MS = 20;

/**
 * Begins each kind of use so often a second, whether or not what was begun before has ended.
 * @param rates `{kind: times a second}`
 * @param servers which they go to in turn
 * @param onFailure told of the kind and the error, at the end also of a kind of which nothing was done
 */
export function beginLoad(kinds, rates, rate, servers, onFailure) {
  const strange = Object.keys(kinds).filter((kind) => !(kind in rates));
  if (strange.length > 0) throw new Error(`no rate for ${strange.join(", ")}`);
  const started = performance.now();
  // They do not all begin at once.
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
    /** Since it was asked last: how many of each kind were done, and their longest and median time in ms. */
    figures: () =>
      Object.fromEntries(
        states.map((state) => {
          const times = state.times.splice(0).sort((a, b) => a - b);
          const of = (part) => times[Math.floor(times.length * part)] ?? null;
          return [state.kind, { done: times.length, running: state.running, p50: of(0.5), p99: of(0.99) }];
        }),
      ),
    /** Waits until so many ms after the beginning. */
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
          // One that found nothing to do is no use.
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
