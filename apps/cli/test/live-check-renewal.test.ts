import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readRecording, recordingCases } from "@org/provider-kit/testing";
import { afterAll, expect, it, onTestFinished } from "vitest";
import type { Institution } from "../../../packages/provider-kit/test/stand-in/institution.js";
import kraken from "../../../packages/provider-kraken/src/index.js";
import saxo from "../../../packages/provider-saxo/src/index.js";
import { startKraken } from "../../server/test/institutions/kraken.js";
import { startSaxo } from "../../server/test/institutions/saxo.js";
import { furnish } from "../../server/test/institutions/saxo-book.js";
import { commandLine, valuesIn } from "./command-line.js";

const cli = commandLine();
afterAll(() => cli.remove());

const DAY = 24 * 60 * 60_000;
const liveCheck = (name: string) => ["providers", "live-check", name, "--settings", `${name}.json`, "--record", name];
const recorded = (name: string) => join(cli.folder, name, `${name}.recording.json`);

/** What was sent that only this customer, or this application, may know. */
function secretsSent({ requests }: Institution): readonly string[] {
  return requests.flatMap(({ headers, body }) => [
    ...[headers.authorization ?? "", headers["api-key"] ?? "", headers["api-sign"] ?? ""]
      .flat()
      .map((text) => text.replace(/^\w+ /, ""))
      .filter((text) => text !== ""),
    ...["code", "refresh_token"].flatMap((name) => new URLSearchParams(body).get(name) ?? []),
  ]);
}

it("[C-5.212] [C-5.230] live-check of Saxo goes on with tokens that are replaced in the middle of both fetches, and shows none of them", async () => {
  const at = new Date();
  const bank = await startSaxo({ clock: () => at, app: { key: "8f4c2a90b1d7", secret: "5d21e7c03b66a4" } });
  onTestFinished(() => bank.close());
  bank.limit(false);
  furnish(bank.book);
  const { base_url, authorization_url: authorize_url, token_url, app } = bank;
  const client = { client_id: app.key, client_secret: app.secret, authorize_url, token_url };
  cli.file("saxo.json", JSON.stringify({ base_urls: { sim: base_url }, clients: { sim: client } }));
  // After each of two accounts in each of two fetches.
  bank.spoil("/port/v1/balances", (body) => {
    bank.expire();
    return body;
  });
  const run = await cli.json([...liveCheck("saxo"), "--callback-port", "0"], {
    async onNote(note) {
      const address = /^http\S+\/authorize\?\S+$/m.exec(note)?.[0];
      if (address === undefined) return;
      bank.register(new URL(address).searchParams.get("redirect_uri") ?? "");
      const { headers } = await fetch(address, { redirect: "manual" });
      await fetch(headers.get("location") ?? "");
    },
  });
  const { requests } = bank.institution;
  const renewed = requests.flatMap(({ body }) => new URLSearchParams(body).get("refresh_token") ?? []);
  expect([renewed.length, new Set(renewed).size]).toEqual([4, 4]);
  expect(run).toMatchObject({
    code: 0,
    document: {
      ok: true,
      faults: [],
      login: ["redirect", "authenticated"],
      first: { rows: { portfolios: 2, holdings: 9, transactions: 28 } },
      keys: { transactions: { gone: 0, added: 0, renamed: 0 } },
      requests: { "GET /openapi/port/v1/netpositions": { 200: 4, 401: 4 } },
    },
  });
  const text = readFileSync(recorded("saxo"), "utf8");
  const { client: customer, accounts } = bank.book;
  const values = [
    ...new Set(secretsSent(bank.institution)),
    ...[app.key, String(app.secret), customer.id, customer.key, customer.name],
    ...accounts.flatMap(({ id, key }) => [id, key]),
    ...["50439.797411", "20586.703199", "13779.66", "33507.06", "2099.633199", "Apple Inc.", "Tesla Inc."],
  ].filter((value) => value !== "settings-test");
  // The address for the browser is Saxo's, and names the application.
  expect(valuesIn(run.stdout + text, values)).toEqual([]);
  expect(valuesIn(run.stderr, values)).toEqual([app.key]);
  const setup = () => ({ definition: saxo, recording: readRecording(recorded("saxo")) });
  for (const { run: passes } of recordingCases(setup)) await passes();
});

it("[C-5.212] [C-5.229] live-check of Kraken signs each request, shows neither the key nor a signature, and records what no one has to correct", async () => {
  let now = Date.now() - DAY;
  const exchange = await startKraken({ clock: () => new Date(now) });
  onTestFinished(() => exchange.close());
  exchange.list("XXBT", "XBT", 10);
  exchange.list("ZUSD", "USD", 4);
  exchange.pair("XXBTZUSD", "XXBT", "ZUSD", "60123.1");
  const account = exchange.open();
  const { key, secret } = account.makeKey();
  account.post("deposit", "ZUSD", "10317.37");
  account.trade("buy", "XXBTZUSD", "0.13726845", "50123.7", "13.21");
  now += DAY;
  cli.file("kraken.json", JSON.stringify({ base_urls: { live: exchange.base_url } }));
  const words = "permissions,asset,altname,base,quote,type";
  const run = await cli.json([...liveCheck("kraken"), "--words", words, "--credentials", "-"], {
    stdin: JSON.stringify({ api_key: key, private_key: secret }),
  });
  expect(run).toMatchObject({
    code: 0,
    document: {
      ok: true,
      first: { rows: { portfolios: 1, holdings: 2, transactions: 2 } },
      recording: { formulas_missing: 0 },
    },
  });
  const text = readFileSync(recorded("kraken"), "utf8");
  const values = [key, secret, account.iban, ...secretsSent(exchange.institution), "10317.37", "0.1372684500"];
  expect(valuesIn(run.stdout + run.stderr + text, values)).toEqual([]);
  const setup = () => ({ definition: kraken, recording: readRecording(recorded("kraken")) });
  for (const { run: passes } of recordingCases(setup)) await passes();
});
