import { ofBank, q } from "./question.mjs";

const subject = "portfolio accounts";
const sums = "select currency, sum(balance) from account";

export const aboutAccounts = [
  q("How much do I have, by currency?", { subject, want: "sums" }, `${sums} group by 1`),
  q(
    "How much do I have at Alpina?",
    { subject, of: ofBank("alpina"), want: "sums" },
    `${sums} where bank = 'Alpina Privatbank' group by 1`,
  ),
  q(
    "How much do I have at Banco Norte, in all connections together?",
    { subject, of: ofBank("Banco Norte"), want: "sums" },
    `${sums} where bank = 'Banco Norte' group by 1`,
  ),
  q(
    "How much is in pension plans?",
    { subject, where: { kind: "pension plans" }, want: "sums" },
    `${sums} where type = 'PP' group by 1`,
  ),
  q(
    "How much do I have at each bank?",
    { subject, want: "groups", per: ["bank"] },
    "select currency, bank, sum(balance) from account group by 1, 2",
  ),
  q(
    "Which are my three largest accounts in euros?",
    { subject, where: { currency: "EUR" }, want: "top", by: "balance", take: 3, pick: ["name", "balance"] },
    "select name, balance from account where currency = 'EUR' order by balance desc limit 3",
    { isOrdered: true },
  ),
  q("How much do I have at Crypto Bank?", { subject, of: ofBank("Crypto Bank"), want: "sums" }, "select 'unknown'"),
  q(
    "Which day are my balances of?",
    { subject, want: "values", part: "as of", pick: ["oldest", "newest"] },
    `select to_char(min(as_of) at time zone 'utc', 'YYYY-MM-DD'), to_char(max(as_of) at time zone 'utc', 'YYYY-MM-DD')
     from latest where product = 'portfolio'`,
    { judge: areDays },
  ),
];

/** A time is as good an answer as its day. */
function areDays(given, [days]) {
  return Array.isArray(given) && days.every((day, index) => String(given[0][index]).startsWith(day));
}
