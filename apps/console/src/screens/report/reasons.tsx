import type { ApiProblem, Missing } from "../../api/api-problem.js";
import { labelled, localeOf, useLanguage, useWords } from "../../language/language.js";
import { dayFormat } from "../../parts/moment.js";
import { methodWords } from "./method-words.js";
import { needsCurrency, type ReportData } from "./report-data.js";

/** As many reasons are said one by one. */
const MAX_SAID = 10;

/** Why figures are not stated, or what is missing of those that are. */
export function Reasons({
  title,
  missing,
  data,
}: {
  readonly title: string;
  readonly missing: readonly Missing[];
  readonly data: ReportData;
}) {
  const words = useWords(methodWords);
  const say = useReasons(data);
  const said = [...new Set(missing.map(say))];
  return (
    <div className="reasons">
      <p>{title}</p>
      <ul>
        {said.slice(0, MAX_SAID).map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
        {said.length > MAX_SAID && <li>{words.more(said.length - MAX_SAID)}</li>}
      </ul>
    </div>
  );
}

/** Why the server refuses figures: nothing for those that it states. */
export function Refusal({
  problems,
  title,
  data,
}: {
  readonly problems: readonly (ApiProblem | null)[];
  readonly title: string;
  readonly data: ReportData;
}) {
  const words = useWords(methodWords);
  const refused = problems.filter((problem) => problem !== null);
  if (refused.length === 0) return null;
  if (refused.some(needsCurrency)) return <p className="reasons">{words.oneCurrency}</p>;
  return <Reasons title={title} missing={refused.flatMap(({ missing }) => missing)} data={data} />;
}

/** A reason in words, with the names of portfolios and banks. */
function useReasons({ portfolios, connections }: ReportData): (reason: Missing) => string {
  const words = useWords(methodWords);
  const language = useLanguage();
  const names = new Map((portfolios.data?.items ?? []).map(({ id, name, bank }) => [id, `${bank} · ${name}`]));
  const banks = new Map((connections.data?.items ?? []).map(({ connection_id, bank }) => [connection_id, bank]));
  const day = (at: string) => dayFormat(at, language, "medium").format(new Date(at));
  const of = (id: string | null, what: string) =>
    labelled(id === null ? words.aConnection : (names.get(id) ?? id), what, language);
  const units = (text: string) =>
    new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 20 }).format(text as Intl.StringNumericLiteral);

  return (reason) => {
    switch (reason.reason) {
      case "stale":
        return of(reason.portfolio_id, words.noValueBetween(day(reason.from), day(reason.to)));
      case "no_data":
        return of(reason.portfolio_id, words.noData);
      case "value_unknown":
        return of(reason.portfolio_id, words.valueUnknown);
      case "no_opening_value":
        return words.noOpening(day(reason.date), reason.first_valuation && day(reason.first_valuation));
      case "difference": {
        const { portfolio_id, name, from, to, difference } = reason;
        return of(portfolio_id, words.difference(name, day(from), day(to), units(difference)));
      }
      case "movements_unread": {
        const { credentials_token, from, to } = reason;
        const unread = words.movementsUnread(from && day(from), day(to));
        return labelled(banks.get(credentials_token) ?? words.aConnection, unread, language);
      }
      case "movement_unclear":
        return of(reason.portfolio_id, words.movementUnclear(day(reason.date)));
      case "flow_value_unknown":
        return of(reason.portfolio_id, words.flowUnknown(day(reason.date)));
      case "rate_missing":
        return words.rateMissing(reason.from, reason.to, day(reason.date));
      case "return_undefined":
        return words.undefinedOn(day(reason.date));
      case "no_root":
        return words.noRoot;
      case "several_roots":
        return words.severalRoots;
    }
  };
}
