import type { LetterStatus } from "@org/letter-lifecycle";
import type { Uuid } from "../schemas/identifier.js";
import type { MailKind } from "../schemas/mail.js";
import type { LetterQuery, LetterRecord } from "./letter-store.js";
import type { MailRecord } from "./mail-store.js";

/** The orders in which an operator can list letters; ids break ties. */
export const letterOrders = [
  "newest",
  "oldest",
  "longest_in_status",
  "shortest_in_status",
  "last_changed",
  "longest_unchanged",
] as const;
export type LetterOrder = (typeof letterOrders)[number];

/** An operator's search criteria, all ANDed: those of a tenant, over all tenants, and more. */
export interface LetterAdminQuery extends Omit<LetterQuery, "page"> {
  /** Null = of all tenants. */
  readonly tenant_id: string | null;
  /** Only letters that entered their status before this time. */
  readonly in_status_before: Date | null;
  /**
   * Each must be a prefix of a word of the letter's id, its connector's id, its labels, its contacts or its observations, ignoring
   * case and accents (`searchWords`).
   */
  readonly words: readonly string[];
  /**
   * Only letters in one of these statuses whose mail is missing: it was never queued, failed or is in doubt. A null matches every
   * letter in that status.
   */
  readonly without_mail: Readonly<Partial<Record<LetterStatus, MailKind | null>>> | null;
  readonly order: LetterOrder;
  /** How many letters to skip; 0 with `after`. */
  readonly offset: number;
  /** Only letters after this one in `order`. */
  readonly after: LetterPlace | null;
}

/** A letter's position in an order: the timestamp that the order uses, and the id. */
export interface LetterPlace {
  readonly at: Date;
  readonly letter_id: Uuid;
}

/** The timestamp that each order uses. */
export const orderedBy = {
  newest: "created_at",
  oldest: "created_at",
  longest_in_status: "status_since",
  shortest_in_status: "status_since",
  last_changed: "updated_at",
  longest_unchanged: "updated_at",
} as const satisfies Readonly<Record<LetterOrder, keyof LetterRecord>>;

/** The number of letters in a status, and when the one that has been in it longest entered it. */
export interface StatusCount {
  readonly status: LetterStatus;
  readonly letters: number;
  readonly oldest_since: Date;
}

/** A letter of any tenant with its mails, oldest first. */
export interface AdminLetter extends LetterRecord {
  readonly tenant_id: string;
  /** The tenant's name. */
  readonly tenant: string;
  readonly client_name: string | null;
  readonly mails: readonly MailRecord[];
}

/** A letter that can receive files: it waits for its first one, or has a connection. */
export interface LetterForFiles {
  readonly tenant_id: string;
  readonly letter_id: Uuid;
  readonly connection_id: Uuid | null;
  readonly version: number;
}

/** What a person types to look a letter up. */
export interface LetterLookUp {
  /** Null = of all tenants. */
  readonly tenant_id: string | null;
  /** Prefixes of words, as for {@link LetterAdminQuery}; at least one. */
  readonly words: readonly string[];
  /** Letters of these connectors are found too, whatever their words. */
  readonly connector_ids: readonly string[];
  readonly limit: number;
}

/** What is known of a letter that was looked up. */
export interface LookedUpLetter extends Pick<LetterRecord, "letter_id" | "connector_id" | "status" | "labels"> {
  readonly tenant_id: string;
  /** The tenant's name. */
  readonly tenant: string;
}

/** A look-up reads no more letters than this. If more match, it is not known which are newest. */
export const LOOKED_THROUGH = 200;

/** Finds letters of all tenants, for operators and for files of sources. */
export interface LetterAdminQueries {
  /** Newest first, of the first {@link LOOKED_THROUGH} that match: the cost does not depend on the number of letters. */
  lookUp(query: LetterLookUp): Promise<readonly LookedUpLetter[]>;
  /** Returns a page and the exact total over all pages. */
  search(query: LetterAdminQuery): Promise<{ items: readonly AdminLetter[]; total: number }>;
  /**
   * Returns the letters of a connector that can receive files, of one tenant or of all, at most `limit`, oldest first. `letters` is
   * null if they still have the digest `known`, from an earlier answer.
   */
  forFiles(
    query: { readonly connector_id: string; readonly tenant_id: string | null; readonly limit: number },
    known: string | null,
  ): Promise<{ readonly digest: string; readonly letters: readonly LetterForFiles[] | null }>;
  /** Returns one count for each status that has letters, of one tenant or of all. The cost does not depend on the number of letters. */
  counts(tenantId: string | null): Promise<readonly StatusCount[]>;
}
