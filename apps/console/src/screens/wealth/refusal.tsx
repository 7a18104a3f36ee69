import type { ApiProblem, MissingFact } from "../../api/api-problem.js";
import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { useAddress } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { Link } from "../../parts/link.js";
import { Problem } from "../../parts/problem.js";
import { nextDay, useAsked, type WealthOf } from "./asked.js";
import { useDay } from "./figures.js";
import { usePortfolios } from "./names.js";
import { reasonWords } from "./reason-words.js";
import { wealthWords } from "./words.js";

/** Why a figure is not certain, or is none. */
type Reason =
  | AnswerOf<"/data/v1/performance">["gaps"][number]
  | { readonly reason: "rate_missing"; readonly from: string; readonly to: string; readonly date: string }
  | { readonly reason: "return_undefined"; readonly date: string }
  | { readonly reason: "no_root" }
  | { readonly reason: "several_roots"; readonly returns: readonly string[] };

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
function Refusal({ of, missing }: { readonly of: WealthOf; readonly missing: readonly MissingFact[] }) {
  const words = useWords(wealthWords);
  return (
    <div className="notice" role="status">
      <p>
        <strong>{words.refused}</strong> {words.refusedText}
      </p>
      <Reasons of={of} reasons={missing as readonly Reason[]} />
    </div>
  );
}

/** What figures lack, one by one, each with what to do about it. */
export function Reasons({ of, reasons }: { readonly of: WealthOf; readonly reasons: readonly Reason[] }) {
  return (
    <ul className="bad-figures">
      {reasons.map((reason) => (
        <li key={JSON.stringify(reason)}>
          <ReasonSaid of={of} reason={reason} />
        </li>
      ))}
    </ul>
  );
}

function ReasonSaid({ of, reason }: { readonly of: WealthOf; readonly reason: Reason }) {
  const words = useWords(reasonWords);
  const terms = useWords(wealthWords);
  const { setSearch } = useAddress();
  const { to } = useAsked();
  const day = useDay();
  const portfolios = usePortfolios(of);
  const found =
    "portfolio_id" in reason && reason.portfolio_id !== null ? portfolios.get(reason.portfolio_id) : undefined;
  const connection = found?.connection_id ?? ("credentials_token" in reason ? reason.credentials_token : undefined);
  const known = (words.said as Readonly<Record<string, unknown>>)[reason.reason] !== undefined;
  const begin = reason.reason === "no_opening_value" && reason.first_valuation && nextDay(reason.first_valuation);
  return (
    <>
      {known ? said(reason) : reason.reason} <span className="quiet">{known && words.todo[reason.reason]}</span>{" "}
      {connection && <Link to={`/connections/${connection}`}>{words.open}</Link>}
      {begin && begin <= to && (
        <Button onClick={() => setSearch({ period: "own", from: begin, to })}>{words.beginAt(day(begin))}</Button>
      )}
    </>
  );

  function said(one: Reason): string {
    const name = found ? `${found.bank} · ${found.name}` : terms.aPortfolio;
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
