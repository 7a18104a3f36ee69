import { expect, test } from "vitest";
import type { Account, Position, UnplacedTransaction } from "./custody-answers.js";
import { placing } from "./placement.js";

const account = (id: string, type: string, referenceCurrency = "CHF"): Account => ({ id, type, referenceCurrency });
const francs = account("francs", "cashAccount");
const dollars = account("dollars", "cashAccount", "USD");
const shares = account("shares", "safekeepingAccount");

type Movement = UnplacedTransaction["movementList"][number];

function moved(type: string, change: Partial<Movement> = {}): Movement {
  const financialInstrument = { type: "other", name: "N", identificationList: [] };
  return { type, financialInstrument, quantity: { type: "unit", value: "1" }, positionCurrency: "CHF", ...change };
}

function accountsOf(
  movements: readonly Movement[],
  {
    accounts = [francs, dollars, shares],
    postings,
  }: { accounts?: readonly Account[]; postings?: UnplacedTransaction["postingAmountList"] } = {},
) {
  let leftOut = 0;
  const held = { id: "p-1", account: shares } as Position;
  const place = placing(new Map(accounts.map((one) => [one.id, one])), [held], () => {
    leftOut += 1;
  });
  const { movementList, postingAmountList = [] } = place({
    id: "t",
    type: "buy",
    transactionDate: "2026-11-20",
    reversalIndicator: false,
    endOfDayIndicator: true,
    movementList: movements,
    postingAmountList: postings,
  });
  return {
    in: movementList.map(({ account: { id } }) => id),
    posted: postingAmountList.map((one) => one.account),
    leftOut,
  };
}

test("[C-5.265] what moved is in the account that is stated, else in that of its position, of its total, or in the only one", () => {
  const stub = { ...account("francs", "other"), name: undefined };
  expect(accountsOf([moved("cash", { account: stub })])).toMatchObject({ in: ["francs"], leftOut: 0 });
  expect(accountsOf([moved("cash", { account: account("closed", "other") })]).in).toEqual(["closed"]);
  expect(accountsOf([moved("asset", { positionId: "p-1" })]).in).toEqual(["shares"]);
  expect(accountsOf([moved("asset", { positionId: "p-2" }), moved("brokerageFee")]).in).toEqual(["shares", "francs"]);
  expect(accountsOf([moved("cash", { positionCurrency: "USD" })]).in).toEqual(["dollars"]);
  const second = account("more francs", "cashAccount");
  const posted = [{ amount: "1", currency: "CHF", account: second }];
  const both = { accounts: [francs, second, shares] };
  expect(accountsOf([moved("cash")], { ...both, postings: posted })).toMatchObject({ in: ["more francs"], leftOut: 0 });
});

test("[C-5.265] a total without an account is where its money moved; what is in no known account is left out and counted", () => {
  const postings = [{ amount: "1", currency: "CHF" }];
  expect(accountsOf([moved("cash", { account: francs })], { postings }).posted).toEqual([francs]);
  const two = [francs, account("more francs", "cashAccount"), shares, account("more shares", "safekeepingAccount")];
  expect(accountsOf([moved("cash"), moved("asset")], { accounts: two, postings })).toEqual({
    in: [],
    posted: [],
    leftOut: 3,
  });
});
