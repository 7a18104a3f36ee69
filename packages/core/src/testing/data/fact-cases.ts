import { expect, it } from "vitest";
import type { SizeQuery, WealthQuery } from "../../data/wealth-reader.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { Storage } from "../../storage.js";
import { newId, transaction } from "../fixture.js";
import { connectedBank, everything } from "./valuation-cases.js";

/** Cases of what `WealthReader` reads for figures of many connections, and counts before. */
export function factCases(storage: () => Storage): void {
  it("[C-8.225] income reads the last value and the movements of its days alone, those of every day of them", async () => {
    const { tenant, depot, valued, read, publish } = await connectedBank(storage());
    const paid = (operation_date: string) =>
      transaction({ portfolio_id: depot.portfolio_id, operation_date, facts: { kind: "dividend" } });
    const transactions = ["2026-02-27", "2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05"].map(paid);
    for (const day of ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05"])
      await publish(day, { portfolios: [depot], holdings: [], transactions }, read(day, [valued(depot, day)]));
    const days = { from: "2026-03-02", to: "2026-03-04", closes: ["2026-03-04"], holdings: "none" } as const;
    const factsOf = async (over: Partial<WealthQuery>) => {
      const [facts] = await storage().wealthReader.facts(tenant.tenant_id, { ...everything, ...over });
      if (!facts) throw new Error("there is no connection");
      return facts;
    };
    const facts = await factsOf(days);
    expect(facts.movements.map(({ operation_date }) => operation_date)).toEqual([
      ...["2026-03-02", "2026-03-03", "2026-03-04"],
    ]);
    expect(facts.accounts.map(({ valuations }) => valuations.map(({ day }) => day))).toEqual([["2026-03-04"]]);
    const first = await factsOf({ ...days, from: "0001-01-01" });
    expect(first.movements.map(({ operation_date }) => operation_date)).toEqual([
      ...["2026-02-27", "2026-03-02", "2026-03-03", "2026-03-04"],
    ]);
  });

  it("[C-8.223] [C-8.224] [C-8.226] connections are counted in the order of their facts, and only those that may have the portfolios asked for", async () => {
    const { tenant, connection_id, depot, valued, read, publish } = await connectedBank(storage());
    const { connection_id: other } = await tenant.connect();
    const paid = transaction({ portfolio_id: depot.portfolio_id, operation_date: "2026-03-02" });
    const rows = { portfolios: [depot], holdings: [], transactions: [paid] };
    for (const day of ["2026-03-02", "2026-03-03"]) await publish(day, rows, read(day, [valued(depot, day)]));
    const sizesOf = (over: Partial<SizeQuery>) =>
      storage().wealthReader.sizes(tenant.tenant_id, { ...everything, portfolio_ids: null, ...over });
    const facts = await storage().wealthReader.facts(tenant.tenant_id, everything);
    expect(await sizesOf({})).toEqual(
      facts.map(({ credentials_token }) => ({
        connection_id: credentials_token,
        rows: credentials_token === connection_id ? 3 : 0,
      })),
    );
    const ofConnection = async (over: Partial<SizeQuery>) =>
      (await sizesOf({ connection_ids: [connection_id], ...over })).map((one) => one.rows);
    expect(await ofConnection({ with_movements: false })).toEqual([2]);
    expect(await ofConnection({ closes: ["2026-03-31"], from: "2026-03-31", to: "2026-03-31" })).toEqual([1]);
    expect(await sizesOf({ connection_ids: [other] })).toEqual([{ connection_id: other, rows: 0 }]);
    const asked = await sizesOf({ portfolio_ids: [depot.portfolio_id as Uuid] });
    expect(asked.map((one) => one.connection_id)).toEqual([connection_id]);
    expect(await sizesOf({ portfolio_ids: [newId()] })).toEqual([]);
    expect(await sizesOf({ portfolio_ids: [] })).toEqual([]);
  });
}
