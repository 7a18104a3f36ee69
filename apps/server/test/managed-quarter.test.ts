import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, type Figures, reference } from "../../../packages/wealth/test/reference/index.js";
import { commandLine } from "../../cli/test/command-line.js";
import { obtainCode } from "./authorize.js";
import { startChromium } from "./chromium-person.js";
import { connectBank } from "./connect-bank.js";
import { consoleOrigin, joinBy, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { post } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { ingest, submitLetter } from "./letters.js";
import {
  type Account,
  atOnce,
  dayAfter,
  daysBetween,
  type ManagedClient,
  managedClients,
  quarterBefore,
  quarterMapping,
  RATES,
  refOf,
  type Statement,
  special,
  statementFile,
  usualAccount,
  withStatements,
} from "./managed-clients.js";
import { factsOf } from "./managed-facts.js";
import { rawCaller, ToolRefusal } from "./mcp-clients.js";
import { rowsHolding } from "./stored-rows.js";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Body = any;
type Question = keyof Figures;

const quarter = quarterBefore(new Date());
const { opening, first, second, last } = quarter;
const period = { from: dayAfter(opening), to: last };
/** Statements are of the last days of months. */
const common = { currency: "EUR", stale_after: 31 };
const day = { ...common, date: last };
const clients = managedClients(quarter);
const byNumber = (number: number) => clients.find((one) => one.number === number) as ManagedClient;
const isSandbox = ({ number }: ManagedClient) => special.sandbox.some((one) => one === number);
/** Those whose every figure is held against the reference. */
const judged = [
  ...[special.deposit, 2, special.swift[0], special.yen, special.unclear],
  ...[special.stale, special.late, special.silent],
].map(byNumber);
const executablePath = process.env.CHROMIUM_PATH;

/** Where a question is asked: the endpoint, the command, and the tool where there is one. */
const places: Readonly<Record<Question, readonly [path: string, command: string, tool?: string]>> = {
  history: ["list-history", "history", "wealth-history"],
  summary: ["summary", "summary", "wealth-summary"],
  performance: ["performance", "performance", "wealth-performance"],
  income: ["income", "income", "wealth-income"],
  holdingsAt: ["holdings-at", "holdings-at"],
  gains: ["gains", "gains"],
};

/** Every question once, each with what it is asked with beside whose figures they are. */
const questions: readonly (readonly [Question, Readonly<Record<string, unknown>>])[] = [
  ["history", { ...common, ...period, from: opening, interval: "month" }],
  ...["type", "currency", "bank", "client", "security"].map((by) => ["summary", { ...day, by }] as const),
  ["performance", { ...common, ...period }],
  ["performance", { ...common, ...period, method: "mwr" }],
  ["income", { ...common, ...period, by: "month" }],
  ["income", { ...common, ...period, by: "kind", kind: ["fee"] }],
];

describe("a wealth manager's quarter: 40 clients with 90 connections", () => {
  let server: TestServer;
  let tenant: TestTenant;
  /** Connection ids by client, as its connections are listed. */
  const tokens = new Map<string, readonly string[]>();
  const portfolios = new Map<string, string>();
  /** Ids of holdings of cash by portfolio. */
  const money = new Map<string, string>();

  /** The answer of REST, or what it refuses. */
  const told = async (question: Question, asked: object, who = tenant): Promise<Body> => {
    const { status, body, text } = await who.post(`/data/v1/${places[question][0]}`, asked);
    if (status === 200) return body;
    if (status !== 422) throw new Error(`${question} ${JSON.stringify(asked)}: ${status} ${text}`);
    return { code: body.error.code, details: body.error.details };
  };
  const expected = (question: Question, asked: object, of: readonly ManagedClient[]) => {
    const connectorOf = (hasFile: boolean) => (hasFile ? sandboxBanks.datafeed : sandboxBanks.psd2);
    const known = factsOf(of, { tokens, portfolios, money, connectorOf }, quarter);
    return answerOf(reference, question, known, asked, dayAfter(last)) as Record<string, unknown>;
  };
  const valuesOf = async (asked: object): Promise<readonly string[]> =>
    (await told("history", { ...common, from: opening, to: last, page_size: 500, ...asked })).items.map(
      ({ date, totals }: Body) => `${date} ${totals.map(({ balance }: Body) => balance).join()}`,
    );

  const importRates = (currencies: readonly (keyof typeof RATES)[]) => {
    const rows = Object.values(quarter).flatMap((date) => currencies.map((one) => `${date},${one},EUR,${RATES[one]}`));
    const file = Buffer.from(`date,base,quote,rate\n${rows.join("\n")}\n`);
    const headers = { "content-type": "application/octet-stream" };
    return server.operator.post("/operator/v1/rates/import?name=rates.csv", file, { headers });
  };
  const nameAll = async () => {
    const { items } = (await tenant.post("/data/v1/list-portfolios", { page_size: 500 })).body;
    for (const { refAccount, id } of items) portfolios.set(refAccount, id);
    const client_ref = judged.map(({ ref }) => ref);
    const held = await told("holdingsAt", { date: last, stale_after: 400, client_ref, page_size: 500 });
    for (const { id, type, portfolio_id } of held.items) if (type === "L") money.set(portfolio_id, id);
  };

  /** All letters at once, and each letter's files in one zip. */
  async function connectAll(): Promise<void> {
    const wanted = clients.flatMap(({ ref, connections }) => connections.map(({ file }) => ({ ref, file })));
    const letters = await atOnce(wanted, async ({ ref: client_ref, file }) =>
      file ? submitLetter(tenant, sandboxBanks.datafeed, { client_ref }) : null,
    );
    const letter_ids = letters.filter((id) => id !== null);
    for (const to of ["SentToCustodian", "AcceptedByCustodian", "ConnectionSetup", "WaitingForData"])
      expect(await server.operate("/operator/v1/letters/move-many", { letter_ids, to })).toMatchObject({ refused: 0 });
    const made = await atOnce(wanted, async ({ ref, file }, at) => {
      const letter_id = letters[at];
      if (!file || !letter_id) return connectBySandbox(ref);
      const { status, body } = await ingest(server, { letter_id }, file, "quarter.zip");
      expect([status, body.status, body.left_out, body.refused_accounts]).toEqual([200, "ingested", 0, []]);
      return String(body.connection_id);
    });
    for (const { ref } of clients)
      tokens.set(
        ref,
        made.filter((_, at) => wanted[at]?.ref === ref),
      );
  }

  async function connectBySandbox(client_ref: string): Promise<string> {
    const password = client_ref === refOf(special.silent) ? "DATA_ERROR_PORTFOLIO" : "secret";
    const { id, widgetUrl } = await tenant.openSession({ connector_id: sandboxBanks.psd2, client_ref });
    await connectBank(widgetUrl, { username: client_ref, password });
    return (await tenant.tools.call("svc-session-status", { session_id: id })).connection_id;
  }

  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend("the statements are those that the conformance suite and the tests of figures run on both"),
    });
    tenant = await server.createTenant("Wealth manager");
    const mapping = { connector_id: sandboxBanks.datafeed, mapping: quarterMapping };
    await server.operate("/operator/v1/datafeed-mappings/set", mapping);
    await importRates(["USD", "CHF"]);
    await connectAll();
    expect([...tokens.values()].flat()).toHaveLength(90);
    await nameAll();
  }, 2 * START_TIMEOUT);
  afterAll(() => server?.remove());

  it("[C-8.185] a rate that is missing refuses the figures that need it, by name, until it is imported", async () => {
    const missing = {
      code: "INSUFFICIENT_DATA",
      details: [{ reason: "rate_missing", from: "JPY", to: "EUR", date: last }],
    };
    const asked = { ...day, by: "type" };
    expect(await told("summary", { ...asked, client_ref: refOf(special.yen) })).toEqual(missing);
    expect(await told("summary", asked)).toEqual(missing);
    expect((await told("summary", { ...asked, client_ref: refOf(1) })).complete).toBe(true);
    expect((await importRates(["JPY"])).body).toMatchObject({ rows: 4, replaced: 0 });
    expect((await told("summary", { ...asked, client_ref: refOf(special.yen) })).complete).toBe(true);
  });

  it("[C-8.185] [C-8.207] each client is worth what its statements say, and the rows by client make the total", async () => {
    const asked = { ...common, from: opening, to: last, interval: "month" };
    const byFile = clients.filter((one) => !isSandbox(one));
    for (const of of [...byFile.map((one) => [one]), byFile]) {
      const answer = await told("history", { ...asked, client_ref: of.map(({ ref }) => ref), page_size: 500 });
      expect([of[0]?.ref, answer]).toMatchObject([of[0]?.ref, expected("history", asked, of)]);
    }
    const { items, totals, complete, coverage } = await told("summary", { ...day, by: "client", page_size: 100 });
    expect(items.map(({ key }: Body) => key)).toEqual(clients.map(({ ref }) => ref));
    const [whole] = (await told("history", { ...common, from: last, to: last })).items;
    expect(totals).toEqual(whole.totals);
    // Without one currency nothing is rounded.
    const stated = await told("summary", { date: last, stale_after: common.stale_after, by: "client", page_size: 100 });
    const rows: readonly Body[] = stated.items.flatMap((one: Body) => one.totals);
    expect(stated.totals.map(({ currency }: Body) => currency)).toEqual(["CHF", "EUR", "JPY", "USD"]);
    for (const { currency, balance } of stated.totals) {
      const own = rows.filter((row) => row.currency === currency).map((row) => units(row.balance));
      expect([currency, own.reduce((all, one) => all + one, 0n)]).toEqual([currency, units(balance)]);
    }
    for (const one of byFile) {
      const [{ balance }] = (expected("summary", day, [one]) as Body).totals;
      expect(items.find(({ key }: Body) => key === one.ref).totals).toEqual([{ currency: "EUR", balance }]);
    }
    expect(complete).toBe(false);
    expect(coverage.details.map(({ reason, since }: Body) => [reason, since])).toEqual([
      ["no_data", null],
      ["stale", first],
    ]);
  });

  it("[C-8.186] a figure is that of the reference, digit by digit, and the same from REST, the assistant's tools and the command line", {
    timeout: START_TIMEOUT,
  }, async () => {
    const analytics = rawCaller(`${server.url}/mcp/analytics`, tenant.token);
    const cli = commandLine();
    const env = {
      WEALTH_CONNECT_URL: server.url,
      WEALTH_CONNECT_CLIENT_ID: tenant.clientId,
      WEALTH_CONNECT_CLIENT_SECRET: tenant.clientSecret,
    };
    const refusals = new Set<string>();
    for (const client of judged)
      for (const [question, asked] of questions) {
        const of = { ...asked, client_ref: client.ref };
        const rest = await told(question, of);
        expect([of, unnamed(rest)]).toMatchObject([of, unnamed(expected(question, asked, [client]))]);
        const [, command, tool] = places[question];
        const options = Object.entries(of).flatMap(([name, value]) => [
          `--${name.replaceAll("_", "-")}`,
          String(value),
        ]);
        const { code, document } = await cli.json([command, ...options], { env });
        if (tool !== undefined) {
          const answer = await analytics.call(tool, of).catch((error: unknown) => error);
          if (rest.code === undefined) expect([of, answer]).toEqual([of, rest]);
          else expect([of, answer]).toMatchObject([of, rest]);
          expect(answer instanceof ToolRefusal).toBe(rest.code !== undefined);
        }
        if (rest.code === undefined) expect([of, code, document]).toEqual([of, 0, rest]);
        else expect([of, code === 0]).toEqual([of, false]);
        for (const { reason } of rest.details ?? []) refusals.add(reason);
      }
    cli.remove();
    expect([...refusals]).toEqual(expect.arrayContaining(["movement_unclear", "no_data", "stale"]));
  });

  it("[C-8.187] a late statement changes the figures of its day and after, to those of the reference, and one that was missing ends the refusal", async () => {
    const client = byNumber(2);
    const daily = { from: opening, to: last, interval: "day", page_size: 500 };
    const asked = { ...common, ...daily };
    const both = async () => [
      await valuesOf({ ...daily, client_ref: client.ref }),
      // There are rates of the ends of months alone.
      await valuesOf({ ...daily, currency: null }),
    ];
    const before = await both();
    const [{ accounts: [account] = [] } = {}] = client.connections;
    const stated = account?.statements[2] as Statement;
    const late = { ...stated, price: stated.price - 11 };
    const corrected = withStatements(client, 0, (all) => all.map((one) => (one === stated ? late : one)));
    expect(await bring(client, 0, account as Account, late)).toBe("ingested");
    for (const [at, values] of (await both()).entries()) {
      const changed = values.filter((value, nth) => value !== before[at]?.[nth]).map((value) => value.slice(0, 10));
      expect(changed).toEqual(daysBetween(second, last));
    }
    expect(await told("history", { ...asked, client_ref: client.ref })).toMatchObject(
      expected("history", asked, [corrected]),
    );
    expect(
      (
        await tenant.post("/data/v1/list-transactions", {
          client_ref: client.ref,
          credentials_token: tokens.get(client.ref)?.[0],
        })
      ).body.total,
    ).toBe(4);

    const stale = byNumber(special.stale);
    const missing = usualAccount(special.stale, 1, quarter);
    for (const one of missing.statements.slice(2).reverse())
      expect(await bring(stale, 1, missing, one)).toBe("ingested");
    const whole = withStatements(stale, 1, () => missing.statements);
    for (const [of, whose] of [
      [client, corrected],
      [stale, whole],
    ] as const)
      for (const [question, body] of questions) {
        const rest = await told(question, { ...body, client_ref: of.ref });
        expect([of.ref, question, rest.code]).toEqual([of.ref, question, undefined]);
        expect([of.ref, rest]).toMatchObject([of.ref, expected(question, body, [whose])]);
      }
  });

  it("[C-8.187] a refresh changes no day of the quarter", async () => {
    const client_ref = refOf(special.sandbox[0]);
    const daily = { client_ref, interval: "day", page_size: 500 };
    const before = await valuesOf(daily);
    const [, credentials_token] = tokens.get(client_ref) ?? [];
    const { body } = await tenant.post("/connect/v2/connections/refresh", { connection_id: credentials_token });
    expect(body).toMatchObject({ outcome: "refreshed" });
    expect(await valuesOf(daily)).toEqual(before);
  });

  it("[C-8.188] an application and an assistant that are limited to a client get that client's figures and no others", async () => {
    const own = refOf(5);
    const request = { tenant_id: tenant.tenantId, name: "Limited", client_refs: [own] };
    const { application, client_secret } = await server.operate("/operator/v1/applications/create", request);
    const secret = { clientId: application.client_id, clientSecret: client_secret };
    const limited = await server.loginAgain({ ...tenant, ...secret });
    const resource = `${server.url}/mcp/analytics`;
    const { redemption } = await obtainCode(server.url, tenant, { resource, clients: [own] });
    const { body: token } = await post(`${server.url}/token`, redemption);
    const assistant = rawCaller(resource, token.access_token);
    const credentials_token = tokens.get(refOf(6))?.[0];
    const [foreign] = byNumber(6).connections.flatMap(({ accounts }) => accounts);
    const portfolio_id = portfolios.get(foreign?.number ?? "");
    for (const [question, asked] of [...questions, ["holdingsAt", day] as const, ["gains", day] as const]) {
      const rest = await told(question, { ...asked, client_ref: own });
      expect([question, await told(question, asked, limited)]).toEqual([question, rest]);
      const [path, , tool] = places[question];
      if (tool !== undefined) expect([question, await assistant.call(tool, asked)]).toEqual([question, rest]);
      for (const outside of [{ client_ref: refOf(6) }, { credentials_token }, { portfolio_id }]) {
        expect((await limited.post(`/data/v1/${path}`, { ...asked, ...outside })).status).toBe(404);
        if (tool === undefined) continue;
        const refused = await assistant.call(tool, { ...asked, ...outside }).catch((error: unknown) => error);
        expect([outside, (refused as ToolRefusal).code]).toEqual([outside, "NOT_FOUND"]);
      }
    }
  });

  it.skipIf(!executablePath)(
    "[C-8.186] the console's report has the digits of REST",
    {
      timeout: START_TIMEOUT,
    },
    async () => {
      const chromium = await startChromium(executablePath ?? "");
      try {
        const rea = await personWithDevice(chromium);
        const invited = { tenant_id: tenant.tenantId, email: "rea@example.com", name: "Rea", role: "read" };
        await joinBy(rea, (await server.operate("/operator/v1/people/invite", invited)).link);
        const choices = { ref: refOf(special.deposit), period: "own", ...period, currency: "EUR", stale: "31" };
        await rea.page.goto(`${consoleOrigin(server)}/console/report?${new URLSearchParams(choices)}`);
        await rea.page.locator(".report").waitFor();
        const text = String(await rea.page.locator(".report").textContent()).replaceAll(/[\s,]/g, "");
        const of = { client_ref: refOf(special.deposit), ...common };
        const { opening: before, closing, flows, gain } = await told("performance", { ...of, ...period });
        const { items } = await told("summary", { ...of, date: last, by: "type" });
        const sums = items.map((one: Body) => one.totals[0].balance);
        const shown = [before.balance, closing.balance, flows.in, gain, ...sums].map((amount) => `${amount}EUR`);
        expect(shown.filter((amount) => !text.includes(amount))).toEqual([]);
      } finally {
        await chromium.close();
      }
    },
  );

  it("[C-8.189] [C-8.206] a client who is deleted leaves the sums, and the reference and the name every table", async () => {
    const gone = [refOf(7), refOf(special.sandbox[0])];
    const monthly = { interval: "month" };
    const inCents = (value: string) => BigInt(value.slice("YYYY-MM-DD ".length).replace(".", ""));
    const before = (await valuesOf(monthly)).map(inCents);
    const ids: string[] = [];
    const names = gone.map((_, at) => `Mandant Nummer ${at}`);
    for (const [at, client_ref] of gone.entries()) {
      // The reference that it had before is as much the client's.
      await tenant.post("/clients/v1/update", { client_ref, new_client_ref: `Former ${client_ref}`, name: names[at] });
      await tenant.post("/clients/v1/update", { client_ref: `Former ${client_ref}`, new_client_ref: client_ref });
      for (const list of ["list-portfolios", "list-investments", "list-transactions"])
        ids.push(
          ...(await tenant.post(`/data/v1/${list}`, { client_ref, page_size: 500 })).body.items.map(
            ({ id }: Body) => id,
          ),
        );
      const { status, body } = await tenant.post("/clients/v1/delete", { client_ref, confirm: true });
      expect([status, body.connections]).toEqual([200, tokens.get(client_ref)?.length]);
    }
    const left = clients.filter(({ ref }) => !gone.includes(ref)).map(({ ref }) => ref);
    expect(await valuesOf(monthly)).toEqual(await valuesOf({ ...monthly, client_ref: left }));
    expect((await valuesOf(monthly)).map(inCents).every((cents, at) => cents < (before[at] ?? 0n))).toBe(true);
    const removed = await tenant.post("/events/v1/list-events", { query: { type_in: ["connection.removed"] } });
    const connections = gone.flatMap((ref) => tokens.get(ref) ?? []);
    expect(removed.body.items.map(({ data }: Body) => data.client_ref)).toEqual(connections.map(() => null));
    await server.stop();
    const tablesWith = async (texts: readonly string[]) => {
      const rows = await server.installation.withDatabase((pool) => rowsHolding(pool, texts));
      return [...new Set(rows.map(({ table }) => table))].sort();
    };
    expect(await tablesWith([...ids, ...gone, ...names])).toEqual([]);
    // That there was a connection stays in the log of events, the audit trail and the history of its letter.
    expect(await tablesWith(connections)).toEqual(["audit_log", "events", "letter_moves"]);
    expect(server.faults()).toEqual([]);
  });

  /** Delivers one day of an account to a client's connection; returns what became of it. */
  async function bring({ ref }: ManagedClient, nth: number, account: Account, statement: Statement): Promise<string> {
    const { bytes, name } = statementFile(account, statement);
    return (await ingest(server, { connection_id: tokens.get(ref)?.[nth] ?? "" }, bytes, name)).body.status;
  }
});

/** An amount in hundred-millionths. */
function units(amount: string): bigint {
  const [whole, part = ""] = amount.split(".");
  return BigInt(`${whole}${part.padEnd(8, "0")}`);
}

/** A refusal without the ids of movements, which the reference does not know. */
function unnamed(answer: Body): Body {
  const { details, ...rest } = answer;
  return details === undefined ? rest : { ...rest, details: details.map(({ transaction_id: _, ...one }: Body) => one) };
}
