/**
 * Kraken: balances and ledger of an account, by a read-only key of its owner.
 *
 *   index.ts   the provider: address, key, limits, errors, and what is read
 *   assets.ts  names of assets, and their prices
 *   ledger.ts  the ledger to transactions
 */
import { createHash } from "node:crypto";
import {
  cashFrom,
  compareDecimals,
  decimalString,
  defineOwnKeyProvider,
  hmacAuth,
  holdingFrom,
  ReadInterrupted,
  roundedProduct,
  significantDecimal,
  sumDecimals,
  utcDay,
} from "@org/provider-kit";
import { z } from "zod";
import { assetOf, assets, byName, pairs, pricesBy, resultOf, ticker, VALUED_IN } from "./assets.js";
import { ledgers, transactionOf, withoutHalves } from "./ledger.js";

const keyInfo = resultOf(z.object({ iban: z.string().min(1), permissions: z.array(z.string()) }));
const balances = byName(z.object({ balance: decimalString }).transform(({ balance }) => balance));
const MINUTE = 60_000;

// biome-ignore lint/style/noDefaultExport: the server loads a provider as the default export of its module.
export default defineOwnKeyProvider({
  name: "kraken",
  title: "Kraken",
  environments: {
    live: {
      base_url: "https://api.kraken.com",
      connector: {
        identifiers: { domain: "kraken.com" },
        id: "usa:kraken",
        name: "Kraken",
        countries: ["usa", "can", "gbr", "irl", "deu", "aut", "che", "fra", "bel", "nld", "lux", "esp", "prt", "ita"],
        type: "e-banking",
      },
    },
  },
  credentials: {
    fields: { api_key: { label: "API key" }, private_key: { label: "Private key", kind: "secret" } },
    howTo: {
      en: "Kraken › Settings › API: make a key for this connection alone, and tick only “Query” under “Funds permissions” and “Query ledger entries” under “Data”",
      de: "Kraken › Einstellungen › API: Erzeugen Sie einen Schlüssel nur für diese Verbindung und wählen Sie nur „Query“ unter „Funds permissions“ und „Query ledger entries“ unter „Data“",
      fr: "Kraken › Paramètres › API : créez une clé réservée à cette connexion et ne cochez que « Query » sous « Funds permissions » et « Query ledger entries » sous « Data »",
      es: "Kraken › Configuración › API: cree una clave solo para esta conexión y marque únicamente «Query» en «Funds permissions» y «Query ledger entries» en «Data»",
    },
    rights: "read",
  },
  auth: hmacAuth({
    digest: "sha512",
    nonce: "nonce",
    id: { header: "API-Key", field: "api_key" },
    secret: { field: "private_key", encoding: "base64" },
    signature: "API-Sign",
    signed: ({ path, nonce, body }) =>
      Buffer.concat([Buffer.from(path), createHash("sha256").update(`${nonce}${body}`).digest()]),
  }),
  spacing_ms: 1_000,
  // A key's counter may reach 15 and falls by 0.33 a second in the lowest tier; a page of the ledger counts twice: no more than 14 in 45 seconds.
  limits: [
    { every_ms: 45_000, calls: 9, path: "/0/private" },
    { every_ms: 45_000, calls: 5, path: "/0/private/Ledgers" },
    { every_ms: 3_000, calls: 3, path: "/0/public" },
  ],
  codeOf(body) {
    const errors = z.object({ error: z.array(z.string()) }).safeParse(body).data?.error;
    // W is a warning. Details may follow the code: “EGeneral:Internal error:…”, “EService: Throttled: <time>”.
    const parts = errors?.find((error) => error.startsWith("E"))?.split(":", 2);
    return parts?.map((part) => part.trim()).join(":") ?? null;
  },
  codes: {
    "EAPI:Invalid key": "rejected",
    "EAPI:Invalid signature": "rejected",
    "EGeneral:Permission denied": "rejected",
    "EAuth:Account temporary disabled": "blocked",
    "EAuth:Account unconfirmed": "blocked",
    "EAPI:Invalid nonce": "repeat",
    "EAPI:Rate limit exceeded": "throttled",
    "EAuth:Rate limit exceeded": "throttled",
    "EAuth:Too many requests": "throttled",
    "EService:Throttled": "throttled",
    // It lasts about 15 minutes, and longer for who comes back before.
    "EGeneral:Temporary lockout": { throttled: 900 },
    "EService:Unavailable": "outage",
    "EService:Busy": "outage",
    "EService:Deadline elapsed": "outage",
    "EGeneral:Internal error": "outage",
  },
  async who(calls) {
    const { iban, permissions } = await calls.post("/0/private/GetApiKeyInfo", keyInfo, {});
    if (["query-funds", "query-ledger"].every((needed) => permissions.includes(needed))) return iban;
    throw new ReadInterrupted({ refused: "rejected" });
  },
  reference: {
    assets: { keep_ms: 60 * MINUTE, read: (calls) => calls.get("/0/public/Assets", assets) },
    pairs: { keep_ms: 60 * MINUTE, read: (calls) => calls.get("/0/public/AssetPairs", pairs) },
    prices: { keep_ms: MINUTE, read: (calls) => calls.get("/0/public/Ticker", ticker) },
  },
  read: {
    async accounts({ post, reference, user_key, now }) {
      const names = await reference.assets();
      const prices = await reference.prices();
      const tickerOf = (own: string) => assetOf(own, names).ticker;
      const last = new Map<string, string>();
      for (const [pair, { base, quote }] of await reference.pairs()) {
        const price = prices.get(pair);
        if (price && compareDecimals(price, "0") > 0) last.set(`${tickerOf(base)}/${tickerOf(quote)}`, price);
      }
      const priceOf = pricesBy(last);
      const held = [...(await post("/0/private/BalanceEx", balances, {}))].filter(([, amount]) => /[1-9]/.test(amount));
      const ofAccount = { portfolio_key: user_key, valuation_date: utcDay(now) };
      const valued = held.map(([key, amount]) => {
        const { ticker, name, isCurrency } = assetOf(key, names);
        const price = priceOf(ticker);
        const value = price && significantDecimal(roundedProduct(amount, price));
        const cash = { ...ofAccount, key, name: `Cash ${name}`, amount, currency: ticker };
        const coins = { ...ofAccount, key, name, amount, balance: value, currency: VALUED_IN, price };
        const holding = isCurrency ? cashFrom(cash) : holdingFrom({ ...coins, type: "C", identifiers: { ticker } });
        return { value, holding };
      });
      const values = valued.map(({ value }) => value);
      const balance = values.every((value) => value !== null) ? sumDecimals(values) : null;
      const account = { key: user_key, name: "Kraken", balance, currency: VALUED_IN, ref_account: user_key };
      return { portfolios: [{ ...account, type: "C" }], holdings: valued.map(({ holding }) => holding) };
    },
    transactions: {
      // Deposits may be booked under the time at which they were made.
      overlap_days: 7,
      zone: "UTC",
      async page({ post, reference, user_key, now }, { at, from }) {
        const names = await reference.assets();
        // Entries that come while pages are read would move those that follow: all pages end at one moment.
        const [end = String(Math.floor(now.getTime() / 1_000)), offset = "0"] = at?.split("/") ?? [];
        const start = from === null ? {} : { start: String(Date.parse(from) / 1_000 - 1) };
        const { ledger, count } = await post("/0/private/Ledgers", ledgers, { ...start, end, ofs: offset });
        const isLast = ledger.length === 0 || Number(offset) + ledger.length >= count;
        const entries = isLast ? ledger : withoutHalves(ledger);
        const given = { portfolio_key: user_key, assetOf: (own: string) => assetOf(own, names) };
        const rows = entries.flatMap((one) => transactionOf(one, entries, given) ?? []);
        return { rows, next: isLast ? null : `${end}/${Number(offset) + entries.length}` };
      },
    },
  },
});
