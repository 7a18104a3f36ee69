import { useLanguage, useWords } from "../../language/language.js";
import { Badge } from "../../parts/badge.js";
import { DataTable } from "../../parts/data-table.js";
import { Link } from "../../parts/link.js";
import { partWords } from "../../parts/part-words.js";
import { refusalWords } from "../../sentences/refusal-words.js";
import { letterTerms } from "./letter-terms.js";
import type { Preview } from "./move-previews.js";
import type { Outcome } from "./move-run.js";
import { lettersWords } from "./words.js";

/** More rows than this are refused by their causes first, since nobody reads them all. */
const FEW = 10;

/** The expected or actual outcome of each letter; of many, before them why how many are refused. */
export function MoveOutcomes({
  rows,
  nameOf,
}: {
  readonly rows: readonly (Preview | Outcome)[];
  readonly nameOf: (letterId: string) => string | undefined;
}) {
  const words = useWords(lettersWords);
  const { statuses, status } = useWords(letterTerms);
  const refusals = useWords(refusalWords);
  const { codes, unknownProblem } = useWords(partWords);
  const number = new Intl.NumberFormat(useLanguage());
  const whyOf = (error: Preview["error"]) =>
    error?.reason
      ? refusals[error.reason]
      : ((codes as Readonly<Record<string, string>>)[error?.code ?? ""] ?? unknownProblem);
  const causes = new Map<string, number>();
  for (const { error } of rows) if (error) causes.set(whyOf(error), (causes.get(whyOf(error)) ?? 0) + 1);
  return (
    <>
      {causes.size > 0 && rows.length > FEW && (
        <ul aria-label={words.causes}>
          {[...causes]
            .toSorted(([, one], [, other]) => other - one)
            .map(([why, letters]) => (
              <li key={why}>{words.cause(number.format(letters), why)}</li>
            ))}
        </ul>
      )}
      <DataTable
        caption={words.outcomes}
        rows={rows}
        keyOf={({ letter_id }) => letter_id}
        columns={[
          {
            id: "letter",
            header: words.letter,
            cell: ({ letter_id }) => <Link to={`/letters/${letter_id}`}>{nameOf(letter_id) ?? letter_id}</Link>,
          },
          {
            id: "to",
            header: status,
            cell: ({ from, to }) => (
              <>
                {from && statuses[from]}
                {to && ` → ${statuses[to]}`}
              </>
            ),
          },
          {
            id: "outcome",
            header: words.outcome,
            cell: ({ outcome, error }) => (
              <>
                <Badge tone={outcome === "refused" ? "bad" : "good"}>{words.outcomeNames[outcome]}</Badge>{" "}
                {error && <span className="quiet">{whyOf(error)}</span>}
              </>
            ),
          },
        ]}
      />
    </>
  );
}
