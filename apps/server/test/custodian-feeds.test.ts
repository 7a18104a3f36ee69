import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { zipOf } from "@org/feed-sources/testing";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../packages/http/test/free-port.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { send } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";
import { startProcess } from "./server-process.js";

const samples = process.env.SAMPLES_DIR ?? fileURLToPath(new URL("../../../../shared/samples", import.meta.url));
const CLOCK_SHIFT = new URL("clock-shift.mjs", import.meta.url).href;
const DAY_MS = 24 * 60 * 60 * 1000;

// biome-ignore lint/suspicious/noExplicitAny: answers of tools
type Row = any;

async function everything({ tools }: TestTenant, connectionId: string) {
  const read = async (tool: string) =>
    (await tools.call(tool, { credentials_token: connectionId, page_size: 500 })) as Row;
  const [portfolios, investments, transactions] = await Promise.all(
    ["svc-portfolios", "svc-investments", "svc-investment-transactions"].map(read),
  );
  return {
    portfolios: portfolios.items.map((row: Row) => `${row.refAccount} ${row.balance} ${row.currency} ${row.type}`),
    investments: investments.items.map(
      (row: Row) =>
        `${row.name} ${row.isin} ${row.amount} ${row.balance} ${row.currency} ${row.valuation_date} ${row.type}`,
    ),
    transactions: transactions.items
      .map((row: Row) => `${row.operationDate} ${row.amount} ${row.balance} ${row.currency} ${row.unitPrice}`)
      .sort(),
  };
}

/** A camt.053 statement of one account, with one movement of the same amount. */
function statement(account: string, day: string, amount: string): Buffer {
  return Buffer.from(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
  <GrpHdr><CreDtTm>${day}T22:00:00Z</CreDtTm></GrpHdr><Stmt><Id>${day}</Id><Acct><Id><Othr><Id>${account}</Id></Othr></Id></Acct>
  <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>
  <Ntry><Amt Ccy="CHF">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt></Ntry>
  </Stmt></BkToCstmrStmt></Document>`);
}

/** What each file holds, as the tools show it, transcribed by hand. */
const shown: Readonly<Record<string, Awaited<ReturnType<typeof everything>>>> = {
  "camt053/camt053.v2.multi.statement.xml": {
    portfolios: ["NL26VAYB8060476890 20.00 EUR L"],
    investments: ["Cash EUR null 20.00 20.00 EUR 2014-12-31 L"],
    transactions: ["2014-12-31 null -7.00 EUR null", "2014-12-31 null 8.85 EUR null"],
  },
  "camt053/camt053.v8.xml": {
    portfolios: ["NL26VAYB8060476890 -27.00 SEK L"],
    investments: ["Cash SEK null -27.00 -27.00 SEK 2014-12-30 L"],
    transactions: ["2014-12-31 null 8.85 EUR null"],
  },
  "ibflex/activity_fractional_shares.xml": {
    portfolios: ["U1234567 232.75 USD S"],
    investments: ["AMAZON.COM INC null 1.25 232.75 USD 2025-01-15 VI"],
    transactions: [
      "2025-01-15 -0.5 93.25 USD 186.50",
      "2025-01-15 -1.25 232.50 USD 186.00",
      "2025-01-15 0.5 -93.25 USD 186.50",
      "2025-01-15 2.5 -463.50 USD 185.40",
    ],
  },
};

describe("custodian feeds", () => {
  let server: TestServer;
  let tenant: TestTenant;
  const drop = mkdtempSync(join(tmpdir(), "drop-"));
  const environment = { DROP_DIR: drop, METRICS: "true" };
  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend(
        "which file counts is decided before anything is stored; data-feeds and the conformance suite of the stores run on both",
      ),
      environment,
      schedule: { dropFolder: 100 },
    });
    tenant = await server.createTenant("Family office");
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
    rmSync(drop, { recursive: true, force: true });
  });

  const leave = (folder: string, name: string, bytes: Uint8Array) => {
    mkdirSync(join(drop, folder), { recursive: true });
    writeFileSync(join(drop, folder, name), bytes);
    utimesSync(join(drop, folder, name), new Date(), new Date(Date.now() - 60_000));
  };
  const letterOf = async (who: TestTenant, id: string) =>
    (await who.post("/letters/v1/search-letters", { query: { id_in: [id] } })).body.items[0];

  it.skipIf(!existsSync(samples)).each(Object.entries(shown))(
    "[C-4.18] [C-9.29] [C-9.30] %s reads back from the tools to the last digit",
    async (name, expected) => {
      const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
      const { status, body } = await ingest(server, { letter_id: letterId }, readFileSync(`${samples}/${name}`), name);
      expect([status, body.warnings]).toEqual([200, []]);
      expect(await everything(tenant, body.connection_id)).toEqual(expected);
    },
  );

  it("ids stay from file to file, and accounts in files of their own stand side by side", async () => {
    const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    const take = async (...file: Parameters<typeof statement>) =>
      (await ingest(server, { letter_id: letterId }, statement(...file), "a.xml")).body;
    const { connection_id } = await take("A", "2024-01-30", "1.10");
    const ids = async () => {
      const { items } = (await tenant.tools.call("svc-portfolios", { credentials_token: connection_id })) as Row;
      return Object.fromEntries(items.map((row: Row) => [row.refAccount, row.id]));
    };
    const before = await ids();
    await take("B", "2024-01-30", "5");
    await take("A", "2024-01-31", "2.20");
    const late = await take("A", "2024-01-29", "0.90");
    expect(late.warnings).toEqual([{ place: "file", message: expect.stringContaining("is older than what is known") }]);
    expect((await ids()).A).toBe(before.A);
    const all = await everything(tenant, connection_id);
    expect(all.portfolios.sort()).toEqual(["A 2.20 CHF L", "B 5 CHF L"]);
    expect(all.transactions).toHaveLength(4);
  });

  it("[C-9.260] [C-9.261] a zip of several files is taken whole or not at all, and says what became of each", async () => {
    const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    const file = (name: string, bytes: Uint8Array) => ({ name, bytes });
    const parts = [
      file("a.xml", statement("A", "2024-01-30", "1.10")),
      file("b.xml.gz", gzipSync(statement("B", "2024-01-30", "5"))),
    ];
    const bad = await ingest(
      server,
      { letter_id: letterId },
      zipOf([...parts, file("c.xml", Buffer.from("<c/>"))]),
      "c.zip",
    );
    expect([bad.status, JSON.stringify(bad.body)]).toEqual([
      400,
      expect.stringContaining("part c.xml: file: is an XML"),
    ]);
    expect((await letterOf(tenant, letterId)).status).toBe("WaitingForData");
    const zip = zipOf([...parts, file("README.txt", Buffer.from("Dear"))]);
    const { status, body } = await ingest(server, { letter_id: letterId }, zip, "day.zip");
    const part = { sha256: expect.any(String), format: "camt.053", portfolios: 1, holdings: 1, transactions: 1 };
    expect([status, body]).toMatchObject([
      200,
      {
        status: "ingested",
        format: "camt.053",
        portfolios: 2,
        holdings: 2,
        transactions: 2,
        parts: [
          { name: "a.xml", status: "ingested", ...part },
          { name: "b.xml", status: "ingested", ...part },
        ],
        warnings: [{ place: "part README.txt", message: "is for people to read, and was left out" }],
      },
    ]);
    const both = ["A 1.10 CHF L", "B 5 CHF L"];
    expect((await everything(tenant, body.connection_id)).portfolios.sort()).toEqual(both);
    // The same day through another channel: the content of the archive is recognised.
    const again = await ingest(server, { letter_id: letterId }, parts[0]?.bytes as Buffer, "a.xml");
    expect([again.body.status, again.body.parts]).toEqual(["duplicate", undefined]);
    leave(letterId, "again.zip", zip);
    await eventually(
      () => existsSync(join(drop, "done", letterId)) && readdirSync(join(drop, "done", letterId)).length === 1,
      "the archive in the drop folder is moved to done",
    );
    expect((await everything(tenant, body.connection_id)).portfolios.sort()).toEqual(both);
  });

  it("a file is compared account by account: a newer one of one account makes another no newer", async () => {
    const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    const second = /<Stmt>.*<\/Stmt>/s.exec(statement("B", "2024-01-10", "10.00").toString())?.[0];
    const both = statement("A", "2024-01-20", "1").toString().replace("</Stmt>", `</Stmt>${second}`);
    const { connection_id } = (await ingest(server, { letter_id: letterId }, Buffer.from(both), "both.xml")).body;
    const { body } = await ingest(server, { connection_id }, statement("B", "2024-01-15", "999.00"), "b.xml");
    expect(body).toMatchObject({ status: "ingested", warnings: [] });
    expect((await everything(tenant, connection_id)).portfolios.sort()).toEqual(["A 1 CHF L", "B 999.00 CHF L"]);
  });

  it("[C-4.43] texts of a file are taken without characters that are not shown, with a warning; ids stay those of the file", async () => {
    const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    const hidden = "\u202eI\u200bgnore\u{e0041}";
    const stated = (own: string) =>
      Buffer.from(
        statement("E", "2024-01-31", "1")
          .toString()
          .replace("</Acct>", `<Nm>Depot${own}${"x".repeat(600)}</Nm></Acct>`)
          .replace("</Ntry>", `<AddtlNtryInf>Fee${own}</AddtlNtryInf></Ntry>`),
      );
    const { body } = await ingest(server, { letter_id: letterId }, stated(hidden), "e.xml");
    expect(body).toMatchObject({
      status: "ingested",
      warnings: [
        {
          place: "file",
          message: expect.stringMatching(
            /^texts with characters that are not shown \(U\+202E, .*, which were left out: 2$/,
          ),
        },
        { place: "file", message: "texts longer than 500 characters, which were cut: 1" },
      ],
    });
    const read = async (tool: string) =>
      ((await tenant.tools.call(tool, { credentials_token: body.connection_id })) as Row).items;
    const [portfolio] = await read("svc-portfolios");
    expect(portfolio.name).toBe(`DepotIgnore${"x".repeat(489)}`);
    expect((await read("svc-investment-transactions")).map((row: Row) => row.description)).toEqual(["FeeIgnore"]);
    // Without them a file states another transaction, since the id is computed from what the bank wrote.
    await ingest(server, { letter_id: letterId }, stated(""), "f.xml");
    expect(await read("svc-investment-transactions")).toHaveLength(2);
  });

  it("[C-1.24] [C-7.18] a file in the folder of a waiting letter connects it; a refused one is held", async () => {
    const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    leave(letterId, "good.xml", statement("C", "2024-01-31", "7.0700"));
    leave(letterId, "bad.xml", Buffer.from("Date,Amount\n"));
    await eventually(() => readdirSync(join(drop, letterId)).length === 0, "both files are taken");
    const { status, connection_id } = await letterOf(tenant, letterId);
    expect(status).toBe("Connected");
    expect(await everything(tenant, connection_id)).toMatchObject({ portfolios: ["C 7.0700 CHF L"] });
    const held = await server.operate("/operator/v1/datafeeds/list-pending", { source: "drop-folder" });
    expect(held.items).toMatchObject([{ name: `${letterId}/bad.xml`, findings: [{ reason: /none of the formats/ }] }]);
    expect(readdirSync(join(drop, "done", letterId))).toEqual([expect.stringMatching(/-good\.xml$/)]);
    const metrics = (await send(`${server.url}/metrics`, {})).text;
    expect(metrics).toMatch(/wealth_connect_feed_files_total\{outcome="ingested",format="camt\.053"\} [1-9]/);
    expect(metrics).toMatch(/wealth_connect_feed_files_total\{outcome="refused",format=""\} [1-9]/);
    const moves = await server.operate("/operator/v1/letters/show", { letter_id: letterId });
    expect(moves.letter.history.at(-1)).toMatchObject({
      event: "connect",
      actor: "system",
      note: "first data-feed file",
    });
  });

  it("[C-9.197] [C-9.198] CSV is read by a mapping of the connection, else of its connector, else refused as what it is", async () => {
    const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    const file = (amount: string) => Buffer.from(`Tag;Betrag\n2024-01-15;${amount}\n`);
    const take = (amount: string) => ingest(server, { letter_id: letterId }, file(amount), "fern.csv");
    expect(JSON.stringify((await take("1")).body.error)).toContain("CSV (text in columns)");
    const mapping = {
      language: 1,
      name: "fernbank",
      title: "Fern Bank",
      recognise: { header: ["Tag", "Betrag"] },
      delimiter: ";",
      values: { date: { column: "Tag" }, cash: { column: "Betrag" }, currency: { constant: "CHF" } },
      tables: [{ rows: [{ is: "transaction", kind: "deposit" }] }],
    };
    const path = "/operator/v1/datafeed-mappings";
    const wrong = await server.operator.post(`${path}/set`, {
      connector_id: sandboxBanks.datafeed,
      mapping: { ...mapping, delimiter: "", dates: ["dd"] },
    });
    expect(wrong.body.error.details.map(({ field }: Row) => field)).toEqual(["mapping.delimiter", "mapping.dates[0]"]);
    await server.operate(`${path}/set`, { connector_id: sandboxBanks.datafeed, mapping });
    const taken = (await take("2.50")).body;
    expect(taken).toMatchObject({ status: "ingested", format: "mapping:fernbank", transactions: 1 });
    const { connection_id } = taken;
    const negative = { ...mapping.values, cash: { column: "Betrag", sign: "minus" } };
    await server.operate(`${path}/set`, { connection_id, mapping: { ...mapping, name: "own", values: negative } });
    expect((await take("3.50")).body).toMatchObject({ format: "mapping:own" });
    const answer = await tenant.tools.call("svc-investment-transactions", { credentials_token: connection_id });
    expect((answer.items as Row[]).map(({ balance }) => balance).sort()).toEqual(["-3.50", "2.50"]);
    const partly = Buffer.from("Tag;Betrag\n2024-01-18;9\n2024-01-17;x\n");
    expect((await ingest(server, { connection_id }, partly, "partly.csv")).body).toMatchObject({
      ...{ status: "ingested", transactions: 1, left_out: 1 },
      warnings: [{ place: 'line 3, column "Betrag"', message: expect.stringContaining("the row is left out") }],
    });
    const reconciled = await server.operate("/operator/v1/datafeeds/reconcile", {
      connection_or_letter_id: connection_id,
    });
    expect(reconciled.left_out).toMatchObject([{ place: 'line 3, column "Betrag"', field: "Betrag" }]);
    const other = await ingest(server, { connection_id }, Buffer.from("Tag;Wert\n2024-01-18;9\n"), "other.csv");
    expect(JSON.stringify(other.body.error)).toMatch(/own: line 1 lacks .*Betrag.*, and is CSV \(text in columns\)/);
    const large = Buffer.from(`Tag;Betrag\n${"2024-01-16;0.01\n".repeat(20_000)}x`);
    const refused = await ingest(server, { connection_id }, large, "large.csv");
    expect(JSON.stringify(refused.body.error)).toContain("line 20002: has 1 columns, and its table has 2");
    await server.operate(`${path}/remove`, { connector_id: sandboxBanks.datafeed, name: "fernbank" });
    const { items } = await server.operate(`${path}/list`, {});
    expect(items.filter((row: Row) => row.changed_at !== null)).toMatchObject([{ name: "own", connection_id }]);
  });

  it("a mapping is tried without holding anybody up, and what says too much is refused", async () => {
    const path = "/operator/v1/datafeed-mappings/test";
    const rows = "2024-01-15;1;aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n".repeat(4_000);
    const file = Buffer.from(`Tag;Betrag;Text\n${rows}`).toString("base64");
    const text = { column: "Text" };
    const never = { value: { concat: Array(20).fill(text) }, contains: Array.from({ length: 10 }, (_, n) => `b${n}`) };
    const mapping = {
      language: 1,
      name: "slow",
      title: "Slow",
      recognise: { header: ["Tag", "Betrag"] },
      delimiter: ";",
      values: { date: { column: "Tag" }, cash: { column: "Betrag" }, currency: { constant: "CHF" } },
      tables: [{ rows: [...Array(20).fill({ when: never, is: "ignored" }), { is: "transaction", kind: "deposit" }] }],
    };
    let isTried = false;
    const trial = server.operator.post(path, { mapping, file }).finally(() => {
      isTried = true;
    });
    let answered = 0;
    for (; !isTried; answered += 1) await send(`${server.url}/healthz`);
    expect((await trial).body).toMatchObject({ counts: { transaction: 4_000 }, faults_total: 0 });
    expect(answered).toBeGreaterThan(5);
    const values = { ...mapping.values, description: { concat: Array(20).fill({ concat: Array(10).fill(text) }) } };
    const told = { ...mapping, values, tables: [{ rows: [{ is: "transaction" }] }] };
    const refused = await server.operator.post(path, { mapping: told, file, limit: 500 });
    expect([refused.status, refused.body.error.details.map(({ field }: Row) => field)]).toEqual([400, ["file"]]);
    expect(JSON.stringify(refused.body)).toContain("says too much in the rows");
    const faulty = { ...mapping, delimiter: "" };
    for (const call of [
      server.operator.post(path, { mapping: faulty, file }),
      server.operator.post(path, { mapping: {}, file }),
    ])
      expect((await call).body.error.details[0].field).toMatch(/^mapping\./);
  });

  it("[S2-3.11] [S2-3.19] silence blocks the letter and its connection, the next good file resolves both", async () => {
    const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    const { connection_id } = (await ingest(server, { letter_id: letterId }, statement("D", "2024-01-30", "1"))).body;
    await server.start({ CLOCK_SHIFT_MS: String(7.1 * DAY_MS) }, ["--import", CLOCK_SHIFT]);
    const later = await server.loginAgain(tenant);
    await eventually(async () => (await letterOf(later, letterId)).status === "Blocked", "silence blocks the letter");
    const token = { credentials_token: connection_id };
    expect(await later.tools.call("svc-credential-status", token)).toMatchObject({ blocked: true });
    expect(await later.tools.call("svc-needs-relogin", token)).toMatchObject({
      needs_relogin: true,
      reasons: [{ code: "blocked" }],
    });
    leave(connection_id, "next.xml", statement("D", "2024-01-31", "2"));
    await eventually(
      async () => (await letterOf(later, letterId)).status === "Connected",
      "the file resolves the block",
    );
    expect(await later.tools.call("svc-needs-relogin", token)).toMatchObject({ needs_relogin: false, reasons: [] });
    expect(await everything(later, connection_id)).toMatchObject({ portfolios: ["D 2 CHF L"] });
    expect(server.faults()).toEqual([]);
  });
});

describe.skipIf(!testDatabaseUrl)("custodian feeds on PostgreSQL, two replicas", () => {
  let server: TestServer;
  let tenant: TestTenant;
  const drop = mkdtempSync(join(tmpdir(), "drop-"));
  beforeAll(async () => {
    server = await startTestServer({
      backend: "postgres",
      environment: { DROP_DIR: drop },
      schedule: { dropFolder: 100 },
    });
    tenant = await server.createTenant("Family office");
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
    rmSync(drop, { recursive: true, force: true });
  });

  it("files and an operator's moves at once: each file once, the letter where the table leads, nothing half done", async () => {
    const moves = ["block", "resolve", "block", "resolve"];
    for (let round = 0; round < 8; round += 1) {
      const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
      const target = { letter_id: letterId };
      const days = ["2024-01-29", "2024-01-30", "2024-01-31"];
      const answers = await Promise.all([
        ...[...days, "2024-01-31"].map((day) => ingest(server, target, statement("E", day, day.slice(-2)))),
        ...moves.map((move) => server.operator.post(`/operator/v1/letters/${move}`, target)),
      ]);
      const files = answers.slice(0, 4);
      // A file that arrives while an operator has blocked the waiting letter is refused with 409, and is sent again.
      for (const [n, { status }] of files.entries())
        if (status === 409) {
          const { status: now } = await letterOf(letterId);
          if (now === "Blocked") await server.operator.post("/operator/v1/letters/resolve", target);
          const day = days[n] ?? "2024-01-31";
          files[n] = await ingest(server, target, statement("E", day, day.slice(-2)));
        }
      expect(files.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(answers.slice(4).every(({ status }) => status === 200 || status === 409)).toBe(true);
      const outcomes = files.map(({ body }) => body.status).sort();
      expect(outcomes).toEqual(["duplicate", "ingested", "ingested", "ingested"]);
      expect(new Set(files.map(({ body }) => body.connection_id)).size).toBe(1);
      const { connection_id, status } = await letterOf(letterId);
      const credential = (await tenant.tools.call("svc-credential-status", {
        credentials_token: connection_id,
      })) as Row;
      expect([status, credential.blocked]).toEqual(status === "Blocked" ? ["Blocked", true] : ["Connected", false]);
      const all = await everything(tenant, connection_id);
      expect(all.portfolios).toEqual(["E 31 CHF L"]);
      expect(all.transactions).toHaveLength(3);
    }
    expect(server.faults()).toEqual([]);
  });

  it("two servers on one drop folder take each file once", async () => {
    const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    const environment = { ...server.installation.environment, PUBLIC_URL: server.url, DROP_DIR: drop };
    const second = await startProcess({ ...environment, PORT: await freePort() }, [], { dropFolder: 100 });
    await second.ready();
    try {
      mkdirSync(join(drop, letterId));
      const days = Array.from({ length: 20 }, (_, n) => `2024-02-${String(n + 1).padStart(2, "0")}`);
      for (const day of days) writeFileSync(join(drop, letterId, `${day}.xml`), statement("F", day, day.slice(-2)));
      await eventually(() => readdirSync(join(drop, letterId)).length === 0, "all files are taken");
      const { connection_id } = await letterOf(letterId);
      const all = await everything(tenant, connection_id);
      expect(all.portfolios).toEqual(["F 20 CHF L"]);
      expect(all.transactions).toHaveLength(20);
      expect(readdirSync(join(drop, "done", letterId))).toHaveLength(20);
      const records = [...server.process.log(), ...second.log()] as Row[];
      const taken = records.filter(({ msg, outcome }) => msg === "custodian file" && outcome === "ingested");
      expect(taken.filter(({ connection_id: id }) => id === connection_id)).toHaveLength(20);
      expect(server.faults()).toEqual([]);
    } finally {
      await second.end("SIGTERM");
    }
  });

  const letterOf = async (id: string) =>
    (await tenant.post("/letters/v1/search-letters", { query: { id_in: [id] } })).body.items[0];
});
