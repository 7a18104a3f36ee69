/**
 * Saxo: accounts, positions and bookings, by a login at Saxo.
 *
 *   index.ts        the provider: addresses, limits, and what is read
 *   instruments.ts  positions to holdings
 *   history.ts      trades and bookings to transactions
 */
import {
  AnswerFailure,
  dayBefore,
  defineOwnKeyProvider,
  type HoldingData,
  type InstitutionCalls,
  oncePerRead,
  type PortfolioData,
  utcDay,
} from "@org/provider-kit";
import { z } from "zod";
import { bookingOf, bookings, tradeOf, trades } from "./history.js";
import { figure, holdingOf, listOf, netPosition } from "./instruments.js";

const client = z.object({ ClientId: z.string().min(1), ClientKey: z.string().min(1) });
const account = z.object({
  AccountId: z.string().min(1),
  AccountKey: z.string().min(1),
  Currency: z.string(),
  DisplayName: z.string().nullish(),
});
const balance = z.object({ CashBalance: figure, Currency: z.string(), TotalValue: figure });

/** Who has logged in; names in addresses change with the login, so they are read in each fetch, once. */
const clientOf = oncePerRead((calls) => calls.get("/port/v1/clients/me", client));

const PAGE_SIZE = "500";
/** More pages than the positions of an account have. */
const MAX_PAGES = 200;
const DAYS = 730;
/** The query of the next page. A link names a host and a path too, which are those of the page. */
function nextQuery({ __next }: { readonly __next?: string | null | undefined }): string | null {
  return __next?.split("?", 2)[1] ?? null;
}

/** All rows of a list that is read in one go. */
async function allOf<Row extends z.ZodType>(
  calls: InstitutionCalls,
  {
    path,
    row,
    keyOf,
    query,
  }: {
    path: string;
    row: Row;
    /** A row that comes again on the next page is one row. */
    keyOf: (row: z.output<Row>) => string;
    query: Readonly<Record<string, string>>;
  },
): Promise<z.output<Row>[]> {
  const rows = new Map<string, z.output<Row>>();
  let next: string | null = new URLSearchParams({ ...query, $top: PAGE_SIZE }).toString();
  for (const asked = new Set<string>(); next !== null; ) {
    if (asked.has(next) || asked.size === MAX_PAGES) throw new AnswerFailure("a list of Saxo does not end");
    asked.add(next);
    const page: { Data: z.output<Row>[]; __next?: string | null | undefined } = await calls.get(
      `${path}?${next}`,
      listOf(row),
    );
    for (const one of page.Data) rows.set(keyOf(one), one);
    next = nextQuery(page);
  }
  return [...rows.values()];
}

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
      const day = utcDay(calls.now);
      const portfolios: PortfolioData[] = [];
      const holdings: HoldingData[] = [];
      for (const stated of await allOf(calls, {
        path: "/port/v1/accounts/me",
        row: account,
        keyOf: ({ AccountId }) => AccountId,
        query: {},
      })) {
        const { AccountId: key, AccountKey, DisplayName } = stated;
        const of = { ClientKey, AccountKey };
        const { CashBalance: cash, TotalValue, Currency: currency } = await calls.get("/port/v1/balances", balance, of);
        const name = DisplayName || key;
        portfolios.push({ key, name, balance: TotalValue ?? null, currency, ref_account: key, type: "S" });
        const FieldGroups = "NetPositionBase,NetPositionView,DisplayAndFormat";
        const query = { ...of, FieldGroups };
        const positions = await allOf(calls, {
          path: "/port/v1/netpositions",
          row: netPosition,
          keyOf: ({ NetPositionId }) => NetPositionId,
          query,
        });
        holdings.push(...positions.map((position) => holdingOf(position, { portfolio_key: key, currency, day })));
        if (cash == null) continue;
        const ofAccount = { key: `cash ${currency}`, portfolio_key: key, name: "Cash", currency };
        const figures = { isin: null, amount: cash, balance: cash, valuation_date: day } as const;
        holdings.push({ ...ofAccount, ...figures, type: "L", subtype: null });
      }
      return { portfolios, holdings };
    },
    transactions: {
      // Amounts are booked days after a trade, dividends with the date of their value.
      overlap_days: 14,
      zone: "UTC",
      async page(calls, { at, from }) {
        const { ClientKey } = await clientOf(calls);
        const today = utcDay(calls.now);
        const period = { FromDate: from ?? dayBefore(today, DAYS), ToDate: today, $top: PAGE_SIZE };
        const [list = "trades", query = new URLSearchParams(period).toString()] = at?.split("?", 2) ?? [];
        const path = `/cs/v1/reports/${list}/${encodeURIComponent(ClientKey)}?${query}`;
        if (list === "bookings") {
          const page = await calls.get(path, bookings);
          const next = nextQuery(page);
          return { rows: page.Data.map(bookingOf), next: next && `bookings?${next}` };
        }
        const page = await calls.get(path, trades);
        const next = nextQuery(page);
        return { rows: page.Data.map(tradeOf), next: next === null ? "bookings" : `trades?${next}` };
      },
    },
  },
});
