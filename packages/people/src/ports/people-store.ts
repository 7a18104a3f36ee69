import type { AuditEntry, Uuid } from "@org/core";
import type { Role } from "../roles.js";

/**
 * The identity of a person at an identity provider (OpenID Connect Core 1.0 §5.7): issuer and subject together name one person
 * forever.
 */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** A person who may sign in. Ids and hashes are opaque to stores. */
export interface Person {
  /** `INSTALLATION` for operators. */
  readonly tenant_id: Uuid;
  readonly person_id: Uuid;
  /** In lower case; unique among the people of a tenant who have not been removed. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Set for people who sign in with an identity provider. */
  readonly identity: Identity | null;
  readonly created_at: Date;
  /** When they first signed in; null = invited, but not joined. */
  readonly joined_at: Date | null;
  /** When they were last seen, accurate to the minute. */
  readonly seen_at: Date | null;
  /** When the pending invitation expires; null = there is none. */
  readonly invited_until: Date | null;
  /** When they were removed. Their name is kept for readers of the audit trail. */
  readonly ended_at: Date | null;
}

/** The only valid invitation of a person; a new one replaces it, and accepting it uses it up. */
export interface Invitation {
  readonly invitation_hash: string;
  readonly expires_at: Date;
}

/** A credential of WebAuthn Level 3 §4. */
export interface Passkey {
  /** base64url, like `id` of the browser's answer. */
  readonly credential_id: string;
  readonly person_id: Uuid;
  /** COSE_Key. */
  readonly public_key: Uint8Array;
  /** 0 for authenticators without a counter. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  /** Whether it is stored in more than one place, such as a password manager. */
  readonly is_backed_up: boolean;
  readonly created_at: Date;
  readonly used_at: Date | null;
}

/** How a person proved their identity. */
export type SignInMethod = "passkey" | "recovery_code" | "oidc";

/** A session of a person in one browser. */
export interface PersonSession {
  readonly session_id: Uuid;
  readonly session_hash: string;
  readonly tenant_id: Uuid;
  readonly person_id: Uuid;
  readonly method: SignInMethod;
  readonly created_at: Date;
  /** When it was last used, accurate to the minute. */
  readonly seen_at: Date;
  /** When they last proved their identity in it. */
  readonly confirmed_at: Date;
  readonly expires_at: Date;
  /** `sid` of the identity provider's session (OpenID Connect Back-Channel Logout 1.0 §2.1). */
  readonly provider_sid: string | null;
  /** The browser's User-Agent, at most 200 characters. */
  readonly device: string;
}

/** The session of an identity provider in which a person authenticated. */
export interface ProviderSession {
  readonly sid: string | null;
  /** Its ID token, which is sent to the provider at sign-out (OpenID Connect RP-Initiated Logout 1.0 §2). Stores get it sealed. */
  readonly id_token_hint: string | null;
}

/** What is stored when a person joins with their passkey. */
export interface InvitationAcceptance {
  readonly invitation_hash: string;
  readonly at: Date;
  readonly name: string;
  /** Null = unchanged. */
  readonly email: string | null;
  readonly passkey: Omit<Passkey, "person_id">;
  /** They replace all existing ones. */
  readonly recovery_hashes: readonly string[];
}

/** Why a person cannot be changed or removed: no one who has joined could administer these people afterwards. */
export type LastAdministrator = "last_administrator";

/** People of tenants and of the installation. Each method is one transaction, which also stores `entry` in the audit trail. */
export interface PeopleDirectory {
  /** `taken` when a person who has not been removed has the address or the identity; `full` when there are `most` people. */
  add(
    person: Omit<Person, "seen_at" | "invited_until" | "ended_at">,
    invitation: Invitation | null,
    most: number,
    entry: AuditEntry,
  ): Promise<"added" | "taken" | "full">;
  /** False when there is no such person, or they have been removed. */
  invite(tenantId: Uuid, personId: Uuid, invitation: Invitation, entry: AuditEntry): Promise<boolean>;
  /** The person of a valid invitation. */
  findInvited(tenantId: Uuid, invitationHash: string, at: Date): Promise<Person | null>;
  /**
   * Of concurrent calls with one invitation exactly one joins, and the others get null. `taken` when another person has the
   * address.
   */
  join(tenantId: Uuid, joining: InvitationAcceptance, entry: AuditEntry): Promise<Person | "taken" | null>;
  find(tenantId: Uuid, personId: Uuid): Promise<Person | null>;
  /** Only a person who has not been removed. */
  findByIdentity(tenantId: Uuid, identity: Identity): Promise<Person | null>;
  /** Whether a person with this identity was removed. */
  wasRemoved(tenantId: Uuid, identity: Identity): Promise<boolean>;
  /** Ordered by `person_id`, oldest first. */
  list(query: { tenant_id: Uuid; after: Uuid | null; limit: number; ended: boolean }): Promise<readonly Person[]>;
  /**
   * `keep` is the role that at least one person who has joined must still have afterwards. A lesser role ends the grants that
   * they approved. Null when there is no such person, or they have been removed.
   */
  change(
    tenantId: Uuid,
    personId: Uuid,
    change: { readonly name?: string; readonly role?: Role },
    keep: Role | null,
    entry: AuditEntry,
  ): Promise<Person | LastAdministrator | null>;
  /**
   * Removes a person with their sessions, passkeys, recovery codes, saved views, invitation and the grants that they approved. Otherwise
   * like {@link change}.
   */
  end(
    tenantId: Uuid,
    personId: Uuid,
    at: Date,
    keep: Role | null,
    entry: AuditEntry,
  ): Promise<"ended" | LastAdministrator | null>;
  /**
   * Ends the sessions of a person to whom their identity provider gives no role here any more, and the grants that they
   * approved. They can return when it does again. False when there is nothing to end.
   */
  endAccess(tenantId: Uuid, identity: Identity, entry: AuditEntry): Promise<boolean>;
}

/**
 * Passkeys and recovery codes of people. Each method is one transaction. `network` is that of a caller who has proven nothing yet: such
 * look-ups take turns by network and use nothing of the share of the tenant that the caller names.
 */
export interface PasskeyStore {
  /** Oldest first. */
  list(tenantId: Uuid, personId: Uuid): Promise<readonly Passkey[]>;
  find(tenantId: Uuid, credentialId: string, network?: string): Promise<Passkey | null>;
  /** `known` when any person of the tenant has it. */
  add(tenantId: Uuid, passkey: Passkey, most: number, entry: AuditEntry): Promise<"added" | "known" | "full">;
  /**
   * Records a use. False when its counter does not increase, unless both are 0: the key was copied (WebAuthn Level 3 §6.1.1),
   * or the same answer came twice.
   */
  use(
    tenantId: Uuid,
    credentialId: string,
    use: { counter: number; is_backed_up: boolean; at: Date },
  ): Promise<boolean>;
  /** `last` when they have no other passkey and no identity provider. Null when they have none with this id. */
  remove(tenantId: Uuid, personId: Uuid, credentialId: string, entry: AuditEntry): Promise<"removed" | "last" | null>;
  /** Replaces all recovery codes of a person. */
  storeRecoveryCodes(tenantId: Uuid, personId: Uuid, hashes: readonly string[], entry: AuditEntry): Promise<void>;
  /** How many codes are left. */
  countRecoveryCodes(tenantId: Uuid, personId: Uuid): Promise<number>;
  /**
   * Uses up a recovery code and returns its person, in whichever tenant: of concurrent calls exactly one gets the person. A
   * person who has lost every key knows their address, but no id.
   */
  spendRecoveryCode(email: string, hash: string, network: string): Promise<Person | null>;
}

/** Sessions of people. Each method is one transaction. */
export interface PersonSessionStore {
  /**
   * False when the person has been removed. It also records that they have joined and were seen.
   * @param idTokenHint sealed; kept until the session ends
   */
  begin(session: PersonSession, entry: AuditEntry, idTokenHint?: string | null): Promise<boolean>;
  /**
   * The session of a cookie with its person; null when the session or the person has ended, or the session was last seen before
   * `seenAfter`.
   */
  find(
    tenantId: Uuid,
    sessionHash: string,
    at: Date,
    seenAfter: Date,
  ): Promise<{ readonly session: PersonSession; readonly person: Person } | null>;
  /** Records that a session and its person were seen. */
  see(tenantId: Uuid, sessionId: Uuid, at: Date): Promise<void>;
  /** Records that the person confirmed their identity, and the provider's session; null leaves that unchanged. */
  confirm(tenantId: Uuid, sessionId: Uuid, at: Date, provider: ProviderSession | null): Promise<boolean>;
  /** Sessions that have not ended or expired, newest first. */
  list(tenantId: Uuid, personId: Uuid, at: Date, seenAfter: Date): Promise<readonly PersonSession[]>;
  /** Ends one of a person's sessions. Null when they have no such session. */
  end(
    tenantId: Uuid,
    personId: Uuid,
    sessionId: Uuid,
    entry: AuditEntry,
  ): Promise<{ readonly id_token_hint: string | null } | null>;
  /** Ends the sessions that a logout of the identity provider names; returns their number. */
  endOfProvider(
    tenantId: Uuid,
    logout: { readonly issuer: string; readonly subject: string | null; readonly sid: string | null },
    entry: AuditEntry,
  ): Promise<number>;
}

/** What a list shows under a view: filters and order by the names that they have in the address, and hidden columns. */
export interface SavedView {
  /** The list: path of its screen within the console, with its tab. */
  readonly screen: string;
  /** Unique among the person's views of the list. */
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
  /** Ids of the hidden columns, by table; a table that is not named stays as it is. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** Views of lists that people have named. Each method is one transaction. */
export interface SavedViewStore {
  /** The person's views of one list, ordered by name. */
  list(tenantId: Uuid, personId: Uuid, screen: string): Promise<readonly SavedView[]>;
  /** Replaces the view of this list and name. `full` when it is new and the person has `most`; null when they were removed. */
  save(tenantId: Uuid, personId: Uuid, view: SavedView, most: number): Promise<"saved" | "full" | null>;
  /** False when there is no such view. */
  remove(tenantId: Uuid, personId: Uuid, view: Pick<SavedView, "screen" | "name">): Promise<boolean>;
}

/**
 * Answered questions to browsers and identity providers. Unanswered ones are not stored: they travel sealed in a cookie, so
 * that asking a million times stores nothing.
 */
export interface CeremonyStore {
  /**
   * Of concurrent calls with one id exactly one returns true. The id is kept until `expiresAt`.
   * @param network that of a caller who has proven nothing yet, as in {@link PasskeyStore}
   */
  spend(ceremonyId: Uuid, expiresAt: Date, network?: string): Promise<boolean>;
  /**
   * Deletes at most `limit` obsolete rows of each kind: ceremonies, sessions and invitations that expired before `at`, sessions
   * last seen before `seenBefore`, and people who never joined and were removed 30 days ago. Returns their number.
   */
  reap(at: Date, seenBefore: Date, limit: number): Promise<number>;
}

/** Number of people over all tenants, by role and state; removed people do not count. */
export interface PeopleCount {
  readonly role: Role;
  readonly state: "invited" | "active";
  readonly people: number;
  /** Of those who sign in with passkeys, the ones who would be locked out by losing one. */
  readonly with_one_passkey: number;
  /** Live sessions. */
  readonly sessions: number;
}

/** All stores for people. */
export interface PeopleStores {
  readonly directory: PeopleDirectory;
  readonly passkeys: PasskeyStore;
  readonly sessions: PersonSessionStore;
  readonly ceremonies: CeremonyStore;
  readonly views: SavedViewStore;
  /** @param seenAfter sessions seen since then are live */
  count(at: Date, seenAfter: Date): Promise<readonly PeopleCount[]>;
}
