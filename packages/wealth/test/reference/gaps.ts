import type { WealthFacts } from "../../src/facts.js";
import { isZero, knownValuations, lastValuation, type SelectedAccount } from "./accounts.js";
import { daysBetween } from "./days.js";
import type { AccountFlows } from "./flows.js";

/** What a performance is refused for, or what it was reckoned in spite of. */
export interface Gap {
  readonly reason: string;
  readonly [detail: string]: string | null;
}

export interface GapQuestion {
  /** The day before the period. */
  readonly before: string;
  readonly to: string;
  readonly portfolioIds: readonly string[] | null;
  readonly staleAfter: number;
  /** Days whose values the method uses. */
  readonly neededDays: readonly string[];
}

/** Days on which an account has a known value. */
export function valuedDays({ account }: SelectedAccount): string[] {
  return knownValuations(account).map((valuation) => valuation.day);
}

/** The first day on which any of the accounts has a known value. */
export function firstValueDay(accounts: readonly SelectedAccount[]): string | null {
  const [first] = accounts.flatMap((selected) => valuedDays(selected).slice(0, 1)).toSorted();
  return first ?? null;
}

/** In the order of the specification, within each reason by day and then by what they say. */
export function findGaps(
  facts: WealthFacts,
  accounts: readonly SelectedAccount[],
  found: readonly AccountFlows[],
  question: GapQuestion,
): Gap[] {
  const faults = found.flatMap((each) => each.faults);
  const byReason = (reason: string) => faults.filter((fault) => fault.reason === reason).map((fault) => ({ ...fault }));
  return [
    accounts.flatMap((selected) => staleGaps(selected, question)),
    noData(facts, accounts, question),
    accounts.flatMap((selected) => unknownValue(selected, question)),
    noOpeningValue(accounts, question),
    accounts.flatMap((selected) => differences(selected, question)),
    facts.connections.flatMap((connection) => unreadMovements(accounts, connection.credentials_token, question)),
    byReason("movement_unclear"),
    byReason("flow_value_unknown"),
  ].flatMap((gaps) => distinct(gaps.toSorted(byDay)));
}

function staleGaps({ account }: SelectedAccount, question: GapQuestion): Gap[] {
  return question.neededDays.flatMap((day) => {
    const last = lastValuation(account, day);
    if (last === null || isZero(account, last) || daysBetween(last.day, day) <= question.staleAfter) return [];
    const next = knownValuations(account).find((valuation) => valuation.day > last.day);
    const end = next === undefined || next.day > question.to ? question.to : next.day;
    return [{ reason: "stale", portfolio_id: account.shown_as, from: last.day, to: end }];
  });
}

function noData(facts: WealthFacts, accounts: readonly SelectedAccount[], { portfolioIds }: GapQuestion): Gap[] {
  return facts.connections.flatMap((connection): Gap[] => {
    if (connection.accounts.length === 0)
      return portfolioIds === null ? [{ reason: "no_data", portfolio_id: null }] : [];
    return accounts
      .filter((selected) => selected.connection === connection && selected.account.valuations.length === 0)
      .map(({ account }) => ({ reason: "no_data", portfolio_id: account.shown_as }));
  });
}

/** Something came up to the end of the period, but no value. */
function unknownValue({ account }: SelectedAccount, { to }: GapQuestion): Gap[] {
  const hasCome = account.valuations.some((valuation) => valuation.day <= to);
  if (!hasCome || lastValuation(account, to) !== null) return [];
  return [{ reason: "value_unknown", portfolio_id: account.shown_as }];
}

function noOpeningValue(accounts: readonly SelectedAccount[], { before }: GapQuestion): Gap[] {
  const first = firstValueDay(accounts);
  if (first !== null && first <= before) return [];
  return [{ reason: "no_opening_value", date: before, first_valuation: first }];
}

function differences({ connection, account }: SelectedAccount, { before, to }: GapQuestion): Gap[] {
  return connection.differences
    .filter((each) => each.portfolio_id === account.portfolio_id && each.to > before && each.to <= to)
    .map(({ name, isin, from, to: end, difference }) => ({
      reason: "difference",
      portfolio_id: account.shown_as,
      name,
      isin,
      from,
      to: end,
      difference,
    }));
}

/** Values of the period that are newer than the last movements that were read. */
function unreadMovements(accounts: readonly SelectedAccount[], token: string, { before, to }: GapQuestion): Gap[] {
  const own = accounts.filter(({ connection }) => connection.credentials_token === token);
  const until = own[0]?.connection.movements_until ?? null;
  const newer = own
    .flatMap(valuedDays)
    .filter((day) => day > before && day <= to && (until === null || day > until))
    .toSorted();
  const last = newer.at(-1);
  return last === undefined ? [] : [{ reason: "movements_unread", credentials_token: token, from: until, to: last }];
}

function byDay(one: Gap, other: Gap): number {
  const [a, b] = [one, other].map((gap) => `${gap.from ?? gap.date ?? ""} ${JSON.stringify(gap)}`);
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

function distinct(gaps: readonly Gap[]): Gap[] {
  const kept = new Map(gaps.map((gap) => [JSON.stringify(gap), gap]));
  return [...kept.values()];
}
