import type { ApiProblem, Missing } from "../../api/api-problem.js";
import { useWords } from "../../language/language.js";
import { useAddress } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { Link } from "../../parts/link.js";
import { Problem } from "../../parts/problem.js";
import { nextDay, useAsked, type WealthOf } from "./asked.js";
import { useDay } from "./figures.js";
import { usePortfolios } from "./names.js";
import { reasonWords } from "./reason-words.js";
import { type SaidReason, useReasons } from "./reasons.js";
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

/** What figures lack, and what to do about each kind of it. */
export function Reasons({ of, reasons }: { readonly of: WealthOf; readonly reasons: readonly Missing[] }) {
  const words = useWords(reasonWords);
  const terms = useWords(wealthWords);
  const { said, more } = useReasons(usePortfolios(of))(reasons);
  const kinds = [...new Set(said.map(({ reason: { reason } }) => reason))];
  return (
    <>
      {kinds.map((kind) => (
        <div key={kind} className="reasons">
          <ul>
            {said
              .filter(({ reason: { reason } }) => reason === kind)
              .map((one) => (
                <li key={one.sentence}>
                  <ReasonSaid said={one} />
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

function ReasonSaid({ said: { reason, sentence, connection_id } }: { readonly said: SaidReason }) {
  const words = useWords(reasonWords);
  const { setSearch } = useAddress();
  const { to } = useAsked();
  const day = useDay();
  const begin = reason.reason === "no_opening_value" && reason.first_valuation && nextDay(reason.first_valuation);
  return (
    <>
      {sentence} {connection_id && <Link to={`/connections/${connection_id}`}>{words.open}</Link>}
      {begin && begin <= to && (
        <Button onClick={() => setSearch({ period: "own", from: begin, to })}>{words.beginAt(day(begin))}</Button>
      )}
    </>
  );
}
