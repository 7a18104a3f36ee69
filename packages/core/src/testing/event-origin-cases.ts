import { expect, it } from "vitest";
import type { Publication, TransactionSlice } from "../data/snapshot-store.js";
import { INSTALLATION_LOG } from "../schemas/event.js";
import {
  holding,
  letter,
  mail,
  move,
  newId,
  newTenant,
  plan,
  portfolio,
  type StorageFixture,
  session,
  transaction,
} from "./fixture.js";

const DAY = 86_400_000;

/** Cases of the events that stores append themselves, over all tenants, and of what stores report for the events that services append. */
export function eventOriginCases(fixture: () => StorageFixture): void {
  it("[C-11.27] a publication says which products are others than before, whatever their order", async () => {
    const tenant = await newTenant(fixture().storage);
    const { connection_id } = await tenant.connect();
    let day = 0;
    const changed = async (rows: Partial<Publication>) => {
      const as_of = new Date(Date.UTC(2026, 2, 1 + day++));
      const publication = { connection_id, as_of, published_at: as_of, ...rows };
      return (await tenant.run(({ snapshots }) => snapshots.publish(publication))).changed;
    };
    const [a, b] = [portfolio({ balance: "1.50" }), portfolio({ balance: "1.50" })];
    const of = (portfolio_id: string, over = {}) => holding({ portfolio_id, ...over });
    const [one, two] = [of(a.portfolio_id, { facts: { price: "1" } }), of(b.portfolio_id)];
    const bought = transaction({ portfolio_id: a.portfolio_id });
    const all = { portfolios: [a, b], holdings: [one, two], transactions: [bought] };
    expect(await changed({ portfolios: [], holdings: [], transactions: [] })).toEqual([]);
    expect(await changed(all)).toEqual(["portfolio", "investment", "transaction"]);
    expect(await changed(all)).toEqual([]);
    expect(await changed({ ...all, portfolios: [b, a], holdings: [two, one] })).toEqual([]);
    expect(await changed({ ...all, portfolios: [{ ...a, name: "another" }, b] })).toEqual(["portfolio"]);
    expect(await changed({ holdings: [{ ...one, facts: { price: "2" } }, two] })).toEqual(["investment"]);
    expect(await changed({ holdings: [{ ...one, facts: { price: "2" }, portfolio_id: b.portfolio_id }, two] })).toEqual(
      ["investment"],
    );
    expect(await changed({ holdings: [one] })).toEqual(["investment"]);
    expect(await changed({ transactions: [bought, transaction({ portfolio_id: a.portfolio_id })] })).toEqual([
      "transaction",
    ]);
    const none = { transactions: [], withdrawn: [] };
    const sold = transaction({ portfolio_id: a.portfolio_id });
    const slices = async function* (...given: Partial<TransactionSlice>[]) {
      for (const slice of given) yield { ...none, ...slice };
    };
    const [add, takeBack] = [{ transactions: [sold] }, { withdrawn: [sold.transaction_id] }];
    expect(await changed({ transactions: slices({ transactions: [bought], withdrawn: [newId()] }) })).toEqual([]);
    expect(await changed({ transactions: slices(add, takeBack) })).toEqual([]);
    expect(await changed({ transactions: slices(add, takeBack, add) })).toEqual(["transaction"]);
    expect(await changed({ transactions: slices({ withdrawn: [bought.transaction_id] }) })).toEqual(["transaction"]);
    const part = { partial: true, portfolios: [b], holdings: [two] } as const;
    expect(await changed(part)).toEqual(["investment"]);
    expect(await changed(part)).toEqual([]);
    expect(await changed({ ...part, holdings: [{ ...two, name: "split" }] })).toEqual(["investment"]);
  });

  it("[C-11.20] a session that the clean-up finds past its time tells its end, once, with its labels and client", async () => {
    const { storage, eventsOf } = fixture();
    const tenant = await newTenant(storage);
    const [at, far] = [new Date("1990-01-01T00:00:00Z"), new Date("2090-01-01T00:00:00Z")];
    const made = session({ expires_at: at, labels: { desk: "north", "a.b": "x=y" }, client_ref: "M-17" });
    await tenant.run(async ({ clients, sessions }) => {
      await clients.note("M-17", at);
      await sessions.create(made);
      await sessions.create(session({ expires_at: far }));
    });
    for (let round = 0; round < 2; round += 1) await storage.upkeep.expireSessions(at, 10);
    const { session_id, labels, connection_id } = made;
    expect(await eventsOf(tenant.tenant_id)).toEqual([
      {
        type: "session.finished",
        object_id: session_id,
        labels,
        data: {
          session_id,
          status: "Finished:Expired",
          error_code: "SessionExpired",
          connection_id,
          client_ref: "M-17",
        },
      },
    ]);
  });

  it("[C-11.24] a mail whose sender was cut off is told to operators, without its address", async () => {
    const { storage, eventsOf } = fixture();
    const tenant = await newTenant(storage);
    const about = letter();
    const queued = mail(about, { due_at: new Date("1990-01-01T00:00:00Z"), recipient: "banker@custodia.example" });
    await tenant.run(async ({ letters, mails }) => {
      await letters.create(about, [], move(about));
      await mails.queue({ ...queued, lease: newId(), handing_over: true });
    });
    await storage.mailQueue.doubt(queued.due_at, "cut off");
    const { mail_id, letter_id, kind } = queued;
    const { tenant_id } = tenant;
    const own = (await eventsOf(INSTALLATION_LOG)).filter(({ object_id }) => object_id === mail_id);
    expect(own).toEqual([{ type: "mail.in_doubt", object_id: mail_id, data: { tenant_id, mail_id, letter_id, kind } }]);
    expect(await eventsOf(tenant_id)).toEqual([]);
  });

  it("[C-11.22] the end of a consent is to be told seven days and one day before, by one of all who ask at once", async () => {
    const { storage } = fixture();
    const tenant = await newTenant(storage);
    const { connection_id } = await tenant.connect();
    const end = new Date("1980-06-30T00:00:00Z");
    const before = (days: number) => new Date(end.getTime() - days * DAY);
    const replan = (consent_expires_at: Date | null) =>
      tenant.run(({ refreshes }) => refreshes.plan(connection_id, plan(end, { consent_expires_at })));
    const ending = async (now: Date) =>
      (await storage.refreshQueue.endingConsents(now, 10)).filter((one) => one.connection_id === connection_id).length;
    const note = (now: Date) => tenant.run(({ refreshes }) => refreshes.noteConsentEnd(connection_id, now));
    await replan(end);
    expect([await ending(before(8)), await note(before(8))]).toEqual([0, null]);
    expect(await ending(before(7))).toBe(1);
    const noted = await Promise.all([note(before(7)), note(before(7)), note(before(7))]);
    expect(noted.filter((one) => one !== null)).toEqual([{ end, days: 7 }]);
    expect([await ending(before(6)), await note(before(6))]).toEqual([0, null]);
    await replan(new Date(end.getTime() + 60_000));
    expect([await ending(before(6)), await note(before(6))]).toEqual([0, null]);
    expect([await ending(before(0.5)), (await note(before(0.5)))?.days]).toEqual([1, 1]);
    expect([await ending(before(0.5)), await note(before(0.5))]).toEqual([0, null]);
    await replan(new Date(end.getTime() + 3 * DAY));
    expect([await ending(end), (await note(end))?.days]).toEqual([1, 7]);
    await tenant.run(({ refreshes }) =>
      refreshes.settle(connection_id, { due_at: null, failures: 0, outcome: "relogin_needed", pending: null }),
    );
    expect([await ending(new Date(end.getTime() + 2.5 * DAY)), await note(end)]).toEqual([0, null]);
  });

  it("[C-11.24] a circuit is told open by the first that has it open, and closed by the first that closes it", async () => {
    const { storage, eventsOf } = fixture();
    const { providerCircuits } = storage;
    const { tenant_id } = await newTenant(storage);
    const everybodys = { connector_id: `esp:${newId()}`, provider: "lighthouse", tenant_id: null };
    const own = { ...everybodys, tenant_id };
    const [then, now] = [new Date("1990-01-01T00:00:00Z"), new Date("1990-01-01T01:00:00Z")];
    const opened = await Promise.all([1, 2, 3, 4].map(() => providerCircuits.opened(everybodys, then)));
    expect(opened.filter(Boolean)).toHaveLength(1);
    expect(await providerCircuits.opened(own, then)).toBe(true);
    const closed = await Promise.all([1, 2, 3].map(() => providerCircuits.closed(everybodys)));
    expect(closed.filter(Boolean)).toHaveLength(1);
    expect(await providerCircuits.opened(everybodys, now)).toBe(true);
    await providerCircuits.forget(now);
    const told = (await eventsOf(INSTALLATION_LOG)).filter(({ object_id }) => object_id === everybodys.connector_id);
    const event = (type: string, data: object) => ({ type, object_id: everybodys.connector_id, data });
    expect(told).toEqual([
      event("provider.degraded", everybodys),
      event("provider.degraded", own),
      event("provider.recovered", everybodys),
      event("provider.degraded", everybodys),
      event("provider.recovered", own),
    ]);
    await providerCircuits.closed(everybodys);
  });
}
