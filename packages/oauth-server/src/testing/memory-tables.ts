import type { Application } from "../ports/application-store.js";
import type { Approval, Denial, RememberedCredentials } from "../ports/authorization-store.js";
import type { RegisteredClient, RegistrationToken } from "../ports/client-store.js";
import type { EndedGrant, Grant, Rotation } from "../ports/grant-store.js";
import type { StoredSigningKey } from "../ports/signing-key-store.js";
import type { TrustedIssuer } from "../ports/trusted-issuer-store.js";

/** A grant's row: the grant, hashes of the valid and of the last consumed token, and the replay. */
export interface GrantRow {
  grant: Grant;
  token_hash: string;
  /** The clients that it is limited to. */
  client_refs: readonly string[] | null;
  consumed?: { token_hash: string; replay: Rotation["replay"] };
}

/** The value of a counter. */
export interface GuessCount {
  readonly failures: number;
  readonly window_ends_at: Date;
}

/** An answered authorization request, and the grant its code was exchanged for. */
export interface AnswerRow {
  readonly answer: Approval | Denial;
  redeemed_as: string | null;
}

/** A person who may approve. */
export interface MemoryPerson {
  readonly tenant_id: string;
  readonly role: string;
  readonly sessions: ReadonlySet<string>;
}

/** The rows of the memory store. JavaScript runs each synchronous method without interruption, so each is a transaction. */
export interface MemoryTables {
  readonly applications: Map<string, Application>;
  readonly disabledTenants: Set<string>;
  /** The application through which a tenant's people approve, and its tenant. */
  readonly peopleApplications: Map<string, string>;
  /** The people, by id. */
  readonly people: Map<string, MemoryPerson>;
  readonly clients: Map<string, RegisteredClient>;
  readonly registrationTokens: Map<string, RegistrationToken>;
  /** Expiry by client and `jti`. */
  readonly assertions: Map<string, Date>;
  readonly answers: Map<string, AnswerRow>;
  /** By hash of the cookie. */
  readonly remembered: Map<string, RememberedCredentials>;
  readonly grants: Map<string, GrantRow>;
  /** In the order in which they ended; the feed's cursor is an index into it. */
  readonly ended: EndedGrant[];
  /** How often an application was limited to clients. */
  readonly limits: { changes: number };
  readonly guesses: Map<string, GuessCount>;
  readonly signingKeys: Map<string, StoredSigningKey>;
  /** By issuer. */
  readonly trustedIssuers: Map<string, TrustedIssuer>;
}

/** Ends the live grants that match. */
export function endGrants(tables: MemoryTables, at: Date, matches: (grant: Grant) => boolean): number {
  let count = 0;
  for (const row of tables.grants.values()) {
    if (row.grant.ended_at !== null || !matches(row.grant)) continue;
    row.grant = { ...row.grant, ended_at: at };
    tables.ended.push({ grant_id: row.grant.grant_id, last_issued_at: row.grant.last_issued_at });
    count += 1;
  }
  return count;
}
