import type { Uuid } from "../schemas/identifier.js";
import type { MailKind, MailState } from "../schemas/mail.js";

/** An outgoing mail about a letter. Its text is written when it is sent; only what it is about is stored. */
export interface MailRecord {
  readonly mail_id: Uuid;
  readonly letter_id: Uuid;
  readonly kind: MailKind;
  readonly state: MailState;
  /** Null once the mail is withdrawn, its letter has ended, or its letter moved on while it was being sent. */
  readonly recipient: string | null;
  readonly created_at: Date;
  /** When a queued mail is attempted next; while a lease is held, when the lease ends. */
  readonly due_at: Date;
  /** The lease under which it is being sent, valid until `due_at`. */
  readonly lease: string | null;
  /** Whether the whole message may have been transmitted; see {@link MailStore.handOver}. */
  readonly handing_over: boolean;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly settled_at: Date | null;
}

/** The fields of a mail that an attempt changes. */
export type MailSettlement = Pick<MailRecord, "state" | "recipient" | "due_at" | "last_error" | "settled_at">;

/** Mails of one tenant. */
export interface MailStore {
  queue(mail: MailRecord): Promise<void>;
  find(mailId: Uuid): Promise<MailRecord | null>;
  /** Oldest first. */
  ofLetter(letterId: Uuid): Promise<readonly MailRecord[]>;
  /**
   * Records that the last part of the message is about to be transmitted. Returns false, changing nothing, unless the mail is
   * queued under this lease.
   */
  handOver(mailId: Uuid, lease: string): Promise<boolean>;
  /** Extends the lease. Returns false, changing nothing, unless the mail is queued under this lease. */
  renew(mailId: Uuid, lease: string, until: Date): Promise<boolean>;
  /**
   * Releases the lease with the outcome and counts the attempt. Returns false, changing nothing, unless the mail is queued under
   * this lease.
   */
  settle(mailId: Uuid, lease: string, settlement: MailSettlement): Promise<boolean>;
  /** Changes a mail that is not being sent. Returns false, changing nothing, unless its state is one of `from`. */
  change(mailId: Uuid, from: readonly MailState[], settlement: MailSettlement): Promise<boolean>;
  /**
   * Withdraws the letter's mails that were not sent. A mail that may be leaving at this moment only loses its recipient; so do sent
   * mails when the letter ends (`isEnd`). A mail in doubt stays, unless the letter ends.
   */
  withdraw(letterId: Uuid, at: Date, isEnd?: boolean): Promise<void>;
}

/** A lease on a mail of any tenant. */
export interface MailLease {
  readonly tenant_id: string;
  readonly mail_id: Uuid;
  readonly lease: string;
}

/** A mail with its tenant. */
export type OwnedMail = MailRecord & { readonly tenant_id: string };

/** Mails of all tenants. */
export interface MailQueue {
  /** Leases at most `limit` due mails, longest due first; concurrent processes never lease the same one. */
  claim(request: {
    lease: string;
    now: Date;
    until: Date;
    limit: number;
    /** Disabled tenants; their mails wait. */
    except_tenants: readonly string[];
  }): Promise<readonly MailLease[]>;
  /**
   * Moves mails to `in_doubt` whose sender was cut off while the last part of the message was leaving, and appends the events.
   * Returns them.
   */
  doubt(now: Date, reason: string): Promise<readonly OwnedMail[]>;
  /** Newest first; `after` is the last mail of the previous page. */
  list(query: {
    tenant_id: string | null;
    state_in: readonly MailState[] | null;
    after: { created_at: Date; mail_id: Uuid } | null;
    limit: number;
  }): Promise<readonly OwnedMail[]>;
  /** Counts the mails in each state that may need attention. */
  backlog(): Promise<Readonly<Record<"queued" | "in_doubt" | "failed", number>>>;
}
