import type { LetterStatus } from "@org/letter-lifecycle";
import type { Uuid } from "../schemas/identifier.js";
import type { MailKind } from "../schemas/mail.js";
import type { LetterQuery, LetterRecord } from "./letter-store.js";
import type { MailRecord } from "./mail-store.js";

/** In which order an operator sees letters; ids break ties. */
export const letterOrders = ["newest", "oldest", "longest_in_status", "last_changed"] as const;
export type LetterOrder = (typeof letterOrders)[number];

/** What an operator looks for, all ANDed: a tenant's criteria over all tenants, and more. */
export interface LetterAdminQuery extends Omit<LetterQuery, "page"> {
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
  /** How many letters are left out first; none behind `after`. */
  readonly offset: number;
  /** Only what comes behind this letter in `order`. */
  readonly after: LetterPlace | null;
}

/** Where a letter stands in an order: by the moment that the order goes by, and its id. */
export interface LetterPlace {
  readonly at: Date;
  readonly letter_id: Uuid;
}

/** The moment of a letter that each order goes by. */
export const orderedBy = {
  newest: "created_at",
  oldest: "created_at",
  longest_in_status: "status_since",
  last_changed: "updated_at",
} as const satisfies Readonly<Record<LetterOrder, keyof LetterRecord>>;

/** How many letters stand in a status, and since when the one has that stands there longest. */
export interface StatusCount {
  readonly status: LetterStatus;
  readonly letters: number;
  readonly oldest_since: Date;
}

/** A letter of any tenant, with its mails, oldest first. */
export interface AdminLetter extends LetterRecord {
  readonly tenant_id: string;
  /** The tenant's name. */
  readonly tenant: string;
  readonly mails: readonly MailRecord[];
}

/** A letter that files may be for: it waits for its first one, or has a connection. */
export interface LetterForFiles {
  readonly tenant_id: string;
  readonly letter_id: Uuid;
  readonly connection_id: Uuid | null;
  readonly version: number;
}

/** Letters of all tenants, as operators find them, and files of sources. */
export interface LetterAdminQueries {
  /** With the exact total, of all pages. */
  search(query: LetterAdminQuery): Promise<{ items: readonly AdminLetter[]; total: number }>;
  /**
   * The letters of a connector that files may be for, of one tenant or of all, `limit` of them at most and the oldest first; null where they
   * are those of which an answer before had the digest `known`.
   */
  forFiles(
    query: { readonly connector_id: string; readonly tenant_id: string | null; readonly limit: number },
    known: string | null,
  ): Promise<{ readonly digest: string; readonly letters: readonly LetterForFiles[] | null }>;
  /** Of every status in which there are letters, of one tenant or of all; it costs the same however many letters there are. */
  counts(tenantId: string | null): Promise<readonly StatusCount[]>;
}
