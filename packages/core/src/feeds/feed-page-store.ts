import type { StatementPage } from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";

/** A page as stored: `statement` is a hash of the format's name for the statement, `title` the beginning of that name. */
export interface KeptPage extends StatementPage {
  readonly title: string;
}

/** A page that has arrived, without its content. */
export interface PageHere extends Pick<StatementPage, "statement" | "number" | "is_last"> {
  /** Size of its text in UTF-8. */
  readonly bytes: number;
}

/** Pages of custodians' statements that wait for the other pages of their statement. */
export interface FeedPageStore {
  /**
   * Stores pages; a page replaces a stored one with the same number. Returns all stored pages of the same statements, ordered by statement
   * and number, and how much is stored for the connection.
   * @param came when the pages came, their number in the order of arrival, and from when another server may put the statement together if
   * it is whole
   */
  keep(
    connectionId: Uuid,
    pages: readonly KeptPage[],
    came: { readonly now: Date; readonly arrival: number; readonly finish_at: Date },
  ): Promise<{ readonly here: readonly PageHere[]; readonly kept: { readonly pages: number; readonly bytes: number } }>;
  /** The pages of a statement, ordered by number, and the highest number in the order of arrival among them; null if none has one. */
  of(connectionId: Uuid, statement: string): Promise<{ pages: readonly StatementPage[]; arrival: number | null }>;
  /**
   * Keeps these statements from {@link WaitingStatements.claimWhole} until another page of them comes, because the whole statement was
   * refused.
   */
  leave(connectionId: Uuid, statements: readonly string[]): Promise<void>;
  /** Deletes the pages of statements that were ingested or that nobody waits for; returns the number of pages. */
  forget(connectionId: Uuid, statements: readonly string[]): Promise<number>;
}

/** A statement of which some pages have arrived. */
export interface WaitingStatement {
  readonly tenant_id: string;
  readonly connection_id: Uuid;
  /** The letter of the connection; null if it has none. */
  readonly letter_id: Uuid | null;
  readonly statement: string;
  /** Null if none of its pages states it. */
  readonly title: string | null;
  /** Numbers of the pages that have arrived, in order. */
  readonly pages: readonly number[];
  /** Number of the last page; null while that one is missing. */
  readonly last_page: number | null;
  /** When the first and the latest page came. */
  readonly first_at: Date;
  readonly latest_at: Date;
  /** Since when it has been overdue; null = it is not. A further page makes it wait again. */
  readonly expired_at: Date | null;
}

/** A statement whose pages have all arrived. */
export type WholeStatement = Pick<WaitingStatement, "tenant_id" | "connection_id" | "statement">;

/** Statements of all tenants that wait for pages or to be put together. */
export interface WaitingStatements {
  /** The longest waiting first, with the number of all that wait and of all that are overdue. */
  list(limit: number): Promise<{ items: readonly WaitingStatement[]; waiting: number; overdue: number }>;
  /** Marks statements as overdue for which no page has come since `before`; returns them, each once. */
  expire(before: Date, now: Date, limit: number): Promise<readonly WaitingStatement[]>;
  /**
   * Claims whole statements that no server has put together in time. Other servers can claim them at `until`, unless they are forgotten or
   * left before.
   */
  claimWhole(claim: { now: Date; until: Date; limit: number }): Promise<readonly WholeStatement[]>;
  /** Deletes the pages of statements that have been overdue since `before`; returns the statements. */
  reap(before: Date, limit: number): Promise<readonly WaitingStatement[]>;
}
