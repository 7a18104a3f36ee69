import { expect, it } from "vitest";
import type { ExchangeRate } from "../../data/rate-store.js";
import type { Storage } from "../../storage.js";
import { auditEntry, later, newId, now } from "../fixture.js";

/** Cases of `RateStore`. Its rates belong to no tenant, so each case has days of its own. */
export function exchangeRateCases(storage: () => Storage): void {
  const everything = { tenant_id: null, from: null, before: null, action: null, actor: null, trace_id: null } as const;
  const pair = (date: string, quote: string, rate: string, base = "EUR") => ({ date, base, quote, rate });
  const entry = () => auditEntry({ audit_id: newId(), action: "rates.import", facts: { rows: 1 } });
  const from = (source: string) => (rate: Omit<ExchangeRate, "source">) => ({ ...rate, source });

  it("[C-8.130] rates are kept by date, base and quote, as they are stated, and replaced with their source", async () => {
    const { exchangeRates: store, auditTrail } = storage();
    const wide = `${"9".repeat(20)}.${"1".repeat(20)}`;
    const first = [
      pair("1901-01-02", "USD", "1.10"),
      pair("1901-01-02", "EUR", "0.90", "USD"),
      pair("1901-01-01", "USD", "0.00000000000000000001"),
      pair("1901-01-03", "JPY", wide),
    ];
    expect(await store.importAll(first, "a.csv", entry())).toBe(0);
    const again = [pair("1901-01-02", "USD", "1.2000"), pair("1901-01-02", "USD", "7", "CHF")];
    const line = entry();
    expect(await store.importAll(again, "b.xml", line)).toBe(1);
    const [kept] = await auditTrail.list({
      ...everything,
      object_id: line.object_id,
      order: "newest",
      after: null,
      limit: 2,
    });
    expect(kept?.facts).toEqual({ rows: 1, replaced: 1 });
    expect(await store.between("1901-01-01", "1901-01-02")).toEqual([
      from("a.csv")(pair("1901-01-01", "USD", "0.00000000000000000001")),
      from("b.xml")(pair("1901-01-02", "USD", "7", "CHF")),
      from("b.xml")(pair("1901-01-02", "USD", "1.2000")),
      from("a.csv")(pair("1901-01-02", "EUR", "0.90", "USD")),
    ]);
    expect(await store.between("1901-01-03", "1901-01-03")).toEqual([from("a.csv")(pair("1901-01-03", "JPY", wide))]);
    expect(await store.between("1901-01-04", "1901-01-09")).toEqual([]);
    const day = await store.list({ date: "1901-01-02", offset: 1, limit: 1 });
    expect(day).toEqual({ rates: [from("b.xml")(pair("1901-01-02", "USD", "1.2000"))], total: 3 });
    const all = await store.list({ date: null, offset: 0, limit: 2 });
    expect(all.total).toBeGreaterThanOrEqual(5);
    expect(await store.days({ before: "1901-01-04", limit: 2 })).toEqual([
      { date: "1901-01-03", sources: [{ source: "a.csv", rates: 1 }] },
      {
        date: "1901-01-02",
        sources: [
          { source: "a.csv", rates: 1 },
          { source: "b.xml", rates: 2 },
        ],
      },
    ]);
    expect(await store.days({ before: "1901-01-01", limit: 9 })).toEqual([]);
  });

  it("[C-8.130] of two imports at once of the same rates each is stored whole", async () => {
    const { exchangeRates: store } = storage();
    const rates = (rate: string) =>
      Array.from({ length: 28 }, (_, index) => pair(`1902-02-${String(index + 1).padStart(2, "0")}`, "USD", rate));
    const replaced = await Promise.all([
      store.importAll(rates("1"), "one", entry()),
      store.importAll(rates("2").reverse(), "two", entry()),
    ]);
    expect(replaced.sort()).toEqual([0, 28]);
    const kept = await store.between("1902-02-01", "1902-02-28");
    expect(kept).toHaveLength(28);
    expect(new Set(kept.map(({ rate, source }) => `${rate} ${source}`)).size).toBe(1);
  });

  it("[C-8.136] of ten servers one claims a fetch that is due, and nobody until its lease ends or the next is due", async () => {
    const { exchangeRates: store } = storage();
    const service = `service ${newId()}`;
    const claims = await Promise.all(Array.from({ length: 10 }, () => store.claimFetch(service, now, later(300))));
    expect(claims.filter((claim) => claim !== null)).toEqual([{ succeeded_at: null, failures: 0 }]);
    expect(await store.claimFetch(service, later(299), later(600))).toBeNull();
    // Its server was killed.
    expect(await store.claimFetch(service, later(300), later(600))).toEqual({ succeeded_at: null, failures: 0 });
    await store.endFetch(service, { due_at: later(700), succeeded_at: later(301), failures: 2 });
    expect(await store.claimFetch(service, later(699), later(999))).toBeNull();
    expect(await store.claimFetch(service, later(700), later(999))).toEqual({ succeeded_at: later(301), failures: 2 });
  });
}
