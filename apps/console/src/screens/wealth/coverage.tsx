import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { Link } from "../../parts/link.js";
import type { WealthOf } from "./asked.js";
import { useDay } from "./figures.js";
import { usePortfolios } from "./names.js";
import { wealthWords } from "./words.js";

type Answer = Pick<AnswerOf<"/data/v1/summary">, "coverage" | "complete" | "duplicates">;
type Details = NonNullable<Answer["coverage"]["details"]>;

/** Portfolios that are named; the others are counted. */
const MAX_NAMED = 8;

/** Whether a sum is complete, and if not, what it lacks and what its last value was of. */
export function Coverage({ of, answer }: { readonly of: WealthOf; readonly answer: Answer }) {
  const words = useWords(wealthWords);
  const { coverage, duplicates = [] } = answer;
  const portfolios = usePortfolios(of);
  const missing = (coverage.details ?? []).filter(({ state }) => state === "missing");
  const named = missing.slice(0, MAX_NAMED);
  const others = coverage.missing - named.length;
  if (coverage.portfolios === 0) return null;
  return (
    <>
      {coverage.missing === 0 ? (
        <p className="hint">{words.complete(coverage.portfolios)}</p>
      ) : (
        <div className="notice">
          <p>{words.notComplete(coverage.missing, coverage.portfolios)}</p>
          <ul>
            {named.map((detail) => (
              <Missing key={`${detail.portfolio_id} ${detail.since}`} detail={detail} portfolios={portfolios} />
            ))}
            {others > 0 && <li>{words.more(others)}</li>}
          </ul>
        </div>
      )}
      {duplicates.length > 0 && (
        <div className="notice">
          <p>{words.duplicates}</p>
          <ul>
            {duplicates.map((ids) => (
              <li key={ids.join()}>{ids.map((id) => portfolios.get(id)?.name ?? words.aPortfolio).join(" · ")}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function Missing({
  detail: { portfolio_id, since, reason },
  portfolios,
}: {
  readonly detail: Details[number];
  readonly portfolios: ReturnType<typeof usePortfolios>;
}) {
  const words = useWords(wealthWords);
  const day = useDay();
  const found = portfolio_id === null ? undefined : portfolios.get(portfolio_id);
  const why = since === null ? words.missing[reason ?? "no_data"] : words.lastValued(day(since));
  return (
    <li>
      {found ? (
        <Link to={`/connections/${found.connection_id}`}>{`${found.bank} · ${found.name}`}</Link>
      ) : portfolio_id === null ? (
        words.aConnection
      ) : (
        words.aPortfolio
      )}
      {" – "}
      {why}
    </li>
  );
}
