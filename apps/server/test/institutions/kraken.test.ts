import { createHash, createHmac } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { type KrakenKey, startKraken } from "./kraken.js";

interface Answer {
  readonly error: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: results of every call.
  readonly result: any;
}

async function exchange() {
  let now = Date.parse("2026-11-20T15:00:00Z");
  let nonce = 1_000;
  const started = await startKraken({ clock: () => new Date(now) });
  onTestFinished(() => started.close());
  started.list("XXBT", "XBT", 10);
  started.list("ZUSD", "USD", 4);
  started.pair("XXBTZUSD", "XXBT", "ZUSD", "60000.1");
  async function call({ key, secret }: KrakenKey, name: string, more: Record<string, string> = {}) {
    nonce += 1;
    const body = new URLSearchParams({ nonce: String(nonce), ...more }).toString();
    const path = `/0/private/${name}`;
    const hash = createHash("sha256")
      .update((more.nonce ?? String(nonce)) + body)
      .digest();
    const mac = createHmac("sha512", Buffer.from(secret, "base64")).update(path).update(hash).digest("base64");
    const headers = { "API-Key": key, "API-Sign": mac, "content-type": "application/x-www-form-urlencoded" };
    const answer = await fetch(started.base_url + path, { method: "POST", body, headers });
    return { status: answer.status, ...((await answer.json()) as Answer) };
  }
  return {
    ...started,
    call,
    ofPublic: async (path: string) => (await (await fetch(`${started.base_url}/0/public/${path}`)).json()) as Answer,
    later: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}

it("[C-5.146] Kraken: balances and ledger in each asset's decimals, two entries for a trade, fifty a page", async () => {
  const kraken = await exchange();
  const account = kraken.open();
  const key = account.makeKey();
  account.post("deposit", "ZUSD", "10000");
  account.trade("buy", "XXBTZUSD", "0.1", "50000", "13");
  kraken.later(1);
  account.post("staking", "XXBT", "0.0001");
  expect(await kraken.call(key, "Balance")).toEqual({
    status: 200,
    error: [],
    result: { ZUSD: "4987.0000", XXBT: "0.1001000000" },
  });
  expect((await kraken.call(key, "BalanceEx")).result.ZUSD).toEqual({ balance: "4987.0000", hold_trade: "0.0000" });
  const { ledger, count } = (await kraken.call(key, "Ledgers", { type: "trade" })).result;
  const entries: Record<string, string>[] = Object.values(ledger);
  expect([count, new Set(entries.map(({ refid }) => refid)).size]).toEqual([2, 1]);
  expect(entries.map(({ asset, amount, fee, balance }) => [asset, amount, fee, balance])).toEqual([
    ["ZUSD", "-5000.0000", "13.0000", "4987.0000"],
    ["XXBT", "0.1000000000", "0.0000000000", "0.1000000000"],
  ]);
  for (let row = 0; row < 60; row += 1) {
    kraken.later(1);
    account.post("deposit", "ZUSD", "1");
  }
  const pages = [await kraken.call(key, "Ledgers"), await kraken.call(key, "Ledgers", { ofs: "50" })];
  expect(pages.map(({ result }) => [Object.keys(result.ledger).length, result.count])).toEqual([
    [50, 64],
    [14, 64],
  ]);
  const last = Object.values(pages[0]?.result.ledger)[9] as { time: number };
  expect((await kraken.call(key, "Ledgers", { start: String(last.time) })).result.count).toBe(9);
  expect((await kraken.ofPublic("Ticker?pair=XBTUSD")).result.XXBTZUSD.c[0]).toBe("60000.10000");
  expect((await kraken.ofPublic("Ticker?pair=NONE")).error).toEqual(["EQuery:Unknown asset pair"]);
});

it("[C-5.146] Kraken: signature, growing nonce, permissions and the counter, refused with status 200", async () => {
  const kraken = await exchange();
  const account = kraken.open();
  const key = account.makeKey();
  expect((await kraken.call(key, "Balance")).error).toEqual([]);
  expect(await kraken.call(key, "Balance", { nonce: "1000" })).toEqual({ status: 200, error: ["EAPI:Invalid nonce"] });
  const forged = { ...key, secret: Buffer.from("other").toString("base64") };
  expect((await kraken.call(forged, "Balance")).error).toEqual(["EAPI:Invalid signature"]);
  expect((await kraken.call({ ...key, key: "none" }, "Balance")).error).toEqual(["EAPI:Invalid key"]);
  const narrow = account.makeKey(["BalanceEx"]);
  expect((await kraken.call(narrow, "Ledgers")).error).toEqual(["EGeneral:Permission denied"]);
  expect((await kraken.call(narrow, "GetApiKeyInfo")).result).toMatchObject({
    iban: account.iban,
    permissions: ["query-funds"],
  });
  // One for the balance, then seven ledgers at two each; the counter falls by a third each second.
  for (let calls = 0; calls < 7; calls += 1) expect((await kraken.call(key, "Ledgers")).error).toEqual([]);
  expect((await kraken.call(key, "Balance")).error).toEqual(["EAPI:Rate limit exceeded"]);
  kraken.later(7);
  expect((await kraken.call(key, "Balance")).error).toEqual([]);
  kraken.refuse("EService:Unavailable");
  expect(await kraken.call(key, "Balance")).toEqual({ status: 200, error: ["EService:Unavailable"] });
  kraken.refuse(null);
  kraken.revoke(key);
  expect((await kraken.call(key, "Balance")).error).toEqual(["EAPI:Invalid key"]);
});
