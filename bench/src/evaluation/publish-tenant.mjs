import { pendingStatus } from "@org/core";
import { createKeyring, parseKeyring } from "@org/keyring";
import { CONNECTOR, decimal } from "./seeded-tenant.mjs";

const CONNECTED = "2026-01-05T08:00:00.000Z";
const DAY_MS = 86_400_000;
/** As shipped. */
const STALE_AFTER_DAYS = 5;

/** Stores the seed as logins and fetches would. */
export async function publishTenant({ storage, tenantId, encryptionKeys, seed }) {
  const keyring = createKeyring(parseKeyring(encryptionKeys));
  await storage.inTenant(tenantId, async ({ connections, snapshots, refreshes }) => {
    for (const [index, connection] of seed.connections.entries()) {
      const access = { username: `${connection.name} ${index}`, scenario: null, granted_at: CONNECTED };
      const context = { purpose: "connection-access", row: connection.id };
      const sealed_access = await keyring.seal(JSON.stringify(access), context);
      await connections.create({ ...recordOf(connection, index), sealed_access });
      await refreshes.plan(connection.id, planOf(connection));
      if (connection.accounts !== null) await snapshots.publish(publicationOf(connection, seed));
    }
  });
}

/** Nothing falls due while the questions are asked. */
function planOf({ consentDays }) {
  const inDays = (days) => new Date(Date.now() + days * DAY_MS);
  return {
    due_at: inDays(30),
    pending: null,
    user_hash: null,
    reference_hash: null,
    consent_expires_at: consentDays === undefined ? null : inDays(consentDays),
  };
}

function recordOf({ id, name, state, asOf, accounts, consentDays }, index) {
  const start = pendingStatus(CONNECTED);
  const errored = (products) => ({ ...start.errored, product: { ...start.errored.product, ...products } });
  const all = { portfolio: true, investment: true };
  const byState = {
    blocked: { blocked: true, errored: errored(all) },
    refused: { errored: errored({ auth: true, ...all }) },
    "refused with data": { errored: errored({ auth: true, ...all }) },
    "portfolio failed": { errored: errored({ portfolio: true }) },
    "second factor": { sca_token: "due" },
    pending: { pending: true },
  };
  return {
    connection_id: id,
    connector_id: CONNECTOR,
    bank: name,
    provider: "sandbox",
    labels: {},
    status: {
      ...start,
      pending: false,
      last_update: accounts === null ? null : asOf.toISOString(),
      ...(consentDays !== undefined && {
        consent_expires_at: planOf({ consentDays }).consent_expires_at.toISOString(),
      }),
      ...byState[state],
    },
    identity_hash: id,
    created_at: new Date(Date.parse(CONNECTED) + index * DAY_MS),
  };
}

function publicationOf(connection, { portfolios, holdings, transactions }) {
  const own = (row) => row.connection === connection;
  return {
    connection_id: connection.id,
    as_of: connection.asOf,
    stale_at: new Date(connection.asOf.getTime() + STALE_AFTER_DAYS * DAY_MS),
    published_at: new Date(),
    portfolios: portfolios.filter(own).map(({ id, name, cents, currency, type, refAccount }) => ({
      portfolio_id: id,
      name,
      balance: decimal(cents),
      currency,
      ref_account: refAccount,
      type,
    })),
    holdings: holdings.filter(own).map((row) => ({
      holding_id: row.id,
      portfolio_id: row.portfolio.id,
      name: row.name,
      isin: row.isin,
      amount: String(row.units),
      balance: decimal(row.cents),
      currency: row.currency,
      valuation_date: row.valued,
      type: row.type,
      subtype: row.subtype,
      is_notional: row.isNotional,
    })),
    transactions: transactions.filter(own).map((row) => ({
      transaction_id: row.id,
      portfolio_id: row.portfolio.id,
      holding_id: row.holding?.id ?? null,
      operation_date: row.date,
      description: row.description,
      amount: null,
      balance: decimal(row.cents),
      currency: row.currency,
      unit_price: null,
      facts: { kind: row.kind, ...(row.holding && { identifiers: { isin: row.holding.isin } }) },
    })),
  };
}
