/**
 * Alpaca: brokerage accounts, live and paper, by the API key of their owner.
 *
 *   index.ts       the provider: hosts, key, limits, and what is read
 *   activities.ts  activities to transactions
 */
import {
  cashFrom,
  dayBefore,
  dayInZone,
  defineOwnKeyProvider,
  headerAuth,
  holdingFrom,
  negateDecimal,
  oncePerRead,
  type StatedHolding,
} from "@org/provider-kit";
import { z } from "zod";
import { activities, decimal, knownText, symbol, toTransaction, ZONE } from "./activities.js";

const account = z.object({
  id: z.string().min(1),
  account_number: knownText,
  currency: z.string().catch("USD"),
  cash: decimal,
  equity: decimal,
});
/** In an account in another currency than USD all figures are in that one; what `usd` repeats of them is not read. */
const positions = z.array(
  z.object({
    symbol,
    exchange: knownText,
    asset_class: z.string(),
    side: z.string(),
    qty: decimal,
    market_value: decimal,
    cost_basis: decimal,
    current_price: decimal,
  }),
);

/** The account is read once in a fetch. */
const accountOf = oncePerRead((calls) => calls.get("/v2/account", account));
const PAGE_SIZE = 100;
/** Executions do not change. Anything else may be corrected or canceled: what was created in so many more days is read again. */
const [EXECUTIONS, OTHERS] = ["trade_activity", "non_trade_activity"] as const;
const CORRECTED_DAYS = 83;

// biome-ignore lint/style/noDefaultExport: the server loads a provider as the default export of its module.
export default defineOwnKeyProvider({
  name: "alpaca",
  title: "Alpaca",
  environments: {
    live: {
      base_url: "https://api.alpaca.markets",
      connector: {
        id: "usa:alpaca",
        name: "Alpaca",
        country: "usa",
        identifiers: { domain: "alpaca.markets" },
        type: "e-banking",
      },
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
  who: async (calls) => (await accountOf(calls)).id,
  read: {
    async accounts(calls) {
      const { id, account_number: ref_account, currency, cash, equity } = await accountOf(calls);
      const name = ref_account === null ? "Alpaca" : `Alpaca ${ref_account}`;
      const ofAccount = { portfolio_key: id, currency, valuation_date: dayInZone(ZONE, calls.now) };
      const holdings = (await calls.get("/v2/positions", positions)).map((stated) => {
        const { symbol: key, exchange, asset_class, side, qty } = stated;
        return holdingFrom({
          ...ofAccount,
          key,
          name: key,
          amount: qty && side === "short" && !qty.startsWith("-") ? negateDecimal(qty) : qty,
          balance: stated.market_value,
          type: types.get(asset_class) ?? "O",
          price: stated.current_price,
          cost: stated.cost_basis,
          identifiers: { ticker: key, mic: mics.get(exchange ?? "") },
        });
      });
      if (cash !== null) holdings.push(cashFrom({ ...ofAccount, amount: cash }));
      return { portfolios: [{ key: id, name, balance: equity, currency, ref_account, type: "S" }], holdings };
    },
    transactions: {
      // Fees are booked the day after, and corrections later still.
      overlap_days: 7,
      zone: ZONE,
      async page(calls, { at, from }) {
        const { currency } = await accountOf(calls);
        const portfolio_key = calls.user_key;
        const [category = EXECUTIONS, page_token] = at?.split(" ") ?? [];
        const first = from && category === OTHERS ? dayBefore(from, CORRECTED_DAYS) : from;
        const after = first === null ? undefined : `${first}T00:00:00Z`;
        const query = { category, page_size: String(PAGE_SIZE), page_token, after };
        const read = await calls.get("/v2/account/activities", activities, query);
        const last = read.length < PAGE_SIZE ? undefined : read.at(-1);
        return {
          rows: read
            .filter(({ status }) => status !== "canceled")
            .flatMap((row) => toTransaction(row, portfolio_key, currency) ?? []),
          withdrawn: read.filter(({ status }) => status === "canceled").map(({ id }) => ({ portfolio_key, key: id })),
          next: last ? `${category} ${last.id}` : category === EXECUTIONS ? OTHERS : null,
        };
      },
    },
  },
});

const types = new Map<string, StatedHolding["type"]>([
  ["us_equity", "VI"],
  ["us_option", "OP"],
  ["crypto", "C"],
]);

/** Alpaca's names of exchanges, as market identifier codes (ISO 10383). */
const mics = new Map([
  ["AMEX", "XASE"],
  ["ARCA", "ARCX"],
  ["NYSEARCA", "ARCX"],
  ["BATS", "BATS"],
  ["NYSE", "XNYS"],
  ["NASDAQ", "XNAS"],
]);
