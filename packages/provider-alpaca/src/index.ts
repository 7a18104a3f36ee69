/**
 * Alpaca: brokerage accounts, live and paper, by the API key of their owner.
 *
 *   index.ts       the provider: hosts, key, limits, and what is read
 *   activities.ts  activities to transactions
 */
import {
  dayInZone,
  defineOwnKeyProvider,
  type HoldingData,
  headerAuth,
  type InstitutionCalls,
  negateDecimal,
} from "@org/provider-kit";
import { z } from "zod";
import { activities, isCanceled, toTransaction, ZONE } from "./activities.js";

const account = z.object({
  id: z.string().min(1),
  account_number: z.string().nullish(),
  currency: z.string().nullish(),
  cash: z.string().nullish(),
  equity: z.string().nullish(),
});
const figures = z.object({
  market_value: z.string().nullish(),
  cost_basis: z.string().nullish(),
  current_price: z.string().nullish(),
});
const position = figures.extend({
  symbol: z.string().min(1),
  exchange: z.string().nullish(),
  asset_class: z.string(),
  side: z.string(),
  qty: z.string(),
  /** The same figures in USD, for accounts in another currency. */
  usd: figures.nullish(),
});

const readAccount = (calls: InstitutionCalls) => calls.get("/v2/account", account);
const PAGE_SIZE = 100;

// biome-ignore lint/style/noDefaultExport: the server loads a provider as the default export of its module.
export default defineOwnKeyProvider({
  name: "alpaca",
  title: "Alpaca",
  environments: {
    live: {
      base_url: "https://api.alpaca.markets",
      connector: { id: "usa:alpaca", name: "Alpaca", country: "usa", type: "e-banking" },
    },
    paper: {
      base_url: "https://paper-api.alpaca.markets",
      connector: { id: "usa:alpaca-paper", name: "Alpaca (paper trading)", country: "usa", type: "e-banking" },
    },
  },
  credentials: {
    fields: {
      key_id: { label: "API Key ID" },
      secret_key: { label: "Secret Key", kind: "secret" },
    },
    howTo: {
      en: "In Alpaca’s dashboard, under “API Keys”. The secret is shown only once, when the key is made.",
      de: "In Alpacas Dashboard unter „API Keys“. Das Secret wird nur einmal gezeigt, wenn der Schlüssel erzeugt wird.",
      fr: "Dans le tableau de bord d’Alpaca, sous « API Keys ». Le secret n’est affiché qu’une fois, à la création de la clé.",
      es: "En el panel de Alpaca, en «API Keys». El secreto solo se muestra una vez, al crear la clave.",
    },
    rights: "trade",
  },
  delivers: { holdings: "daily", transactions: "all" },
  auth: headerAuth({ "APCA-API-KEY-ID": "key_id", "APCA-API-SECRET-KEY": "secret_key" }),
  limits: [{ every_ms: 60_000, calls: 200 }],
  statuses: { 403: "rejected" },
  who: async (calls) => (await readAccount(calls)).id,
  read: {
    async accounts(calls) {
      const { id, account_number, currency, cash, equity } = await readAccount(calls);
      const positions = await calls.get("/v2/positions", z.array(position));
      const base = currency ?? "USD";
      const valuation_date = dayInZone(ZONE, calls.now);
      const ofAccount = { portfolio_key: id, isin: null, currency: base, valuation_date };
      const held = positions.map((stated): HoldingData => {
        const { symbol, exchange, asset_class, side, qty } = stated;
        const { market_value, cost_basis, current_price } = stated.usd ?? stated;
        const mic = mics[exchange ?? ""];
        return {
          ...ofAccount,
          key: symbol,
          name: symbol,
          amount: side === "short" && !qty.startsWith("-") ? negateDecimal(qty) : qty,
          balance: market_value ?? null,
          // Positions are in USD; an account in another currency states its own figures and those in USD.
          currency: "USD",
          ...(types[asset_class] ?? { type: "O", subtype: null }),
          ...(current_price && { price: current_price }),
          ...(cost_basis && { cost: cost_basis }),
          identifiers: { ticker: symbol, ...(mic !== undefined && { mic }) },
        };
      });
      const money: HoldingData[] =
        cash == null
          ? []
          : [
              {
                ...ofAccount,
                key: `cash:${base}`,
                name: `Cash ${base}`,
                amount: cash,
                balance: cash,
                type: "L",
                subtype: null,
              },
            ];
      return {
        portfolios: [
          {
            key: id,
            name: account_number == null ? "Alpaca" : `Alpaca ${account_number}`,
            balance: equity ?? null,
            currency: base,
            ref_account: account_number ?? null,
            type: "S",
          },
        ],
        holdings: [...held, ...money],
      };
    },
    transactions: {
      // Fees are booked the day after, and corrections later still.
      overlap_days: 7,
      zone: ZONE,
      async page(calls, { at, from }) {
        const after = from === null ? undefined : `${from}T00:00:00Z`;
        const query = { page_size: String(PAGE_SIZE), page_token: at ?? undefined, after };
        const read = await calls.get("/v2/account/activities", activities, query);
        // A page may be shorter than asked for, so the last one is an empty one.
        const portfolio_key = calls.user_key;
        return {
          rows: read.filter((row) => !isCanceled(row)).map((row) => toTransaction(row, portfolio_key)),
          withdrawn: read.filter(isCanceled).map(({ id }) => ({ portfolio_key, key: id })),
          next: read.at(-1)?.id ?? null,
        };
      },
    },
  },
});

const types: Readonly<Record<string, Pick<HoldingData, "type" | "subtype">>> = {
  us_equity: { type: "VI", subtype: null },
  us_option: { type: "DV", subtype: "OP" },
  crypto: { type: "C", subtype: null },
};

/** Alpaca's names of exchanges, as market identifier codes (ISO 10383). */
const mics: Readonly<Record<string, string>> = {
  AMEX: "XASE",
  ARCA: "ARCX",
  NYSEARCA: "ARCX",
  BATS: "BATS",
  NYSE: "XNYS",
  NASDAQ: "XNAS",
};
