import type { StatementPage } from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";

/** A page as it is kept: `statement` is a hash of what its format calls the statement, `title` the beginning of that. */
export interface KeptPage extends StatementPage {
  readonly title: string;
}

/** A page that is here, without what it holds. */
export interface PageHere extends Pick<StatementPage, "statement" | "number" | "is_last"> {
  /** Of its text in UTF-8. */
  readonly bytes: number;
}

/** Pages of custodians' statements that wait for the others of their statement. */
export interface FeedPageStore {
  /**
   * Keeps pages, each in the place of one with its number. Returns all that are kept of the same statements, by statement and number,
   * and how much is kept of the connection.
   * @param came when, in which place of the order of files, and when somebody else may put the statement together if it is whole
   */
  keep(
    connectionId: Uuid,
    pages: readonly KeptPage[],
    came: { readonly now: Date; readonly arrival: number; readonly finish_at: Date },
  ): Promise<{ readonly here: readonly PageHere[]; readonly kept: { readonly pages: number; readonly bytes: number } }>;
  /** The pages of a statement by number, and the place in the order of files of the latest of them; null where that was not kept. */
  of(connectionId: Uuid, statement: string): Promise<{ pages: readonly StatementPage[]; arrival: number | null }>;
  /** Nobody puts these statements together until another page of theirs comes: what they make is refused. */
  leave(connectionId: Uuid, statements: readonly string[]): Promise<void>;
  /** Forgets the pages of statements, of those that have been taken or nobody waits for; returns how many pages that were. */
  forget(connectionId: Uuid, statements: readonly string[]): Promise<number>;
}

/** A statement of which some pages are here. */
export interface WaitingStatement {
  readonly tenant_id: string;
  readonly connection_id: Uuid;
  /** Of the connection; null where it has none. */
  readonly letter_id: Uuid | null;
  readonly statement: string;
  /** Null where none of its pages says it. */
  readonly title: string | null;
  /** Numbers of the pages that are here, in order. */
  readonly pages: readonly number[];
  /** Number of the last page; null while that one is missing. */
  readonly last_page: number | null;
  /** When the first and the latest of the pages came. */
  readonly first_at: Date;
  readonly latest_at: Date;
  /** Since when it has been overdue; null = it is not. A further page makes it wait anew. */
  readonly expired_at: Date | null;
}

/** A statement all pages of which are here. */
export type WholeStatement = Pick<WaitingStatement, "tenant_id" | "connection_id" | "statement">;

/** Statements of all tenants whose pages have not all come. */
export interface WaitingStatements {
  /** The longest waiting first, and how many there are in all. */
  list(limit: number): Promise<{ items: readonly WaitingStatement[]; waiting: number; overdue: number }>;
  /** Marks as overdue those of which no page has come since `before`; returns them, each once. */
  expire(before: Date, now: Date, limit: number): Promise<readonly WaitingStatement[]>;
  /**
   * Takes statements all pages of which are here and that nobody has put together in time; others find them at `until`, unless they
   * are forgotten or left before.
   */
  claimWhole(claim: { now: Date; until: Date; limit: number }): Promise<readonly WholeStatement[]>;
  /** Deletes the pages of those that have been overdue since `before`; returns them. */
  reap(before: Date, limit: number): Promise<readonly WaitingStatement[]>;
}
