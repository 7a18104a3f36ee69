import { randomUUID } from "node:crypto";
import { pendingStatus } from "@org/core";

const currencies = ["EUR", "USD", "CHF"];
const types = ["F", "VI", "FI", "ETF"];

/** Publishes one bank connection of a tenant with `count` holdings, as a fetch does. */
export async function publishHoldings(storage, tenantId, count) {
  const connection_id = randomUUID();
  const now = new Date();
  await storage.inTenant(tenantId, async ({ connections, snapshots }) => {
    await connections.create(connectionOf(connection_id));
    const { holdings } = dataOf(count);
    await snapshots.publish({ connection_id, as_of: now, published_at: now, holdings });
  });
}

/** A bank connection that was read just now. */
export function connectionOf(connection_id) {
  const now = new Date();
  return {
    connection_id,
    connector_id: "esp:bench",
    bank: "Bank of Benchmarks",
    provider: "sandbox",
    labels: {},
    status: { ...pendingStatus(now.toISOString()), pending: false, last_update: now.toISOString() },
    identity_hash: null,
    sealed_access: null,
    created_at: now,
  };
}

/** The data of a connection: a portfolio with `count` holdings and as many transactions. */
export function dataOf(count) {
  const portfolio_id = randomUUID();
  const portfolio = { portfolio_id, name: "Depot", balance: "1000.00", currency: "EUR", ref_account: null };
  const numbers = Array.from({ length: count }, (_, index) => index);
  return {
    portfolios: [{ ...portfolio, type: "F" }],
    holdings: numbers.map((index) => holding(index, portfolio_id)),
    transactions: numbers.map((index) => transaction(index, portfolio_id)),
  };
}

function transaction(index, portfolio_id) {
  return {
    transaction_id: randomUUID(),
    portfolio_id,
    holding_id: null,
    operation_date: new Date(Date.UTC(2025, 0, 1 + (index % 600))).toISOString().slice(0, 10),
    description: `Purchase ${index}`,
    amount: "2.000000",
    balance: "-200.00",
    currency: currencies[index % currencies.length],
    unit_price: "100.00",
    ...(index % 20 === 0 && { facts: { kind: "dividend" } }),
  };
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
