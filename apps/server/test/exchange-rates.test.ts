import { gzipSync } from "node:zlib";
import { zipOf } from "@org/feed-sources/testing";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { send } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { type Ecb, ecbXml, startEcb } from "./institutions/ecb.js";
import { startReplica } from "./replica.js";
import type { ServerProcess } from "./server-process.js";

const BACKEND = oneBackend(
  "what a store keeps is in the conformance suite of stores; this is about files and the service",
);
const DAY_MS = 86_400_000;
const NOW = Date.now();
const dayBefore = (days: number) => new Date(NOW - days * DAY_MS).toISOString().slice(0, 10);
const octets = { headers: { "content-type": "application/octet-stream" } };
const daysOf = async (server: TestServer) => (await server.operate("/operator/v1/rates/list-days", {})).items;

describe("files of exchange rates", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ backend: BACKEND, environment: { METRICS: "true" } });
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  const importFile = (name: string, bytes: Uint8Array | string) =>
    server.operator.post(`/operator/v1/rates/import?name=${name}`, bytes, octets);

  it("[C-8.131] [C-8.132] of the European Central Bank come as CSV, XML, zip and gzip, and of others as CSV", async () => {
    const daily = "Date, USD, JPY, \n27 February 2026, 1.0561, 160.20, \n";
    const history = "Date,USD,JPY,CYP,\n2026-02-26,1.05,160,N/A,\n2007-12-31,1.4721,164.93,0.585274,\n";
    const files = [
      ["eurofxref.csv", daily, { rows: 2, replaced: 0, first_date: "2026-02-27", last_date: "2026-02-27" }],
      [
        "eurofxref-hist.zip",
        zipOf([{ name: "eurofxref-hist.csv", bytes: Buffer.from(history) }]),
        { rows: 5, replaced: 0, first_date: "2007-12-31", last_date: "2026-02-26" },
      ],
      [
        "eurofxref-daily.xml",
        ecbXml([["2026-02-27", { USD: "1.0600", CHF: "0.9301" }]]),
        { rows: 2, replaced: 1, first_date: "2026-02-27", last_date: "2026-02-27" },
      ],
      [
        "own.csv.gz",
        gzipSync("date,base,quote,rate\n2026-02-25,USD,CHF,0.88\n"),
        { rows: 1, replaced: 0, first_date: "2026-02-25", last_date: "2026-02-25" },
      ],
    ] as const;
    for (const [name, bytes, imported] of files) {
      const { status, body } = await importFile(name, bytes);
      expect([name, status, body]).toEqual([name, 200, imported]);
    }
    const { items } = await server.operate("/operator/v1/rates/list", { date: "2026-02-27" });
    expect(items.map(({ quote, rate, source }: Record<string, string>) => [quote, rate, source])).toEqual([
      ["CHF", "0.9301", "eurofxref-daily.xml"],
      ["JPY", "160.20", "eurofxref.csv"],
      ["USD", "1.0600", "eurofxref-daily.xml"],
    ]);
    expect((await daysOf(server)).map(({ date }: { date: string }) => date)).toEqual([
      ...["2026-02-27", "2026-02-26", "2026-02-25", "2007-12-31"],
    ]);
  });

  it("[C-8.133] [C-8.217] [C-8.218] with a fault nothing of a file is stored, and the answer names the line and the field", async () => {
    const before = await daysOf(server);
    const tomorrow = `date,base,quote,rate\n${dayBefore(-1)},USD,CHF,0.88\n`;
    const { status, body } = await importFile("a.csv", `${tomorrow}${dayBefore(-3)},USD,CHF,0.88\n`);
    expect([status, body.error.details[0].field]).toEqual([400, "line 3.date"]);
    const late = ecbXml([["2025-02-03", { USD: "1.1", JPY: "-" }]]);
    const refused = await importFile("late.xml", late);
    expect([refused.status, refused.body.error.details[0].field]).toEqual([
      400,
      "line 10, column 4, Envelope/Cube/Cube/Cube[2].rate",
    ]);
    expect((await importFile("none.zip", zipOf([]))).status).toBe(400);
    const hidden = await importFile(
      encodeURIComponent("\u202Evsc.a"),
      `date,base,quote,rate\n${dayBefore(3)},USD,CHF,0.88\n`,
    );
    expect([hidden.status, hidden.body.error.details]).toEqual([
      400,
      [{ field: "name", error_type: "InvalidValue", rule: "must not hold characters that are not shown" }],
    ]);
    const zero = await importFile("zero.csv", "date,base,quote,rate\n0000-12-31,USD,CHF,0.88\n");
    expect([zero.status, zero.body.error.details[0].field]).toEqual([400, "line 2.date"]);
    const listed = await server.operator.post("/operator/v1/rates/list", { date: "0000-12-31" });
    expect([listed.status, listed.body.error.details[0].field]).toEqual([400, "date"]);
    expect((await importFile("pdf.pdf", "%PDF-1.7")).body.error.details[0].field).toBe("line 1");
    expect(await daysOf(server)).toEqual(before);
    expect((await importFile("a.csv", tomorrow)).status).toBe(200);
  });

  it("[C-8.136] without RATES nothing is fetched", async () => {
    expect((await send(`${server.url}/metrics`)).text).not.toContain("rate_fetches_total{");
  });
});

describe("RATES=ecb", () => {
  let ecb: Ecb;
  let server: TestServer;
  const schedule = { exchangeRates: 50, exchangeRateRetry: 100 };
  beforeAll(async () => {
    ecb = await startEcb();
    for (const days of [3, 2, 1]) ecb.publish(dayBefore(days), { USD: `1.${days}`, JPY: "160" });
    ecb.institution.fail(() => true, { kind: "instead", reply: { status: 503 } }, 1);
    ecb.institution.fail(() => true, { kind: "html" }, 1);
    server = await startTestServer({
      backend: BACKEND,
      environment: { RATES: "ecb", RATES_URL: ecb.url, METRICS: "true" },
      schedule,
    });
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
    await ecb?.close();
  });

  it("[C-8.137] a fetch that fails is logged and counted, and tried again ever later until one succeeds", async () => {
    await eventually(async () => (await daysOf(server)).length === 3, "the rates of three days are there");
    const { text } = await send(`${server.url}/metrics`);
    expect(text).toContain('wealth_connect_rate_fetches_total{outcome="failed"} 2');
    const log = server.process.log();
    const failed = log.filter(({ msg }) => msg === "exchange rates could not be fetched; will be retried");
    expect(failed.map(({ failures }) => failures)).toEqual([1, 2]);
    const waits = failed.map(({ next_at, time }) => Date.parse(String(next_at)) - new Date(time as string).getTime());
    expect(waits[1]).toBeGreaterThan(0);
    const facts = { file: "eurofxref-hist-90d.xml", rows: 6, replaced: 0, first_date: dayBefore(3) };
    const fetched = await eventually(
      () => server.process.log().find(({ msg }) => msg === "exchange rates were fetched"),
      "the fetch is logged",
    );
    expect(fetched).toMatchObject({ service: "ECB", ...facts, last_date: dayBefore(1) });
    expect((await daysOf(server))[0]).toMatchObject({ date: dayBefore(1), sources: [{ source: "ECB", rates: 2 }] });
    const { items } = await server.operate("/operator/v1/audit/list", { action: "rates.import" });
    expect(items).toMatchObject([{ actor: "system", object_id: "ECB", facts: { name: "ECB", rows: 6 } }]);
  });

  it("[C-8.136] the history comes first and after days without a fetch, otherwise the daily file, each when it is due", async () => {
    const restartAt = async (changes: string) => {
      await server.stop();
      await server.installation.withDatabase((pool) => pool.query(`update exchange_rate_fetches set ${changes}`));
      const before = ecb.institution.requests.length;
      await server.start();
      await eventually(() => ecb.institution.requests.length > before, "it is fetched again");
      await eventually(
        () => server.process.log().some(({ msg }) => msg === "exchange rates were fetched"),
        "the fetch is done",
      );
      return ecb.files.at(-1);
    };
    ecb.publish(dayBefore(0), { USD: "1.0", JPY: "161" });
    expect(await restartAt("due_at = now()")).toBe("eurofxref-daily.xml");
    expect((await daysOf(server))[0]).toMatchObject({ date: dayBefore(0) });
    expect(await restartAt("due_at = now(), succeeded_at = now() - interval '3 days'")).toBe("eurofxref-hist-90d.xml");
  });

  describe.skipIf(!testDatabaseUrl)("two replicas", () => {
    let replica: ServerProcess;
    afterAll(() => replica?.end("SIGKILL"));

    it("[C-8.136] of which one fetches, each time it is due", async () => {
      const environment = { RATES: "ecb", RATES_URL: ecb.url };
      ({ process: replica } = await startReplica(server, { environment, schedule }));
      const query = (text: string) => server.installation.withDatabase((pool) => pool.query(text));
      const succeededAt = async () =>
        (await query("select succeeded_at from exchange_rate_fetches")).rows[0].succeeded_at.getTime();
      const before = ecb.institution.requests.length;
      for (const round of [1, 2, 3, 4]) {
        const last = await succeededAt();
        await query("update exchange_rate_fetches set due_at = now()");
        await eventually(async () => (await succeededAt()) > last, `the rates were fetched once more (${round})`);
      }
      expect(ecb.institution.requests.length).toBe(before + 4);
    });
  });
});
