import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { exactJson, example } from "../test/examples.js";
import { type CustodyTransaction, lists } from "./custody-answers.js";
import { rowsOf } from "./transactions.js";

const transactionOf = (text: string) => lists.transactions.row.parse(exactJson(text)) as CustodyTransaction;
const rows = (name: string) => rowsOf(transactionOf(example(`transactions/${name}`)));

/** Kind, units, total, currency, price, then the charges. */
const known: Readonly<Record<string, readonly (readonly (string | null)[])[]>> = {
  "000-cash-inflow": [["deposit", null, "500000", "CHF", null]],
  "000-fx-spot": [
    ["fx", null, "-100000", "CHF", null],
    ["fx", null, "101001.15", "EUR", null],
  ],
  "001-bond-buy": [["buy", "200000", "-180765.0", "CHF", "90.0", "130", "135", "-180500.0"]],
  "001-bond-coupon": [["coupon", null, "665", "CHF", null, null, "335", "1000"]],
  "001-bond-maturity": [["redemption", "-200000", "200000", "CHF", null]],
  "002-equity-buy": [["buy", "10000", "-100472.75", "CHF", "10", "397.75", "75", "-100000.00"]],
  "002-equity-buy-with-fx": [["buy", "40", "-5451.0", "CHF", null, "200.25", "150.75", "-5100.00"]],
  "002-equity-cash-dividend": [["dividend", null, "4118.4", "CHF", null, null, "2217.6", "6336.0"]],
  "002-equity-cash-dividend-with-fx": [["dividend", null, "180", "CHF", null, null, "90", "270"]],
  "002-equity-public-offer": [
    ["other", "-300", null, "EUR", "21.6"],
    ["other", "300", null, "EUR", "22.05"],
  ],
  "002-equity-public-offer-acceptance": [["sell", "-300", "6133.49", "CHF", null, null, "18.46", "6151.95"]],
  "002-equity-public-offer-expiry": [
    ["other", "-300", null, "EUR", "22.05"],
    ["other", "300", null, "EUR", "20.73"],
  ],
  "003-fund-accumulation": [["dividend", null, "0", "CHF", null, null, "746.05", "746.05"]],
  "003-fund-buy": [["buy", "9956.192", "-1146812.08", "CHF", "115.0", "1100", "750", "-1144962.08"]],
  "003-fund-prepayment-substitution": [
    ["other", "-1000000", null, "CHF", null],
    ["other", "9956.192", "-2599.65", "CHF", "100.44", "1099.75", "1500", "0.10"],
  ],
  "003-fund-subscription": [["buy", "1000000", "-1000000.0", "CHF", "1"]],
  "006-option-put-buy-with-fx": [["buy", "20", "-2601.0", "CHF", null, "30.25", "20.75", "-2550.00"]],
  "008-fx-forward-open-contract": [["other", "1", null, "CHF", null]],
  "008-fx-forward-close-contract": [
    ["other", "-1", null, "CHF", null],
    ["other", null, "-200000", "USD", null],
    ["other", null, "170000", "CHF", null],
  ],
  "009-fx-swap-open-contract": [
    ["other", "1", null, "CHF", null],
    ["other", null, "200000", "USD", null],
    ["other", null, "-165000", "CHF", null],
  ],
  "009-fx-swap-close-contract": [
    ["other", "-1", null, "CHF", null],
    ["other", null, "-200000", "USD", null],
    ["other", null, "170000", "CHF", null],
  ],
  "010-fx-option-buy": [["buy", "1", "-2000.0", "CHF", null]],
  "011-callable-deposit-open": [["other", "1", "-6000000", "CHF", null]],
  "011-callable-deposit-decrease-principle": [["other", null, "3100000", "CHF", null]],
  "011-callable-deposit-interest-payment": [["interest", null, "354.5", "CHF", null]],
  "011-callable-deposit-close": [["other", "-1", "2900133.33", "CHF", null]],
  "012-fixed-deposit-open-contract": [["other", "1", "-100000", "USD", null]],
  "012-fixed-deposit-close-contract": [["other", "-1", "100130.4", "USD", null]],
  "013-interest-rate-swap-open-contract": [["other", "1", null, "CHF", null]],
  "013-interest-rate-swap-additional-payment": [["other", null, "-50", "CHF", null]],
  "013-interest-rate-swap-interest-payment": [["interest", null, "50", "CHF", null]],
  "013-interest-rate-swap-unwind": [["other", "-1", "-50", "CHF", null, "120", null, "70"]],
  "013-interest-rate-swap-close-contract": [["other", "-1", "50", "CHF", null]],
  "014-total-return-swap-open-contract": [["other", "1", null, "CHF", null]],
  "015-credit-open": [["other", "1", "50000", "CHF", null]],
  "015-credit-amortisation-and-interest-payment": [["other", null, "-10250", "CHF", null]],
};

test("every example of the description is known here", () => {
  const names = readdirSync(new URL("../test/description/examples/transactions", import.meta.url));
  expect(Object.keys(known).sort()).toEqual(names.map((name) => name.replace(".json", "")).sort());
});

test.each(Object.entries(known))("[C-5.109] the description's transaction %s", (name, expected) => {
  const found = rows(name).map(({ kind, amount, balance, currency, unit_price, fees, taxes, gross }) =>
    fees === undefined && taxes === undefined
      ? [kind, amount, balance, currency, unit_price]
      : [kind, amount, balance, currency, unit_price, fees ?? null, taxes ?? null, gross],
  );
  expect(found).toEqual(expected);
});

test("[C-5.112] a purchase is one row in the account where the asset is, with its numbers and its words", () => {
  expect(rows("001-bond-buy")).toEqual([
    {
      key: "trx-001-00",
      portfolio_key: "safekeeping-account-1",
      holding_key: "pos-001",
      operation_date: "2023-01-04",
      description: "Buy: Schweizerische Eidgenossenschaft 0,5% 18/32",
      kind: "buy",
      amount: "200000",
      balance: "-180765.0",
      currency: "CHF",
      unit_price: "90.0",
      fees: "130",
      taxes: "135",
      gross: "-180500.0",
      identifiers: { isin: "CH0344958688" },
    },
  ]);
  expect(rows("003-fund-subscription")[0]).toMatchObject({ settlement_date: "2023-04-21" });
  expect(rows("002-equity-public-offer")[0]?.description).toBe("Public offer INDUS equity");
});

test("[C-5.112] a row of money is in the account of the money; every row has a key of its own, whatever the order", () => {
  const [francs, euros] = rows("000-fx-spot");
  expect(francs).toMatchObject({ key: "trx-000-01/cash-account-chf-1/CHF", holding_key: "pos-000" });
  expect(euros).toMatchObject({ portfolio_key: "cash-account-eur-1", key: "trx-000-01/cash-account-eur-1/EUR" });
  const swap = transactionOf(example("transactions/009-fx-swap-open-contract"));
  const turned = { ...swap, postingAmountList: swap.postingAmountList?.toReversed() };
  const keys = (of: CustodyTransaction) =>
    rowsOf(of)
      .map(({ key }) => key)
      .sort();
  expect(keys(turned)).toEqual(keys(swap));
  expect(new Set(keys(swap)).size).toBe(3);
});

test("without stated totals they are the exact sums of what was moved", () => {
  for (const name of Object.keys(known)) {
    const stated = transactionOf(example(`transactions/${name}`));
    // Two of the specification's examples state totals that differ from the sums of their movements.
    if (name === "002-equity-public-offer-acceptance" || name === "003-fund-prepayment-substitution") continue;
    if (name === "003-fund-subscription") continue;
    const { postingAmountList: _, ...summed } = stated;
    const totals = (of: CustodyTransaction) => rowsOf(of).map(({ balance, currency }) => [Number(balance), currency]);
    expect([name, totals(summed)]).toEqual([name, totals(stated)]);
  }
});

test("reversals keep the bank's signs and say what they are; transfers go by the sign", () => {
  const buy = JSON.parse(example("transactions/002-equity-buy"));
  const reversal = transactionOf(JSON.stringify({ ...buy, reversalIndicator: true }));
  expect(rowsOf(reversal)[0]).toMatchObject({ description: "Reversal of Buy: CREDIT SUISSE GROUP AG", kind: "buy" });
  const inflow = JSON.parse(example("transactions/000-cash-inflow"));
  const moved = (amount: number) =>
    rowsOf(
      transactionOf(
        JSON.stringify({
          ...inflow,
          type: "internalTransfer",
          postingAmountList: [{ ...inflow.postingAmountList[0], amount }],
        }),
      ),
    )[0]?.kind;
  expect([moved(5), moved(-5), moved(0)]).toEqual(["transfer_in", "transfer_out", "other"]);
});
