import { addDecimals, decimalString, defineOwnKeyProvider, headerAuth, type TransactionData } from "@org/provider-kit";
import { z } from "zod";

const account = z.object({ id: z.string(), currency: z.string() });
const entry = z.object({
  id: z.string(),
  day: z.string(),
  currency: z.string(),
  amount: decimalString.nullish(),
  cash: decimalString.nullish(),
  fee: z.string().default("0"),
});
type Entry = z.output<typeof entry>;

/** What {@link quay} does otherwise than it should. */
export interface QuayMistakes {
  /** Which dividends it skips without a word. */
  readonly skips?: (dividend: Entry) => boolean;
  /** Who everybody is, without a request. */
  readonly who?: string;
  /** Adds fees that it takes for numbers. */
  readonly addsUnread?: boolean;
}

/** A broker with a list for each kind of entry, whose keys are a part of the ids. */
export function quay({ skips = () => false, who, addsUnread = false }: QuayMistakes = {}) {
  return defineOwnKeyProvider({
    name: "quay",
    title: "Quay",
    environments: {
      live: { base_url: "https://api.quay.example", connector: { id: "usa:quay", name: "Quay", country: "usa" } },
    },
    credentials: { fields: { key: { label: "Key", kind: "secret" } }, howTo: "Settings", rights: "read" },
    auth: headerAuth({ "x-key": "key" }),
    limits: [{ every_ms: 60_000, calls: 60 }],
    who: async (calls) => who ?? (await calls.get("/account", account)).id,
    read: {
      async accounts(calls) {
        const { id, currency } = await calls.get("/account", account);
        return {
          portfolios: [{ key: id, name: "Quay", balance: null, currency, ref_account: id, type: "S" }],
          holdings: [],
        };
      },
      transactions: {
        overlap_days: 3,
        zone: "UTC",
        async page(calls, { from }) {
          const rowOf = ({ id, day, currency, amount = null, cash = null, fee }: Entry): TransactionData => ({
            key: id.split("::")[1] ?? id,
            portfolio_key: calls.user_key,
            holding_key: null,
            operation_date: day,
            description: "Entry",
            amount,
            balance: cash && (addsUnread ? addDecimals(cash, fee) : cash),
            currency,
            unit_price: null,
            kind: amount === null ? "dividend" : "buy",
          });
          const query = { after: from ?? undefined };
          const trades = await calls.get("/entries/trades", z.array(entry), query);
          const dividends = await calls.get("/entries/dividends", z.array(entry), query);
          return { rows: [...trades, ...dividends.filter((one) => !skips(one))].map(rowOf), next: null };
        },
      },
    },
  });
}
