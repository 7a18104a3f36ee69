import type { Steps } from "@org/provider-kit";
import type { z } from "zod";
import type { AskedAccounts, Close, PortfolioChoice, Value } from "./accounts.js";
import type { Coverage } from "./answers.js";
import { coverageOf, Duplicates } from "./coverage.js";
import { Conversion } from "./currency-sums.js";
import { DayList, dateOf, dayNumber } from "./days.js";
import type { AccountFacts, ConnectionFacts, WealthFacts } from "./facts.js";
import { FoldedAccounts } from "./fold.js";
import { RateTable } from "./rates.js";
import { insufficientData, invalidArgument } from "./wealth-error.js";

/** What every question has. */
export interface CommonArguments extends PortfolioChoice {
  /** The currency of the answer; null = each amount in its own. */
  readonly currency: string | null;
}

/** What a question has by its schema, and what every one has. */
export type QuestionOf<Arguments extends z.ZodType> = CommonArguments &
  Omit<WithoutNull<z.input<Arguments>>, keyof CommonArguments>;
type WithoutNull<T> = { [Key in keyof T]: Exclude<T[Key], null> };

const MAX_DAYS = 3660;

/** A day asked for, as a number; today if none is named. */
export function dayAsked(field: string, date: string | undefined, today: string): number {
  if (date !== undefined && date > today) throw invalidArgument(field, "must not be after today (UTC)");
  return dayNumber(date ?? today);
}

/** The period asked for; `to` is today if it is not named. */
export function periodAsked(
  args: { readonly from: string; readonly to?: string | undefined },
  today: string,
): { readonly first: number; readonly last: number } {
  const last = dayAsked("to", args.to, today);
  const first = dayNumber(args.from);
  if (first > last) throw invalidArgument("from", `must not be after to (${dateOf(last)})`);
  if (last - first + 1 > MAX_DAYS) throw invalidArgument("from", `must begin a period of at most ${MAX_DAYS} days`);
  return { first, last };
}

/** The accounts in question at the close of one day. */
export interface DayClose {
  readonly accounts: readonly ClosedAccount[];
  readonly coverage: Coverage;
  /** `duplicates`, where there are any. */
  readonly duplicates: { readonly duplicates?: string[][] };
}

/** An account with the value that counts at the close of a day; null where it is missing. */
export interface ClosedAccount {
  readonly facts: AccountFacts;
  readonly connection: ConnectionFacts;
  readonly value: Value | null;
}

/** Looks all accounts of a question up at the close of a day, one in a step. */
export function* closeOfDay({ connections }: WealthFacts, args: CommonArguments, day: number): Steps<DayClose> {
  const folded = new FoldedAccounts(args, new DayList([day]), true);
  const accounts: ClosedAccount[] = [];
  for (const connection of connections) {
    for (const [facts, [run]] of yield* folded.add(connection))
      accounts.push({ facts, connection, value: countedValue(run?.close) });
  }
  return { accounts, ...folded.resultOfDay() };
}

/** What every answer says about its accounts. */
export function coverageAt(
  accounts: AskedAccounts,
  closes: readonly Close[],
): { coverage: Coverage; duplicates?: string[][] } {
  return { coverage: coverageOf(accounts, closes), ...duplicatesIn(accounts) };
}

function duplicatesIn({ accounts }: AskedAccounts): { duplicates?: string[][] } {
  const duplicates = new Duplicates();
  for (const { facts, connection } of accounts) duplicates.add(facts, connection.connector_id);
  return duplicates.found();
}

/** The value that counts at a close; null where it is missing. */
export function countedValue(close: Close | undefined): Value | null {
  return close === undefined || close.state === "missing" ? null : close.value;
}

/** The conversion that an answer needs, if any. */
export function conversionFor({ rates }: Pick<WealthFacts, "rates">, currency: string | null): Conversion | null {
  return currency === null ? null : new Conversion(new RateTable(rates), currency);
}

/** Refuses what was converted with a rate that is not there. */
export function refuseMissingRates(conversion: Conversion | null): void {
  if (conversion && conversion.missing.length > 0) throw insufficientData(inOrder(conversion.missing));
}

function inOrder(missing: Conversion["missing"]): Conversion["missing"] {
  return missing.toSorted((a, b) => (`${a.date} ${a.from}` < `${b.date} ${b.from}` ? -1 : 1));
}
