import type { HoldingFacts, WealthFacts } from "../../src/facts.js";
import {
  amountOf,
  coverageOf,
  duplicatesOf,
  type SelectedAccount,
  selectAccounts,
  stateOf,
  totalsAt,
  worthOf,
} from "./accounts.js";
import { type Asked, checkDate, defaultStaleAfter } from "./arguments.js";
import { type Amount, Converter, digitsOf, showMoney, sumByCurrency } from "./currencies.js";
import { Fraction } from "./fraction.js";
import { Refusal } from "./refusal.js";

export interface DateArguments extends Asked {
  /** Today if left out. */
  readonly date?: string;
}

interface Day {
  readonly date: string;
  readonly currency: string | null;
  readonly staleAfter: number;
  readonly accounts: readonly SelectedAccount[];
  readonly converter: Converter;
}

function openDay(facts: WealthFacts, asked: DateArguments, today: string): Day {
  const date = asked.date ?? today;
  checkDate(date, today);
  const currency = asked.currency ?? null;
  return {
    date,
    currency,
    staleAfter: asked.stale_after ?? defaultStaleAfter,
    accounts: selectAccounts(facts, asked.portfolio_ids ?? null),
    converter: new Converter(facts.rates, currency),
  };
}

/** What every answer about a day ends with. @throws Refusal where a rate is missing */
function closeDay(facts: WealthFacts, asked: DateArguments, day: Day) {
  if (day.converter.missing.size > 0)
    throw new Refusal("INSUFFICIENT_DATA", day.converter.missingRates().slice(0, 50) as unknown as Refusal["details"]);
  const coverage = coverageOf(facts, asked.portfolio_ids ?? null, day.date, day.staleAfter);
  const duplicates = duplicatesOf(day.accounts);
  return duplicates.length > 0 ? { coverage, duplicates } : { coverage };
}

interface HeldRow {
  readonly holding: HoldingFacts;
  readonly portfolioId: string;
  readonly asOf: string;
}

/** Every row of the accounts that are valued or carried that day. */
function rowsAt(day: Day): HeldRow[] {
  return day.accounts.flatMap(({ account }) => {
    const state = stateOf(account, day.date, day.staleAfter);
    if (state.state === "missing") return [];
    return (state.valuation.holdings ?? []).map((holding) => ({
      holding,
      portfolioId: account.shown_as,
      asOf: state.valuation.day,
    }));
  });
}

export function holdingsAt(facts: WealthFacts, asked: DateArguments, today: string) {
  const day = openDay(facts, asked, today);
  const items = rowsAt(day).map(({ holding: { is_notional: _, ...holding }, portfolioId, asOf }) => {
    const money = (decimal: string | null) =>
      decimal === null
        ? null
        : showMoney(day.converter.convert(amountOf(decimal, holding.currency), day.date), day.currency);
    return {
      ...holding,
      balance: money(holding.balance),
      cost: money(holding.cost),
      currency: day.currency ?? holding.currency,
      portfolio_id: portfolioId,
      as_of: asOf,
    };
  });
  return { items, ...closeDay(facts, asked, day) };
}

export interface SummaryArguments extends DateArguments {
  readonly by: "type" | "currency" | "bank" | "client" | "security";
}

export function summary(facts: WealthFacts, asked: SummaryArguments, today: string) {
  const day = openDay(facts, asked, today);
  const totals = totalsAt(day.accounts, day.date, day.staleAfter, day.converter);
  const parts = day.accounts.flatMap((selected) => partsOf(selected, asked.by, day));
  const keys = [...new Set(parts.map((part) => part.key))].toSorted(nullLast);
  const [total] = totals;
  const items = keys.flatMap((key) => {
    const all = sumByCurrency(parts.filter((part) => part.key === key).map((part) => part.amount));
    // Nothing is left to say of what is not there.
    const sums = key === "unallocated" ? all.filter((amount) => amount.value.sign !== 0) : all;
    if (sums.length === 0) return [];
    const hasShare = totals.length === 1 && total !== undefined && total.value.sign > 0;
    const sum = Fraction.sum(sums.map((amount) => amount.value));
    const share = hasShare && total !== undefined ? sum.over(total.value).toFixed(6) : null;
    return [{ key, totals: shown(sums, day.currency), share }];
  });
  const ending = closeDay(facts, asked, day);
  return {
    date: day.date,
    totals: shown(totals, day.currency),
    complete: ending.coverage.missing === 0,
    rates: day.converter.usedRates(),
    items,
    ...ending,
  };
}

interface Part {
  readonly key: string | null;
  readonly amount: Amount;
}

/** An account's value by key, so that its parts make its value. */
function partsOf({ connection, account }: SelectedAccount, by: SummaryArguments["by"], day: Day): Part[] {
  const state = stateOf(account, day.date, day.staleAfter);
  if (state.state === "missing") return [];
  const value = (worthOf(account, state.valuation) ?? []).map((amount) => day.converter.convert(amount, day.date));
  if (by === "bank") return value.map((amount) => ({ key: connection.connector_id, amount }));
  if (by === "client") return value.map((amount) => ({ key: connection.client_ref, amount }));
  const rows = (state.valuation.holdings ?? []).flatMap((holding) =>
    holding.balance === null || holding.is_notional ? [] : [{ ...holding, balance: holding.balance }],
  );
  const { balance } = state.valuation;
  if (balance !== null && day.currency === null && rows.some((row) => row.currency !== account.currency))
    return [{ key: "unallocated", amount: amountOf(balance, account.currency) }];
  const parts = rows.map((row) => ({
    key: { type: row.type, currency: row.currency, security: row.isin ?? row.id }[by],
    amount: day.converter.convert(amountOf(row.balance, row.currency), day.date),
  }));
  const [stated] = value;
  if (balance === null || stated === undefined) return parts;
  const rest = stated.value.minus(Fraction.sum(parts.map((part) => part.amount.value)));
  const scale = Math.max(stated.scale, ...parts.map((part) => part.amount.scale));
  return [...parts, { key: "unallocated", amount: { ...stated, value: rest, scale } }];
}

function shown(amounts: readonly Amount[], asked: string | null) {
  return amounts.map((amount) => ({ currency: amount.currency, balance: showMoney(amount, asked) }));
}

function nullLast(one: string | null, other: string | null): number {
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
}

/** Unrealised, without cash. */
export function gains(facts: WealthFacts, asked: DateArguments, today: string) {
  const day = openDay(facts, asked, today);
  const rows = rowsAt(day)
    .filter(({ holding }) => holding.type !== "L" && !holding.is_notional)
    .map((row) => {
      const exact = (decimal: string | null) =>
        decimal === null ? null : day.converter.convert(amountOf(decimal, row.holding.currency), day.date);
      const [balance, cost] = [exact(row.holding.balance), exact(row.holding.cost)];
      const gain =
        balance === null || cost === null
          ? null
          : { ...balance, value: balance.value.minus(cost.value), scale: Math.max(balance.scale, cost.scale) };
      return { ...row, balance, cost, gain };
    });
  const money = (amount: Amount | null) => (amount === null ? null : showMoney(amount, day.currency));
  const items = rows.map(({ holding, portfolioId, balance, cost, gain }) => ({
    id: holding.id,
    name: holding.name,
    isin: holding.isin,
    portfolio_id: portfolioId,
    currency: day.currency ?? holding.currency,
    balance: money(balance),
    cost: money(cost),
    gain: money(gain),
    gain_share:
      gain === null || cost === null || cost.value.sign === 0 ? null : gain.value.over(cost.value.size()).toFixed(6),
  }));
  const known = rows.filter((row) => row.balance !== null);
  const currencies = [...new Set(known.map((row) => day.currency ?? row.holding.currency))].toSorted();
  const totals = currencies.map((currency) => {
    const ofCurrency = known.filter((row) => (day.currency ?? row.holding.currency) === currency);
    const withCost = ofCurrency.filter((row) => row.gain !== null);
    const withoutCost = ofCurrency.filter((row) => row.cost === null);
    const sum = (amounts: readonly (Amount | null)[]) => {
      const own = amounts.filter((amount) => amount !== null);
      const told =
        own.length > 0 ? own : ofCurrency.flatMap((row) => [row.balance, row.cost]).filter((amount) => amount !== null);
      const scale = day.currency === null ? Math.max(0, ...told.map((amount) => amount.scale)) : digitsOf(day.currency);
      return Fraction.sum(own.map((amount) => amount.value)).toFixed(scale);
    };
    return {
      currency,
      balance: sum(withCost.map((row) => row.balance)),
      cost: sum(withCost.map((row) => row.cost)),
      gain: sum(withCost.map((row) => row.gain)),
      holdings: withCost.length,
      balance_without_cost: sum(withoutCost.map((row) => row.balance)),
      holdings_without_cost: withoutCost.length,
    };
  });
  return { date: day.date, items, totals, ...closeDay(facts, asked, day) };
}
