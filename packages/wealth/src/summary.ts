import type { Steps } from "@org/provider-kit";
import type { Value } from "./accounts.js";
import type { SummaryAnswer } from "./answers.js";
import type { summaryArguments } from "./arguments.js";
import { CurrencySums, totalsOf } from "./currency-sums.js";
import { dateOf } from "./days.js";
import type { AccountFacts, Money, Valuation, WealthFacts } from "./facts.js";
import { compare, divide, type Fraction, formatDecimal, fractionOf, round, ZERO } from "./fraction.js";
import { sumsOfHoldings } from "./holding-sums.js";
import { closeOfDay, conversionFor, dayAsked, type QuestionOf, refuseMissingRates } from "./question.js";

export type SummaryArguments = QuestionOf<typeof summaryArguments>;

const UNALLOCATED = "unallocated";

/** What the accounts are worth at the close of a day, and how it is divided; in steps. */
export function* summary(facts: WealthFacts, args: SummaryArguments, today: string): Steps<SummaryAnswer> {
  const day = dayAsked("date", args.date, today);
  const { accounts, coverage, duplicates } = yield* closeOfDay(facts, args, day);
  const conversion = conversionFor(facts, args.currency);
  const whole = new CurrencySums();
  const groups = new Map<string | null, CurrencySums>();
  const count = (key: string | null, amount: Money, isMinus = false) => {
    let sums = groups.get(key);
    if (!sums) {
      sums = new CurrencySums();
      groups.set(key, sums);
    }
    if (isMinus) sums.subtract(amount);
    else sums.add(amount);
  };
  for (const { facts: account, connection, value } of accounts) {
    yield;
    if (!value) continue;
    for (const amount of value.amounts) whole.add(amount);
    if (args.by === "bank" || args.by === "client") {
      const key = args.by === "bank" ? connection.connector_id : connection.client_ref;
      for (const amount of value.amounts) count(key, amount);
    } else divideUp(account, value, args.by, conversion !== null, count);
  }
  const totals = totalsOf(whole, conversion, day);
  const entries = whole.entries();
  const exact = (sums: CurrencySums): Fraction =>
    conversion ? conversion.total(sums, day) : fractionOf(sums.entries()[0]?.[1].sum() ?? { units: 0n, scale: 0 });
  const total = conversion || entries.length === 1 ? exact(whole) : ZERO;
  const items: SummaryAnswer["items"] = [];
  for (const [key, sums] of [...groups].sort(([a], [b]) => byKey(a, b))) {
    yield;
    const shown = key === UNALLOCATED ? withoutZero(sums) : sums;
    if (shown.entries().length === 0 || (key === UNALLOCATED && conversion && exact(shown).n === 0n)) continue;
    const share = compare(total, ZERO) > 0 ? round(divide(exact(shown), total), 6) : null;
    items.push({ key, totals: totalsOf(shown, conversion, day), share });
  }
  refuseMissingRates(conversion);
  const rates = conversion?.usedRates() ?? [];
  const answer = { date: dateOf(day), totals, complete: coverage.missing === 0, rates, items, coverage };
  return { ...answer, ...duplicates };
}

/** Keys in order, null last. */
export function byKey(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

/**
 * Counts an account's holdings, and what its stated balance has beyond them. Where nothing is converted, a balance cannot be compared with rows in
 * other currencies: then none of them counts.
 */
function divideUp(
  account: AccountFacts,
  { valuation, amounts }: Value,
  by: "type" | "currency" | "security",
  isConverted: boolean,
  count: (key: string | null, amount: Money, isMinus?: boolean) => void,
): void {
  const rows = rowsOf(valuation, by);
  const stated = valuation.balance !== null;
  if (stated) {
    for (const amount of amounts) count(UNALLOCATED, amount);
    if (!isConverted && rows.some(({ currency }) => currency !== account.currency)) return;
  }
  for (const row of rows) {
    count(row.key, row);
    if (stated) count(UNALLOCATED, row, true);
  }
}

/** What a valuation's holdings are worth, with the key that each counts for. */
function rowsOf(valuation: Valuation, by: "type" | "currency" | "security"): (Money & { readonly key: string })[] {
  if (by === "security")
    return (valuation.holdings ?? []).flatMap(({ id, isin, balance, currency, is_notional }) =>
      balance === null || is_notional ? [] : [{ key: isin ?? id, amount: balance, currency }],
    );
  return (valuation.holding_sums ?? sumsOfHoldings(valuation.holdings ?? [])).map(([type, currency, amount]) => ({
    key: by === "type" ? type : currency,
    amount,
    currency,
  }));
}

/** The sums without those that come to zero. */
function withoutZero(sums: CurrencySums): CurrencySums {
  const kept = new CurrencySums();
  for (const [currency, sum] of sums.entries()) {
    const decimal = sum.sum();
    if (decimal.units !== 0n) kept.add({ amount: formatDecimal(decimal), currency });
  }
  return kept;
}
