/**
 * Saxo: accounts, positions and bookings, by a login at Saxo.
 *
 *   index.ts        the provider: addresses, limits, and what is read
 *   instruments.ts  positions to holdings
 *   history.ts      trades and bookings to transactions
 */
import {
  cashFrom,
  dayBefore,
  defineOwnKeyProvider,
  type HoldingData,
  type InstitutionCalls,
  oncePerRead,
  type PortfolioData,
  pagesOfLists,
  pagesToEnd,
  type ReadPage,
  utcDay,
} from "@org/provider-kit";
import { z } from "zod";
import { bookings, trades } from "./history.js";
import { figure, holdingOf, id, listOf, netPosition, statedText } from "./instruments.js";

const client = z.object({ ClientId: id, ClientKey: id });
const account = z.object({ AccountId: id, AccountKey: id, Currency: z.string(), DisplayName: statedText });
const balance = z.object({ CashBalance: figure, Currency: z.string(), TotalValue: figure });

/** Who has logged in; names in addresses change with the login, so they are read in each fetch, once. */
const clientOf = oncePerRead((calls) => calls.get("/port/v1/clients/me", client));

const PAGE_SIZE = "500";
const DAYS = 730;

/** All rows of a list, by their keys: a row that comes again on the next page is one row. */
async function allOf<Row extends z.ZodType>(
  calls: InstitutionCalls,
  path: string,
  row: Row,
  keyOf: (row: z.output<Row>) => string,
  query: Readonly<Record<string, string>> = {},
): Promise<Map<string, z.output<Row>>> {
  const page = listOf(row);
  const rows = new Map<string, z.output<Row>>();
  const first = new URLSearchParams({ ...query, $top: PAGE_SIZE }).toString();
  for await (const read of pagesToEnd(path, (at) => calls.get(`${path}?${at ?? first}`, page)))
    for (const one of read.rows) rows.set(keyOf(one), one);
  return rows;
}

/** Reads a report of what happened in days that are over, for all accounts of the customer. */
const report =
  (name: string, list: typeof trades | typeof bookings): ReadPage =>
  async (calls, { at, from }) => {
    const { ClientKey } = await clientOf(calls);
    const today = utcDay(calls.now);
    const period = { FromDate: from ?? dayBefore(today, DAYS), ToDate: today, $top: PAGE_SIZE };
    const query = at ?? new URLSearchParams(period).toString();
    return calls.get(`/cs/v1/reports/${name}/${encodeURIComponent(ClientKey)}?${query}`, list);
  };

const server = (name: string) => ({
  authorize_url: `https://${name}.logonvalidation.net/authorize`,
  token_url: `https://${name}.logonvalidation.net/token`,
  redirect_in_refresh: true,
});

// biome-ignore lint/style/noDefaultExport: the server loads a provider as the default export of its module.
export default defineOwnKeyProvider({
  name: "saxo",
  title: "Saxo",
  environments: {
    live: {
      base_url: "https://gateway.saxobank.com/openapi",
      connector: {
        identifiers: { domain: "home.saxo" },
        id: "dnk:saxo",
        name: "Saxo",
        countries: ["dnk", "che", "fra", "gbr", "ita", "nld", "bel", "sgp", "jpn"],
        type: "e-banking",
      },
    },
    sim: {
      base_url: "https://gateway.saxobank.com/sim/openapi",
      connector: { id: "dnk:saxo-sim", name: "Saxo (simulation)", country: "dnk", type: "e-banking" },
    },
  },
  // An application may be allowed to trade; no scope of a login narrows that.
  credentials: { rights: "trade" },
  auth: { oauthCode: { live: server("live"), sim: server("sim") } },
  delivers: { transactions: DAYS, updates: "login" },
  // For each session and group of services; counted together here.
  limits: [{ every_ms: 60_000, calls: 120 }],
  who: async (calls) => (await clientOf(calls)).ClientId,
  read: {
    async accounts(calls) {
      const { ClientKey } = await clientOf(calls);
      const valuation_date = utcDay(calls.now);
      const portfolios: PortfolioData[] = [];
      const holdings: HoldingData[] = [];
      const accounts = await allOf(calls, "/port/v1/accounts/me", account, ({ AccountId }) => AccountId);
      for (const { AccountId: key, AccountKey, DisplayName } of accounts.values()) {
        const of = { ClientKey, AccountKey };
        const { CashBalance, TotalValue, Currency: currency } = await calls.get("/port/v1/balances", balance, of);
        const name = DisplayName || key;
        portfolios.push({ key, name, balance: TotalValue ?? null, currency, ref_account: key, type: "S" });
        const query = { ...of, FieldGroups: "NetPositionBase,NetPositionView,DisplayAndFormat" };
        const idOf = ({ NetPositionId }: z.output<typeof netPosition>) => NetPositionId;
        const positions = await allOf(calls, "/port/v1/netpositions", netPosition, idOf, query);
        const ofAccount = { portfolio_key: key, currency, valuation_date };
        holdings.push(...[...positions.values()].map((position) => holdingOf(position, ofAccount)));
        if (CashBalance != null)
          holdings.push(cashFrom({ ...ofAccount, key: `cash ${currency}`, name: "Cash", amount: CashBalance }));
      }
      return { portfolios, holdings };
    },
    transactions: {
      // Amounts are booked days after a trade, dividends with the date of their value.
      overlap_days: 14,
      zone: "UTC",
      page: pagesOfLists({ trades: report("trades", trades), bookings: report("bookings", bookings) }),
    },
  },
});
