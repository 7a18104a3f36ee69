import { expect, it } from "vitest";
import { createOccurrenceCounter, type Occurrence } from "./occurrence-counter.js";

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1) + seconds * 1_000);
const occurrence = (over: Partial<Occurrence<string>> = {}): Occurrence<string> => ({
  at: at(0),
  address: "203.0.113.7",
  kind: "refused",
  about: null,
  traceId: null,
  facts: "",
  ...over,
});

it("[security.md] counts by network and kind, with the first and the last and a few traces", () => {
  const counter = createOccurrenceCounter<string>();
  const isSample = Array.from({ length: 1_000 }, (_, index) =>
    counter.add(
      occurrence({
        at: at(index / 100),
        address: `203.0.113.${index % 256}`,
        traceId: `trace ${index}`,
        facts: `${index}`,
      }),
    ),
  );
  counter.add(occurrence({ kind: "another" }));
  counter.add(occurrence({ address: "198.51.100.1" }));
  expect(isSample.filter(Boolean)).toHaveLength(3);
  expect(counter.take()).toMatchObject([
    {
      network: "203.0.113.0/24",
      kind: "refused",
      count: 1_000,
      first: at(0),
      last: at(9.99),
      traceIds: ["trace 0", "trace 1", "trace 2"],
      facts: "0",
    },
    { kind: "another", count: 1 },
    { network: "198.51.100.0/24", count: 1 },
  ]);
  expect(counter.take()).toEqual([]);
});

it("[security.md] a count ends a minute after its first occurrence", () => {
  const counter = createOccurrenceCounter<string>();
  counter.add(occurrence());
  counter.add(occurrence({ at: at(30), kind: "later" }));
  counter.add(occurrence({ at: at(59) }));
  expect(counter.take(at(59))).toEqual([]);
  expect(counter.take(at(60))).toMatchObject([{ kind: "refused", count: 2 }]);
  counter.add(occurrence({ at: at(61) }));
  expect(counter.take(at(90))).toMatchObject([{ kind: "later", count: 1 }]);
  expect(counter.take()).toMatchObject([{ kind: "refused", count: 1 }]);
});

it("[security.md] tells a few names of each network apart, and anew in the next window", () => {
  const counter = createOccurrenceCounter<string>();
  const tryNames = () => {
    for (let index = 0; index < 100; index++) counter.add(occurrence({ about: `name ${index % 50}` }));
    return counter.take().map(({ about, count }) => [about, count]);
  };
  const expected = [...Array.from({ length: 8 }, (_, index) => [`name ${index}`, 2]), [null, 84]];
  expect(tryNames()).toEqual(expected);
  expect(tryNames()).toEqual(expected);
});

it("[security.md] its memory is bounded: wider networks beyond a number of counts, then one for all others", () => {
  const counter = createOccurrenceCounter<string>({ maxCounts: 100 });
  for (let index = 0; index < 6_000; index++)
    counter.add(occurrence({ address: `${index >> 6}.${index & 63}.113.7`, about: `name ${index}` }));
  for (let index = 0; index < 1_000; index++) counter.add(occurrence({ address: `2001:db8:${index.toString(16)}::1` }));
  const counts = counter.take();
  expect(counts).toHaveLength(126);
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(7_000);
  expect(counts.filter(({ network }) => network.endsWith("/16"))).toHaveLength(25);
  expect(counts.at(-1)).toMatchObject({ network: "other", about: null });
});
