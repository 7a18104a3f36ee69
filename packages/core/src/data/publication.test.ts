import { createHash } from "node:crypto";
import type { SnapshotData } from "@org/provider-kit";
import { describe, expect, it } from "vitest";
import { type EventLoopYielder, runInSteps } from "../event-loop-yielder.js";
import type { Uuid } from "../schemas/identifier.js";
import { digestSteps } from "./digests.js";
import { differenceSteps, publicationSteps } from "./publication.js";

const connectionId = "00000000-0000-7000-8000-000000000001" as Uuid;
const now = new Date("2026-03-02T09:00:00Z");
const straightOn: EventLoopYielder = { isDue: () => false, turn: async () => undefined };
const facts = { identifiers: { valor: "1234" } };
const snapshot: SnapshotData = {
  as_of: now,
  portfolios: [
    { key: "p", name: " Depot\u0000 ", balance: "1.00", currency: "EUR", ref_account: "1-2", type: "S", as_of: now },
  ],
  holdings: ["h", "h"].map((key) => ({
    ...{
      key,
      portfolio_key: "p",
      name: "Fund\t1",
      isin: "LU0000000001",
      amount: "2",
      balance: "1.00",
      currency: "EUR",
    },
    ...{ valuation_date: "2026-03-01", type: "F", subtype: null, price: "0.50", ...facts },
  })),
  transactions: ["t", null, null].map((key) => ({
    ...{
      key,
      portfolio_key: "p",
      holding_key: "h",
      operation_date: "2026-02-01",
      description: "Purchase",
      amount: "2",
    },
    ...{ balance: "-1.00", currency: "EUR", unit_price: "0.50", fees: "0.10", ...facts },
  })),
};

describe("what a snapshot changes", () => {
  it("[C-9.530] other rows of the same data need another ROWS_VERSION, so that they are stored once more", async () => {
    const steps = publicationSteps(connectionId, snapshot, now);
    const { digests, portfolios, holdings, transactions } = await runInSteps(steps, straightOn);
    const rows = createHash("sha256")
      .update(JSON.stringify([portfolios, holdings, transactions]))
      .digest("hex");
    expect({ digest: digests?.transaction?.slice(0, 8), rows: rows.slice(0, 8) }).toMatchInlineSnapshot(`
      {
        "digest": "be0968ef",
        "rows": "63e247f7",
      }
    `);
  });

  it("[C-9.530] no rows are made of what is stated as before, whenever each portfolio was stated", async () => {
    const latest = Object.fromEntries(
      Object.entries(await runInSteps(digestSteps(snapshot), straightOn)).map(([product, digest]) => [
        product,
        { as_of: now, digest },
      ]),
    );
    const of = (stated: Partial<SnapshotData>) =>
      runInSteps(differenceSteps(connectionId, { ...snapshot, ...stated }, now, latest), straightOn);
    const later = snapshot.portfolios?.map((portfolio) => ({ ...portfolio, as_of: new Date() })) ?? [];
    expect(await of({ portfolios: later, transactions: null })).toEqual({
      same: { portfolio: latest.portfolio?.digest, investment: latest.investment?.digest },
      publication: null,
    });
    const { same, publication } = await of({ holdings: [] });
    expect(Object.keys(same)).toEqual(["portfolio", "transaction"]);
    const digests = await runInSteps(digestSteps({ ...snapshot, holdings: [] }), straightOn);
    expect(publication).toMatchObject({ holdings: [], digests });
    expect(publication).not.toHaveProperty("portfolios");
    expect(publication).not.toHaveProperty("transactions");
  });
});
