import { lastYear, ofBank, q, thisYear, yearBefore } from "./question.mjs";

const subject = "investment transactions";
const sums = "select currency, sum(balance) from movement";
const within = ({ first, last }) => `operation_date between '${first}' and '${last}'`;
const june = { first: `${lastYear}-06-01`, last: `${lastYear}-06-30` };

export const aboutMovements = [
  q(
    "How much dividend did I get this year?",
    { subject, where: { ...thisYear, kind: "dividend" }, want: "sums" },
    `${sums} where kind = 'dividend' and ${within(thisYear)} group by 1`,
    { row: "dividends this year" },
  ),
  q(
    "How much did each bank pay last year in dividends, and how much in coupons?",
    { subject, where: { ...yearBefore, kind: ["dividend", "coupon"] }, want: "groups", per: ["bank", "kind"] },
    `select currency, bank, kind, sum(balance) from movement
     where kind in ('dividend', 'coupon') and ${within(yearBefore)} group by 1, 2, 3`,
  ),
  q(
    "What income did I have this year, by kind: dividends, coupons, interest?",
    { subject, where: { ...thisYear, kind: ["dividend", "coupon", "interest"] }, want: "groups", per: ["kind"] },
    `select currency, kind, sum(balance) from movement
     where kind in ('dividend', 'coupon', 'interest') and ${within(thisYear)} group by 1, 2`,
  ),
  q(
    "What fees did I pay last year?",
    { subject, where: { ...yearBefore, kind: "fee" }, want: "sums" },
    `${sums} where kind = 'fee' and ${within(yearBefore)} group by 1`,
  ),
  q(
    "What taxes were taken since the start of last year?",
    { subject, where: { first: yearBefore.first, kind: "tax" }, want: "sums" },
    `${sums} where kind = 'tax' group by 1`,
  ),
  q(
    "What came in and went out in June last year, by kind?",
    { subject, where: june, want: "groups", per: ["kind"] },
    `select currency, kind, sum(balance) from movement where ${within(june)} group by 1, 2`,
  ),
  q(
    "How many purchases were there in June last year?",
    { subject, where: { ...june, kind: "purchase" }, want: "count" },
    `select count(*) from movement where kind = 'buy' and ${within(june)}`,
  ),
  q(
    "When and for how much did I buy Nestlé (CH0038863350)?",
    { subject, where: { isin: "CH0038863350", kind: "purchase" }, want: "rows", pick: ["operationDate", "balance"] },
    "select operation_date, balance from movement where kind = 'buy' and isin = 'CH0038863350'",
  ),
  q(
    "What was the largest withdrawal in euros?",
    {
      subject,
      where: { currency: "EUR", kind: "withdrawal" },
      want: "top",
      by: "balance",
      direction: "ascending",
      take: 1,
      pick: ["balance"],
    },
    "select min(balance) from movement where kind = 'withdrawal' and currency = 'EUR'",
  ),
  q(
    "When was the latest movement at Alpina?",
    { subject, of: ofBank("Alpina"), want: "top", by: "operationDate", take: 1, pick: ["operationDate"] },
    "select max(operation_date) from movement where bank = 'Alpina Privatbank'",
  ),
  q(
    "What was my very first movement?",
    { subject, want: "top", by: "operationDate", direction: "ascending", take: 1, pick: ["operationDate"] },
    "select min(operation_date) from movement",
  ),
  q(
    "Were there movements in 2005?",
    { subject, where: { first: "2005-01-01", last: "2005-12-31" }, want: "count" },
    "select 0",
  ),
];
