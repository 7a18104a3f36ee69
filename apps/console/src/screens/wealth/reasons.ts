import type { Missing } from "../../api/api-problem.js";
import { localeOf, useLanguage, useWords } from "../../language/language.js";
import { useDay } from "./figures.js";
import type { PortfolioFacts } from "./names.js";
import { reasonWords } from "./reason-words.js";
import { wealthWords } from "./words.js";

/** What figures lack, as it is said once for all portfolios and days. */
export interface SaidReason {
  readonly reason: Missing;
  readonly sentence: string;
  /** The connection that it is about; undefined = none, or not known. */
  readonly connection_id: string | undefined;
}

/** Sentences that are said; the others are counted. */
const MAX_SAID = 12;

/** Says what figures lack: what several portfolios lack in the same days once, and so a rate that several days lack. */
export function useReasons(
  portfolios: ReadonlyMap<string, PortfolioFacts>,
): (missing: readonly Missing[]) => { readonly said: readonly SaidReason[]; readonly more: number } {
  const { said: words } = useWords(reasonWords);
  const terms = useWords(wealthWords);
  const language = useLanguage();
  const day = useDay();
  const units = new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 20, signDisplay: "exceptZero" });
  const list = new Intl.ListFormat(localeOf(language));

  return (missing) => {
    const groups = groupsOf(missing);
    return { said: groups.slice(0, MAX_SAID).map(saidOf), more: Math.max(0, groups.length - MAX_SAID) };
  };

  function saidOf(group: Group): SaidReason {
    const [reason] = group;
    const found = group.flatMap((one) => ("portfolio_id" in one && portfolios.get(one.portfolio_id ?? "")) || []);
    const names = new Set(found.map(({ bank, name }) => `${bank} · ${name}`));
    const connection_id = "credentials_token" in reason ? reason.credentials_token : found[0]?.connection_id;
    const sentence = sentenceOf(reason, list.format(names) || terms.aPortfolio, group.length > 1);
    return { reason, sentence, connection_id };
  }

  /** @param isMore whether the same is lacking on other days */
  function sentenceOf(one: Missing, name: string, isMore: boolean): string {
    switch (one.reason) {
      case "stale":
        return words.stale(name, day(one.from), day(one.to));
      case "no_data":
        return words.no_data(one.portfolio_id === null ? terms.aConnection : name);
      case "value_unknown":
        return words.value_unknown(name);
      case "no_opening_value":
        return words.no_opening_value(day(one.date), one.first_valuation && day(one.first_valuation));
      case "difference": {
        const difference = units.format(one.difference as Intl.StringNumericLiteral);
        return words.difference(name, one.name, day(one.from), day(one.to), difference);
      }
      case "movements_unread": {
        const of = [...portfolios.values()].find(({ connection_id }) => connection_id === one.credentials_token);
        return words.movements_unread(of?.bank ?? terms.aConnection, one.from && day(one.from), day(one.to));
      }
      case "movement_unclear":
        return words.movement_unclear(name, day(one.date));
      case "flow_value_unknown":
        return words.flow_value_unknown(name, day(one.date));
      case "rate_missing":
        return words.rate_missing(one.from, one.to, day(one.date), isMore);
      case "return_undefined":
        return words.return_undefined(day(one.date));
      case "no_root":
        return words.no_root;
      case "several_roots":
        return words.several_roots;
    }
  }
}

type Group = readonly [Missing, ...Missing[]];

/** Those that differ by their portfolio only are one, and rates that are missing by their day only. */
function groupsOf(missing: readonly Missing[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const each of new Map(missing.map((one) => [JSON.stringify(one), one])).values()) {
    const key = JSON.stringify({
      ...each,
      ...(each.reason === "rate_missing" ? { date: null } : { portfolio_id: null }),
    });
    groups.set(key, [...(groups.get(key) ?? []), each] as unknown as Group);
  }
  return [...groups.values()];
}
