import {
  decimalString,
  defineOwnKeyProvider,
  type HoldingData,
  headerAuth,
  type KeyLimit,
  multiplyDecimals,
  negateDecimal,
  type TransactionData,
} from "@org/provider-kit";
import { z } from "zod";

const account = z.object({ id: z.string(), currency: z.string(), cash: z.string() });
const positions = z.array(z.object({ symbol: z.string(), qty: z.string(), value: z.string() }));
const fills = z.array(
  z.object({
    id: z.string(),
    day: z.string(),
    symbol: z.string(),
    contracts: decimalString,
    price: decimalString,
    status: z.string(),
  }),
);

/** The mistakes of {@link pier}, and what it takes as the end of its pages. */
export interface PierMistakes {
  /** A page with fewer rows is the last one. */
  readonly pageSize?: number;
  readonly limits?: readonly KeyLimit[];
  readonly readsOnePage?: boolean;
  readonly dropsWithdrawn?: boolean;
  readonly keepsSlash?: boolean;
}

/** A broker whose pages go on from the last id, whose units are contracts, and which names coins in two ways. */
export function pier({
  limits = [{ every_ms: 60_000, calls: 20 }],
  readsOnePage = false,
  dropsWithdrawn = false,
  keepsSlash = false,
  pageSize = 1,
}: PierMistakes = {}) {
  return defineOwnKeyProvider({
    name: "pier",
    title: "Pier",
    environments: {
      live: {
        base_url: "https://api.pier.example",
        connector: { id: "usa:pier", name: "Pier", country: "usa" },
      },
    },
    credentials: {
      fields: { key: { label: "Key", kind: "secret" } },
      howTo: "Settings",
      rights: "read",
    },
    auth: headerAuth({ "x-key": "key" }),
    limits,
    who: async (calls) => (await calls.get("/account", account)).id,
    read: {
      async accounts(calls) {
        const { id, currency, cash } = await calls.get("/account", account);
        const row = { portfolio_key: id, isin: null, currency, valuation_date: null, subtype: null };
        const held = (await calls.get("/positions", positions)).map(
          ({ symbol, qty, value }): HoldingData => ({
            ...row,
            key: symbol,
            name: symbol,
            amount: qty,
            balance: value,
            type: "C",
          }),
        );
        const money: HoldingData = {
          ...row,
          key: `cash:${currency}`,
          name: `Cash ${currency}`,
          amount: cash,
          balance: cash,
          type: "L",
        };
        return {
          portfolios: [{ key: id, name: "Pier", balance: null, currency, ref_account: id, type: "S" }],
          holdings: [...held, money],
        };
      },
      transactions: {
        overlap_days: 3,
        zone: "UTC",
        async page(calls, { at, from }) {
          const query = { after: from ?? undefined, page_token: at ?? undefined };
          const read = await calls.get("/fills", fills, query);
          const rows = read
            .filter(({ status }) => status !== "canceled")
            .map(
              ({ id, day, symbol, contracts, price }): TransactionData => ({
                key: id,
                portfolio_key: calls.user_key,
                holding_key: keepsSlash ? symbol : symbol.replace("/", ""),
                operation_date: day,
                description: `Buy ${symbol}`,
                amount: contracts,
                balance: negateDecimal([contracts, price, "100"].reduce(multiplyDecimals)),
                currency: symbol.split("/")[1] ?? "EUR",
                unit_price: price,
                kind: "buy",
              }),
            );
          const withdrawn = read
            .filter(({ status }) => status === "canceled")
            .map(({ id }) => ({ portfolio_key: calls.user_key, key: id }));
          return {
            rows,
            withdrawn: dropsWithdrawn ? [] : withdrawn,
            next: readsOnePage || read.length < pageSize ? null : (read.at(-1)?.id ?? null),
          };
        },
      },
    },
  });
}
