import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type ConnectionQuota, createConnectionQuota, type Workload } from "./connection-quota.js";

const limits = { connections: 16, perTenant: 4, waitingPerTenant: 3, waitMs: 2_000_000_000 };

/** Enters and records when it got its turn. */
function entering(quota: ConnectionQuota, begun: string[]) {
  return (use: Workload, key: string, name = key): Promise<void> => {
    const turn = quota.enter(use, key);
    if (turn === undefined) begun.push(name);
    return turn === undefined ? Promise.resolve() : turn.then(() => void begun.push(name));
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("[C-9.41] connections are shared out", () => {
  it("so that one tenant has a few at once, and others get theirs at once while it waits", async () => {
    const begun: string[] = [];
    const quota = createConnectionQuota(limits);
    const enter = entering(quota, begun);
    for (let n = 0; n < 7; n += 1) void enter("reads", "greedy");
    await enter("reads", "modest");
    expect(begun).toEqual(["greedy", "greedy", "greedy", "greedy", "modest"]);
    expect(quota.state()).toMatchObject({ workloads: { reads: { running: 5, waiting: 3 } }, tenantsWaiting: 1 });
  });

  it("and tell for how long nobody got one at once", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const quota = createConnectionQuota({ ...limits, waitingPerTenant: 100 });
    const pass = async (turns: number, ms: number) => {
      for (let turn = 0; turn < turns; turn += 1) {
        void quota.enter("reads", `tenant ${came++}`);
        vi.advanceTimersByTime(ms);
        quota.leave("reads", `tenant ${went++}`);
        await Promise.resolve();
      }
    };
    let [came, went] = [0, 0];
    for (; came < 7 + 20; came += 1) void quota.enter("reads", `tenant ${came}`);
    // Seven began immediately.
    await pass(10, 5);
    expect(quota.standing()).toBe(0);
    // Twenty are ahead of each newcomer, each taking 5 ms.
    await pass(20, 5);
    expect(quota.standing()).toBeGreaterThanOrEqual(50);
    await pass(20, 5);
    expect(quota.standing()).toBeGreaterThanOrEqual(100);
    // Neither seven turns nor waiting jobs count as a queue.
    await pass(7, 5);
    expect(quota.standing()).toBe(0);
    await pass(10, 5);
    for (let left = 0; left < 20 + 1; left += 1) quota.leave("reads", `tenant ${went++}`);
    expect(quota.enter("reads", "modest")).toBeUndefined();
    expect(quota.standing()).toBe(0);
  });

  it("[C-9.519] and a tenant that waits for its own statements says nothing about the connections", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const quota = createConnectionQuota({ ...limits, waitingPerTenant: 100 });
    for (let n = 0; n < 4 + 60; n += 1) void quota.enter("reads", "greedy");
    quota.standing();
    for (let n = 0; n < 20; n += 1) {
      vi.advanceTimersByTime(10);
      quota.leave("reads", "greedy");
    }
    expect(quota.state().workloads.reads).toEqual({ running: 4, waiting: 40 });
    expect(quota.standing()).toBe(0);
  });

  it("so that a tenant whose queue is full is told which limit it met, and nobody else is", async () => {
    const quota = createConnectionQuota(limits);
    for (let n = 0; n < 7; n += 1) void quota.enter("tenants", "greedy");
    await expect(quota.enter("tenants", "greedy")).rejects.toMatchObject({
      code: "limited",
      retryAfterSeconds: 1,
      limit: { name: "statements_at_once", value: 4 },
    });
    expect(quota.enter("tenants", "modest")).toBeUndefined();
  });

  it("so that tenants take turns where there is not enough for all, however many one of them waits for", async () => {
    const begun: string[] = [];
    const quota = createConnectionQuota({ ...limits, connections: 1, perTenant: 1, waitingPerTenant: 100 });
    const enter = entering(quota, begun);
    await enter("tenants", "a", "a0");
    for (let n = 1; n <= 3; n += 1) void enter("tenants", "a", `a${n}`);
    for (let n = 1; n <= 2; n += 1) void enter("tenants", "b", `b${n}`);
    void enter("tenants", "c", "c1");
    for (const key of ["a", "b", "c", "a", "b", "a"]) {
      quota.leave("tenants", key);
      await settled();
    }
    expect(begun).toEqual(["a0", "b1", "c1", "a1", "b2", "a2", "a3"]);
  });

  it("[C-9.75] so that whoever asks for little has its turn behind thousands that somebody else waits for", async () => {
    const begun: string[] = [];
    const quota = createConnectionQuota(limits);
    const enter = entering(quota, begun);
    for (let n = 0; n < 8 + 5_000; n += 1) enter("authentication", "").catch(() => undefined);
    await expect(quota.enter("authentication", "")).rejects.toMatchObject({ code: "unavailable" });
    void enter("authentication", "feeds");
    for (let n = 0; n < 2; n += 1) quota.leave("authentication", "");
    await settled();
    expect(begun).toContain("feeds");
  });

  it.each<[Workload, readonly Workload[]]>([
    ["tenants", ["authentication", "lookups", "reads", "audit", "upkeep"]],
    ["reads", ["authentication", "lookups", "tenants", "audit", "upkeep"]],
    ["authentication", ["lookups", "reads", "tenants", "audit", "upkeep"]],
  ])("so that when all work of the kind %s stands still, there is room for %s", (still, others) => {
    const quota = createConnectionQuota(limits);
    for (let n = 0; n < 100; n += 1) void quota.enter(still, `tenant ${n}`);
    for (const use of others) expect(quota.enter(use, "other"), use).toBeUndefined();
  });

  it("and never more than there are, with turns for every use", async () => {
    const begun: string[] = [];
    const quota = createConnectionQuota({ ...limits, waitingPerTenant: 100 });
    const enter = entering(quota, begun);
    const workloads: Workload[] = ["authentication", "lookups", "reads", "tenants", "audit", "upkeep"];
    for (let n = 0; n < 40; n += 1) for (const use of workloads) void enter(use, `t${n % 20}`, `${use} t${n % 20}`);
    for (let done = 0; done < begun.length; done += 1) {
      expect(quota.progress().running).toBeLessThanOrEqual(16);
      const [use, key] = String(begun[done]).split(" ") as [Workload, string];
      quota.leave(use, key);
      await settled();
    }
    expect(begun).toHaveLength(40 * workloads.length);
    expect(quota.progress()).toEqual({ running: 0, finished: 240 });
    expect(quota.state().tenantsWaiting).toBe(0);
  });

  it("and whoever waits for too long is let go: a tenant because of its own work, anybody else because there is too much", async () => {
    const quota = createConnectionQuota({ ...limits, connections: 1, perTenant: 1, waitMs: 5 });
    void quota.enter("tenants", "a");
    await expect(quota.enter("tenants", "a")).rejects.toMatchObject({ code: "limited" });
    await expect(quota.enter("tenants", "b")).rejects.toMatchObject({ code: "unavailable" });
    await expect(quota.enter("authentication", "")).rejects.toMatchObject({ code: "unavailable" });
    quota.leave("tenants", "a");
    expect(quota.enter("tenants", "b")).toBeUndefined();
  });
});
