import { expect, it } from "vitest";
import type { Arrival } from "./intake.js";
import { createRetries } from "./retries.js";

/** Held files by source, and a list of the retries that started. Those of slow sources wait until they are released. */
function heldFiles(bySource: Readonly<Record<string, number>>, slow: readonly string[]) {
  const due = Object.entries(bySource).flatMap(([source, count]) =>
    Array.from({ length: count }, (_, index) => ({ source, file_id: `${source}${index}` })),
  );
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  const failures: string[] = [];
  const retries = createRetries({
    files: {
      async claimHeld({ limit, except }) {
        const found = due.filter(({ source }) => !except.includes(source)).slice(0, limit);
        for (const file of found) due.splice(due.indexOf(file), 1);
        return found as never;
      },
    },
    intake: {
      async retry(id) {
        begun.push(id);
        if (id === "broken0") throw new RangeError("cannot be opened");
        if (slow.some((source) => id.startsWith(source))) await new Promise<void>((resolve) => waiting.push(resolve));
        return { outcome: "taken" } as Arrival;
      },
    },
    clock: () => new Date(0),
    onFailure: (_, id) => failures.push(id),
  });
  return { retries, begun, waiting, failures };
}

it("[C-9.211] a source whose held files take long has one under way, and keeps no other waiting", async () => {
  const { retries, begun, waiting } = heldFiles({ slow: 3, a: 3, b: 2 }, ["slow"]);
  const stop = new AbortController();
  const first = retries.run(stop.signal);
  await expect.poll(() => begun).toEqual(["slow0", "a0", "b0", "a1", "b1", "a2"]);
  // A run that has ended leaves the slow file in progress, and the next one does not start it again.
  stop.abort();
  expect(await first).toEqual({ retried: 5, taken: 5 });
  const next = new AbortController();
  const second = retries.run(next.signal);
  for (const index of [0, 1, 2]) {
    await expect.poll(() => waiting.length).toBe(index + 1);
    waiting[index]?.();
  }
  await second;
  await retries.drain();
  expect(begun.slice(6)).toEqual(["slow1", "slow2"]);
});

it("[C-9.211] sources are served round-robin, and one file that cannot be opened holds up nothing", async () => {
  const { retries, begun, failures } = heldFiles({ broken: 2, a: 2, b: 1 }, []);
  expect(await retries.run(new AbortController().signal)).toEqual({ retried: 5, taken: 4 });
  expect(begun).toEqual(["broken0", "a0", "b0", "broken1", "a1"]);
  expect(failures).toEqual(["broken0"]);
});
