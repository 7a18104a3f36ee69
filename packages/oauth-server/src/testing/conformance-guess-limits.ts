import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { GuessBucket } from "../ports/guess-limit-store.js";
import { atOnce, type Cases, later, noon } from "./conformance-fixture.js";

const WINDOW = 900;

/** Cases of the guess limits. */
export function guessLimitCases(cases: () => Cases): void {
  const limits = () => cases().store.guessLimits;
  const bucket = (client_id = `wca_${randomUUID()}`, limit = 3): GuessBucket => ({
    client_id,
    address_prefix: "203.0.113.0/24",
    limit,
    window_seconds: WINDOW,
  });

  it("counts each bucket for itself within a window that begins with what it counts first", async () => {
    const [one, two] = [bucket(undefined, 2), bucket(undefined, 2)];
    expect(await limits().count([one], noon)).toBeNull();
    expect(await limits().count([two, one], later(10))).toBeNull();
    expect(await limits().full([one, two], later(11))).toEqual({ bucket: one, until: later(WINDOW) });
    expect(await limits().count([two], later(12))).toBeNull();
    expect(await limits().full([one, two], later(13))).toEqual({ bucket: two, until: later(10 + WINDOW) });
    expect(await limits().full([one], later(WINDOW))).toBeNull();
    expect(await limits().count([one], later(WINDOW))).toBeNull();
    expect(await limits().full([{ ...one, limit: 1 }], later(WINDOW))).toMatchObject({ until: later(2 * WINDOW) });
  });

  it("is full from the limit's failure on until the window ends, for its own network", async () => {
    const [full, free] = [bucket(undefined, 2), bucket()];
    await limits().count([full, free], noon);
    expect(await limits().full([full, free], later(1))).toBeNull();
    await limits().count([full], later(1));
    expect(await limits().full([free, full], later(2))).toEqual({ bucket: full, until: later(WINDOW) });
    expect(await limits().full([free], later(2))).toBeNull();
    expect(await limits().full([{ ...full, address_prefix: "198.51.100.0/24" }], later(2))).toBeNull();
    expect(await limits().full([full], later(WINDOW))).toBeNull();
  });

  it("[scale.md] adds nothing to the others when one is full", async () => {
    const [full, free] = [bucket(undefined, 1), bucket(undefined, 1)];
    await limits().count([full], noon);
    for (let time = 0; time < 3; time++)
      expect(await limits().count([free, full], later(1))).toEqual({ bucket: full, until: later(WINDOW) });
    expect(await limits().full([free], later(2))).toBeNull();
  });

  it("loses none of twenty at once, and takes no more than the limit", async () => {
    const [one, two] = [bucket(undefined, 12), bucket(undefined, 100)];
    const orders = [
      [one, two],
      [two, one],
    ];
    const answers = await atOnce(20, (index) => limits().count(orders[index % 2] ?? [], noon));
    expect(answers.filter((full) => full === null)).toHaveLength(12);
    for (const full of answers) if (full) expect(full).toEqual({ bucket: one, until: later(WINDOW) });
    expect(await limits().full([{ ...two, limit: 13 }], noon)).toBeNull();
    expect(await limits().full([{ ...two, limit: 12 }], noon)).toMatchObject({ until: later(WINDOW) });
  });

  it("forgets the failures of one client", async () => {
    const [one, two] = [bucket(undefined, 1), bucket(undefined, 1)];
    await limits().count([one, two], noon);
    await limits().resetFailures(one.client_id);
    expect(await limits().full([one], later(1))).toBeNull();
    expect(await limits().full([two], later(1))).toMatchObject({ until: later(WINDOW) });
  });

  it("reaps counters whose window is over, in batches", async () => {
    const old = new Date("2001-01-01T00:00:00Z");
    await limits().count([bucket(), bucket(), bucket()], old);
    expect(await limits().reapFailures(old, 2)).toBe(0);
    const day = new Date("2001-01-02T00:00:00Z");
    expect(await limits().reapFailures(day, 2)).toBe(2);
    expect(await limits().reapFailures(day, 2)).toBe(1);
  });
}
