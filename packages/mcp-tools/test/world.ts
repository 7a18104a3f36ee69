import {
  type CatalogueConnector,
  type ConnectionRecord,
  type CredentialStatus,
  createConnectors,
  createCredentials,
  createInvestmentData,
  createSessions,
  createWealth,
  createWhy,
  type HoldingRow,
  type PortfolioRow,
  pendingStatus,
  type TransactionRow,
  type Uuid,
} from "@org/core";
import { createMemoryStorage, createTestRuntime } from "@org/core/testing";

export const PUBLIC_URL = "https://wealth.example.com";
export const SESSION_SECONDS = 1_800;

const uuid = (number: number) => `01920000-0000-7000-8000-${number.toString(16).padStart(12, "0")}` as Uuid;

/** Ids in the world. Tenant A has four banks, tenant B one. */
export const ids = {
  tenantA: uuid(0xa),
  tenantB: uuid(0xb),
  applicationA: uuid(0xa1),
  applicationB: uuid(0xb1),
  /** Ready, with data. */
  alpha: uuid(0x101),
  /** Blocked, with old data. */
  beta: uuid(0x102),
  /** Pending, without data. */
  gamma: uuid(0x103),
  /** Ready, with more holdings than an answer can have. */
  large: uuid(0x104),
  /** Tenant B's. */
  foreign: uuid(0x201),
  portfolio: uuid(0x301),
  holding: uuid(0x401),
};

const connectors: readonly CatalogueConnector[] = [
  connector("esp:alpha", "Banco Alpha", "e-banking", ["esp"]),
  connector("esp:letters", "Alpha Custody", "datafeed", ["esp"]),
  connector("fra:beta", "Banque Beta", "psd2", ["fra"], { logo_url: "https://example.com/beta.svg", bic: "BETAFRPP" }),
  connector("gbr:closed", "Closed Bank", "e-banking", ["gbr"], {}, false),
];

/** Makes core's real services over memory storage with known content. */
export async function createWorld() {
  const storage = createMemoryStorage();
  const runtime = createTestRuntime();
  const now = runtime.clock();
  await storage.catalogue.importAll(connectors);
  for (const [tenant_id, name] of [
    [ids.tenantA, "A"],
    [ids.tenantB, "B"],
  ] as const)
    await storage.tenants.create({ tenant_id, name, created_at: now });

  await storage.inTenant(ids.tenantA, async ({ connections, snapshots }) => {
    const ready = { ...pendingStatus(now.toISOString()), pending: false, last_update: now.toISOString() };
    await connections.create(connection(ids.alpha, "esp:alpha", "Banco Alpha", ready, 1));
    await connections.create(connection(ids.beta, "fra:beta", "Banque Beta", { ...ready, blocked: true }, 2));
    await connections.create(connection(ids.gamma, "esp:alpha", "Banco Alpha", pendingStatus(now.toISOString()), 3));
    await connections.create(connection(ids.large, "fra:beta", "Large Bank", ready, 4));
    const at = { as_of: now, published_at: now };
    await snapshots.publish({ ...at, connection_id: ids.alpha, portfolios, holdings, transactions });
    await snapshots.publish({
      ...at,
      connection_id: ids.beta,
      portfolios: [],
      holdings: [holding(50, { name: "Beta Fund" })],
      transactions: [],
    });
    await snapshots.publish({
      ...at,
      connection_id: ids.large,
      portfolios: [],
      holdings: Array.from({ length: 600 }, (_, n) => holding(1_000 + n)),
    });
  });
  await storage.inTenant(ids.tenantB, async ({ connections }) => {
    await connections.create(connection(ids.foreign, "esp:alpha", "Banco Alpha", pendingStatus(now.toISOString()), 5));
  });

  const catalogue = createConnectors({ catalogue: storage.catalogue, mac: runtime.mac, defaultProvider: null });
  const data = createInvestmentData({ reader: storage.reader, runtime });
  const services = {
    connectors: catalogue,
    sessions: createSessions({
      storage,
      runtime,
      connectors: catalogue,
      redirectUrls: async () => [],
      publicUrl: PUBLIC_URL,
      ttlSeconds: SESSION_SECONDS,
    }),
    credentials: createCredentials({ storage, runtime }),
    data,
    wealth: createWealth({
      data,
      reader: storage.reader,
      facts: storage.wealthReader,
      rates: storage.exchangeRates,
      runtime,
    }),
    why: createWhy({ reader: storage.reader, figures: storage.figureReader, runtime }),
  };
  return { storage, runtime, services };
}

/** Restores the connection to Banque Beta after a test has deleted it, without its data. */
export async function connectionAgain(storage: ReturnType<typeof createMemoryStorage>): Promise<void> {
  await storage.inTenant(ids.tenantA, async ({ connections }) => {
    if (await connections.find(ids.beta)) return;
    await connections.create(connection(ids.beta, "fra:beta", "Banque Beta", pendingStatus("2026-01-01T00:00:00Z"), 2));
  });
}

function connector(
  id: string,
  name: string,
  type: string,
  countries: string[],
  metadata = {},
  available = true,
): CatalogueConnector {
  return { id, name, type, countries, available, provider: "sandbox", provider_ref: null, metadata };
}

function connection(
  id: Uuid,
  connectorId: string,
  bank: string,
  status: CredentialStatus,
  order: number,
): ConnectionRecord {
  return {
    connection_id: id,
    connector_id: connectorId,
    bank,
    provider: "sandbox",
    labels: { client: String(order) },
    status,
    identity_hash: `identity-${order}`,
    sealed_access: "sealed",
    client_ref: null,
    created_at: new Date(Date.UTC(2026, 0, order)),
  };
}

const portfolios: readonly PortfolioRow[] = [
  {
    portfolio_id: ids.portfolio,
    name: "Main",
    balance: "1523.47",
    currency: "EUR",
    ref_account: "ES76…1332",
    type: "M",
  },
  {
    portfolio_id: uuid(0x302),
    name: "Dollars",
    balance: "10.00000000000000000001",
    currency: "USD",
    ref_account: null,
    type: "F",
  },
];

const holdings: readonly HoldingRow[] = [
  holding(0, { holding_id: ids.holding, balance: "1500.47", name: 'Fonds "Ünïcode" \\ 日本', type: "F" }),
  holding(1, { balance: "23.00", type: "ETF", currency: "USD" }),
  holding(2, { balance: null, type: "DV", subtype: "FOP" }),
];

function holding(number: number, change: Partial<HoldingRow> = {}): HoldingRow {
  return {
    holding_id: uuid(0x10_000 + number),
    portfolio_id: ids.portfolio,
    name: `Global Equity Fund ${number} of a rather long name as funds have them`,
    isin: "LU0000000000",
    amount: "12.3456789",
    balance: "100.00",
    currency: "EUR",
    valuation_date: "2026-03-01",
    type: "F",
    subtype: null,
    ...change,
  };
}

const transactions: readonly TransactionRow[] = [
  transaction(1, "2026-01-31", "Buy"),
  transaction(2, "2026-02-01", "Sell"),
  transaction(3, "2026-02-28", "Dividend"),
];

function transaction(number: number, day: string, description: string): TransactionRow {
  return {
    transaction_id: uuid(0x20_000 + number),
    portfolio_id: ids.portfolio,
    holding_id: ids.holding,
    operation_date: day,
    description,
    amount: "-1.5",
    balance: "250.10",
    currency: "EUR",
    unit_price: "166.7333333333",
  };
}
