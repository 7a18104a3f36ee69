/** Provisional: the full table is being written. */
export const letterStatuses = ["NewRequest","UsersDetail","Generated","SentToUser","Signed","SentToCustodian","AcceptedByCustodian","ConnectionSetup","WaitingForData","Connected","Blocked","Cancelled","Discontinued","Revoked"] as const;
export type LetterStatus = (typeof letterStatuses)[number];
export const letterEvents = ["collect_details","generate","send_to_user","sign","send_to_custodian","accept","start_setup","await_data","connect","block","resolve","discontinue","revoke"] as const;
export type LetterEvent = (typeof letterEvents)[number];
const line: readonly LetterStatus[] = letterStatuses.slice(0, 10);
const lineEvents = letterEvents.slice(0, 9);
export class LetterTransitionError extends Error {
  readonly status: LetterStatus; readonly event: LetterEvent;
  constructor(status: LetterStatus, event: LetterEvent) { super(`${status} cannot ${event}`); this.status = status; this.event = event; }
}
export function mainLineEvent(status: LetterStatus): LetterEvent | null {
  if (status === "Discontinued") return "revoke";
  return lineEvents[line.indexOf(status)] ?? null;
}
export function nextStatus(letter: { status: LetterStatus; previous_status: LetterStatus | null; ever_connected: boolean }, event: LetterEvent): LetterStatus {
  const { status } = letter;
  const at = line.indexOf(status);
  if (at >= 0 && lineEvents[at] === event && line[at + 1]) return line[at + 1] as LetterStatus;
  if (event === "revoke" && status === "Discontinued") return "Revoked";
  if (event === "block" && (status === "WaitingForData" || status === "Connected")) return "Blocked";
  if (event === "resolve" && status === "Blocked" && letter.previous_status) return letter.previous_status;
  if (event === "discontinue" && (at >= 0 || status === "Blocked")) return letter.ever_connected ? "Discontinued" : "Cancelled";
  throw new LetterTransitionError(status, event);
}
