import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { GuessBucket } from "../ports/guess-limit-store.js";
import { atOnce, type Cases, hash, later, newGrant, noon } from "./conformance-fixture.js";

const WINDOW = 900;

/** Cases of the guess limits. */
export function guessLimitCases(cases: () => Cases): void {
  const limits = () => cases().store.guessLimits;
  const bucket = (client_id = `wca_${randomUUID()}`, limit = 3): GuessBucket => ({
    client_id,
    address_prefix: "203.0.113.0/24",
    limit,
  });

  it("counts each bucket for itself within a window that begins with the first failure", async () => {
    const [one, two] = [bucket(), bucket()];
    const end = later(WINDOW);
    expect(await limits().recordFailure([one], noon, WINDOW)).toEqual([{ failures: 1, window_ends_at: end }]);
    expect(await limits().recordFailure([two, one], later(10), WINDOW)).toEqual([
      { failures: 1, window_ends_at: later(10 + WINDOW) },
      { failures: 2, window_ends_at: end },
    ]);
    const next = [{ failures: 1, window_ends_at: later(2 * WINDOW) }];
    expect(await limits().recordFailure([one], end, WINDOW)).toEqual(next);
  });

  it("is limited from the limit's failure on until the window ends", async () => {
    const [full, free] = [bucket(undefined, 2), bucket()];
    await limits().recordFailure([full, free], noon, WINDOW);
    expect(await limits().limitedUntil([full, free], later(1))).toBeNull();
    await limits().recordFailure([full], later(1), WINDOW);
    expect(await limits().limitedUntil([free, full], later(2))).toEqual(later(WINDOW));
    expect(await limits().limitedUntil([free], later(2))).toBeNull();
    expect(await limits().limitedUntil([{ ...full, address_prefix: "198.51.100.0/24" }], later(2))).toBeNull();
    expect(await limits().limitedUntil([full], later(WINDOW))).toBeNull();
  });

  it("loses no failure of twenty at once", async () => {
    const [one, two] = [bucket(), bucket()];
    const orders = [
      [one, two],
      [two, one],
    ];
    const counts = await atOnce(20, (index) => limits().recordFailure(orders[index % 2] ?? [], noon, WINDOW));
    const failures = counts.map(([first], index) => `${index % 2} ${first?.failures}`);
    expect(new Set(failures).size).toBe(20);
    expect(await limits().recordFailure([one, two], noon, WINDOW)).toMatchObject([{ failures: 21 }, { failures: 21 }]);
  });

  it("issues and rotates nothing while a bucket is full, and consumes nothing", async () => {
    const application = await cases().application();
    const grant = await cases().grant(application);
    const [full, free] = [bucket(application.client_id, 1), bucket()];
    await limits().recordFailure([full], noon, WINDOW);
    const asked = newGrant(application, { created_at: later(1) });
    expect(await cases().store.grants.issueGrant(asked, [free, full])).toBe("limited");
    expect(await cases().store.grants.findGrant(asked.grant_id)).toBeNull();
    expect(await cases().store.grants.issueGrant(asked, [free])).toBe("issued");
    const rotation = {
      grant_id: grant.grant_id,
      token_hash: grant.refresh_token_hash,
      next_token_hash: hash(),
      at: later(1),
      unless_limited: [full],
    };
    expect(await cases().store.grants.rotateRefreshToken(rotation)).toMatchObject({ reason: "limited" });
    const afterwards = { ...rotation, at: later(WINDOW) };
    expect(await cases().store.grants.rotateRefreshToken(afterwards)).toMatchObject({ outcome: "rotated" });
  });

  it("forgets the failures of one client", async () => {
    const [one, two] = [bucket(undefined, 1), bucket(undefined, 1)];
    await limits().recordFailure([one, two], noon, WINDOW);
    await limits().resetFailures(one.client_id);
    expect(await limits().limitedUntil([one], later(1))).toBeNull();
    expect(await limits().limitedUntil([two], later(1))).toEqual(later(WINDOW));
  });

  it("reaps counters whose window is over, in batches", async () => {
    const old = new Date("2001-01-01T00:00:00Z");
    await limits().recordFailure([bucket(), bucket(), bucket()], old, WINDOW);
    expect(await limits().reapFailures(old, 2)).toBe(0);
    const day = new Date("2001-01-02T00:00:00Z");
    expect(await limits().reapFailures(day, 2)).toBe(2);
    expect(await limits().reapFailures(day, 2)).toBe(1);
  });
}
