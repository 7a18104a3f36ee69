import { type LetterStatus, letterStatuses } from "@org/letter-lifecycle";
import type { MailKind } from "../schemas/mail.js";
import type { WorkAction } from "../schemas/work.js";

interface LetterFacts {
  /** The mail that the status calls for, queued in the transaction of the move that enters it. */
  readonly mail: MailKind | null;
  /** Whether a custodian's files are taken. */
  readonly takesFiles: boolean;
  /**
   * After how many days somebody has to look after the letter, unless an installation says otherwise (`LETTER_OVERDUE_DAYS`), and what
   * they do then; null where nobody's days count.
   */
  readonly overdue: { readonly days: number; readonly action: WorkAction } | null;
}

const quiet: LetterFacts = { mail: null, takesFiles: false, overdue: null };
const overdue = (days: number, action: WorkAction) => ({ days, action });

/**
 * What follows from a letter's status, beside the moves that the lifecycle allows. A client signs when they find the time, a custodian
 * takes its weeks, and what this installation does by itself takes minutes. The database knows some of it too (`work_lines`): a test
 * of storage-postgres compares them.
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

/** The facts of a status as it is stored: none of one that only another version knows. */
export function factsOfStatus(status: LetterStatus): LetterFacts {
  return Object.hasOwn(letterFacts, status) ? letterFacts[status] : quiet;
}

/** Statuses in which a letter takes files. */
export const statusesWithFiles: readonly LetterStatus[] = letterStatuses.filter(
  (status) => letterFacts[status].takesFiles,
);

/** The days of {@link letterFacts}, by status; statuses in which a letter is never overdue are not in it. */
export const letterOverdueDays: Readonly<Partial<Record<LetterStatus, number>>> = Object.fromEntries(
  letterStatuses.flatMap((status) => {
    const { overdue } = letterFacts[status];
    return overdue === null ? [] : [[status, overdue.days]];
  }),
);
