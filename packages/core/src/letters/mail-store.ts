import type { Uuid } from "../schemas/identifier.js";
import type { MailKind, MailState } from "../schemas/mail.js";

/** One outgoing mail about a letter. Its text is written when it is sent; kept is only what it is about. */
export interface MailRecord {
  readonly mail_id: Uuid;
  readonly letter_id: Uuid;
  readonly kind: MailKind;
  readonly state: MailState;
  /** Null once it is withdrawn, its letter has ended, or has moved on while it left. */
  readonly recipient: string | null;
  readonly created_at: Date;
  /** When a queued mail is tried next; while a lease is held: when the lease ends. */
  readonly due_at: Date;
  /** Who sends it now, as far as `due_at` has not passed. */
  readonly lease: string | null;
  /** Whether the whole message may have left: see {@link MailStore.handOver}. */
  readonly handing_over: boolean;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly settled_at: Date | null;
}

/** What a mail becomes at the end of an attempt. */
export type MailSettlement = Pick<MailRecord, "state" | "recipient" | "due_at" | "last_error" | "settled_at">;

/** Mails of one tenant. */
export interface MailStore {
  queue(mail: MailRecord): Promise<void>;
  find(mailId: Uuid): Promise<MailRecord | null>;
  /** Oldest first. */
  ofLetter(letterId: Uuid): Promise<readonly MailRecord[]>;
  /** Notes that the last of the message is about to leave. False, changing nothing, unless it is queued under this lease. */
  handOver(mailId: Uuid, lease: string): Promise<boolean>;
  /** Extends the lease. False, changing nothing, unless it is queued under this lease. */
  renew(mailId: Uuid, lease: string, until: Date): Promise<boolean>;
  /** Gives the lease back with what became of the mail, counting the attempt. False, changing nothing, unless it is queued under this lease. */
  settle(mailId: Uuid, lease: string, settlement: MailSettlement): Promise<boolean>;
  /** Changes a mail that nobody sends. False, changing nothing, unless its state is one of `from`. */
  change(mailId: Uuid, from: readonly MailState[], settlement: MailSettlement): Promise<boolean>;
  /**
   * Withdraws what of a letter's mail was not sent. What may be leaving at this moment only loses its recipient, as what was sent does
   * when the letter ends (`isEnd`).
   */
  withdraw(letterId: Uuid, at: Date, isEnd?: boolean): Promise<void>;
}

/** A lease on a mail of any tenant. */
export interface MailLease {
  readonly tenant_id: string;
  readonly mail_id: Uuid;
  readonly lease: string;
}

/** A mail with whose it is. */
export type OwnedMail = MailRecord & { readonly tenant_id: string };

/** Mails of all tenants. */
export interface MailQueue {
  /** Leases what is due, longest due first, at most `limit`; never what another process leases at the same moment. */
  claim(request: {
    lease: string;
    now: Date;
    until: Date;
    limit: number;
    /** Tenants that are switched off: theirs wait. */
    except_tenants: readonly string[];
  }): Promise<readonly MailLease[]>;
  /** Mails whose sender was cut off while the last of the message was leaving become `in_doubt`, which is in the log. Returns them. */
  doubt(now: Date, reason: string): Promise<readonly OwnedMail[]>;
  /** Newest first; `after` is the last mail of the page before. */
  list(query: {
    tenant_id: string | null;
    state_in: readonly MailState[] | null;
    after: { created_at: Date; mail_id: Uuid } | null;
    limit: number;
  }): Promise<readonly OwnedMail[]>;
  /** How many mails are in each state that somebody may have to look at. */
  backlog(): Promise<Readonly<Record<"queued" | "in_doubt" | "failed", number>>>;
}
