/**
 * Trading 212: Invest and Stocks ISA accounts, live and demo, by the API key of their owner.
 *
 *   index.ts        the provider: hosts, key, limits, and the account with its positions
 *   history.ts      orders, dividends and transactions
 *   instruments.ts  what kind of instrument a ticker is
 */
import {
  basicAuth,
  cashFrom,
  defineOwnKeyProvider,
  holdingFrom,
  type InstitutionCalls,
  money,
  pagesOfLists,
  sumDecimals,
  utcDay,
} from "@org/provider-kit";
import { z } from "zod";
import { HISTORY, histories, instrument, ROOT, text } from "./history.js";
import { createInstruments, INSTRUMENTS } from "./instruments.js";

const summary = z.object({
  id: z.string().min(1),
  currency: z.string(),
  totalValue: text,
  cash: z.object({ availableToTrade: text, inPies: text, reservedForOrders: text }).nullish(),
});
const position = z.object({
  instrument: instrument.extend({ ticker: z.string().min(1) }),
  quantity: text,
  currentPrice: text,
  walletImpact: z.object({ currency: text, currentValue: text, totalCost: text }).nullish(),
});

const SUMMARY = `${ROOT}/account/summary`;
const POSITIONS = `${ROOT}/positions`;
const readSummary = (calls: InstitutionCalls) => calls.get(SUMMARY, summary);

/** The provider. Each instance has a list of instruments of its own. */
const trading212 = (instruments = createInstruments()) =>
  defineOwnKeyProvider({
    name: "trading212",
    title: "Trading 212",
    environments: {
      live: {
        base_url: "https://live.trading212.com",
        connector: {
          id: "gbr:trading212",
          name: "Trading 212",
          country: "gbr",
          identifiers: { domain: "trading212.com" },
          type: "e-banking",
        },
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
      ...Object.keys(histories).map((name) => ({ path: `${HISTORY}/${name}`, every_ms: 60_000, calls: 6 })),
    ],
    // A key without the permission for an address.
    statuses: { 403: "rejected" },
    who: async (calls) => (await readSummary(calls)).id,
    read: {
      async accounts(calls) {
        const { id, currency, totalValue, cash } = await readSummary(calls);
        const held = await calls.get(POSITIONS, z.array(position));
        const tickers = held.map((one) => one.instrument.ticker);
        const known = await instruments(calls, tickers);
        const ofAccount = { portfolio_key: id, valuation_date: utcDay(calls.now) };
        const holdings = held.map(({ instrument: { ticker: key, ...of }, quantity, currentPrice, walletImpact }) => {
          const price = of.currency ? money(of.currency, currentPrice) : null;
          return holdingFrom({
            ...ofAccount,
            key,
            name: of.name ?? key,
            isin: of.isin,
            amount: quantity,
            balance: walletImpact?.currentValue,
            currency: walletImpact?.currency ?? currency,
            type: known.get(key)?.type ?? "O",
            price: price?.amount,
            price_currency: price?.amount && price.currency,
            cost: walletImpact?.totalCost,
            identifiers: { ticker: known.get(key)?.shortName },
          });
        });
        const { availableToTrade: free, inPies, reservedForOrders } = cash ?? {};
        const amount = free ? sumDecimals([free, inPies ?? "0", reservedForOrders ?? "0"]) : null;
        if (cash) holdings.push(cashFrom({ ...ofAccount, currency, amount }));
        const account = { key: id, name: `Trading 212 ${id}`, balance: totalValue, currency, ref_account: id };
        return { portfolios: [{ ...account, type: "S" }], holdings };
      },
      transactions: {
        overlap_days: 7,
        // Trading 212 states moments, and no zone of its own.
        zone: "UTC",
        page: pagesOfLists(histories),
      },
    },
  });

const provider = trading212();

// biome-ignore lint/style/noDefaultExport: the server loads a provider as the default export of its module.
export default { ...provider, create: (given) => trading212().create(given) } satisfies typeof provider;
