import { randomUUID } from "node:crypto";
import { pendingStatus } from "@org/core";
import { createKeyring, parseKeyring } from "@org/keyring";

/** The catalogue row that all connections belong to. */
export const CONNECTOR = "esp:bank-000";
const CONNECTED = "2026-01-05T08:00:00.000Z";
const UPDATED = "2026-11-19T06:00:00.000Z";
const VALUED = "2026-11-18";

/**
 * The tenant's banks, oldest connection first, each in another state. `accounts` lists name, currency and type; each account gets `size` holdings.
 */
const banks = [
  {
    name: "Alpina Privatbank",
    accounts: [
      ["Managed mandate", "CHF", "M"],
      ["Euro depot", "EUR", "S"],
    ],
    size: 9,
  },
  {
    name: "Banco Norte",
    accounts: [
      ["Fund account", "EUR", "F"],
      ["Pension plan", "EUR", "PP"],
    ],
    size: 12,
  },
  { name: "Caja Sur", state: "blocked", accounts: [["Savings depot", "EUR", "S"]], size: 7 },
  { name: "Delta Savings", accounts: [], size: 0 },
  { name: "Ems Kasse", state: "refused", accounts: null },
  { name: "Faro Bank", state: "pending", accounts: null },
  { name: "Global Norte Broker", state: "second factor", accounts: [["Trading account", "USD", "S"]], size: 640 },
  { name: "Hafen Invest", state: "failed", accounts: [["Derivatives account", "USD", "DV"]], size: 6 },
];

/** Kinds of securities: type, subtype, name. */
const kinds = [
  ["F", null, "Fund"],
  ["VI", null, "Share"],
  ["FI", null, "Bond"],
  ["ETF", null, "Tracker"],
  ["DV", "W", "Warrant"],
  ["AEP", "PE", "Private equity stake"],
];
const movements = ["Purchase", "Sale", "Dividend"];
const countries = ["esp", "che", "deu"];

/** All data of the tenant as plain rows, from which the right answers are computed. Money is in cents. */
export function createSeed() {
  const connections = banks.map((bank, index) => ({
    ...bank,
    id: randomUUID(),
    labels: { desk: index % 2 ? "Madrid" : "Zurich" },
  }));
  const portfolios = [];
  const holdings = [];
  const transactions = [];
  for (const connection of connections) {
    for (const [name, currency, type] of connection.accounts ?? []) {
      const portfolio = { id: randomUUID(), connection, name, currency, type, cents: 0 };
      portfolios.push(portfolio);
      for (let made = 0; made < connection.size; made += 1) {
        const holding = holdingOf(portfolio, holdings.length);
        holdings.push(holding);
        portfolio.cents += holding.cents;
        for (let moved = 0; moved < 2; moved += 1) transactions.push(transactionOf(holding, transactions.length));
      }
    }
  }
  const catalogue = Array.from({ length: 130 }, (_, index) => connectorOf(index));
  return { connections, portfolios, holdings, transactions, catalogue };
}

/** All values differ, so that one is the largest. */
function holdingOf(portfolio, index) {
  const [type, subtype, what] = kinds[(index * 5 + (index >> 3)) % kinds.length];
  return {
    id: randomUUID(),
    portfolio,
    connection: portfolio.connection,
    name: `${what} ${String(index).padStart(4, "0")}`,
    isin: `XS${String(index).padStart(10, "0")}`,
    units: (index % 90) + 1,
    cents: ((index * 7_919) % 100_003) * 100 + 1_000 + (index % 100),
    currency: portfolio.currency,
    type,
    subtype,
  };
}

function transactionOf(holding, index) {
  const what = movements[(index * 7 + (index >> 2)) % movements.length];
  const day = new Date(Date.UTC(2026, 0, 1 + ((index * 37) % 300)));
  const cents = 5_000 + ((index * 613) % 90_000);
  return {
    id: randomUUID(),
    holding,
    connection: holding.connection,
    date: day.toISOString().slice(0, 10),
    description: `${what}: ${holding.name}`,
    cents: what === "Purchase" ? -cents : cents,
    currency: holding.currency,
  };
}

function connectorOf(index) {
  const number = String(index).padStart(3, "0");
  return {
    id: `${countries[index % 3]}:bank-${number}`,
    name: index % 26 === 0 ? `Caja Rural ${number}` : `Bank ${number}`,
    type: index % 10 === 9 ? "datafeed" : "e-banking",
    countries: [countries[index % 3]],
    available: index % 13 !== 12,
    provider: "sandbox",
    metadata: {},
  };
}

/** Stores the seed as logins and fetches would. */
export async function publishSeed({ storage, tenantId, encryptionKeys, seed }) {
  const keyring = createKeyring(parseKeyring(encryptionKeys));
  await storage.catalogue.importAll(seed.catalogue);
  await storage.inTenant(tenantId, async ({ connections, snapshots }) => {
    for (const connection of seed.connections) {
      const access = { username: connection.name, scenario: null, granted_at: CONNECTED };
      const context = { purpose: "connection-access", row: connection.id };
      const sealed_access = await keyring.seal(JSON.stringify(access), context);
      const index = seed.connections.indexOf(connection);
      await connections.create({ ...recordOf(connection, index), sealed_access });
      if (connection.accounts !== null) await snapshots.publish(publicationOf(connection, seed));
    }
  });
}

function recordOf({ id, name, state, labels, accounts }, index) {
  const start = pendingStatus(CONNECTED);
  const errored = (auth) => ({
    product: { ...start.errored.product, auth, portfolio: true, investment: true },
    transaction: { ...start.errored.transaction, investment: true },
  });
  const byState = {
    blocked: { blocked: true, errored: errored(false) },
    refused: { errored: errored(true) },
    failed: { errored: errored(false) },
    "second factor": { sca_token: "due" },
    pending: { pending: true },
  };
  const last_update = accounts === null ? null : UPDATED;
  return {
    connection_id: id,
    connector_id: CONNECTOR,
    bank: name,
    provider: "sandbox",
    labels,
    status: { ...start, pending: false, last_update, ...byState[state] },
    identity_hash: id,
    created_at: new Date(Date.parse(CONNECTED) + index * 1_000),
  };
}

function publicationOf(connection, { portfolios, holdings, transactions }) {
  const own = (row) => row.connection === connection;
  return {
    connection_id: connection.id,
    as_of: new Date(UPDATED),
    published_at: new Date(),
    portfolios: portfolios.filter(own).map(({ id, name, cents, currency, type }) => ({
      portfolio_id: id,
      name,
      balance: decimal(cents),
      currency,
      ref_account: null,
      type,
    })),
    holdings: holdings.filter(own).map(({ id, portfolio, name, isin, units, cents, currency, type, subtype }) => ({
      holding_id: id,
      portfolio_id: portfolio.id,
      name,
      isin,
      amount: String(units),
      balance: decimal(cents),
      currency,
      valuation_date: VALUED,
      type,
      subtype,
    })),
    transactions: transactions.filter(own).map(({ id, holding, date, description, cents, currency }) => ({
      transaction_id: id,
      portfolio_id: holding.portfolio.id,
      holding_id: holding.id,
      operation_date: date,
      description,
      amount: null,
      balance: decimal(cents),
      currency,
      unit_price: null,
    })),
  };
}

export function decimal(cents) {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
