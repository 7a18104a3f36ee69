import { randomUUID } from "node:crypto";
import { pendingStatus } from "@org/core";

const currencies = ["EUR", "USD", "CHF"];
const types = ["F", "VI", "FI", "ETF"];

/** Gives a tenant one bank connection with that many holdings, the way an extraction does. */
export async function publishHoldings(storage, tenantId, count) {
  const now = new Date();
  const connection_id = randomUUID();
  await storage.inTenant(tenantId, async ({ connections, snapshots }) => {
    await connections.create({
      connection_id,
      connector_id: "esp:bench",
      bank: "Bank of Benchmarks",
      provider: "sandbox",
      labels: {},
      status: { ...pendingStatus(now.toISOString()), pending: false, last_update: now.toISOString() },
      identity_hash: null,
      sealed_access: null,
      created_at: now,
    });
    const portfolio_id = randomUUID();
    await snapshots.publish({
      connection_id,
      as_of: now,
      published_at: now,
      holdings: Array.from({ length: count }, (_, index) => holding(index, portfolio_id)),
    });
  });
}

function holding(index, portfolio_id) {
  const number = String(index).padStart(10, "0");
  return {
    holding_id: randomUUID(),
    portfolio_id,
    name: `Global Equity Fund ${number} Accumulating`,
    isin: `LU${number}`,
    amount: `${(index % 977) + 1}.125000`,
    balance: `${((index * 7919) % 1_000_000) + 10}.47`,
    currency: currencies[index % currencies.length],
    valuation_date: "2026-11-19",
    type: types[index % types.length],
    subtype: null,
  };
}
