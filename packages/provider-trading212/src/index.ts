/**
 * Trading 212: Invest and Stocks ISA accounts, live and demo, by the API key of their owner.
 *
 *   index.ts        the provider: hosts, key, limits, and the account with its positions
 *   history.ts      orders, dividends and transactions
 *   instruments.ts  what kind of instrument a ticker is
 */
import {
  AnswerFailure,
  basicAuth,
  defineOwnKeyProvider,
  type HoldingData,
  type InstitutionCalls,
  money,
  sumDecimals,
  utcDay,
} from "@org/provider-kit";
import { z } from "zod";
import { histories, instrument, ROOT, text } from "./history.js";
import { createInstruments, INSTRUMENTS, type Instruments, typeOf } from "./instruments.js";

const summary = z.object({
  id: z.string().min(1),
  currency: z.string(),
  totalValue: text,
  cash: z.object({ availableToTrade: text, inPies: text, reservedForOrders: text }).nullish(),
});
const positions = z.array(
  z.object({
    instrument: instrument.extend({ ticker: z.string().min(1) }),
    quantity: text,
    currentPrice: text,
    walletImpact: z.object({ currency: text, currentValue: text, totalCost: text }).nullish(),
  }),
);

const SUMMARY = `${ROOT}/account/summary`;
const POSITIONS = `${ROOT}/positions`;
const readSummary = (calls: InstitutionCalls) => calls.get(SUMMARY, summary);

/** The provider, with what it keeps of instruments. */
const trading212 = (instruments: Instruments) =>
  defineOwnKeyProvider({
    name: "trading212",
    title: "Trading 212",
    environments: {
      live: {
        base_url: "https://live.trading212.com",
        connector: { id: "gbr:trading212", name: "Trading 212", country: "gbr", type: "e-banking" },
      },
      demo: {
        base_url: "https://demo.trading212.com",
        connector: { id: "gbr:trading212-demo", name: "Trading 212 (practice)", country: "gbr", type: "e-banking" },
      },
    },
    credentials: {
      fields: {
        api_key: { label: "API Key" },
        api_secret: { label: "API Secret", kind: "secret" },
      },
      howTo: {
        en: "In Trading 212, under Settings › API, generate a key that may read account data, portfolio, history (all three) and metadata. The secret is shown only once",
        de: "Erzeugen Sie in Trading 212 unter Settings › API einen Schlüssel, der Kontodaten, Portfolio, Historie (alle drei) und Metadaten lesen darf. Das Secret wird nur einmal gezeigt",
        fr: "Dans Trading 212, sous Settings › API, créez une clé qui peut lire les données du compte, le portefeuille, l’historique (les trois) et les métadonnées. Le secret n’est affiché qu’une fois",
        es: "En Trading 212, en Settings › API, cree una clave que pueda leer los datos de la cuenta, la cartera, el historial (los tres) y los metadatos. El secreto solo se muestra una vez",
      },
      rights: "read",
    },
    auth: basicAuth("api_key", "api_secret"),
    limits: [
      { path: SUMMARY, every_ms: 5_000, calls: 1 },
      { path: POSITIONS, every_ms: 1_000, calls: 1 },
      { path: INSTRUMENTS, every_ms: 50_000, calls: 1 },
      ...histories.map(([path]) => ({ path, every_ms: 60_000, calls: 6 })),
    ],
    // A key without the permission for an address.
    statuses: { 403: "rejected" },
    who: async (calls) => (await readSummary(calls)).id,
    read: {
      async accounts(calls) {
        const { id, currency, totalValue, cash } = await readSummary(calls);
        const held = await calls.get(POSITIONS, positions);
        const tickers = held.map((one) => one.instrument.ticker);
        const known = await instruments(calls, tickers);
        const ofAccount = { portfolio_key: id, valuation_date: utcDay(calls.now), subtype: null };
        const holdings = held.map(({ instrument: of, quantity, currentPrice, walletImpact }): HoldingData => {
          const price = money(of.currency ?? "", currentPrice ?? null);
          const short = known.get(of.ticker)?.shortName;
          return {
            ...ofAccount,
            key: of.ticker,
            name: of.name ?? of.ticker,
            isin: of.isin || null,
            amount: quantity ?? null,
            balance: walletImpact?.currentValue ?? null,
            currency: walletImpact?.currency ?? currency,
            ...typeOf(known.get(of.ticker)),
            ...(price.amount && price.currency && { price: price.amount, price_currency: price.currency }),
            ...(walletImpact?.totalCost && { cost: walletImpact.totalCost }),
            ...(short && { identifiers: { ticker: short } }),
          };
        });
        const { availableToTrade: free, inPies, reservedForOrders } = cash ?? {};
        const whole = free ? sumDecimals([free, inPies ?? "0", reservedForOrders ?? "0"]) : null;
        if (cash)
          holdings.push({
            ...ofAccount,
            key: `cash:${currency}`,
            name: `Cash ${currency}`,
            isin: null,
            amount: whole,
            balance: whole,
            currency,
            type: "L",
          });
        return {
          portfolios: [
            { key: id, name: `Trading 212 ${id}`, balance: totalValue ?? null, currency, ref_account: id, type: "S" },
          ],
          holdings,
        };
      },
      transactions: {
        overlap_days: 7,
        // Trading 212 states moments, and no zone of its own.
        zone: "UTC",
        /** The lists one after another, each from its newest row: `at` is a page of one of them. */
        async page(calls, { at, from }) {
          const path = at ?? `${histories[0]?.[0]}?limit=50`;
          const index = histories.findIndex(([list]) => path.split("?")[0] === list);
          const [, read] = histories[index] ?? [];
          if (!read) throw new AnswerFailure("the next page of a list is at another address");
          const { rows, next } = await read(calls, path);
          const isKnown = from !== null && rows.length > 0 && rows.every(({ day }) => day < from);
          const following = histories[index + 1]?.[0];
          return {
            rows: rows.flatMap(({ day, row }) => (row && (from === null || day >= from) ? row : [])),
            next: next !== null && !isKnown ? next : following ? `${following}?limit=50` : null,
          };
        },
      },
    },
  });

const provider = trading212(createInstruments());

// biome-ignore lint/style/noDefaultExport: the server loads a provider as the default export of its module.
export default {
  ...provider,
  // Each instance has a list of its own.
  create: (given) => trading212(createInstruments()).create(given),
} satisfies typeof provider;
