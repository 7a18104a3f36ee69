import { useWords } from "../../language/language.js";
import type { RowOf } from "../../listing/list.js";
import { Badge } from "../../parts/badge.js";
import { Moment } from "../../parts/moment.js";
import { webhookWords } from "./words.js";

/** An endpoint as its tenant sees it. */
export type Endpoint = RowOf<"/events/v1/list-endpoints">;

/** The state of an endpoint, and why it is disabled. */
export function EndpointState({
  endpoint: { disabled_at, disabled_reason, failing_since },
}: {
  readonly endpoint: Pick<Endpoint, "disabled_at" | "disabled_reason" | "failing_since">;
}) {
  const words = useWords(webhookWords);
  if (disabled_at !== null)
    return (
      <Badge tone={disabled_reason === "request" ? "neutral" : "bad"}>
        {words.states.disabled}
        {disabled_reason && `: ${words.why[disabled_reason]}`}
      </Badge>
    );
  return failing_since === null ? (
    <Badge tone="good">{words.states.enabled}</Badge>
  ) : (
    <Badge tone="warn">{words.states.failing}</Badge>
  );
}

/** When the last attempt failed, and with which status, or why there was none. */
export function LastFailure({ endpoint: { last_failure } }: { readonly endpoint: Pick<Endpoint, "last_failure"> }) {
  const { errors } = useWords(webhookWords);
  if (last_failure === null) return null;
  return (
    <>
      <Moment at={last_failure.at} /> {last_failure.status ?? saidError(errors, last_failure.error)}
    </>
  );
}

/** Why an attempt failed, in words; a newer server may know more reasons. */
export function saidError(errors: Readonly<Record<string, string>>, code: string): string {
  return errors[code] ?? code;
}
