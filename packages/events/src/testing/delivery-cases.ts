import type { NewEvent, Uuid } from "@org/core";
import { expect, it } from "vitest";
import type { DeliveryOutcome, EndpointLease } from "../ports/delivery-queue.js";
import { entryOf, grantEnded, later, newId, outcomeOf, type WebhookSteps } from "./webhook-steps.js";

/** Cases of the delivery queue: leases, attempts and their outcomes. */
export function deliveryCases(steps: WebhookSteps): void {
  const { endpoints, queue, add, happens, claim, lease, dueOf, list, statesOf, settle, release, deliver, fixture } =
    steps;

  it("[C-11.43] leases an endpoint that is due to one of ten servers, and to another once the lease has ended", async () => {
    const tenant = await fixture().newTenant();
    const id = await add(tenant);
    const idle = await add(tenant, { types: ["letter.*"] });
    expect(await claim([tenant])).toEqual([]);
    await happens(tenant, grantEnded(), grantEnded());
    const won = (await Promise.all(Array.from({ length: 10 }, () => claim([tenant])))).flat();
    expect(won).toEqual([
      {
        tenant_id: tenant,
        endpoint_id: id,
        lease: expect.any(String),
        url: `https://${id}.test/`,
        sealed_secrets: ["first"],
        failing_since: null,
        is_proven: false,
      },
    ]);
    const mine = won[0] as EndpointLease;
    expect(mine.endpoint_id).not.toBe(idle);
    expect(await dueOf(mine)).toEqual([1, 2]);
    expect(await queue().renew(mine, later(120))).toBe(true);
    expect(await claim([tenant], { now: later(119) })).toEqual([]);
    const taken = await lease(tenant, id, later(120));
    expect(await dueOf(mine)).toEqual([]);
    expect(await queue().renew(mine, later(999))).toBe(false);
    expect(await settle(mine, [outcomeOf(1)])).toBe(false);
    await release(mine, { not_before: later(999) });
    expect(await statesOf(tenant, id)).toEqual(["2 pending", "1 pending"]);
    await deliver(taken);
    expect(await statesOf(tenant, id)).toEqual(["2 delivered", "1 delivered"]);
    expect(await claim([tenant], { now: later(999) })).toEqual([]);
    await happens(tenant, grantEnded());
    expect(await dueOf(await lease(tenant, id))).toEqual([3]);
  });

  it("[C-11.43] takes back all that a claim has leased whose answer was lost", async () => {
    const tenant = await fixture().newTenant();
    await add(tenant);
    await happens(tenant, grantEnded());
    const [lost] = await claim([tenant]);
    expect(await claim([tenant])).toEqual([]);
    await queue().withdraw(lost?.lease ?? "");
    expect(await claim([tenant])).toHaveLength(1);
  });

  it("[C-11.44] writes how tries ended, and gives the endpoint back until its next delivery is due", async () => {
    const tenant = await fixture().newTenant();
    const id = await add(tenant);
    await happens(tenant, grantEnded(), grantEnded(), grantEnded());
    const leased = await lease(tenant, id);
    const outcomes: DeliveryOutcome[] = [
      outcomeOf(3, { state: "failed", attempts: 10, status: 500, error: "status", answer: "no'\\ ü" }),
      outcomeOf(1),
      outcomeOf(2, {
        state: "pending",
        status: null,
        ms: 15_000.4,
        error: "timeout",
        answer: null,
        due_at: later(30),
      }),
    ];
    expect(await settle(leased, outcomes, { failing_since: later(5) })).toBe(true);
    const kept = (await list(tenant, id)).map(
      ({ delivery_id: _, event_id: __, type: ___, created_at: ____, ...delivery }) => delivery,
    );
    const tried = { attempted_at: later(5), attempts: 1 };
    expect(kept).toEqual([
      {
        sequence: 3,
        state: "failed",
        ...tried,
        attempts: 10,
        status: 500,
        ms: 7,
        error: "status",
        answer: "no'\\ ü",
        due_at: null,
      },
      {
        sequence: 2,
        state: "pending",
        ...tried,
        status: null,
        ms: 15_000,
        error: "timeout",
        answer: null,
        due_at: later(30),
      },
      { sequence: 1, state: "delivered", ...tried, status: 200, ms: 7, error: null, answer: "ok", due_at: null },
    ]);
    const standing = { failing_since: later(5), delivered_at: later(5) };
    // Of attempts that started at the same time, the last to end counts.
    const timedOut = { at: later(5), status: null, error: "timeout" };
    expect(await endpoints().find(tenant, id)).toMatchObject({ ...standing, last_failure: timedOut });
    expect((await list(tenant, id, { state_in: ["failed", "pending"] })).map(({ sequence }) => sequence)).toEqual([
      3, 2,
    ]);
    await release(leased);
    expect(await claim([tenant], { now: later(29) })).toEqual([]);
    const again = await lease(tenant, id, later(30));
    expect(again.failing_since).toEqual(later(5));
    const begun = (seconds: number, over: Partial<DeliveryOutcome> = {}) => ({
      ...outcomeOf(9, over),
      at: later(seconds),
    });
    await settle(again, [begun(20), begun(21)]);
    expect(await endpoints().find(tenant, id)).toMatchObject({ failing_since: null, last_failure: timedOut });
    const refused = { status: 503, error: "status" };
    const mixed = [begun(23, refused), begun(22, { error: "tls" }), begun(24)];
    await settle(again, mixed);
    const [found] = await endpoints().listOfAll({ tenant_id: tenant, state_in: null, after: null, limit: 1 });
    expect(found?.last_failure).toEqual({ at: later(23), ...refused });
    expect(await queue().due(again, { now: later(30), limit: 9 })).toMatchObject([
      { attempts: 1, event: { sequence: 2 } },
    ]);
    await release(again, { not_before: later(40) });
    await happens(tenant, grantEnded());
    expect(await claim([tenant], { now: later(39) })).toEqual([]);
    expect(await dueOf(await lease(tenant, id, later(40)), later(40))).toEqual([4, 2]);
  });

  it("[C-11.46] disables a leased endpoint with its event and its audit line, and only while it is leased", async () => {
    const tenant = await fixture().newTenant();
    const [id, watching] = [await add(tenant), await add(tenant, { types: ["webhook.*"] })];
    await happens(tenant, grantEnded());
    const leased = await lease(tenant, id);
    const event: NewEvent = {
      type: "webhook.endpoint_disabled",
      object_id: id,
      data: { endpoint_id: id, reason: "gone" },
    };
    const disabling = { reason: "gone", now: later(7), event, entry: entryOf("disable", id) } as const;
    expect(await queue().disable({ ...leased, lease: newId() }, disabling)).toBe(false);
    expect(await queue().disable(leased, disabling)).toBe(true);
    expect(await queue().disable(leased, disabling)).toBe(false);
    await fixture().number();
    expect(await endpoints().find(tenant, id)).toMatchObject({ disabled_reason: "gone", disabled_at: later(7) });
    expect(await statesOf(tenant, id)).toEqual(["1 withdrawn"]);
    expect(await list(tenant, watching)).toMatchObject([{ type: "webhook.endpoint_disabled", sequence: 2 }]);
    expect((await fixture().auditOf(tenant)).filter(({ action }) => action === "disable")).toHaveLength(1);
    expect((await queue().backlog(later(8))).disabled).toBeGreaterThan(0);
  });

  it("[C-11.43] the next place goes to the tenant that uses the fewest, and of its endpoints first to those that do not fail", async () => {
    const [busy, quiet] = [await fixture().newTenant(), await fixture().newTenant()];
    const many = [await add(busy), await add(busy), await add(busy)];
    await happens(busy, grantEnded());
    const only = await add(quiet);
    await happens(quiet, grantEnded());
    const [fails] = many as [Uuid];
    for (const each of await claim([busy, quiet])) {
      await settle(each, [], { failing_since: each.endpoint_id === fails ? later(1) : null });
      await release(each);
    }
    const names = async (unproven: Readonly<Record<string, number>>, over: object = {}) => {
      const found = await claim([busy, quiet], { used: { proven: {}, unproven }, ...over });
      for (const each of found) await release(each);
      return found.map(({ endpoint_id }) =>
        endpoint_id === only ? "quiet" : endpoint_id === fails ? "fails" : "busy",
      );
    };
    expect(await names({ [busy]: 0.3 })).toEqual(["quiet", "busy", "busy", "fails"]);
    expect(await names({ [quiet]: 3.3 })).toEqual(["busy", "busy", "fails", "quiet"]);
    expect(await names({}, { except_tenants: [busy] })).toEqual(["quiet"]);
  });

  it("[C-11.90] a tenant that uses as many places as are free gets none, proven and unproven endpoints each for themselves", async () => {
    // Other tenants' endpoints are leased, so that they take no places here.
    await claim([], { limit: 10_000, unproven: 10_000, until: later(10_000) });
    const [greedy, modest] = [await fixture().newTenant(), await fixture().newTenant()];
    const proven = new Set([await add(greedy), await add(modest)]);
    for (const tenant of [greedy, modest]) await happens(tenant, grantEnded());
    for (const each of await claim([greedy, modest])) {
      await settle(each, [], { is_proven: true });
      await release(each);
    }
    for (const tenant of [greedy, greedy, greedy, modest]) await add(tenant);
    for (const tenant of [greedy, modest]) await happens(tenant, grantEnded());
    const names = async (over: object) => {
      const found = await claim([greedy, modest], over);
      for (const each of found) await release(each);
      return found
        .map(({ tenant_id, endpoint_id, is_proven }) => {
          expect(is_proven).toBe(proven.has(endpoint_id));
          return `${tenant_id === greedy ? "greedy" : "modest"}${is_proven ? "" : ", unproven"}`;
        })
        .sort();
    };
    expect(await names({})).toHaveLength(6);
    expect(await names({ unproven: 0 })).toEqual(["greedy", "modest"]);
    const used = (kind: "proven" | "unproven", places: number) => ({
      used: { proven: {}, unproven: {}, [kind]: { [greedy]: places } },
    });
    expect(await names({ unproven: 2, ...used("unproven", 2) })).toEqual(["greedy", "modest", "modest, unproven"]);
    expect(await names({ unproven: 2, ...used("unproven", 0.5) })).toEqual([
      "greedy",
      "greedy, unproven",
      "modest",
      "modest, unproven",
    ]);
    expect(await names({ limit: 3, unproven: 0, ...used("proven", 2) })).toEqual(["modest"]);
    expect(await names({ limit: 3, unproven: 0, ...used("proven", 1.5) })).toEqual(["greedy", "modest"]);
  });

  it("[C-11.90] a new endpoint is unproven, and so is one whose URL was changed", async () => {
    const tenant = await fixture().newTenant();
    const id = await add(tenant);
    const isProven = async () => {
      await happens(tenant, grantEnded());
      return (await lease(tenant, id)).is_proven;
    };
    const prove = async () => {
      const leased = await lease(tenant, id);
      await settle(leased, [outcomeOf(1)], { is_proven: true });
      await release(leased);
    };
    await happens(tenant, grantEnded());
    await prove();
    const change = (over: object) => endpoints().change(tenant, id, over, later(2), entryOf("update", id), () => true);
    await change({ description: "the same receiver" });
    expect(await isProven()).toBe(true);
    await change({ url: "https://elsewhere.test/" });
    expect(await isProven()).toBe(false);
  });

  it("[C-11.43] of a tenant's endpoints the one whose last lease ended first comes first, whatever is due at the others", async () => {
    const tenant = await fixture().newTenant();
    const full = await add(tenant);
    await happens(tenant, grantEnded(), grantEnded());
    const other = await add(tenant);
    await happens(tenant, grantEnded());
    const order = async (now: Date) => (await claim([tenant], { now })).map(({ endpoint_id }) => endpoint_id);
    for (const [id, seconds] of [
      [other, 2],
      [full, 3],
    ] as const)
      await release(await lease(tenant, id, later(100 * seconds)), { now: later(100 * seconds + 1) });
    expect(await order(later(400))).toEqual([other, full]);
  });

  it("[C-11.48] deliveries go with their events, and an endpoint that is removed with its deliveries, batch by batch", async () => {
    const tenant = await fixture().newTenant();
    const [kept, gone] = [await add(tenant), await add(tenant)];
    await happens(tenant, grantEnded(), grantEnded(), grantEnded());
    const leased = await lease(tenant, gone);
    await endpoints().remove(tenant, gone, later(1), entryOf("delete", gone));
    expect(await dueOf(leased)).toEqual([]);
    expect(await settle(leased, [outcomeOf(1)])).toBe(false);
    expect(await reapAll()).toMatchObject({ endpoints: 1 });
    expect(await statesOf(tenant, kept)).toHaveLength(3);
    await fixture().forgetEvents();
    await happens(tenant, grantEnded());
    expect((await reapAll()).deliveries).toBeGreaterThanOrEqual(3);
    expect(await statesOf(tenant, kept)).toEqual(["4 pending"]);
    expect(await dueOf(await lease(tenant, kept, later(61)))).toEqual([4]);

    async function reapAll() {
      const sums = { deliveries: 0, endpoints: 0 };
      for (let round = 0; round < 100; round += 1) {
        const { deliveries, endpoints: removed } = await endpoints().reap(later(1), 2);
        expect(deliveries).toBeLessThanOrEqual(2);
        if (deliveries + removed === 0) break;
        sums.deliveries += deliveries;
        sums.endpoints += removed;
      }
      return sums;
    }
  });

  // The last case, because it leaves more rows than the others would clean up.
  it("[C-11.43] one tenant's due endpoints hide no other tenant's, however many they are and however long they have been due", async () => {
    const [greedy, modest] = [await fixture().newTenant(), await fixture().newTenant()];
    for (let made = 0; made < 501; made += 1) await add(greedy, {}, 501);
    await happens(greedy, grantEnded());
    const only = await add(modest);
    await happens(modest, grantEnded());
    const found = await claim([greedy, modest], { limit: 1_000, unproven: 1_000 });
    expect(found.some(({ endpoint_id }) => endpoint_id === only)).toBe(true);
  });
}
