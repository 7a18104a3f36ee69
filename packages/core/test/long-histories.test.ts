import type { FetchRequest, FetchResult, SnapshotData } from "@org/provider-kit";
import { beforeEach, describe, expect, it } from "vitest";
import type { Uuid } from "../src/index.js";
import { connect, createWorld, linkOf, snapshotOf, type World } from "./world.js";

const HOUR = 60 * 60_000;
const begun = new Date("2026-03-01T18:00:00.000Z");

let world: World;
let asked: FetchRequest[];
beforeEach(async () => {
  world = await createWorld();
  asked = [];
});

/** A movement of the history, under a key of its own. */
const row = (key: string) => {
  const [first] = snapshotOf("1").transactions ?? [];
  if (!first) throw new Error("the bank shows no transaction");
  return { ...first, key };
};
const more = (state: unknown, retry_after = 20) => ({ more: { retry_after, state } });
const data = (snapshot: Partial<SnapshotData>, further = {}): FetchResult => ({
  snapshot: { ...snapshotOf("7"), ...snapshot },
  consent_expires_at: null,
  ...further,
});
/** The next part of a history: nothing but movements. */
const part = (keys: readonly string[], further = {}) =>
  data({ as_of: begun, portfolios: null, holdings: null, transactions: keys.map(row) }, further);

/** Logs in a customer whose history begins with two movements and goes on. */
async function begin(first: FetchResult = data({ transactions: [row("1"), row("2")] }, more({ page: 2 }))) {
  world.bank.first = async () => first;
  const session = await connect(world, world.alice);
  world.bank.first = null;
  const stored = await world.storage.inTenant(world.alice.tenant_id, ({ sessions }) =>
    sessions.find(session.session_id as Uuid),
  );
  return { session, remark: stored?.remark, id: session.connection_id as Uuid };
}
function answers(...results: readonly (FetchResult | Error)[]) {
  const left = [...results];
  world.bank.refresh = async (_signal, request) => {
    asked.push(request);
    const result = left.shift();
    if (result === undefined || result instanceof Error) throw result ?? new Error("asked once too often");
    return result;
  };
}
/** Lets time pass until the next fetch is due, and runs it. */
async function next(id: Uuid): Promise<string | undefined> {
  const plan = await world.storage.inTenant(world.alice.tenant_id, ({ refreshes }) => refreshes.find(id));
  world.runtime.advance(Math.max(0, (plan?.due_at?.getTime() ?? 0) - world.runtime.clock().getTime()));
  const [outcome] = await Promise.all((await world.refreshes.claim(10)).map(world.refreshes.run));
  return outcome;
}
const query = (id: Uuid) => ({ credentials_token: id, page: 1, page_size: 50 });
const movements = async (id: Uuid) => (await world.data.transactions(world.alice, query(id))).total;
const statusOf = (id: Uuid) => world.credentials.status(world.alice, id);

describe("[C-5.152] a history that is read in several fetches", () => {
  it("is stored part by part, while accounts and holdings are there and nothing counts as missing", async () => {
    const { session, remark, id } = await begin();
    expect(session).toMatchObject({ status: "Finished:OK" });
    expect(remark).toBeNull();
    const holdings = await world.data.holdings(world.alice, query(id));
    expect([holdings.total, await movements(id)]).toEqual([2, 2]);
    answers(part(["2", "3"], more({ page: 3 })), part([], more({ page: 4 })), part(["4"]), data({}));
    expect(await next(id)).toBe("refreshed");
    expect([await movements(id), asked.at(-1)?.pending_state, asked.at(-1)?.since]).toEqual([3, { page: 2 }, null]);
    await expect(world.refreshes.refresh(world.alice, id)).rejects.toThrow(
      "the history of this connection is being read",
    );
    expect(await next(id)).toBe("refreshed");
    expect(await next(id)).toBe("refreshed");
    expect([await movements(id), asked.at(-1)?.pending_state, asked.at(-1)?.since]).toEqual([4, { page: 4 }, null]);
    const { errored, created } = await statusOf(id);
    expect([errored.product, errored.transaction.investment]).toMatchObject([
      { portfolio: false, investment: false },
      false,
    ]);
    expect([created.product.portfolio, created.transaction.investment]).toEqual([true, true]);
    expect((await world.data.holdings(world.alice, query(id))).items_json).toBe(holdings.items_json);
    // The history is known as of its beginning: the next fetch comes at its usual time and asks for what is newer.
    const before = world.runtime.clock().getTime();
    await next(id);
    expect(world.runtime.clock().getTime() - before).toBeGreaterThanOrEqual(12 * HOUR);
    expect(asked.at(-1)).toMatchObject({ pending_state: null, since: begun });
    const trail = await world.storage.inTenant(world.alice.tenant_id, ({ audit }) => audit.list({ limit: 10 }));
    expect(trail.filter(({ action }) => action === "connection.refresh")).toHaveLength(2);
  });

  it("whose first page could not be asked for is nothing that is missing", async () => {
    const { session, remark, id } = await begin(data({ transactions: null }, more({ page: 1 })));
    expect(session).toMatchObject({ status: "Finished:OK" });
    expect(remark).toBeNull();
    expect((await statusOf(id)).errored.transaction.investment).toBe(false);
    answers(part(["1"]));
    expect(await next(id)).toBe("refreshed");
    expect(await movements(id)).toBe(1);
  });

  it("goes on with its state after failures and limits, and from its beginning after three failures", async () => {
    const { id } = await begin();
    answers(
      { throttled: { retry_after: 60 } },
      new Error("a"),
      part(["3"], more({ page: 3 })),
      { pending: { retry_after: 60, state: { page: "prepared" } } },
      ...[new Error("b"), new Error("c"), new Error("d"), new Error("e")],
      part(["3", "4"]),
    );
    const outcomes: unknown[] = [];
    for (let time = 0; time < 9; time += 1) outcomes.push(await next(id));
    expect(outcomes).toEqual([
      ...["throttled", "failed", "refreshed", "pending", "failed", "failed", "failed", "failed", "refreshed"],
    ]);
    expect(asked.map(({ pending_state }) => pending_state)).toEqual([
      ...[{ page: 2 }, { page: 2 }, { page: 2 }, { page: 3 }],
      ...[{ page: "prepared" }, { page: "prepared" }, { page: "prepared" }, null, null],
    ]);
    expect(new Set(asked.map(({ since }) => since))).toEqual(new Set([null]));
    expect(await movements(id)).toBe(4);
  });

  it("is read from its beginning by the login that repairs a refused connection", async () => {
    const { id } = await begin();
    answers({ refused: "rejected" });
    expect(await next(id)).toBe("relogin_needed");
    let since: Date | null | undefined;
    world.bank.first = async (request) => {
      since = request.since;
      return data({ transactions: [row("1")] });
    };
    const { session, widget_url } = await world.sessions.createFor(world.alice, { connection_id: id });
    const link = linkOf(widget_url);
    const claimed = await world.customer.claim(link, null);
    await world.customer.submitCredentials(link, claimed?.owner ?? null, { username: "user-1", password: "good" });
    await world.customer.drain();
    expect(await world.sessions.status(world.alice, session.session_id)).toMatchObject({ status: "Finished:OK" });
    expect(since).toBeNull();
  });
});
