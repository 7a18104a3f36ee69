import type { JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import { type PlaidAccount, plaidId } from "./plaid-bank.js";
import { PlaidRefusal } from "./plaid-errors.js";
import type { PlaidItem } from "./plaid-items.js";

/** The next page has half of its rows, or those of the page before once more; its total is as ever. */
export type PageFault = "half" | "repeated";

const COUNT = 100;
const MAX_COUNT = 500;
/** "up to 24 months of user-authorized transaction data" */
const MONTHS = 24;

interface Query {
  readonly access_token: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly options?: {
    readonly account_ids?: readonly string[];
    readonly count?: number;
    readonly offset?: number;
    readonly async_update?: boolean;
  };
}

/** Accounts, holdings and transactions of items. `itemOf` refuses an item that has an error. */
export function answersOf({ itemOf }: { readonly itemOf: (accessToken: string) => PlaidItem }) {
  const happenings: (() => void)[] = [];
  const faults: PageFault[] = [];
  let previous: readonly JsonObject[] = [];

  async function answer(path: string, body: JsonObject): Promise<JsonObject> {
    const query = body as unknown as Query;
    const item = itemOf(query.access_token);
    if (path === "/accounts/get") {
      const accounts = chosen(item, query).map(([id, account]) => {
        const { margin_loan_amount: _, ...balances } = item.seen(account).account.balances as JsonObject;
        return { account_id: id, ...item.seen(account).account, balances };
      });
      return { accounts, item: item.answer };
    }
    supported(item);
    if (path === "/investments/refresh") {
      if (!item.institution.can_refresh) throw new PlaidRefusal("PRODUCTS_NOT_SUPPORTED");
      if (item.institution.health === "DOWN") throw new PlaidRefusal("INSTITUTION_DOWN");
      if (item.isExtracting) throw new PlaidRefusal("PRODUCT_NOT_READY");
      item.update();
      return {};
    }
    await item.ready(query.options?.async_update);
    const isHoldings = path === "/investments/holdings/get";
    return isHoldings ? holdings(item, query) : transactions(item, query);
  }

  function holdings(item: PlaidItem, query: Query): JsonObject {
    const accounts = chosen(item, query);
    const rows = accounts.flatMap(([account_id, account]) =>
      item.seen(account).holdings.map((each): JsonObject => ({ account_id, ...each })),
    );
    return {
      accounts: accountsOf(item, accounts),
      holdings: rows,
      securities: item.securities(rows.map((each) => each.security_id)),
      item: item.answer,
      is_investments_fallback_item: false,
    };
  }

  function transactions(item: PlaidItem, query: Query): JsonObject {
    const { start_date: start, end_date: end, options = {} } = query;
    const { count = COUNT, offset = 0 } = options;
    if (start > end) throw invalid("start_date must be on or before end_date");
    if (count < 1 || count > MAX_COUNT) throw invalid("count must be between 1 and 500");
    if (offset < 0) throw invalid("offset must be greater than or equal to 0");
    const accounts = chosen(item, query);
    const earliest = new Date(item.created_at);
    earliest.setUTCMonth(earliest.getUTCMonth() - MONTHS);
    const first = earliest.toISOString().slice(0, 10);
    const all = accounts
      .flatMap(([account_id, account]) =>
        item.seen(account).bookings.map(({ key, date, row }) => ({
          date,
          row: { investment_transaction_id: plaidId(item.item_id, key), account_id, ...row } as JsonObject,
        })),
      )
      .filter(({ date }) => date >= start && date <= end && date >= first)
      // The latest first, of a day those that were booked last.
      .toReversed()
      .sort((one, other) => (one.date === other.date ? 0 : one.date < other.date ? 1 : -1))
      .map(({ row }) => row);
    let rows: readonly JsonObject[] = all.slice(offset, offset + count);
    const fault = offset > 0 ? faults.shift() : undefined;
    if (fault === "half") rows = rows.slice(0, Math.floor(rows.length / 2));
    if (fault === "repeated") rows = previous;
    previous = rows;
    const reply = {
      accounts: accountsOf(item, accounts),
      investment_transactions: rows,
      securities: item.securities(rows.flatMap((each) => each.security_id ?? [])),
      total_investment_transactions: all.length,
      item: item.answer,
      is_investments_fallback_item: false,
    };
    happenings.shift()?.();
    return reply;
  }

  return {
    answer,
    betweenPages: (happens: () => void) => void happenings.push(happens),
    nextPage: (fault: PageFault) => void faults.push(fault),
  };
}

function supported(item: PlaidItem): void {
  if (!item.institution.products.includes("investments")) throw new PlaidRefusal("PRODUCTS_NOT_SUPPORTED");
  if (!item.consented.includes("investments")) throw new PlaidRefusal("ADDITIONAL_CONSENT_REQUIRED");
  if (![...item.accounts.values()].some(({ type }) => type === "investment"))
    throw new PlaidRefusal("NO_INVESTMENT_ACCOUNTS");
}

function chosen(item: PlaidItem, { options }: Query): readonly (readonly [string, PlaidAccount])[] {
  const { accounts } = item;
  const wanted = options?.account_ids;
  const unknown = wanted?.find((id) => !accounts.has(id));
  if (unknown) throw new PlaidRefusal("INVALID_ACCOUNT_ID");
  return [...accounts].filter(([id]) => !wanted || wanted.includes(id));
}

/** All accounts of the item, those of other types too, as the description's example has them. */
const accountsOf = (item: PlaidItem, accounts: readonly (readonly [string, PlaidAccount])[]) =>
  accounts.map(([account_id, account]): JsonObject => ({ account_id, ...item.seen(account).account }));

const invalid = (message: string) => new PlaidRefusal("INVALID_FIELD", { message });
