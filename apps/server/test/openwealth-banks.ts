import { createBrowser } from "@org/pages/testing";
import { expect } from "vitest";
import type { TransactionTruth } from "../../../packages/provider-openwealth/test/stand-in/truth.js";
import { waitForAnswer } from "./connect-bank.js";
import { startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { startVersionBank, type VersionBank, type VersionBankOptions } from "./institutions/openwealth-versions.js";
import { larkspurOf } from "./institutions/openwealth-versions-customers.js";
import { companyOf, everyKindOf, nobodyOf, odditiesOf } from "./institutions/openwealth-versions-further.js";
import type { Version } from "./institutions/openwealth-versions-values.js";
import { onOpenWealthPage } from "./openwealth-page.js";
import { operatorCommands } from "./operator-commands.js";

// biome-ignore lint/suspicious/noExplicitAny: rows of tools.
type Row = any;

type DateType = "transactionDate" | "bookingDate";
/** A bank, and what its settings have beside those of its stand-in. */
type BankPlan = Partial<VersionBankOptions> & { readonly version: Version; readonly settings?: object };
type Customer = keyof ReturnType<typeof customersOf>;
type Visit = { readonly customer?: string; readonly decision?: "approve" | "decline" };
type Target = { readonly connector_id: string } | { readonly connection_id: string };

/** How far the server's clock jumps at a signal: a connection is refreshed by request at most every 15 minutes. */
const A_WHILE = 16 * 60_000;
const shift = `--import ${new URL("clock-shift.mjs", import.meta.url).href}`;

const facts = ["price", "price_currency", "price_unit", "cost", "identifiers", "accrued_interest"];
const holdingWords = ["name", "isin", "amount", "balance", "currency", "type", "subtype", ...facts];
const transactionWords = [
  ...["operationDate", "description", "amount", "balance", "currency", "unitPrice"],
  ...["kind", "settlement_date", "fees", "taxes", "gross", "identifiers"],
];

const DAY = 24 * 60 * 60_000;
/** The customers that each bank has, by the name of the user who may share their data. */
function customersOf(version: Version, today: string) {
  return {
    larkspur: larkspurOf(version, today),
    every: everyKindOf(version, "every", today),
    odd: odditiesOf(version, "odd", today),
    company: companyOf("co", 36),
    nobody: nobodyOf("none"),
  };
}

/**
 * A server with banks of OpenWealth before version 3, which all are banks of one row of settings, those of its tenant.
 * @param banks by the id in the settings
 */
export async function startBanks<Id extends string>(
  banks: Readonly<Record<Id, BankPlan>>,
  environment: Readonly<Record<string, string>> = {},
) {
  /** The banks' own clock, ahead of the machine's. */
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const server: TestServer = await startTestServer({
    backend: oneBackend("it is about banks and their data; refreshes and sessions have their own tests on both"),
    environment: { PROVIDERS: "openwealth", NODE_OPTIONS: shift, CLOCK_JUMP_MS: String(A_WHILE), ...environment },
    schedule: { refreshes: 200, consentNotices: 200 },
  });
  let tenant = server.demo;
  const operator = operatorCommands(() => server);
  const ofTenant = ["--tenant", tenant.tenantId];
  const today = new Date().toISOString().slice(0, 10);
  const opened = {} as Record<
    Id,
    VersionBank & { readonly version: Version; readonly customers: ReturnType<typeof customersOf> }
  >;
  const settings: { readonly id: Id; readonly version: Version }[] = [];
  for (const id of Object.keys(banks) as Id[]) {
    const { settings: more = {}, ...options }: BankPlan = banks[id];
    const { version } = options;
    const customers = customersOf(version, today);
    const users = Object.entries(customers).map(([name, customer]) => ({ name, customers: [customer.id] }));
    const bank = await startVersionBank({
      clock: now,
      customers: Object.values(customers),
      users: [...users, { name: "both", customers: [customers.larkspur.id, customers.company.id] }],
      redirect_uris: [`${server.url.replace("127.0.0.1", "localhost")}/connect/callback`],
      ...options,
    });
    opened[id] = { ...bank, version, customers };
    const { base_url, authorize_url, token_url, revoke_url, client_id, client_secret } = bank;
    const client = { token_url, client_id, client_secret };
    const auth = options.grants?.includes("client_credentials")
      ? { type: "client_credentials", ...client }
      : { type: "authorization_code", authorize_url, revoke_url, ...client };
    settings.push({ id, version, ...{ name: `Bank ${id}`, country: "che", base_url, auth }, ...more });
  }
  const set = (banks: readonly object[]) =>
    operator.run(["providers", "set", "openwealth", "--file", "-", ...ofTenant], JSON.stringify({ banks }));
  const check = async () => {
    await server.renewOperator();
    return server.operate("/operator/v1/providers/test", { name: "openwealth", tenant_id: tenant.tenantId });
  };
  await set(settings);
  expect(await operator.run(["providers", "sync", "openwealth", ...ofTenant])).toMatchObject({
    inserted: settings.length,
  });

  async function rows(tool: string, credentials_token: string, more: object = {}): Promise<Row[]> {
    const { items, total } = await tenant.tools.call(tool, { credentials_token, page_size: 200, ...more });
    expect(items).toHaveLength(total);
    return items;
  }

  /** A user goes to the bank's page and back; where the bank shows several customers, one is chosen. */
  async function visit(target: Target, user: string, { customer = "", decision }: Visit = {}) {
    const { id, widgetUrl } = await tenant.openSession(target);
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    await waitForAnswer(browser, widgetUrl);
    await browser.open(await onOpenWealthPage((await browser.submit("redirect")).url, user, decision));
    await waitForAnswer(browser, widgetUrl);
    if (customer !== "") {
      await browser.submit("answer", { customer });
      await waitForAnswer(browser, widgetUrl);
    }
    return { text: browser.page?.text ?? "", ...(await tenant.tools.call("svc-session-status", { session_id: id })) };
  }

  async function connect(target: Target, user: string, more?: Visit): Promise<string> {
    const session = await visit(target, user, more);
    expect(session).toMatchObject({ status: "Finished:OK" });
    return session.connection_id;
  }

  /** Connects a customer of a bank that gives access to the tenant. */
  async function connectByNumber(bank: Id, user: Customer): Promise<string> {
    const { id, widgetUrl } = await tenant.openSession({ connector_id: `che:${bank}` });
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    await browser.submit("credentials", { customer_id: opened[bank].customers[user].id });
    await waitForAnswer(browser, widgetUrl);
    const session = await tenant.tools.call("svc-session-status", { session_id: id });
    expect(session).toMatchObject({ status: "Finished:OK" });
    return session.connection_id;
  }

  return {
    server,
    now,
    get tenant() {
      return tenant;
    },
    operator,
    today,
    banks: opened,
    settings,
    set,
    check,
    rows,
    visit,
    connect,
    connectByNumber,
    refresh: async (connection_id: string) =>
      (await tenant.post("/connect/v2/connections/refresh", { connection_id })).body.outcome as string,
    /** Days pass, for the banks and for the server, which starts again then. */
    async goTo(days: number) {
      ahead = days * DAY;
      await server.start({ CLOCK_SHIFT_MS: String(ahead) });
      tenant = await server.loginAgain(tenant);
      await server.renewOperator();
    },
    /** A while passes, for both; the server's clock jumps a moment after it is told to. */
    async passes() {
      ahead += A_WHILE;
      process.kill(server.process.pid, "SIGUSR2");
      tenant = await server.loginAgain(tenant);
    },
    outcomeOf: async (connection_id: string) =>
      (await server.operate("/operator/v1/connections/status", { connection_id })).refresh.last_outcome as string,
    reloginOf: (credentials_token: string) => tenant.tools.call("svc-needs-relogin", { credentials_token }),
    async idsOf(token: string): Promise<string[]> {
      const tools = ["svc-portfolios", "svc-investments", "svc-investment-transactions"];
      const found = await Promise.all(tools.map((tool) => rows(tool, token)));
      return found
        .flat()
        .map(({ id }) => id)
        .sort();
    },
    /** Fails unless a connection has what the bank's truth says of a customer, digit by digit. */
    async expectTruth(token: string, bank: Id, user: Customer, dateType: DateType = "transactionDate") {
      const held = opened[bank].customers[user];
      const truth = opened[bank].truthOf(held.id);
      const sorted = (list: readonly (readonly unknown[])[]) => list.map((one) => one.join(" ")).sort();
      const portfolios = await rows("svc-portfolios", token);
      expect(sorted(portfolios.map(({ currency, type, refAccount }) => [currency, type, refAccount]))).toEqual(
        sorted(truth.portfolios.map(({ currency, type, reference }) => [currency, type, reference])),
      );
      for (const { reference, balance } of truth.portfolios)
        if (balance !== undefined)
          expect(portfolios.find(({ refAccount }) => refAccount === reference)).toMatchObject({ balance });

      const holdings = (await rows("svc-investments", token, { fields: holdingWords })).sort(byFigures);
      const expectedHoldings = truth.holdings.map(({ position: _, account: __, ...stated }) => stated).sort(byFigures);
      expect(holdings).toMatchObject(expectedHoldings);

      const stated = new Map(held.bookings.map(({ id, dates }) => [id, dates[dateType]]));
      const expected = truth.transactions.flatMap((one) => (stated.get(one.id) ? movesOf(one) : [])).sort(byFigures);
      const transactions = await rows("svc-investment-transactions", token, { fields: transactionWords });
      expect(transactions.sort(byFigures)).toMatchObject(expected);
    },
    async close() {
      for (const bank of Object.values<VersionBank>(opened)) await bank.close();
      await server.remove();
      operator.remove();
    },
  };
}

function byFigures(one: Row, other: Row): number {
  return figuresOf(one).localeCompare(figuresOf(other));
}

function figuresOf({ operationDate, name, isin, amount, balance, currency }: Row): string {
  return [operationDate, name, isin, amount, balance, currency].join(" ");
}

/** The rows of a transaction: one if it has one total and moves one asset at most, otherwise one for each. */
function movesOf({ date: operationDate, cash, units, id: _, ...facts }: TransactionTruth): Row[] {
  const moved = Object.values(units);
  const posted = Object.entries(cash).map(([place, balance]) => ({ balance, currency: place.split(" ").at(-1) }));
  const [only = null] = moved;
  if (moved.length <= 1 && posted.length === 1)
    return posted.map((total) => ({ operationDate, amount: only, ...total, ...facts }));
  return [
    ...moved.map((amount) => ({ operationDate, amount, balance: null, ...facts })),
    ...posted.map((total) => ({ operationDate, amount: null, ...total, ...facts })),
  ];
}
