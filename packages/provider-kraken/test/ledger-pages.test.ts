import type { BankProvider, HttpClient, HttpRequest, TransactionData } from "@org/provider-kit";
import { createPace } from "@org/provider-kit";
import { requestsFor } from "@org/provider-kit/testing";
import kraken from "@org/provider-kraken";
import { expect, it } from "vitest";

const PAGE = 50;
const requests = requestsFor("usa:kraken", "live");
const access = { key: { api_key: "key", private_key: "c2VjcmV0" }, user_key: "AA88" };

/** A ledger of trades in a currency, the newest first: `before` deposits, then trades of two entries each. */
function ledgerOf(before: number, trades: number) {
  const entry = { subtype: "", aclass: "currency", fee: "0.0000", balance: "0.0000" };
  const deposits = Array.from({ length: before }, (_, index) => [
    `deposit ${index}`,
    {
      ...entry,
      refid: `Q${index}`,
      time: String(1_700_000_000 - index),
      type: "deposit",
      asset: "ZEUR",
      amount: "1.0000",
    },
  ]);
  const sides = Array.from({ length: trades }, (_, index) => {
    const ofTrade = { ...entry, refid: `T${index}`, time: String(1_600_000_000 - index * 60), type: "trade" };
    return [
      [`paid ${index}`, { ...ofTrade, asset: "ZEUR", amount: "-2.0000" }],
      [`got ${index}`, { ...ofTrade, asset: "SOL", amount: "0.1000" }],
    ];
  }).flat();
  return [...deposits, ...sides] as [string, object][];
}

async function readAll(entries: [string, object][]) {
  let now = Date.parse("2026-03-02T09:00:00Z");
  const asked: string[] = [];
  const http = {
    async request({ url, form }: HttpRequest) {
      const answer = (result: object) => ({
        status: 200,
        headers: {},
        retry_after_seconds: null,
        body: { error: [], result },
      });
      if (!String(url).endsWith("/Ledgers"))
        return answer(String(url).endsWith("/Assets") ? { ZEUR: { altname: "EUR" } } : {});
      asked.push(`${form?.start ?? ""} ${form?.end} ${form?.ofs}`);
      const offset = Number(form?.ofs);
      const page = Object.fromEntries(entries.slice(offset, offset + PAGE));
      return answer({ ledger: page, count: String(entries.length) });
    },
  } as unknown as HttpClient;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const clock = () => new Date(now);
  const given = { http, clock, sleep, pace: createPace({ clock, sleep }), log: { info() {}, warn() {} } };
  const settings = kraken.settings.parse({});
  const random = (bytes: number) => new Uint8Array(bytes);
  const provider: BankProvider = { name: "kraken", ...(await kraken.create({ ...given, settings, random })) };
  const rows: TransactionData[] = [];
  let pending_state: unknown = null;
  for (;;) {
    const result = await provider.fetch(requests.fetch(access, { pending_state }));
    rows.push(...(result.snapshot?.transactions ?? []));
    const wait = result.throttled?.retry_after ?? (result.snapshot && result.more?.retry_after);
    if (result.failed) throw new Error(result.failed.message);
    if (wait === undefined) return { rows, asked };
    pending_state = (result.snapshot && result.more?.state) ?? pending_state;
    now += wait * 1_000;
  }
}

it.each([0, 1])(
  "[C-5.160] an exchange between two pages of the ledger is one transaction, after %s other entries",
  async (before) => {
    const { rows, asked } = await readAll(ledgerOf(before, 400));
    const buys = rows.filter(({ kind }) => kind === "buy");
    expect([buys.length, rows.length]).toEqual([400, 400 + before]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    for (const buy of buys)
      expect(buy).toMatchObject({ amount: "0.1000", balance: "-2.0000", currency: "EUR", holding_key: "SOL" });
    // All pages end at the moment of the first.
    expect(new Set(asked.map((page) => page.split(" ")[1])).size).toBe(1);
  },
);

it("[C-5.208] an entry of the ledger that is no decimal fails the read, by the name of its field", async () => {
  const [[id, entry] = ["", {}]] = ledgerOf(1, 0);
  await expect(readAll([[id, { ...entry, fee: "?" }]])).rejects.toThrow(
    "POST api.kraken.com/0/private/Ledgers answered what cannot be read: ledger.*.fee invalid_format",
  );
});
