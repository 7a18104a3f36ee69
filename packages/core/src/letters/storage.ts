import type { ConnectionStorage, ConnectionStores } from "../connections/storage.js";
import type { InTenant } from "../ports/in-tenant.js";
import type { LetterAdminQueries } from "./letter-admin-queries.js";
import type { LetterDocumentStore, LetterFinder, LetterMoveStore, LetterStore } from "./letter-store.js";
import type { MailQueue, MailStore } from "./mail-store.js";

/** The part of the storage that letters and their mails need. */
export interface LetterStorage extends ConnectionStorage {
  readonly inTenant: InTenant<LetterStores>;
  /** Searches letters outside any transaction. */
  readonly letterFinder: LetterFinder;
  /** Finds letters of all tenants, for operators. */
  readonly letterAdmin: LetterAdminQueries;
  readonly mailQueue: MailQueue;
}

/** The stores of a tenant's letters, and of their connections. */
export interface LetterStores extends ConnectionStores {
  readonly letters: LetterStore;
  readonly letterMoves: LetterMoveStore;
  readonly letterDocuments: LetterDocumentStore;
  readonly mails: MailStore;
}
