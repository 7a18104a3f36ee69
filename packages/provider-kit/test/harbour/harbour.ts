import { createHash } from "node:crypto";
import {
  addDecimals,
  defineProvider,
  type FetchResult,
  type HoldingData,
  type HttpAnswer,
  HttpFailure,
  type LoginStep,
  multiplyDecimals,
  negateDecimal,
  type PaceLimit,
  type PortfolioData,
  secret,
  type TransactionData,
} from "@org/provider-kit";
import { z } from "zod";

/**
 * A correct provider for a broker with everything that is easily read wrongly: pages, pence, unsigned amounts, times, jobs, limits. spoils.ts spoils
 * it line by line.
 */
const settings = z.strictObject({ base_url: z.url(), api_key: secret() });
const loggedIn = z.object({ customer: z.string(), token: z.string(), consent_until: z.string() });
const access = z.object({ token: z.string(), consent_until: z.string() });
const accounts = z.object({
  accounts: z.array(z.object({ number: z.string(), title: z.string(), currency: z.string(), value: z.string() })),
});
const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next: z.string().nullable().optional() });
const positions = page(
  z.object({
    isin: z.string(),
    title: z.string(),
    class: z.enum(["STOCK", "FUND", "BOND"]),
    side: z.enum(["LONG", "SHORT"]),
    units: z.string(),
    price: z.string(),
    value: z.string(),
    currency: z.string(),
    priced_at: z.string(),
  }),
);
const activities = page(
  z.object({
    id: z.string(),
    type: z.enum(["BUY", "SELL", "DIVIDEND", "FEE", "DEPOSIT", "WITHDRAWAL"]),
    at: z.string(),
    isin: z.string().nullable(),
    units: z.string().nullable(),
    price: z.string().nullable(),
    amount: z.string(),
    fee: z.string(),
    currency: z.string(),
    text: z.string(),
  }),
);
const job = z.object({ job: z.string() });
const refusals = { LOCKED: "blocked", CONSENT_OVER: "consent_expired", SCA: "sca_required" } as const;
const refusal = z.object({ code: z.enum(["LOCKED", "CONSENT_OVER", "SCA"]) });

const limits: readonly PaceLimit[] = [{ every_ms: 10_000, calls: 12 }];
const types = { STOCK: "VI", FUND: "F", BOND: "FI" } as const;
const kinds = {
  BUY: "buy",
  SELL: "sell",
  DIVIDEND: "dividend",
  FEE: "fee",
  DEPOSIT: "deposit",
  WITHDRAWAL: "withdrawal",
} as const;
/** What goes out of the account. */
const outgoing: ReadonlySet<string> = new Set(["BUY", "FEE", "WITHDRAWAL"]);
const FIRST_DAYS = 90;
const OVERLAP_DAYS = 4;
const MAX_PAGES = 500;
const DAY_MS = 86_400_000;

/** A fetch that ends before its data are there. */
class Ended extends Error {
  constructor(readonly end: FetchResult) {
    super("the fetch ends early");
  }
}

export default defineProvider({
  name: "harbour",
  title: "Harbour",
  settings,
  connectors: () => [{ id: "gbr:harbour", name: "Harbour", country: "gbr" }],
  async check({ settings: { base_url, api_key }, http, signal }) {
    const headers = { "x-api-key": api_key };
    await http.request({ method: "GET", url: `${base_url}/ping`, headers, signal, read: "text", expect: "2xx" });
  },

  create({ settings: { base_url, api_key }, http, clock, pace, log }) {
    const headers = { "x-api-key": api_key };

    const enter = async (path: string, json: object, signal: AbortSignal): Promise<LoginStep> => {
      const { status, body, retry_after_seconds } = await http.request({
        method: "POST",
        url: `${base_url}${path}`,
        headers,
        json,
        signal,
        read: "json",
        expect: [200, 401, 429],
      });
      if (status === 429) return { kind: "throttled", retry_after: retry_after_seconds ?? 60 };
      if (status === 401) return { kind: "rejected" };
      const { customer, token, consent_until } = loggedIn.parse(body);
      return { kind: "authenticated", user_key: customer, access: { token, consent_until } };
    };

    return {
      credentialFields: () => [
        { name: "user", label: "User" },
        { name: "pin", label: "PIN", kind: "secret" },
      ],

      async login({ fields: { user = "", pin = "" }, callback_url, callback_state, signal }) {
        if (user !== "") return enter("/login", { user, pin }, signal);
        signal.throwIfAborted();
        const query = new URLSearchParams({ state: callback_state, back: callback_url });
        return { kind: "redirect", url: `https://harbour.example/consent?${query}`, state: {} };
      },

      resume: async ({ params, signal }) => enter("/redeem", { code: params.code ?? "" }, signal),

      async fetch({ access: kept, since, awaited, pending_state, signal }) {
        const { token, consent_until } = access.parse(kept);
        const from = dayOf(since ? since.getTime() - OVERLAP_DAYS * DAY_MS : clock().getTime() - FIRST_DAYS * DAY_MS);

        const get = async (path: string, query: Record<string, string>): Promise<HttpAnswer<"json_exact">> => {
          const late = await pace(
            `harbour:${createHash("sha256").update(token).digest("hex")}`,
            limits,
            signal,
            awaited ? undefined : 0,
          );
          if (late) throw new Ended({ throttled: late });
          const answer = await http.request({
            method: "GET",
            url: `${base_url}${path}`,
            query,
            headers: { ...headers, authorization: `Bearer ${token}` },
            signal,
            read: "json_exact",
            expect: [200, 202, 401, 403, 429],
          });
          if (answer.status === 429) throw new Ended({ throttled: { retry_after: answer.retry_after_seconds ?? 60 } });
          if (answer.status === 401) throw new Ended({ refused: "rejected" });
          if (answer.status === 403) throw new Ended({ refused: refusals[refusal.parse(answer.body).code] });
          return answer;
        };
        const pages = async <Item>(
          path: string,
          query: Record<string, string>,
          schema: z.ZodType<{ items: Item[]; next?: string | null | undefined }>,
        ): Promise<Item[]> => {
          const rows: Item[] = [];
          let cursor: string | null | undefined;
          for (let count = 0; count < MAX_PAGES; count += 1) {
            const { status, body } = await get(path, { ...query, ...(cursor && { cursor }) });
            if (status === 202) throw new Ended({ pending: { retry_after: 20, state: { job: job.parse(body).job } } });
            const { items, next } = schema.parse(body);
            rows.push(...items);
            if (!next) return rows;
            if (next === cursor) break;
            cursor = next;
          }
          throw new Ended({ failed: { message: `the pages of ${path} do not end` } });
        };

        try {
          const held = accounts.parse((await get("/accounts", {})).body).accounts;
          const holdings: HoldingData[] = [];
          const transactions: TransactionData[] = [];
          for (const { number } of held) {
            const query = { account: number };
            for (const position of unique(await pages("/positions", query, positions), ({ isin }) => isin)) {
              const { amount: balance, currency } = money(position.currency, position.value);
              const isShort = position.side === "SHORT";
              holdings.push({
                key: position.isin,
                portfolio_key: number,
                name: position.title,
                isin: position.isin,
                amount: isShort ? negateDecimal(position.units) : position.units,
                balance: isShort ? negateDecimal(balance) : balance,
                currency,
                valuation_date: zonedDay(position.priced_at),
                type: types[position.class],
                subtype: null,
                price: money(position.currency, position.price).amount,
                price_currency: currency,
              });
            }
            const told = pending_state === null ? {} : job.parse(pending_state);
            for (const row of await pages("/activities", { ...query, from, ...told }, activities)) {
              const isOut = outgoing.has(row.type);
              const net = isOut ? addDecimals(row.amount, row.fee) : addDecimals(row.amount, negateDecimal(row.fee));
              transactions.push({
                key: row.id,
                portfolio_key: number,
                holding_key: row.isin,
                operation_date: zonedDay(row.at),
                description: row.text,
                amount: row.units && (row.type === "SELL" ? negateDecimal(row.units) : row.units),
                balance: isOut ? negateDecimal(net) : net,
                currency: row.currency,
                unit_price: row.price,
                kind: kinds[row.type],
                fees: row.fee,
              });
            }
          }
          log.info("accounts were read", { accounts: held.length });
          const portfolios = held.map(
            ({ number, title, currency, value }): PortfolioData => ({
              key: number,
              name: title,
              balance: value,
              currency,
              ref_account: number,
              type: "S",
            }),
          );
          const snapshot = { as_of: clock(), portfolios, holdings, transactions };
          return { snapshot, consent_expires_at: new Date(consent_until) };
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof Ended) return error.end;
          if (error instanceof HttpFailure) throw error;
          return { failed: { message: error instanceof z.ZodError ? "an answer is not as described" : "unknown" } };
        }
      },

      async revoke({ access: kept, signal }) {
        const { token } = access.parse(kept);
        const revoking = { ...headers, authorization: `Bearer ${token}` };
        const url = `${base_url}/logout`;
        await http.request({ method: "POST", url, headers: revoking, signal, read: "text", expect: [200, 401] });
      },
    };
  },
});

/** Pence are a hundredth of a pound. */
function money(currency: string, amount: string): { amount: string; currency: string } {
  return currency === "GBX" ? { amount: multiplyDecimals(amount, "0.01"), currency: "GBP" } : { amount, currency };
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** The day at the exchange, which writes times in UTC. */
function zonedDay(moment: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York", dateStyle: "short" });
  return parts.format(new Date(moment));
}

/** A page that moved repeats rows of the one before. */
function unique<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}
