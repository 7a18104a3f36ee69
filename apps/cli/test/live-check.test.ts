import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readRecording, recordingCases } from "@org/provider-kit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import alpaca from "../../../packages/provider-alpaca/src/index.js";
import { KNOWN_KEY, openGate, startPrism } from "../../../packages/provider-alpaca/test/judged-alpaca.js";
import { larkspur, larkspurQueries } from "../../../packages/provider-ibkr-flex/test/stand-in/customers.js";
import { startFlexService } from "../../../packages/provider-ibkr-flex/test/stand-in/flex-service.js";
import trading212 from "../../../packages/provider-trading212/src/index.js";
import { startTrading212 } from "../../server/test/institutions/trading212.js";
import { commandLine, valuesIn } from "./command-line.js";

const cli = commandLine();
afterAll(() => cli.remove());

describe("[C-5.170] [C-5.173] Alpaca, as its description is served by Prism", () => {
  const credentials = { key_id: KNOWN_KEY, secret_key: "secret-of-larkspur" };
  const file = join(cli.folder, "alpaca/alpaca.recording.json");
  let prism: Awaited<ReturnType<typeof startPrism>>;
  beforeAll(async () => {
    prism = await startPrism();
  });
  afterAll(() => prism.close());

  it("is proven by one command, without a server", async () => {
    const gate = await openGate(prism.url);
    const base_urls = { live: gate.url, paper: gate.url };
    cli.file("alpaca.json", JSON.stringify({ base_urls }));
    const args = ["providers", "live-check", "alpaca", "--settings", "alpaca.json", "--credentials", "-"];
    const run = await cli.json([...args, "--connector", "usa:alpaca-paper", "--record", "alpaca"], {
      stdin: JSON.stringify(credentials),
    });
    gate.close();
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const same = { gone: 0, added: 0, renamed: 0 };
    expect(run.document).toMatchObject({
      ok: true,
      login: ["authenticated"],
      first: { rows: { portfolios: 1, holdings: 3, transactions: 2 } },
      keys: { portfolios: { same: 1, ...same }, holdings: { same: 2, ...same }, transactions: { same: 2, ...same } },
      sums: [{ portfolio: 1, holdings: 3, percent: "0.25", why: null }],
      requests: { "GET /v2/account/activities": { 200: 4 } },
      recording: { formulas_missing: 0 },
      // The host that answered: it is not Alpaca's.
      line: expect.stringMatching(
        /^\| `alpaca`: run on \d{4}-\d\d-\d\d \| `127\.0\.0\.1:\d+` \(`usa:alpaca-paper`\) .*\|$/,
      ),
    });
    const all = run.stdout + readFileSync(file, "utf8");
    const values = [
      ...Object.values(credentials),
      "PALPACA_123",
      "122086.5",
      "123346.11",
      "AAPL",
      "1d9eed04",
      "2d7be4ff",
    ];
    expect(valuesIn(all, values)).toEqual([]);
  });

  describe("the suite on the recording:", () => {
    for (const { name, run } of recordingCases(() => ({ definition: alpaca, recording: readRecording(file) })))
      it(name, async () => {
        await run();
      });
  });
});

describe("[C-5.170] Interactive Brokers, by its stand-in", () => {
  const file = join(cli.folder, "flex/ibkr-flex.recording.json");
  it("is proven, and its statement in XML is recorded", async () => {
    const token = larkspur();
    token.expires_at = new Date("2999-01-01");
    const service = await startFlexService({ clock: () => new Date(), tokens: [token], generation_ms: 0 });
    cli.file("flex.json", JSON.stringify({ base_url: service.base_url }));
    cli.file("flex-login.json", JSON.stringify({ token: token.value, query_id: larkspurQueries.activity }));
    const args = [
      "providers",
      "live-check",
      "ibkr-flex",
      "--settings",
      "flex.json",
      "--credentials",
      "flex-login.json",
    ];
    const run = await cli.json([...args, "--record", "flex"]);
    await service.close();
    expect(run).toMatchObject({ code: 0, document: { ok: true, login: ["authenticated"] } });
    const all = run.stdout + readFileSync(file, "utf8");
    expect(valuesIn(all, [token.value, "U7000001", "Larkspur"])).toEqual([]);
  });
});

describe("[C-5.170] [C-5.173] Trading 212, by its stand-in", () => {
  it("is proven, and its recording is read by the suite", async () => {
    const broker = await startTrading212({ clock: () => new Date() });
    broker.limit(false);
    broker.list("AAPL_US_EQ", "Apple", "US0378331005", "USD", "200", "0.8");
    const account = broker.open("GBP");
    account.move("DEPOSIT", "5017.37");
    account.trade("AAPL_US_EQ", "3", "190");
    account.dividend("AAPL_US_EQ", "0.25", "0.6");
    const { key, secret } = account.makeKey();
    const base_urls = { live: broker.institution.url, demo: broker.institution.url };
    cli.file("trading212.json", JSON.stringify({ base_urls }));
    const args = ["providers", "live-check", "trading212", "--settings", "trading212.json", "--credentials", "-"];
    const run = await cli.json([...args, "--connector", "gbr:trading212", "--record", "trading212"], {
      stdin: JSON.stringify({ api_key: key, api_secret: secret }),
    });
    await broker.close();
    expect(run).toMatchObject({
      code: 0,
      document: { ok: true, first: { rows: { portfolios: 1, transactions: 3 } } },
    });
    const file = join(cli.folder, "trading212/trading212.recording.json");
    const values = [key, secret, String(account.id), "5017.37", "AAPL_US_EQ", "US0378331005", "Apple"];
    expect(valuesIn(run.stdout + run.stderr + readFileSync(file, "utf8"), values)).toEqual([]);
    const setup = () => ({ definition: trading212, recording: readRecording(file) });
    for (const { run: passes } of recordingCases(setup)) await passes();
  });
});
