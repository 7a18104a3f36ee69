import type { AnswerOf } from "../../api/paths.js";
import type { Audience } from "../../api/session.js";
import { nameWithClient } from "../../listing/client-name.js";
import { keysPlace, mappingPlace } from "../feeds/file-places.js";

/** A line of the work queue. */
export type WorkLine = AnswerOf<"/operator/v1/work/list">["items"][number];
export type WorkKind = WorkLine["kind"];
export type WorkAction = WorkLine["action"];

/** The kinds of lines, in the server's order. */
export const workKinds = [
  "provider_failing",
  "provider_unavailable",
  "source_failing",
  "mail_failed",
  "mail_in_doubt",
  "letter_blocked",
  "feed_silent",
  "webhook_disabled",
  "file_held",
  "pages_overdue",
  "letter_unmailed",
  "letter_overdue",
  "connection_relogin",
  "consent_ending",
  "feed_differs",
] as const satisfies readonly WorkKind[];

/** A screen of the console where the line's problem can be seen. */
export interface Place {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

/** The place that a line links to. */
export function placeOf({ subject, details, tenant_id }: Pick<WorkLine, "subject" | "details" | "tenant_id">): Place {
  const { letter_id, connection_id, provider } = details;
  switch (subject.type) {
    case "letter":
    case "mail":
      return { to: `/letters/${letter_id ?? subject.id}` };
    case "connection":
      return { to: `/connections/${connection_id ?? subject.id}` };
    case "statement":
      return { to: "/feeds", search: { tab: "pending" } };
    case "file":
      return { to: "/feeds", search: { tab: "pending", file: subject.id } };
    case "source":
      return { to: `/sources/${subject.id}` };
    case "provider":
      return { to: `/providers/${provider ?? subject.id}`, search: tenant_id === null ? {} : { tenant: tenant_id } };
    case "endpoint":
      return { to: `/webhooks/${subject.id}` };
  }
}

/** The place of a line's next action, where that is elsewhere than the line's own. */
export function placeOfNext(line: WorkLine): Place {
  if (line.action === "map_file" && !line.details.is_part) return mappingPlace(line.subject.id);
  return line.action === "see_keys" ? keysPlace : placeOf(line);
}

/** The name of a line: its client and the institution, otherwise its subject. */
export function nameOf({ subject, details }: WorkLine): string {
  const { institution, name, source, provider, host } = details;
  return nameWithClient(details, institution ?? name ?? source ?? provider ?? host ?? subject.id);
}

/** Identifies a line. */
export function keyOfLine({ kind, subject }: Pick<WorkLine, "kind" | "subject">): string {
  return `${kind} ${subject.id}`;
}

/** Whole days from `since` to `now`, in milliseconds since 1970; null if the start is unknown. */
export function daysSince(since: string | null, now: number): number | null {
  return since === null ? null : Math.max(0, Math.floor((now - Date.parse(since)) / 86_400_000));
}

/** How an action is performed: here, with a dialog or directly, or at the place that the line links to. */
export type Manner =
  | "advance"
  | "resolve"
  | "mail"
  | "doubt"
  | "address"
  | "note"
  | "enable"
  | "retry"
  | "file"
  | "link"
  | "go";

/** How a user of this audience, whose role allows the work, performs the action of a line. */
export function mannerOf({ kind, action, details }: WorkLine, audience: Audience): Manner {
  if (action === "enable_endpoint") return "enable";
  if (action === "send_repair_link") return "link";
  if (audience === "tenant") return "go";
  // The custodian was asked: the letter gets the same number of days again.
  if (kind === "letter_blocked" || kind === "feed_silent") return "resolve";
  if (kind === "letter_unmailed") return details.status === "SentToUser" ? "note" : "address";
  if (kind === "letter_overdue" && action !== "advance_letter" && action !== "collect_details") return "note";
  if (action === "advance_letter") return "advance";
  if (action === "correct_address") return "mail";
  if (action === "confirm_mail") return "doubt";
  if (action === "retry_file") return details.letter_id === undefined ? "file" : "retry";
  const isInFile = action === "route_file" || action === "replace_file" || (action === "map_file" && details.is_part);
  return isInFile ? "file" : "go";
}

/** Prefixes of paths whose answers a line's action changes, besides those of its subject. */
export const QUEUE: readonly string[] = ["/operator/v1/work/", "/events/v1/"];

/** What can be done with several lines of one kind, besides moving letters. */
export type BulkStep = "retryFiles" | "resend" | "arrived" | "enable" | "note";

const steps: readonly BulkStep[] = ["retryFiles", "resend", "arrived", "enable", "note"];

/** The steps that fit some of these lines, each with those lines. */
export function bulkStepsFor(lines: readonly WorkLine[]): readonly { step: BulkStep; lines: readonly WorkLine[] }[] {
  const fits = (step: BulkStep, line: WorkLine) => {
    if (step === "retryFiles") return line.kind === "file_held";
    if (step === "resend") return line.kind === "mail_failed" || line.kind === "mail_in_doubt";
    if (step === "arrived") return line.kind === "mail_in_doubt";
    return mannerOf(line, "operator") === step;
  };
  const found = steps.map((step) => ({ step, lines: lines.filter((line) => fits(step, line)) }));
  return found.filter((each) => each.lines.length > 0);
}
