import { ofAccount, ofBank, q } from "./question.mjs";

const subject = "investment holdings";
const sums = "select currency, sum(worth) from holding";
/** Notionals last; by currency, the one with the largest sum first, since amounts of two currencies cannot be compared. */
const largestFirst = `
  join (select currency, sum(worth) as sum from holding group by 1) of_currency using (currency)
  order by is_notional, of_currency.sum desc, balance desc nulls last`;

export const aboutHoldings = [
  q(
    "What are my ten largest positions?",
    { subject, want: "top", by: "balance", take: 10, pick: ["name", "balance", "currency"] },
    `select name, balance, currency from holding ${largestFirst} limit 10`,
    { isOrdered: true, row: "my ten largest positions" },
  ),
  q(
    "What do I own, per currency and type?",
    { subject, want: "groups", per: ["type"] },
    "select currency, type, sum(worth) from holding group by 1, 2",
    { row: "what do I own, per currency and type" },
  ),
  q(
    "How many units of Nestlé do I own, and at which bank?",
    { subject, where: { name: "nestle" }, want: "rows", pick: ["bank", "amount"] },
    "select bank, amount from holding where name = 'Nestlé SA'",
    { row: "how many X do I own" },
  ),
  q(
    "What do I hold of DE0007236101?",
    { subject, where: { isin: "DE0007236101" }, want: "rows", pick: ["name", "amount", "balance"] },
    "select name, amount, balance from holding where isin = 'DE0007236101'",
  ),
  q(
    "What are my Roche and Novartis (CH0012032048, CH0012005267) worth together?",
    { subject, where: { isin: ["CH0012032048", "CH0012005267"] }, want: "sums" },
    `${sums} where isin in ('CH0012032048', 'CH0012005267') group by 1`,
  ),
  q(
    "How many of my positions are equities?",
    { subject, where: { kind: "equities" }, want: "count" },
    "select count(*) from holding where type = 'VI'",
  ),
  q(
    "What are my funds and exchange-traded funds worth?",
    { subject, where: { kind: ["funds", "exchange-traded funds"] }, want: "sums" },
    `${sums} where type in ('F', 'ETF') group by 1`,
  ),
  q(
    "What are my warrants worth?",
    { subject, where: { kind: "warrants" }, want: "sums" },
    `${sums} where subtype = 'W' group by 1`,
  ),
  q(
    "What are my derivatives worth, by what they are?",
    { subject, where: { kind: "derivatives" }, want: "groups", per: ["subtype"] },
    "select currency, subtype, sum(worth) from holding where type = 'DV' group by 1, 2",
  ),
  q(
    "Which are my five largest positions in dollars?",
    { subject, where: { currency: "USD" }, want: "top", by: "balance", take: 5, pick: ["name", "balance"] },
    "select name, balance from holding where currency = 'USD' and not is_notional order by balance desc nulls last limit 5",
    { isOrdered: true },
  ),
  q(
    "Which are the first three positions of the managed mandate by name?",
    {
      subject,
      of: ofAccount("Managed mandate"),
      want: "top",
      by: "name",
      direction: "ascending",
      take: 3,
      pick: ["name"],
    },
    `select h.name from holding h join account a on a.id = h.portfolio_id
     where a.name = 'Managed mandate' order by lower(h.name) collate "C" limit 3`,
    { isOrdered: true },
  ),
  q(
    "How many positions have a balance of at least 90,000, notionals included?",
    { subject, where: { "at least": 90_000 }, want: "count" },
    "select count(*) from holding where balance >= 90000",
  ),
  q(
    "Where are my bonds: how much in each account?",
    { subject, where: { kind: "fixed income" }, want: "groups", per: ["portfolio"], pick: ["portfolio.name"] },
    `select h.currency, a.name, sum(h.worth) from holding h join account a on a.id = h.portfolio_id
     where h.type = 'FI' group by a.id, a.name, h.currency`,
  ),
  q(
    "What are the holdings at Caja Sur and Global Broker worth together?",
    { subject, of: ofBank(["Caja Sur", "Global Broker"]), want: "sums" },
    `${sums} where bank in ('Caja Sur', 'Global Broker') group by 1`,
  ),
  q("Do I hold any crypto?", { subject, where: { kind: "crypto" }, want: "count" }, "select 0"),
  q(
    "How many positions have no known value?",
    { subject, want: "left out", part: "without balance" },
    "select count(*) from holding where balance is null and not is_notional",
  ),
  q(
    "How many positions are contracts whose amount is only a notional?",
    { subject, want: "left out", part: "notional" },
    "select count(*) from holding where is_notional",
  ),
  q(
    "Which days are my positions valued at?",
    { subject, want: "values", part: "as of", pick: ["oldest", "newest"] },
    "select min(valuation_date), max(valuation_date) from holding",
    { row: "as of when is this" },
  ),
  q(
    "Which position was valued last, and when?",
    { subject, want: "top", by: "valuation_date", take: 1, pick: ["valuation_date"] },
    "select max(valuation_date) from holding",
  ),
  q(
    "Which banks' holdings are old or missing?",
    { subject, want: "states" },
    "select bank, state from freshness where state <> 'ok'",
  ),
];
