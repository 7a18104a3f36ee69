import type { ReactNode } from "react";
import { ApiProblem } from "../api/api-problem.js";
import { useWords } from "../language/language.js";
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
  if (!problem) return null;
  const refused = problem instanceof ApiProblem ? problem : null;
  const standard: Readonly<Record<string, string>> = words.codes;
  const said = refused ? (known[refused.code] ?? standard[refused.isUnavailable ? "AWAY" : refused.code]) : undefined;
  const own = refused?.message ?? "";
  return (
    <div className="problem" role="alert">
      <h2>{title ?? words.didNotWork}</h2>
      <p>{said ?? (own || words.unknownProblem)}</p>
      {said !== undefined && own !== "" && refused && !refused.isUnavailable && <p className="quiet">{own}</p>}
      {refused && refused.details.length > 0 && (
        <ul>
          {refused.details.map(({ field, message, kind }) => (
            <li key={`${field} ${message}`}>
              {field && (isPath(field) ? <code>{field}</code> : <strong>{field.replaceAll("_", " ")}</strong>)}{" "}
              {message || (words.kinds as Readonly<Record<string, string>>)[kind] || words.kinds.InvalidValue}
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

/** Whether a field is a place in something that people write as JSON, where its exact name helps. */
function isPath(field: string): boolean {
  return /[.[]/.test(field);
}
