import type { StatementPage } from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";

/** Pages of custodians' statements that wait for the others of their statement, for a week. */
export interface FeedPageStore {
  /**
   * Keeps pages, each in the place of one with its number, and forgets what came more than a week before. Returns all pages that
   * are kept of the same statements, by statement and number.
   */
  keep(connectionId: Uuid, pages: readonly StatementPage[]): Promise<readonly StatementPage[]>;
  /** Forgets the pages of statements that have been taken. */
  forget(connectionId: Uuid, statements: readonly string[]): Promise<void>;
}
