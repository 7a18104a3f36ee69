import { letterStatuses as statuses } from "@org/letter-lifecycle";
import { useAnswer } from "../../api/answers.js";
import { useLanguage, useWords } from "../../language/language.js";
import { useAddress } from "../../parts/address.js";
import { Loading } from "../../parts/loading.js";
import { Problem } from "../../parts/problem.js";
import { statusesIn, withStatus } from "./letter-filters.js";
import { letterTerms } from "./letter-terms.js";
import { lettersWords } from "./words.js";

/** A strip of the statuses that have letters: how many, and how long the oldest has been there. Each filters the table. */
export function LetterBoard({ tenantId }: { readonly tenantId: string | undefined }) {
  const words = useWords(lettersWords);
  const terms = useWords(letterTerms);
  const { search, setSearch } = useAddress();
  const number = new Intl.NumberFormat(useLanguage());
  const counts = useAnswer("/operator/v1/letters/counts", tenantId ? { tenant_id: tenantId } : {}, {
    keepsPrevious: true,
  });
  if (counts.error) return <Problem problem={counts.error} onRetry={() => void counts.refetch()} />;
  if (!counts.data) return <Loading lines={2} />;
  const chosen = statusesIn(search.status);
  const { items } = counts.data;
  return (
    <ul className="board" aria-label={words.board}>
      {statuses.map((status) => {
        const found = items.find((item) => item.status === status);
        const isChosen = chosen.includes(status);
        if (!found && !isChosen) return null;
        return (
          <li key={status}>
            <button
              type="button"
              className="board-cell"
              aria-pressed={isChosen}
              onClick={() => setSearch({ status: withStatus(search.status, status) }, true)}
            >
              <span className="board-name">{terms.statuses[status]}</span>
              <span className="board-count">{number.format(found?.letters ?? 0)}</span>
              {found && (
                <span className="quiet">
                  <span className="spoken">{words.oldest}</span> {terms.days(found.oldest_days)}
                </span>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
