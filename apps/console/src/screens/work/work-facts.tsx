import { serverNow } from "../../api/server-time.js";
import { labelled, useWords } from "../../language/language.js";
import { breakable } from "../../parts/breakable.js";
import { Moment } from "../../parts/moment.js";
import { shortNameOf } from "../feeds/file-places.js";
import { refusalWords } from "../feeds/refusal-words.js";
import { letterTerms } from "../letters/letter-terms.js";
import { saidError } from "../webhooks/endpoint-state.js";
import { webhookWords } from "../webhooks/words.js";
import { workWords } from "./words.js";
import { daysSince, type WorkLine } from "./work-places.js";

/** Details of a line besides its name. */
export function WorkFacts({ line }: { readonly line: WorkLine }) {
  const words = useWords(workWords);
  const { statuses } = useWords(letterTerms);
  const { causes } = useWords(refusalWords);
  const { why } = useWords(webhookWords);
  const { kind, since, details, snoozed, owner } = line;
  const { status, labels, reason, note, recipient, until, name, institution, differences } = details;
  const days = daysSince(since, serverNow());
  const isStanding = kind === "letter_overdue" || kind === "letter_unmailed";
  const parts = [
    isStanding && status ? (days ? words.inStatus(statuses[status], days) : statuses[status]) : null,
    institution !== undefined && name && shortNameOf(name),
    recipient,
    details.cause && causes[details.cause],
    kind === "webhook_disabled" && reason ? saidError(why, reason) : reason,
    note,
    differences !== undefined && words.differences(differences),
    labels &&
      Object.entries(labels)
        // The name of the line says the client first.
        .filter(([, value]) => value !== details.client_ref && value !== details.client_name)
        .map(([key, value]) => labelled(key, value))
        .slice(0, 3)
        .join(", "),
  ].filter((part): part is string => typeof part === "string" && part !== "");
  if (parts.length === 0 && until === undefined && snoozed === null && owner === null) return null;
  return (
    <div className="quiet">
      {owner && <span className="narrow">{owner.name}</span>}
      {snoozed && (
        <>
          {words.marks.snoozedUntil} <Moment at={snoozed.until} look="exact" />: {snoozed.reason}
          {parts.length > 0 && " · "}
        </>
      )}
      {breakable(parts.join(" · "))}
      {until !== undefined && (
        <>
          {parts.length > 0 && " · "}
          {words.until} <Moment at={until} look="exact" />
        </>
      )}
    </div>
  );
}
