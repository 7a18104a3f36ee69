import type { FetchResult } from "@org/provider-kit";
import { requestsFor } from "@org/provider-kit/testing";
import { expect, it } from "vitest";
import { providerFor, refusal, type Scripted, startScriptedPlaid } from "./scripted-plaid.js";

const requests = requestsFor("usa:plaid-ins_3", "ins_3");
const accounts = [account("acc-1")];
const item = { item_id: "item-1", institution_id: "ins_3", institution_name: "Chase", consent_expiration_time: null };

function account(account_id: string) {
  const balances = { current: 1, iso_currency_code: "USD", unofficial_currency_code: null };
  return { account_id, name: "Brokerage", mask: "1234", type: "investment", subtype: "brokerage", balances };
}

function row(id: number) {
  return {
    investment_transaction_id: `tx-${id}`,
    account_id: "acc-1",
    security_id: null,
    date: "2026-03-01",
    name: `Deposit ${id}`,
    ...{ quantity: 0, amount: -id - 0.25, price: 0, fees: null, type: "cash", subtype: "deposit" },
    ...{ iso_currency_code: "USD", unofficial_currency_code: null },
  };
}

/** Rows with falling numbers, as Plaid lists the latest first. */
const rowsTo = (last: number, count: number) => Array.from({ length: count }, (_, index) => row(last - index));
const holdings: Scripted = () => ({ accounts, holdings: [], securities: [], item });

/** A list of transactions that a test changes, in pages as Plaid divides it. */
function pagesOf(rows: () => object[]): Scripted {
  return ({ options }) => {
    const { count, offset } = options as { count: number; offset: number };
    const all = rows();
    const investment_transactions = all.slice(offset, offset + count);
    return { accounts, securities: [], item, investment_transactions, total_investment_transactions: all.length };
  };
}

async function fetchWith(
  transactions: Scripted,
  more: Parameters<typeof requests.fetch>[1] = {},
  ever = ["acc-1"],
  held = holdings,
) {
  const bank = await startScriptedPlaid({
    "/investments/holdings/get": held,
    "/investments/transactions/get": transactions,
  });
  const { provider, http, logged } = await providerFor(bank.base_url);
  const access = {
    ...{ base_url: bank.base_url, access_token: "access-1", item_id: "item-1", user_key: "key" },
    ...{ client_user_id: "c", accounts: ever },
  };
  try {
    const result = await provider.fetch(requests.fetch(access, more));
    return { result, offsets: bank.to("/investments/transactions/get").map(offsetOf), bank, logged };
  } finally {
    await http.close();
    bank.close();
  }
}

function offsetOf({ options }: Record<string, unknown>): unknown {
  return (options as { offset: number }).offset;
}

const moreOf = (result: FetchResult) => ("more" in result ? result.more : undefined);
const keysOf = (rows: readonly { key: string | null }[] | null | undefined) => (rows ?? []).map(({ key }) => key);

it("[C-5.252] pages of 500 are read to the total, and are all of 24 months", async () => {
  const { result, offsets, bank } = await fetchWith(pagesOf(() => rowsTo(1200, 1200)));
  expect(offsets).toEqual([0, 500, 1000]);
  expect(new Set(keysOf(result.snapshot?.transactions)).size).toBe(1200);
  expect(result.snapshot?.complete_from).toBe("2024-03-10");
  expect(bank.to("/investments/transactions/get")[0]).toMatchObject({
    start_date: "2024-03-10",
    end_date: "2026-03-10",
  });
});

it("[C-5.252] a row that arrives between two pages loses and doubles none: the list is read again from its start", async () => {
  let rows = rowsTo(1200, 1200);
  const { result, offsets } = await fetchWith((body, asked) => {
    if (asked === 2) rows = [row(1201), ...rows];
    return pagesOf(() => rows)(body, asked);
  });
  expect(offsets).toEqual([0, 500, 0, 500, 1000]);
  const keys = keysOf(result.snapshot?.transactions);
  expect([keys.length, new Set(keys).size]).toEqual([1201, 1201]);
});

it("[C-5.252] a row that is taken back between two pages moves the others: it is not listed, and none is lost", async () => {
  let rows = rowsTo(1200, 1200);
  const { result } = await fetchWith((body, asked) => {
    if (asked === 2) rows = rows.slice(1);
    return pagesOf(() => rows)(body, asked);
  });
  const keys = keysOf(result.snapshot?.transactions);
  expect([keys.length, keys.includes("tx-1200"), keys.at(-1)]).toEqual([1199, false, "tx-1"]);
});

it("[C-5.252] a page that comes twice, and a page without rows before the total, are read again", async () => {
  const rows = rowsTo(1200, 1200);
  const twice = await fetchWith((body, asked) =>
    pagesOf(() => rows)(asked === 2 ? { ...body, options: { count: 500, offset: 0 } } : body, asked),
  );
  expect(new Set(keysOf(twice.result.snapshot?.transactions)).size).toBe(1200);
  const half = await fetchWith((body, asked) => {
    const page = pagesOf(() => rows)(body, asked);
    return asked === 1 ? { ...page, investment_transactions: [] } : page;
  });
  expect(new Set(keysOf(half.result.snapshot?.transactions)).size).toBe(1200);
});

it("[C-5.252] a list that changes at every page brings no half list, and an end", async () => {
  let count = 1200;
  const { result, offsets } = await fetchWith((body, asked) => {
    count += 1;
    return pagesOf(() => rowsTo(count, count))(body, asked);
  });
  expect(offsets).toEqual([0, 500, 0, 500, 0, 500, 0, 500]);
  // What was read before is not part of any list: the fetch goes on from there, and says so again.
  expect(moreOf(result)?.retry_after ?? result.failed).toBeDefined();
  expect(result.snapshot?.complete_from).toBeUndefined();
});

it("[C-5.252] a later fetch reads 31 days, and withdraws nothing of an account that is gone", async () => {
  const since = new Date("2026-03-09T18:00:00Z");
  const all = await fetchWith(
    pagesOf(() => rowsTo(2, 2)),
    { refresh: true, awaited: true, since },
  );
  expect(all.bank.to("/investments/transactions/get")[0]).toMatchObject({ start_date: "2026-02-07" });
  expect(all.result).toMatchObject({ snapshot: { complete_from: "2026-02-07", portfolios: [{ key: "acc-1" }] } });
  const gone = await fetchWith(
    pagesOf(() => rowsTo(2, 2)),
    { refresh: true, since },
    ["acc-1", "acc-2"],
  );
  expect(gone.result.snapshot?.complete_from).toBeUndefined();
  expect(keysOf(gone.result.snapshot?.transactions)).toEqual(["tx-2", "tx-1"]);
  const added = await fetchWith(
    pagesOf(() => rowsTo(2, 2)),
    { refresh: true, since },
    [],
  );
  expect(added.result.access).toMatchObject({ accounts: ["acc-1"] });
});

it("[C-5.252] transactions that Plaid still extracts come later, and go on without the holdings", async () => {
  const notReady = await fetchWith(() => refusal(400, "ITEM_ERROR", "PRODUCT_NOT_READY"));
  expect(notReady.result).toMatchObject({ snapshot: { transactions: null, holdings: [] }, more: { retry_after: 60 } });
  const { result } = await fetchWith(
    pagesOf(() => rowsTo(3, 3)),
    { pending_state: moreOf(notReady.result)?.state },
  );
  expect(result.snapshot).toMatchObject({ portfolios: null, holdings: null });
  expect(keysOf(result.snapshot?.transactions)).toEqual(["tx-3", "tx-2", "tx-1"]);
});

it("[C-5.236] a row that cannot be read, or is of no account, is left out and counted; the others come, and nothing is withdrawn for it", async () => {
  const [good, ...odd] = [
    row(9),
    { ...row(8), date: "0000-01-01" },
    { ...row(7), investment_transaction_id: null },
    { ...row(6), account_id: "acc-elsewhere" },
    { ...row(5), name: null, amount: "a lot", quantity: {}, type: [], subtype: null, fees: [], security_id: "none" },
  ];
  const { result, logged } = await fetchWith(pagesOf(() => [good, [], ...odd]));
  expect(keysOf(result.snapshot?.transactions)).toEqual(["tx-9", "tx-5"]);
  expect(result.snapshot?.transactions?.[1]).toMatchObject({ description: "Transaction", amount: null, balance: null });
  expect(result.snapshot?.complete_from).toBeUndefined();
  expect(logged).toEqual([["movements that cannot be read are left out", { movements: 4 }]]);
});

it("[C-5.236] a holding whose figures or security cannot be read stays, without them", async () => {
  const stated = { account_id: "acc-1", ...{ iso_currency_code: "USD", unofficial_currency_code: null } };
  const held = [
    {
      ...stated,
      security_id: "sec-1",
      quantity: "3",
      institution_value: "30",
      institution_price: "10",
      cost_basis: 12,
    },
    { ...stated, security_id: "sec-2", quantity: null, institution_value: "many", institution_price_as_of: "soon" },
  ];
  const securities = [{ security_id: "sec-1", name: [], ticker_symbol: "AAA", type: "equity" }, { name: "of none" }];
  const odd = [{ ...account("acc-1"), name: null, balances: null }];
  const { result } = await fetchWith(
    pagesOf(() => [row(1)]),
    {},
    ["acc-1"],
    () => ({ accounts: odd, holdings: held, securities, item }),
  );
  expect(result.snapshot?.portfolios).toMatchObject([{ key: "acc-1", name: "1234", balance: null }]);
  expect(result.snapshot?.holdings).toMatchObject([
    { key: "sec-1", name: "AAA", amount: "3", balance: "30", cost: "12" },
    { key: "sec-2", amount: null, balance: null, valuation_date: null },
  ]);
});

it("[C-5.252] a connection of another environment is not sent there, and loses nothing", async () => {
  const bank = await startScriptedPlaid({});
  const { provider, http } = await providerFor(bank.base_url);
  const access = {
    ...{ base_url: "https://production.plaid.com", access_token: "access-1", item_id: "item-1", user_key: "key" },
    ...{ client_user_id: "c", accounts: [] },
  };
  const result = await provider.fetch(requests.fetch(access));
  await provider.revoke?.(requests.revoke(access));
  await http.close();
  bank.close();
  expect(result.failed?.message).toContain("another environment");
  expect(bank.asked).toEqual([]);
});
