import type { LetterStatus } from "@org/letter-lifecycle";
import type { MailKind } from "../schemas/mail.js";
import type { LetterQuery, LetterRecord } from "./letter-store.js";
import type { MailRecord } from "./mail-store.js";

/** In which order an operator sees letters; ids break ties. */
export const letterOrders = ["newest", "oldest", "longest_in_status", "last_changed"] as const;
export type LetterOrder = (typeof letterOrders)[number];

/** What an operator looks for, all ANDed: a tenant's criteria over all tenants, and more. */
export interface DeskQuery extends LetterQuery {
  /** Null = of all tenants. */
  readonly tenant_id: string | null;
  /** In their status since before this moment. */
  readonly in_status_before: Date | null;
  /**
   * Each begins a word of the letter: of its id, its connector's id, its labels, its contacts or its observations, without case
   * and accents (`searchWords`).
   */
  readonly words: readonly string[];
  /** Only letters in one of these statuses that lack its mail: none was queued, or it failed or is in doubt. A null is lacking always. */
  readonly without_mail: Readonly<Partial<Record<LetterStatus, MailKind | null>>> | null;
  readonly order: LetterOrder;
}

/** A letter of any tenant, with its mails, oldest first. */
export interface DeskLetter extends LetterRecord {
  readonly tenant_id: string;
  /** The tenant's name. */
  readonly tenant: string;
  readonly mails: readonly MailRecord[];
}

/** Letters of all tenants, as operators find them. */
export interface LetterDeskReader {
  /** With the exact total. */
  search(query: DeskQuery): Promise<{ items: readonly DeskLetter[]; total: number }>;
}
