import type { LetterStorage, LetterStores } from "../letters/storage.js";
import type { InTenant } from "../ports/in-tenant.js";
import type { SessionStore } from "./session-store.js";

/** The part of the storage that logins at banks need, and the end of connections, which letters may end with. */
export interface ConnectingStorage extends LetterStorage {
  readonly inTenant: InTenant<ConnectingStores>;
}

export interface ConnectingStores extends LetterStores {
  readonly sessions: SessionStore;
}
