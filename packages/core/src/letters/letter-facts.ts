import { type LetterStatus, letterStatuses } from "@org/letter-lifecycle";
import type { MailKind } from "../schemas/mail.js";
import type { WorkAction } from "../schemas/work.js";

interface LetterFacts {
  /** The mail that the status calls for, queued in the transaction of the move that enters it. */
  readonly mail: MailKind | null;
  /** Whether files from the custodian are accepted. */
  readonly takesFiles: boolean;
  /**
   * After how many days the letter needs attention, unless the installation says otherwise (`LETTER_OVERDUE_DAYS`), and what has to
   * be done then; null if it is never overdue.
   */
  readonly overdue: { readonly days: number; readonly action: WorkAction } | null;
}

const quiet: LetterFacts = { mail: null, takesFiles: false, overdue: null };
const overdue = (days: number, action: WorkAction) => ({ days, action });

/**
 * What follows from a letter's status, besides the moves that the lifecycle allows. The days differ because a client signs when
 * they find the time, a custodian takes weeks, and what this installation does automatically takes minutes. The database has some
 * of these facts too (`work_lines`); a test in storage-postgres compares them.
 */
export const letterFacts: Readonly<Record<LetterStatus, LetterFacts>> = {
  NewRequest: { ...quiet, overdue: overdue(3, "collect_details") },
  UsersDetail: { ...quiet, overdue: overdue(3, "advance_letter") },
  Generated: { ...quiet, overdue: overdue(2, "advance_letter") },
  SentToUser: { ...quiet, mail: "signature_request", overdue: overdue(14, "remind_client") },
  Signed: { ...quiet, overdue: overdue(2, "advance_letter") },
  SentToCustodian: { ...quiet, mail: "authorization_letter", overdue: overdue(10, "ask_custodian") },
  AcceptedByCustodian: { ...quiet, overdue: overdue(3, "advance_letter") },
  ConnectionSetup: { ...quiet, overdue: overdue(5, "advance_letter") },
  WaitingForData: { ...quiet, takesFiles: true, overdue: overdue(7, "ask_custodian") },
  Connected: { ...quiet, takesFiles: true },
  Blocked: { ...quiet, takesFiles: true },
  Cancelled: quiet,
  Discontinued: { ...quiet, mail: "revocation_notice", overdue: overdue(3, "tell_custodian") },
  Revoked: quiet,
};

/** Returns the facts of a stored status; no facts for a status that only another version of the software knows. */
export function factsOfStatus(status: LetterStatus): LetterFacts {
  return Object.hasOwn(letterFacts, status) ? letterFacts[status] : quiet;
}

/** Statuses in which files for a letter are accepted. */
export const statusesWithFiles: readonly LetterStatus[] = letterStatuses.filter(
  (status) => letterFacts[status].takesFiles,
);

/** The overdue days of {@link letterFacts} by status, without the statuses in which a letter is never overdue. */
export const letterOverdueDays: Readonly<Partial<Record<LetterStatus, number>>> = Object.fromEntries(
  letterStatuses.flatMap((status) => {
    const { overdue } = letterFacts[status];
    return overdue === null ? [] : [[status, overdue.days]];
  }),
);
