import type { ApiProblem, Missing } from "../../api/api-problem.js";
import { localeOf, useLanguage, useWords } from "../../language/language.js";
import { useAddress } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { Link } from "../../parts/link.js";
import { Problem } from "../../parts/problem.js";
import { nextDay, useAsked, type WealthOf } from "./asked.js";
import { useDay } from "./figures.js";
import { usePortfolios } from "./names.js";
import { reasonWords } from "./reason-words.js";
import { wealthWords } from "./words.js";

/** Why a figure was not answered: what it lacks, or what failed. */
export function NoFigure({
  of,
  problem,
  onRetry,
}: {
  readonly of: WealthOf;
  readonly problem: ApiProblem | null;
  readonly onRetry: () => void;
}) {
  if (problem === null) return null;
  if (problem.missing.length > 0) return <Refusal of={of} missing={problem.missing} />;
  return <Problem problem={problem} onRetry={onRetry} />;
}

/** A figure that is refused: what it lacks, and what brings it. */
function Refusal({ of, missing }: { readonly of: WealthOf; readonly missing: readonly Missing[] }) {
  const words = useWords(wealthWords);
  return (
    <div className="notice" role="status">
      <p>
        <strong>{words.refused}</strong> {words.refusedText}
      </p>
      <Reasons of={of} reasons={missing} />
    </div>
  );
}

/** Sentences that are shown at once; the others are counted. */
const MAX_SAID = 12;

/** What figures lack, and what to do about each kind of it. What several portfolios lack in the same days is said once. */
export function Reasons({ of, reasons }: { readonly of: WealthOf; readonly reasons: readonly Missing[] }) {
  const words = useWords(reasonWords);
  const terms = useWords(wealthWords);
  const groups = groupsOf(reasons).slice(0, MAX_SAID);
  const kinds = [...new Set(groups.map(([{ reason }]) => reason))];
  const more = groupsOf(reasons).length - groups.length;
  return (
    <>
      {kinds.map((kind) => (
        <div key={kind} className="reasons">
          <ul>
            {groups
              .filter(([{ reason }]) => reason === kind)
              .map((group) => (
                <li key={JSON.stringify(group[0])}>
                  <ReasonSaid of={of} group={group} />
                </li>
              ))}
          </ul>
          <p className="quiet">{words.todo[kind]}</p>
        </div>
      ))}
      {more > 0 && <p>{terms.more(more)}</p>}
    </>
  );
}

type Group = readonly [Missing, ...Missing[]];

/** Those that differ by their portfolio only are one. */
function groupsOf(reasons: readonly Missing[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const reason of reasons) {
    const key = JSON.stringify({ ...reason, portfolio_id: null });
    groups.set(key, [...(groups.get(key) ?? []), reason] as unknown as Group);
  }
  return [...groups.values()];
}

function ReasonSaid({ of, group }: { readonly of: WealthOf; readonly group: Group }) {
  const words = useWords(reasonWords);
  const terms = useWords(wealthWords);
  const language = useLanguage();
  const { setSearch } = useAddress();
  const { to } = useAsked();
  const day = useDay();
  const portfolios = usePortfolios(of);
  const [reason] = group;
  const found = group.flatMap((one) => {
    const portfolio = "portfolio_id" in one && one.portfolio_id !== null && portfolios.get(one.portfolio_id);
    return portfolio ? [portfolio] : [];
  });
  const names = found.map(({ bank, name }) => `${bank} · ${name}`);
  const name = new Intl.ListFormat(localeOf(language)).format(names) || terms.aPortfolio;
  const connection = found[0]?.connection_id ?? ("credentials_token" in reason ? reason.credentials_token : undefined);
  const begin = reason.reason === "no_opening_value" && reason.first_valuation && nextDay(reason.first_valuation);
  return (
    <>
      {said(reason)} {connection && <Link to={`/connections/${connection}`}>{words.open}</Link>}
      {begin && begin <= to && (
        <Button onClick={() => setSearch({ period: "own", from: begin, to })}>{words.beginAt(day(begin))}</Button>
      )}
    </>
  );

  function said(one: Missing): string {
    switch (one.reason) {
      case "stale":
        return words.said.stale(name, day(one.from), day(one.to));
      case "no_data":
        return words.said.no_data(one.portfolio_id === null ? terms.aConnection : name);
      case "value_unknown":
        return words.said.value_unknown(name);
      case "no_opening_value":
        return words.said.no_opening_value(day(one.date), one.first_valuation && day(one.first_valuation));
      case "difference":
        return words.said.difference(name, one.name, day(one.from), day(one.to));
      case "movements_unread":
        return words.said.movements_unread(one.from && day(one.from), day(one.to));
      case "movement_unclear":
        return words.said.movement_unclear(name, day(one.date));
      case "flow_value_unknown":
        return words.said.flow_value_unknown(name, day(one.date));
      case "rate_missing":
        return words.said.rate_missing(one.from, one.to, day(one.date));
      case "return_undefined":
        return words.said.return_undefined(day(one.date));
      case "no_root":
        return words.said.no_root;
      case "several_roots":
        return words.said.several_roots;
    }
  }
}
