import type { ReactNode } from "react";
import { ApiProblem } from "../api/api-problem.js";
import { useLanguage, useWords } from "../language/language.js";
import { faultSaid, fieldSaid, refusalIn } from "../sentences/refusals.js";
import { Button } from "./button.js";
import { partWords } from "./part-words.js";

/** Why something failed, for the user: what is wrong, with which field, and what to do. Draws nothing without a problem. */
export function Problem({
  problem,
  title,
  known = {},
  onRetry,
  children,
}: {
  readonly problem: unknown;
  readonly title?: string;
  /** The screen's own messages for error codes, if they say more than the server's. */
  readonly known?: Readonly<Record<string, string>>;
  /** Reads again; for what can only be read, so that a failed read never looks like an empty one. */
  readonly onRetry?: () => void;
  /** Actions that may solve it. */
  readonly children?: ReactNode;
}) {
  const words = useWords(partWords);
  const language = useLanguage();
  const problemText = useProblemText();
  if (!problem) return null;
  const refused = problem instanceof ApiProblem ? problem : null;
  const reason = refused === null ? undefined : refusalIn(language, refused);
  const said = refused ? (known[refused.code] ?? problemText(refused)) : words.unknownProblem;
  // The server says more in English only, and nothing more than its reason says.
  const more = refused && reason === undefined && !refused.isUnavailable && language === "en" ? refused.message : "";
  const limit = refused?.limit ?? null;
  return (
    <div className="problem" role="alert">
      <h2>{title ?? words.didNotWork}</h2>
      <p>{said}</p>
      {more !== "" && more !== said && <p className="quiet">{more}</p>}
      {limit !== null && (
        <p className="quiet">
          {words.limit} <code>{limit.name}</code>, {limit.value}
        </p>
      )}
      {refused && reason === undefined && refused.details.length > 0 && (
        <ul>
          {refused.details.map(({ field, message, kind }) => (
            <li key={`${field} ${message}`}>
              {field && <strong>{fieldSaid(language, field) ?? words.someField}</strong>}{" "}
              {isPath(field) && <code>{field}</code>}{" "}
              {faultSaid(language, message) ||
                (words.kinds as Readonly<Record<string, string>>)[kind] ||
                words.kinds.InvalidValue}
            </li>
          ))}
        </ul>
      )}
      {refused?.traceId && refused.status >= 500 && (
        <p className="quiet">
          {words.trace} <code>{refused.traceId}</code>
        </p>
      )}
      {onRetry && <Button onClick={onRetry}>{words.retry}</Button>}
      {children}
    </div>
  );
}

/** What the page says of a problem in one sentence. */
export function useProblemText(): (problem: ApiProblem) => string {
  const words = useWords(partWords);
  const language = useLanguage();
  return (problem) => {
    const standard: Readonly<Record<string, string>> = words.codes;
    const code = codeOf(problem);
    const said =
      refusalIn(language, problem) ??
      standard[code] ??
      ((language === "en" && problem.message) || words.unknownProblem);
    if (!endsByItself.includes(code)) return said;
    const { retryAfterSeconds } = problem;
    return `${said} ${retryAfterSeconds === null ? words.againSoon : words.again(inTime(language, retryAfterSeconds))}`;
  };
}

const endsByItself = ["AWAY", "BUSY", "RATE_LIMITED"];

function codeOf({ isUnavailable, limit, code, status }: ApiProblem): string {
  if (isUnavailable) return "AWAY";
  if (limit !== null && !limit.ends) return "LIMIT";
  if (status === 429) return "RATE_LIMITED";
  return status === 503 ? "BUSY" : code;
}

/** As in "in 20 seconds", "in 15 minutes". */
function inTime(language: string, seconds: number): string {
  const [count, unit] =
    seconds < 120
      ? ([seconds, "second"] as const)
      : seconds < 7_200
        ? ([seconds / 60, "minute"] as const)
        : ([seconds / 3_600, "hour"] as const);
  return new Intl.RelativeTimeFormat(language).format(Math.ceil(count), unit);
}

/** Whether a field is a place in a list that people write as JSON, where its exact name helps. */
function isPath(field: string): boolean {
  return field.includes("[");
}
