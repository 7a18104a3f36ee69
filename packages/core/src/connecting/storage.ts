import type { LetterStorage, LetterStores } from "../letters/storage.js";
import type { InTenant } from "../ports/in-tenant.js";
import type { SessionStore } from "./session-store.js";

/** The part of the storage needed for bank logins and for ending connections, which may end letters. */
export interface ConnectingStorage extends LetterStorage {
  readonly inTenant: InTenant<ConnectingStores>;
}

export interface ConnectingStores extends LetterStores {
  readonly sessions: SessionStore;
}
