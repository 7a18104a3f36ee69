import type { ApiProblem, Missing } from "../../api/api-problem.js";
import { useWords } from "../../language/language.js";
import { useReasons } from "../wealth/reasons.js";
import { wealthWords } from "../wealth/words.js";
import { methodWords } from "./method-words.js";
import { needsCurrency, type ReportData } from "./report-data.js";

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
  const words = useWords(wealthWords);
  const { said, more } = useReasons(data.names)(missing);
  return (
    <div className="reasons">
      <p>{title}</p>
      <ul>
        {said.map(({ sentence }) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {more > 0 && <li>{words.more(more)}</li>}
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
