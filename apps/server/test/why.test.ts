import { zipOf } from "@org/feed-sources/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { custodianFiles } from "./custodian-days.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { backends } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";
import { ofxStatement } from "./ofx-statement.js";

const mapping = {
  language: 1,
  name: "fernbank",
  title: "Fern Bank",
  recognise: { header: ["Date", "Security", "Units", "Value"] },
  delimiter: ",",
  values: {
    date: { column: "Date" },
    name: { column: "Security" },
    units: { column: "Units" },
    value: { column: "Value" },
    currency: { constant: "CHF" },
  },
  tables: [{ rows: [{ is: "holding" }] }],
};
const camt = Buffer.from(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><CreDtTm>2024-01-30T22:00:00Z</CreDtTm></GrpHdr><Stmt><Id>1</Id><Acct><Id><Othr><Id>A</Id></Othr></Id></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">71.10</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-01-30</Dt></Dt></Bal>
<Ntry><Amt Ccy="CHF">31.10</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2024-01-30</Dt></BookgDt></Ntry>
</Stmt></BkToCstmrStmt></Document>`);
const csv = (value: string) =>
  Buffer.from(`Date,Security,Units,Value\n2024-01-30,Fund,3,${value}\n2024-01-30,Bond,2,7.25\n`);
const custodian = custodianFiles([
  {
    ...{ depot: "D-1", cash: "C-1", day: "20240130", total: "250,5", opening: "40,", closing: "71,1" },
    positions: [["CH0012032048", "10,", "250,5"]],
    bookings: [["C", "31,1", "REF1", "Deposit"]],
    movements: [["CH0012032048", "RECE", "10,", "250,5", "REF2"]],
  },
]);
const files: readonly (readonly [format: string, name: string, bytes: Uint8Array])[] = [
  ...Object.entries(custodian).map(([name, bytes]) => [name.slice(0, 5).toLowerCase(), name, bytes] as const),
  ["camt.053", "a.xml", camt],
  ["ofx", "a.ofx", ofxStatement(3)],
  ["mapping:fernbank", "a.csv", csv("12.50")],
];

// biome-ignore lint/suspicious/noExplicitAny: an answer of the server
type Item = Record<string, any>;

describe.each(backends)("why a number is what it is, on %s", (backend) => {
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    server = await startTestServer({ backend, environment: { JOBS: "false" } });
    tenant = await server.createTenant("Family office");
    await server.operate("/operator/v1/datafeed-mappings/set", { connector_id: sandboxBanks.datafeed, mapping });
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  const why = async (id: string, date?: string) => (await tenant.post("/data/v1/why", { id, date })).body;
  const rowsOf = async (noun: string, credentials_token: string): Promise<readonly Item[]> =>
    (await tenant.post(`/data/v1/list-${noun}`, { credentials_token })).body.items;

  it.each(files)(
    "[C-8.179] the number of every row of a file of %s names the file, and a line that has it",
    async (format, name, bytes) => {
      const letter_id = await waitingLetter(server, tenant, sandboxBanks.datafeed);
      const { status, body } = await ingest(server, { letter_id }, bytes, name);
      expect([status, body.format]).toEqual([200, format]);
      const lines = Buffer.from(bytes).toString("latin1").split("\n");
      for (const noun of ["portfolios", "investments", "transactions"])
        for (const { id, balance } of await rowsOf(noun, body.connection_id)) {
          const { versions } = await why(id);
          // A file of movements alone values nothing.
          if (versions.length === 0) continue;
          expect(versions).toMatchObject([
            { current: true, source: { kind: "file", name, sha256: body.sha256, part: null, format } },
          ]);
          const [{ source }] = versions;
          expect(source.format_version).toMatch(format.startsWith("mapping") ? /^[0-9a-f]{12}$/ : /^\d+\.\d+\.\d+$/);
          if (noun === "portfolios") continue;
          const [, line] = /^line (\d+)/.exec(source.place) ?? expect.fail(`${noun}: ${source.place}`);
          const digits = String(balance).replace("-", "").replace(".00", "").replace(/0$/, "").replace(".", "[.,]");
          expect(lines.slice(Number(line) - 1, Number(line) + 20).join("\n")).toMatch(new RegExp(digits));
        }
    },
  );

  it("[C-8.180] a corrected file is told with the one before; other tenants know of nothing, and deletion leaves nothing", async () => {
    const letter_id = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    const { connection_id } = (await ingest(server, { letter_id }, csv("12.50"), "first.csv")).body;
    await ingest(server, { letter_id }, csv("13.50"), "second.csv");
    const held = await rowsOf("investments", connection_id);
    const [fund, bond] = ["Fund", "Bond"].map((name) => String(held.find((one) => one.name === name)?.id));
    const said = ({ versions }: Item) =>
      versions.map(({ balance, current, source }: Item) => [balance, current, source.name, source.place]);
    expect(said(await why(String(fund)))).toEqual([
      ["13.50", true, "second.csv", "line 2"],
      ["12.50", false, "first.csv", "line 2"],
    ]);
    expect(said(await why(String(bond)))).toEqual([["7.25", true, "second.csv", "line 3"]]);
    expect(await why(String(fund), "2024-01-29")).toMatchObject({ date: null, versions: [] });
    const refused = await tenant.post("/data/v1/why", { id: fund, date: "2999-01-01" });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining("date")]);
    const stranger = await server.createTenant("Another office");
    for (const id of [fund, "no-id", "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11"])
      expect((await stranger.post("/data/v1/why", { id })).status).toBe(404);
    await tenant.post("/data/v1/delete-connection", { credentials_token: connection_id, confirm: true });
    expect((await tenant.post("/data/v1/why", { id: fund })).status).toBe(404);
  });

  it("[C-8.194] a name of a file that does not read as it is is refused; within an archive it has a mark in its place", async () => {
    const letter_id = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    for (const name of ["a\u202Evsc.exe", "a\u200b.csv", "\u3164"]) {
      const refused = await ingest(server, { letter_id }, csv("1.50"), name);
      expect([refused.status, refused.body.error.details]).toEqual([400, [expect.objectContaining({ field: "name" })]]);
    }
    const named = (name: string) => zipOf([{ name, bytes: csv("1.50") }]);
    const { connection_id } = (await ingest(server, { letter_id }, named("in\u202E/a\u200b\n.csv"), "a.zip")).body;
    const [row] = await rowsOf("investments", connection_id);
    expect((await why(String(row?.id))).versions).toMatchObject([{ source: { name: "a.zip", part: "in?/a??.csv" } }]);
    const refused = await ingest(
      server,
      { letter_id },
      zipOf([{ name: "\u202Ea.csv", bytes: camt, flags: 1 }]),
      "b.zip",
    );
    expect(JSON.stringify(refused.body)).toContain("part ?a.csv");
  });

  it("[C-8.181] a number that a bank's own interface gave names the provider and the time", async () => {
    const { id: session_id, widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.eBanking });
    await connectBank(widgetUrl, { username: "somebody", password: "a password" });
    const { connection_id: credentials_token } = await server.demo.tools.call("svc-session-status", { session_id });
    for (const noun of ["portfolios", "investments", "transactions"]) {
      const [row] = (await server.demo.post(`/data/v1/list-${noun}`, { credentials_token })).body.items;
      const { body } = await server.demo.post("/data/v1/why", { id: row.id });
      expect(body.versions[0]).toMatchObject({
        ...{ balance: row.balance, currency: row.currency, current: true },
        source: { kind: "provider", provider: "sandbox", read_at: expect.any(String) },
      });
    }
  });
});
