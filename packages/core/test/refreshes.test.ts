import type { AccessRefusal, FetchedSnapshot, FetchRequest, FetchResult, TransactionData } from "@org/provider-kit";
import { evaluateRelogin } from "@org/relogin-rule";
import { beforeEach, describe, expect, it } from "vitest";
import { notifiedHashes } from "../src/connections/refresh-plan.js";
import { CoreError, createRefreshes, idField, type Uuid } from "../src/index.js";
import { GuardError } from "../src/providers/provider-guard.js";
import { createMemoryTenantAccess, directoryOf, samples } from "../src/testing/index.js";
import { connect, createWorld, linkOf, scriptedBank, snapshotOf, type World } from "./world.js";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let world: World;
let connectionId: Uuid;
beforeEach(async () => {
  world = await createWorld();
  connectionId = (await connect(world, world.alice)).connection_id as Uuid;
});

const refresh = () => world.refreshes.refresh(world.alice, connectionId);
const query = () => ({ credentials_token: connectionId, page: 1, page_size: 50 });
const holdings = () => world.data.holdings(world.alice, query());
const movements = () => world.data.transactions(world.alice, query());
const sourceOf = async () => (await holdings()).sources[0];
const data = (snapshot: Partial<FetchedSnapshot> = {}): FetchResult => ({
  snapshot: { ...snapshotOf("99"), ...snapshot },
  consent_expires_at: null,
});

/** A bank call that ends when the test says so. */
function suspended() {
  let end: (result: FetchResult) => void = () => undefined;
  let begun: () => void = () => undefined;
  const started = new Promise<void>((resolve) => (begun = resolve));
  world.bank.refresh = (signal) =>
    new Promise((resolve, reject) => {
      end = resolve;
      signal.addEventListener("abort", () => reject(signal.reason));
      begun();
    });
  return { started, end: (result: FetchResult) => end(result) };
}

describe("a refresh", () => {
  it("replaces the data, keeps the ids, and says so", async () => {
    const before = JSON.parse((await holdings()).items_json);
    world.runtime.advance(DAY);
    world.bank.refresh = async () => data();
    const answer = await refresh();
    expect(answer).toMatchObject({
      outcome: "refreshed",
      status: { pending: false, last_update: "2026-03-03T09:00:00.000Z" },
      refresh: { state: "planned", last_outcome: "refreshed", last_attempt_at: "2026-03-03T09:00:00.000Z" },
    });
    const after = JSON.parse((await holdings()).items_json);
    expect(after.map(({ id }: { id: string }) => id)).toEqual(before.map(({ id }: { id: string }) => id));
    expect(after[0].amount).toBe("99");
    expect(await sourceOf()).toMatchObject({ state: "ok" });
  });

  it.each([
    ["has no settings now", true],
    ["another server has loaded, and this one has not", false],
  ])("[C-9.130] of a provider that %s is put off for five minutes, and held against nobody", async (_, isLoaded) => {
    const { storage, runtime, connectors, alice } = world;
    const providers = { ...directoryOf(scriptedBank(world.bank)), for: () => null, has: () => isLoaded };
    const access = createMemoryTenantAccess();
    const refreshes = createRefreshes({ storage, runtime, connectors, providers, access });
    runtime.advance(DAY);
    const status = await world.credentials.status(alice, connectionId);
    expect(await refreshes.refresh(alice, connectionId)).toMatchObject({
      outcome: "postponed",
      status,
      refresh: { state: "planned", next_at: new Date(runtime.clock().getTime() + 5 * MINUTE).toISOString() },
    });
  });

  it("[C-9.530] with the same data only moves as_of on, unless something else was published meanwhile", async () => {
    const published = (name: string) =>
      world.storage.inTenant(world.alice.tenant_id, ({ snapshots }) =>
        snapshots.publish({
          connection_id: connectionId,
          as_of: world.runtime.clock(),
          published_at: world.runtime.clock(),
          holdings: [samples.holding({ name })],
        }),
      );
    world.runtime.advance(DAY);
    const as_of = world.runtime.clock();
    world.bank.refresh = async () => data({ as_of });
    await refresh();
    const { snapshot } = await holdings();
    world.runtime.advance(DAY);
    world.bank.refresh = async () => data({ as_of: world.runtime.clock() });
    await refresh();
    expect(await holdings()).toMatchObject({
      snapshot,
      sources: [{ as_of: world.runtime.clock().toISOString() }],
    });
    const before = await holdings();
    world.runtime.advance(DAY);
    world.bank.refresh = async () => {
      await published("Another");
      return data({ as_of: world.runtime.clock() });
    };
    await refresh();
    expect((await holdings()).items_json).toBe(before.items_json);
  });

  it("[C-4.110] is needed every five days: data are stale by age then, whether they were new or as before", async () => {
    const states = async () => {
      const reads = [world.data.portfolios, world.data.holdings, world.data.transactions];
      const answers = await Promise.all(reads.map((read) => read(world.alice, query())));
      return answers.map(({ sources: [source] }) => [source?.state, source?.message]);
    };
    const all = (...state: readonly unknown[]) => Array.from({ length: 3 }, () => state);
    const refreshed = async (units: string) => {
      const as_of = world.runtime.clock();
      world.bank.refresh = async () => data({ ...snapshotOf(units), as_of });
      await refresh();
    };
    world.runtime.advance(DAY);
    for (const units of ["99", "99", "100"]) {
      await refreshed(units);
      expect(await states()).toEqual(all("ok", undefined));
      world.runtime.advance(5 * DAY);
      expect(await states()).toEqual(all("ok", undefined));
      world.runtime.advance(1);
      expect(await states()).toEqual(all("stale", "old"));
    }
  });

  it("[C-4.25] leaves the snapshot before readable, so that clients finish paging", async () => {
    const { snapshot } = await holdings();
    world.bank.refresh = async () => data({ holdings: [] });
    await refresh();
    expect(await holdings()).toMatchObject({ total: 0 });
    expect(await world.data.holdings(world.alice, { page: 1, page_size: 50, snapshot })).toMatchObject({ total: 2 });
  });

  it("adds to the history what is new: neither is anything lost nor are genuine twins merged", async () => {
    const [kept] = snapshotOf("1").transactions ?? [];
    if (!kept) throw new Error("the sample has no transaction");
    const coffee = { ...kept, key: null, holding_key: null, description: "Fee", amount: null, balance: "-2.00" };
    world.bank.refresh = async () => data({ transactions: [coffee, coffee] });
    await refresh();
    expect(await movements()).toMatchObject({ total: 3, totals: [{ currency: "EUR", balance: "-1004.00" }] });
    world.runtime.advance(DAY);
    await refresh();
    expect(await movements()).toMatchObject({ total: 3 });
    world.runtime.advance(DAY);
    world.bank.refresh = async () => data({ transactions: [coffee, kept, coffee, coffee] });
    await refresh();
    expect(await movements()).toMatchObject({ total: 4, totals: [{ currency: "EUR", balance: "-1006.00" }] });
  });

  it("[C-9.432] corrects what the bank says otherwise under a known key, and takes what it says twice as one", async () => {
    const [kept] = snapshotOf("1").transactions ?? [];
    if (!kept) throw new Error("the sample has no transaction");
    const { snapshot } = await movements();
    const corrected = { ...kept, description: "Corrected", balance: "-7.50" };
    world.bank.refresh = async () => data({ transactions: [corrected, corrected] });
    await refresh();
    expect(await movements()).toMatchObject({ total: 1, totals: [{ currency: "EUR", balance: "-7.50" }] });
    const before = await world.data.transactions(world.alice, { ...query(), snapshot });
    expect(JSON.parse(before.items_json)).toMatchObject([{ description: kept.description }]);
  });

  it("[C-8.88] corrects under the first key what the bank corrects under others, and withdraws what it takes back", async () => {
    const [known] = snapshotOf("1").transactions ?? [];
    if (!known?.key) throw new Error("the sample has no transaction with a key");
    const { portfolio_key } = known;
    const of = (key: string, balance: string) => ({ ...known, key, description: key, balance });
    const answer = (transactions: readonly TransactionData[], more: object) => {
      world.runtime.advance(DAY);
      world.bank.refresh = async () => data({ transactions, ...more });
      return refresh();
    };
    const shown = async () => {
      const { items_json } = await world.data.transactions(world.alice, {
        ...query(),
        fields: ["id", "description"],
      } as never);
      return JSON.parse(items_json) as { id: string; description: string }[];
    };
    const correct = (key: string, by: string) => ({ portfolio_key, key, by });
    const [first] = await shown();
    // The bank lists the former one, too.
    await answer([known, of("b", "-2")], { corrected: [correct(known.key, "b")] });
    expect(await shown()).toEqual([{ id: first?.id, description: "b" }]);
    const { snapshot } = await movements();
    // A correction of a correction, after and in one answer; the answer repeats what it corrects.
    const links = [correct("b", "c"), correct("c", "d")];
    for (const more of [of("x", "-9"), of("y", "-9")]) {
      await answer([of("d", "-3"), of("c", "-5"), more], { corrected: links });
      expect((await shown()).find(({ description }) => description === "d")).toEqual({
        id: first?.id,
        description: "d",
      });
    }
    expect(await movements()).toMatchObject({ total: 3, totals: [{ balance: "-21" }] });
    const withdrawn = ["d", "y", "never there"].map((key) => ({ portfolio_key, key }));
    await answer([of("y", "-9")], { withdrawn });
    expect((await shown()).map(({ description }) => description)).toEqual(["x"]);
    const before = await world.data.transactions(world.alice, { ...query(), snapshot });
    expect(JSON.parse(before.items_json)).toMatchObject([{ description: "b" }]);
    // Said once more, it changes nothing.
    await answer([of("z", "-1")], { withdrawn });
    expect(await movements()).toMatchObject({ total: 2 });
  });

  it("[C-8.90] withdraws what a complete period does not have, also where nothing else is new", async () => {
    const [known] = snapshotOf("1").transactions ?? [];
    if (!known) throw new Error("the sample has no transaction");
    const of = (key: string, operation_date: string) => ({ ...known, key, operation_date, description: key });
    const [old, young] = [of("old", "2026-01-05"), of("young", "2026-02-05")];
    const answer = async (transactions: readonly TransactionData[], complete_from?: string) => {
      world.runtime.advance(DAY);
      world.bank.refresh = async () => data({ transactions, ...(complete_from && { complete_from }) });
      await refresh();
      const { total, snapshot } = await movements();
      return [total, snapshot];
    };
    const [total] = await answer([old, young]);
    expect(total).toBe(3);
    const [all, snapshot] = await answer([young], "2026-02-01");
    expect(all).toBe(known.operation_date >= "2026-02-01" ? 2 : 3);
    // The same of a shorter period says nothing new; of a longer one it does.
    for (const from of ["2026-02-01", "2026-02-03", undefined])
      expect(await answer([young], from)).toEqual([all, snapshot]);
    expect((await answer([young], "2025-01-01"))[0]).toBe(1);
    expect((await answer([], "2025-01-01"))[0]).toBe(0);
  });

  it("[C-4.43] keeps 500 characters of whatever text, and the ids that the whole of it has", async () => {
    const [kept] = snapshotOf("1").transactions ?? [];
    if (!kept) throw new Error("the sample has no transaction");
    const long = { ...kept, key: null, description: "x".repeat(9_000) };
    const other = { ...long, description: `${long.description}y` };
    world.bank.refresh = async () => data({ transactions: [long, other] });
    await refresh();
    const { items_json } = await world.data.transactions(world.alice, {
      ...query(),
      fields: ["id", "description"],
    } as never);
    const rows: { id: string; description: string }[] = JSON.parse(items_json);
    expect(rows.filter(({ description }) => description === "x".repeat(500))).toHaveLength(2);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  it("of which the bank gave a part keeps the last good rest and marks it", async () => {
    world.bank.refresh = async () => data({ holdings: null });
    expect(await refresh()).toMatchObject({
      outcome: "incomplete",
      status: { errored: { product: { investment: true } } },
    });
    expect(await holdings()).toMatchObject({ total: 2, sources: [{ state: "stale" }] });
    expect((await movements()).sources).toMatchObject([{ state: "ok" }]);
  });

  it("keeps the access that the bank gives in place of the old one", async () => {
    world.bank.refresh = async () => ({
      ...(data() as Extract<FetchResult, { snapshot: unknown }>),
      access: { turn: 2 },
    });
    await refresh();
    const { sealed_access } = await storedConnection();
    const context = { purpose: "connection-access", row: connectionId };
    expect(JSON.parse(await world.runtime.vault.open(String(sealed_access), context))).toEqual({ turn: 2 });
  });

  it("leaves one line in the audit trail, with whoever asked for it", async () => {
    await refresh();
    const { tenant_id, application_id } = world.alice;
    const [line] = await world.storage.inTenant(tenant_id, ({ audit }) => audit.list({ limit: 1 }));
    expect(line).toMatchObject({
      action: "connection.refresh",
      actor: application_id,
      object_id: connectionId,
      facts: { outcome: "refreshed" },
    });
  });
});

describe("an institution that makes us wait", () => {
  const asked: FetchRequest[] = [];
  const answers = (...results: readonly (FetchResult | Error)[]) => {
    asked.length = 0;
    const left = [...results];
    world.bank.refresh = async (_signal, request) => {
      asked.push(request);
      const result = left.shift();
      if (result === undefined || result instanceof Error) throw result ?? new Error("asked once too often");
      return result;
    };
  };
  const pending = (state: unknown, retry_after = 60): FetchResult => ({ pending: { retry_after, state } });
  const throttled = (retry_after: number): FetchResult => ({ throttled: { retry_after } });
  /** Runs the due refreshes, as a server with jobs does, and returns their outcomes. */
  const runDue = async () => Promise.all((await world.refreshes.claim(10)).map(world.refreshes.run));
  const planOf = () =>
    world.storage.inTenant(world.alice.tenant_id, (stores) => stores.refreshes.find(connectionId as Uuid));
  const inSeconds = async () =>
    ((await planOf())?.due_at?.getTime() ?? Number.NaN) / 1_000 - world.runtime.clock().getTime() / 1_000;
  const accessNow = async () => {
    const { sealed_access } = await storedConnection();
    return JSON.parse(
      await world.runtime.vault.open(String(sealed_access), { purpose: "connection-access", row: connectionId }),
    );
  };

  it("[C-5.60] is asked for the same thing again, and by whoever comes next, until it is there", async () => {
    answers(pending({ report: 1 }), pending({ report: 2 }, 300), data());
    expect(await refresh()).toMatchObject({
      outcome: "pending",
      status: { errored: { product: { investment: false } } },
      refresh: { state: "planned", last_outcome: "pending" },
    });
    expect(await inSeconds()).toBe(60);
    world.runtime.advance(MINUTE);
    // The report is still fetched after a replica died with the lease.
    expect(await world.refreshes.claim(1)).toHaveLength(1);
    world.runtime.advance(5 * MINUTE);
    expect(await runDue()).toEqual(["pending"]);
    world.runtime.advance(5 * MINUTE);
    expect(await runDue()).toEqual(["refreshed"]);
    expect(asked.map(({ pending_state }) => pending_state)).toEqual([null, { report: 1 }, { report: 2 }]);
    // A caller waited for the first fetch, but not for the planned ones.
    expect(asked.map(({ awaited }) => awaited)).toEqual([true, false, false]);
    expect(await planOf()).toMatchObject({ pending: null, failures: 0 });
    expect(await sourceOf()).toMatchObject({ state: "ok" });
    expect(JSON.stringify(await planOf())).not.toContain("report");
  });

  it("[C-5.60] is asked anew when it has prepared the same thing for a day, and that counts as a failure", async () => {
    answers(pending(1, 9_999), pending(2, 3_600), data());
    await refresh();
    expect(await inSeconds()).toBe(3_600);
    world.runtime.advance(DAY);
    expect(await runDue()).toEqual(["failed"]);
    expect(await sourceOf()).toMatchObject({ state: "stale" });
    expect(world.reports.at(-1)?.error).toMatchObject({ message: expect.stringContaining("24 hours") });
    world.runtime.advance(DAY);
    expect(await runDue()).toEqual(["refreshed"]);
    expect(asked.map(({ pending_state }) => pending_state)).toEqual([null, 1, null]);
  });

  it("[C-5.60] is asked for the same thing after a failure, but not after three", async () => {
    answers(pending(1), new Error("a"), new Error("b"), new Error("c"), data());
    await refresh();
    for (let time = 0; time < 4; time += 1) {
      world.runtime.advance(2 * 60 * MINUTE);
      await runDue();
    }
    expect(asked.map(({ pending_state }) => pending_state)).toEqual([null, 1, 1, 1, null]);
  });

  it.each<[string, FetchResult, number, number]>([
    ["pending for no time", { pending: { retry_after: 0, state: 1 } }, 5, 5],
    ["pending for ages", { pending: { retry_after: 1e9, state: 1 } }, 3_600, 3_600],
    ["pending for no number", { pending: { retry_after: Number.NaN, state: 1 } }, 5, 5],
    ["throttled for no time", { throttled: { retry_after: -1 } }, 60, 75],
    ["throttled for ages", { throttled: { retry_after: 1e9 } }, 86_400, 108_000],
  ])("[C-5.61] %s has bounds, and nobody who asks gets past them", async (_, result, least, most) => {
    answers(result);
    expect(await refresh()).toMatchObject({ refresh: { last_outcome: expect.stringMatching(/pending|throttled/) } });
    expect(await inSeconds()).toBeGreaterThanOrEqual(least);
    expect(await inSeconds()).toBeLessThanOrEqual(most);
    await expect(refresh()).rejects.toMatchObject({
      code: "RATE_LIMITED",
      retryAfterSeconds: Math.ceil(await inSeconds()),
    });
    expect(asked).toHaveLength(1);
  });

  it("[C-5.282] a connection at a shared limit is due when the institution says, and not claimed before", async () => {
    answers({ throttled: { retry_after: 6, shared: true } }, data());
    expect(await refresh()).toMatchObject({ outcome: "throttled" });
    expect(await inSeconds()).toBe(6);
    world.runtime.advance(5_000);
    expect(await runDue()).toEqual([]);
    world.runtime.advance(1_000);
    expect(await runDue()).toEqual(["refreshed"]);
  });

  it("[C-5.61] neither counts as a failure, nor has a line in the audit trail", async () => {
    const lines = () => world.storage.inTenant(world.alice.tenant_id, ({ audit }) => audit.list({ limit: 100 }));
    const before = (await lines()).length;
    answers(throttled(60), pending(1), throttled(60), data());
    expect(await refresh()).toMatchObject({ outcome: "throttled" });
    for (const outcome of ["pending", "throttled", "refreshed"]) {
      expect(await planOf()).toMatchObject({ failures: 0 });
      expect(await sourceOf()).toMatchObject({ state: "ok" });
      expect(await lines()).toHaveLength(before);
      world.runtime.advance(2 * MINUTE);
      expect(await runDue()).toEqual([outcome]);
    }
    expect(asked.at(-1)).toMatchObject({ pending_state: 1 });
    expect(await lines()).toHaveLength(before + 1);
  });

  it.each<[string, FetchResult]>([
    ["pending", pending(1)],
    ["throttled", throttled(60)],
    ["failed", { failed: { message: "half of it was there" } }],
    ["relogin_needed", { refused: "sca_required" }],
  ])("[C-5.62] a new access is kept when the fetch is %s", async (outcome, result) => {
    answers({ ...result, access: { turn: 7 } } as FetchResult);
    expect(await refresh()).toMatchObject({ outcome });
    expect(await accessNow()).toEqual({ turn: 7 });
  });

  it("[C-5.63] a fetch is told as of when the transactions are that are known", async () => {
    answers(data({ as_of: new Date("2026-03-02T18:00:00Z"), transactions: null }), data(), data());
    await refresh();
    world.runtime.advance(DAY);
    await refresh();
    expect(asked.map(({ since }) => since?.toISOString())).toEqual([
      "2026-03-01T18:00:00.000Z",
      "2026-03-01T18:00:00.000Z",
    ]);
  });

  /** The institution names the connection, a moment from now; how many it names. */
  function notify(): Promise<number> {
    const { user_hashes } = notifiedHashes(world.runtime.mac, "scripted", { user_keys: ["user-1"] });
    const now = new Date(world.runtime.clock().getTime() + 1);
    const all = { reference_hashes: [], tenant_id: null, except_tenants: [] };
    return world.storage.refreshQueue.expedite({ user_hashes, ...all, now, pause_ms: 15 * MINUTE });
  }

  it("[C-5.65] whom a notification named while it was refreshed is refreshed again as soon as may be", async () => {
    const { started, end } = suspended();
    const refreshing = refresh();
    await started;
    const named = await notify();
    end(data());
    await refreshing;
    expect([named, await inSeconds()]).toEqual([1, 15 * 60]);
  });

  it("[C-5.233] who waits for their customer is tried once for each notification, also for one that came meanwhile, and goes on if the institution lets it", async () => {
    const runDue = async () => {
      world.runtime.advance(15 * MINUTE);
      const leases = await world.refreshes.claim(10);
      return Promise.all(leases.map((lease) => world.refreshes.run(lease)));
    };
    world.bank.refresh = async () => {
      // Of this one it is not known whether the refusal is of before or after it.
      if (world.reports.length === 0) await notify();
      return { refused: "rejected" };
    };
    expect(await refresh()).toMatchObject({ outcome: "relogin_needed", refresh: { state: "planned" } });
    expect(await runDue()).toEqual(["relogin_needed"]);
    expect(await runDue()).toEqual([]);
    expect(await notify()).toBe(1);
    expect(await runDue()).toEqual(["relogin_needed"]);
    expect(await runDue()).toEqual([]);
    expect(await world.credentials.status(world.alice, connectionId)).toMatchObject({
      errored: { product: { auth: true } },
    });
    answers(data());
    expect(await notify()).toBe(1);
    expect(await runDue()).toEqual(["refreshed"]);
    expect(await world.credentials.status(world.alice, connectionId)).toMatchObject({
      errored: { product: { auth: false } },
    });
  });

  it("[C-5.67] a consent's end stays known where a fetch does not repeat it", async () => {
    const consent_expires_at = new Date(world.runtime.clock().getTime() + 8 * DAY);
    const snapshot = snapshotOf("1");
    answers({ snapshot, consent_expires_at }, data(), data());
    const statusNow = async () => (await world.credentials.status(world.alice, connectionId)).consent_expires_at;
    const toRenew = async () => (await world.storage.refreshQueue.backlog(world.runtime.clock())).consents_to_renew;
    await refresh();
    expect([await statusNow(), await toRenew()]).toEqual([consent_expires_at.toISOString(), 0]);
    world.runtime.advance(2 * DAY);
    await refresh();
    expect([await statusNow(), await toRenew()]).toEqual([consent_expires_at.toISOString(), 1]);
    world.runtime.advance(7 * DAY);
    // The bank still delivers, so the consent has not ended.
    await refresh();
    expect([await statusNow(), await toRenew()]).toEqual([null, 0]);
  });
});

describe("a bank that wants its customer", () => {
  it.each<[AccessRefusal, string]>([
    ["blocked", "blocked"],
    ["sca_required", "sca_required"],
    ["rejected", "auth_error"],
    ["reset", "reset_token"],
    ["consent_expired", "sca_required"],
  ])("[C-4.38] %s is the reason %s of the relogin rule; the last good data stay, as stale", async (refused, reason) => {
    world.bank.refresh = async () => ({ refused });
    expect(await refresh()).toMatchObject({
      outcome: "relogin_needed",
      refresh: { state: "relogin_needed", next_at: null },
    });
    const { needs_relogin, reasons } = await world.credentials.needsRelogin(world.alice, connectionId);
    expect([needs_relogin, reasons.map(({ code }) => code)]).toEqual([true, [reason]]);
    expect(await holdings()).toMatchObject({ total: 2, sources: [{ state: "stale" }] });
  });

  it("is not asked again, neither by plan nor on demand, until the customer has logged in", async () => {
    world.bank.refresh = async () => ({ refused: "blocked" });
    await refresh();
    world.runtime.advance(9 * DAY);
    expect(await world.refreshes.claim(10)).toEqual([]);
    await expect(refresh()).rejects.toMatchObject({ code: "CONFLICT" });
    world.bank.refresh = null;
    await logInAgain();
    const status = await world.credentials.status(world.alice, connectionId);
    expect(evaluateRelogin(status).needs_relogin).toBe(false);
    expect(await world.refreshes.state(world.alice, connectionId)).toMatchObject({ state: "planned" });
    // What the bank has is still of the first day.
    expect(await sourceOf()).toMatchObject({ state: "stale", as_of: expect.stringMatching(/^2026-03-01/) });
    expect(await refresh()).toMatchObject({ outcome: "refreshed" });
  });

  it("says when the consent ended", async () => {
    world.bank.refresh = async () => ({ refused: "consent_expired" });
    expect((await refresh()).status.consent_expires_at).toBe("2026-03-02T09:00:00.000Z");
  });

  it.each([
    ["blocked", "UserInteractionNeeded"],
    ["rejected", "InvalidCredentials"],
  ])("%s at the first fetch already makes no connection", async (password, error_code) => {
    const session = await connect(world, world.alice, `data ${password}`, "somebody else");
    expect(session).toMatchObject({ connection_id: null, error_code });
  });
});

describe("a bank that cannot be asked", () => {
  it("leaves the last good data as stale; it is tried again later and later, until it works", async () => {
    world.bank.refresh = async () => {
      throw new Error("out of order");
    };
    expect(await refresh()).toMatchObject({
      outcome: "failed",
      status: { last_update: "2026-03-02T09:00:00.000Z", blocked: false },
      refresh: { next_at: "2026-03-02T09:15:00.000Z", last_outcome: "failed" },
    });
    expect(await holdings()).toMatchObject({ total: 2, sources: [{ state: "stale", message: expect.any(String) }] });
    expect((await world.credentials.needsRelogin(world.alice, connectionId)).needs_relogin).toBe(false);
    world.runtime.advance(15 * MINUTE + 1);
    expect(await runDue()).toEqual(["failed"]);
    expect(await world.refreshes.state(world.alice, connectionId)).toMatchObject({
      next_at: "2026-03-02T09:45:00.001Z",
    });
    world.runtime.advance(30 * MINUTE + 1);
    world.bank.refresh = null;
    expect(await runDue()).toEqual(["refreshed"]);
    expect(await sourceOf()).toMatchObject({ state: "ok" });
  });

  it.each([
    ["its circuit is open", MINUTE],
    ["another call tries whether its bank is back", -1],
  ])("[C-9.240] for %s is left to other servers, and nothing is called stale", async (_, isBack) => {
    const now = world.runtime.clock().getTime();
    world.bank.refresh = async () => {
      throw new GuardError("circuit_open", "left alone", { retryAt: new Date(now + isBack) });
    };
    const next_at = new Date(now + 10_000).toISOString();
    expect(await refresh()).toMatchObject({ outcome: "postponed", refresh: { next_at } });
    expect(await sourceOf()).toMatchObject({ state: "ok" });
  });

  it("because its data cannot be kept is a failure like others", async () => {
    world.bank.refresh = async () => data({ holdings: [undefined as never] });
    expect(await world.refreshes.refresh(world.alice, connectionId)).toMatchObject({ outcome: "failed" });
    expect(await holdings()).toMatchObject({ total: 2, sources: [{ state: "stale" }] });
    expect(world.reports.at(-1)).toMatchObject({ outcome: "failed", error: expect.any(Error) });
  });
});

describe("one at a time", () => {
  it("a refresh under way is not begun a second time, on demand or by plan", async () => {
    const bank = suspended();
    const first = refresh();
    await bank.started;
    expect(await refresh()).toMatchObject({ outcome: "under_way", refresh: { state: "under_way" } });
    expect(await world.refreshes.claim(10)).toEqual([]);
    bank.end(data());
    expect(await first).toMatchObject({ outcome: "refreshed" });
  });

  it("a connection that is deleted meanwhile stays deleted", async () => {
    const bank = suspended();
    const refreshing = refresh();
    await bank.started;
    await world.credentials.remove(world.alice, connectionId, true);
    bank.end(data());
    await expect(refreshing).rejects.toMatchObject({ code: "NOT_FOUND" });
    const left = await world.data.holdings(world.alice, { page: 1, page_size: 50 });
    expect(left).toMatchObject({ total: 0, source_counts: { ok: 0, pending: 0, stale: 0, error: 0 } });
  });

  it.each<[string, FetchResult]>([
    ["brings data", data({ holdings: [] })],
    ["is refused", { refused: "rejected" }],
  ])("a refresh that was overtaken by a re-login and %s changes nothing", async (_, result) => {
    const bank = suspended();
    const refreshing = refresh();
    await bank.started;
    await logInAgain();
    bank.end(result);
    expect(await refreshing).toMatchObject({ outcome: "superseded", refresh: { state: "planned" } });
    expect(await holdings()).toMatchObject({ total: 2, sources: [{ state: "ok" }] });
  });

  it("a refresh whose worker is gone is due again when its lease ends, and the lost one cannot write any more", async () => {
    const bank = suspended();
    const lost = refresh();
    await bank.started;
    world.runtime.advance(4 * MINUTE);
    expect(await world.refreshes.claim(10)).toEqual([]);
    world.runtime.advance(MINUTE + 1);
    const endLost = bank.end;
    world.bank.refresh = async () => data({ holdings: [] });
    expect(await runDue()).toEqual(["refreshed"]);
    endLost(data());
    expect(await lost).toMatchObject({ outcome: "superseded" });
    expect(await holdings()).toMatchObject({ total: 0 });
  });

  it("whoever stops the server waits no longer than the grace, and the refresh is due again at once", async () => {
    const bank = suspended();
    const cutOff = refresh();
    await bank.started;
    const closed = world.refreshes.close(1);
    world.wake(1);
    await closed;
    expect(await cutOff).toMatchObject({ outcome: "postponed", refresh: { next_at: "2026-03-02T09:00:00.000Z" } });
    expect(await sourceOf()).toMatchObject({ state: "ok" });
    expect(await world.refreshes.claim(10)).toHaveLength(1);
  });
});

describe("by plan", () => {
  it("a new connection is refreshed once a day", async () => {
    const { next_at } = await world.refreshes.state(world.alice, connectionId);
    const due = Date.parse(String(next_at)) - world.runtime.clock().getTime();
    expect(due).toBeGreaterThanOrEqual(12 * 60 * MINUTE);
    expect(due).toBeLessThanOrEqual(36 * 60 * MINUTE);
    world.runtime.advance(due - 1);
    expect(await world.refreshes.claim(10)).toEqual([]);
    world.runtime.advance(1);
    expect(await runDue()).toEqual(["refreshed"]);
    expect(await world.refreshes.state(world.alice, connectionId)).toMatchObject({
      next_at: new Date(world.runtime.clock().getTime() + DAY).toISOString(),
    });
  });

  it("that of a tenant that is switched off waits until it is switched on", async () => {
    world.runtime.advance(2 * DAY);
    await world.tenants.setEnabled(world.operator, world.alice.tenant_id as Uuid, false);
    expect(await world.refreshes.claim(10)).toEqual([]);
    await world.tenants.setEnabled(world.operator, world.alice.tenant_id as Uuid, true);
    expect(await runDue()).toEqual(["refreshed"]);
  });
});

describe("on demand", () => {
  it("a connection is refreshed at most every 15 minutes", async () => {
    await refresh();
    world.runtime.advance(5 * MINUTE);
    await expect(refresh()).rejects.toMatchObject({
      code: "RATE_LIMITED",
      retryAfterSeconds: 600,
      limit: { name: "refreshes_in_15_minutes", value: 1 },
    });
    world.runtime.advance(10 * MINUTE);
    expect(await refresh()).toMatchObject({ outcome: "refreshed" });
  });

  it("[C-2.1] nobody refreshes another tenant's connection, nor one that does not exist", async () => {
    for (const id of [connectionId, "01900000-0000-7000-8000-ffffffffffff", "nonsense"]) {
      await expect(world.refreshes.refresh(world.bob, idField.parse(id))).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(world.refreshes.state(world.bob, id)).rejects.toThrow(CoreError);
    }
  });
});

async function runDue(): Promise<string[]> {
  return Promise.all((await world.refreshes.claim(10)).map(world.refreshes.run));
}

async function logInAgain(): Promise<void> {
  const { widget_url } = await world.sessions.createFor(world.alice, { connection_id: connectionId });
  const link = linkOf(widget_url);
  const claimed = await world.customer.claim(link, null);
  await world.customer.submitCredentials(link, claimed?.owner ?? null, { username: "user-1", password: "good" });
  await world.customer.drain();
}

async function storedConnection() {
  const found = await world.storage.inTenant(world.alice.tenant_id, ({ connections }) =>
    connections.find(connectionId as Uuid),
  );
  if (!found) throw new Error("there is no connection");
  return found;
}

describe("[C-5.130] a bank that says later who its customer is", () => {
  /** Logs in a customer of whom only the typed user name is known; their data arrive later. */
  async function enterLate(name: string) {
    const scripted = scriptedBank(world.bank);
    const { fetch } = scripted;
    world.bank.login = async () => ({ kind: "authenticated", user_key: `query ${name}`, access: { password: "late" } });
    world.bank.first = async () => ({ pending: { retry_after: 60, state: 1 } });
    const { connection_id } = await connect(world, world.alice, "late", name);
    world.bank.login = null;
    world.bank.first = null;
    return { id: connection_id as Uuid, fetch };
  }
  const told = (user_key: string): FetchResult => ({ ...data(), user_key }) as FetchResult;
  const statusOf = (id: string) => world.credentials.status(world.alice, id);

  it("ends the connection that has no data where another has this customer, and says so", async () => {
    const { id } = await enterLate("7");
    world.bank.refresh = async () => told("user-1");
    world.runtime.advance(60_000);
    expect(await runDue()).toEqual(["already_exists"]);
    expect(world.reports.at(-1)).toMatchObject({
      connection_id: id,
      outcome: "already_exists",
      existing: connectionId,
    });
    expect(await statusOf(id)).toMatchObject({ pending: false, blocked: false, created: { product: { auth: false } } });
    expect(await world.refreshes.state(world.alice, id)).toMatchObject({
      state: "none",
      last_outcome: "already_exists",
    });
    await expect(world.refreshes.refresh(world.alice, id)).rejects.toMatchObject({ code: "CONFLICT" });
    const [line] = await world.storage.inTenant(world.alice.tenant_id, ({ audit }) => audit.list({ limit: 1 }));
    expect(line).toMatchObject({ object_id: id });
    expect(JSON.stringify(line)).toContain(connectionId);
    expect(await holdings()).toMatchObject({ total: 2 });
    world.runtime.advance(9 * DAY);
    expect(await runDue()).toEqual(["refreshed"]);
  });

  it("keeps the customer where nobody else has them: the next login with this name finds the connection", async () => {
    const { id } = await enterLate("8");
    world.bank.refresh = async () => told("user-8");
    world.runtime.advance(60_000);
    expect(await runDue()).toEqual(["refreshed"]);
    expect(await statusOf(id)).toMatchObject({ pending: false });
    expect(await connect(world, world.alice, "good", "user-8")).toMatchObject({
      error_code: "AlreadyExists",
      connection_id: id,
    });
  });

  it("gives no connection with data of its own those of another", async () => {
    const second = (await connect(world, world.alice, "good", "user-2")).connection_id as Uuid;
    world.bank.refresh = async () => told("user-1");
    expect(await world.refreshes.refresh(world.alice, second)).toMatchObject({ outcome: "relogin_needed" });
    expect((await world.credentials.needsRelogin(world.alice, second)).reasons).toMatchObject([{ code: "auth_error" }]);
  });

  it("ends a repair with AlreadyExists, and changes nothing of the connection", async () => {
    const { id } = await enterLate("9");
    world.bank.login = async () => ({ kind: "authenticated", user_key: "query 9", access: { password: "late" } });
    world.bank.first = async () => told("user-1");
    const { widget_url } = await world.sessions.createFor(world.alice, { connection_id: id });
    const link = linkOf(widget_url);
    const claimed = await world.customer.claim(link, null);
    await world.customer.submitCredentials(link, claimed?.owner ?? null, { username: "9", password: "late" });
    await world.customer.drain();
    expect(await statusOf(id)).toMatchObject({ pending: true });
    const { items } = await world.sessions.list(world.alice, {});
    expect(items[0]).toMatchObject({
      status: "Finished:Error",
      error_code: "AlreadyExists",
      connection_id: connectionId,
    });
  });
});

it("[C-9.242] a refresh that ends its servers is put off, told of, and not to be asked for meanwhile", async () => {
  const postponements: object[] = [];
  const { storage, runtime, connectors } = world;
  const refreshes = createRefreshes({
    storage,
    runtime,
    connectors,
    providers: directoryOf(),
    access: createMemoryTenantAccess(),
    onPostponed: (postponement) => postponements.push(postponement),
  });
  runtime.advance(2 * DAY);
  for (const claimed of [1, 1, 0]) {
    expect(await refreshes.claim(9)).toHaveLength(claimed);
    runtime.advance(5 * MINUTE);
  }
  expect(postponements).toEqual([expect.objectContaining({ connection_id: connectionId, lost_leases: 2 })]);
  await expect(refreshes.refresh(world.alice, connectionId)).rejects.toMatchObject({
    code: "RATE_LIMITED",
    retryAfterSeconds: 600,
  });
});

it("[C-9.240] a server leaves connections to others whose connector it leaves alone, unless settings of a tenant's own serve them", async () => {
  const { storage, runtime, connectors } = world;
  const claimed = async (breakers: object[], owners: string[] = []) => {
    const refreshes = createRefreshes({
      storage,
      runtime,
      connectors,
      access: createMemoryTenantAccess(),
      providers: { ...directoryOf(), owners: () => owners },
      openBreakers: () => breakers as never,
    });
    return (await refreshes.claim(9)).length;
  };
  const connector_id = (await storedConnection()).connector_id;
  const open = { connector_id, provider: "scripted", scope: "", state: "open" };
  runtime.advance(2 * DAY);
  expect(await claimed([open])).toBe(0);
  expect(await claimed([{ ...open, scope: world.bob.tenant_id }])).toBe(1);
  runtime.advance(DAY);
  expect(await claimed([open], [world.alice.tenant_id])).toBe(1);
  runtime.advance(DAY);
  expect(await claimed([{ ...open, scope: world.alice.tenant_id }])).toBe(0);
  await world.refreshes.close(0);
});
