import type { AuditEntry, Uuid } from "@org/core";
import type { Role } from "../roles.js";

/** Whom an identity provider has signed in (OpenID Connect Core 1.0 §5.7): together they name one person for ever. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Somebody who may sign in. Ids and hashes here are opaque to stores. */
export interface Person {
  /** `INSTALLATION` for operators. */
  readonly tenant_id: Uuid;
  readonly person_id: Uuid;
  /** In lower case; no two people of a tenant who have not ended have the same. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Of people who sign in with an identity provider. */
  readonly identity: Identity | null;
  readonly created_at: Date;
  /** When they first signed in; null = invited, and not here yet. */
  readonly joined_at: Date | null;
  /** About when they were here last, to the minute. */
  readonly seen_at: Date | null;
  /** Until when the invitation stands that nobody has accepted; null = there is none. */
  readonly invited_until: Date | null;
  /** When somebody removed them. Their name stays, for those who read what they have done. */
  readonly ended_at: Date | null;
}

/** The one invitation that stands for a person; a new one replaces it, and whoever accepts it uses it up. */
export interface Invitation {
  readonly invitation_hash: string;
  readonly expires_at: Date;
}

/** A credential of WebAuthn Level 3 §4. */
export interface Passkey {
  /** base64url, as `id` of the browser's answer. */
  readonly credential_id: string;
  readonly person_id: Uuid;
  /** COSE_Key. */
  readonly public_key: Uint8Array;
  /** 0 for authenticators that do not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  /** Whether it is kept in more than one place, such as a password manager. */
  readonly is_backed_up: boolean;
  readonly created_at: Date;
  readonly used_at: Date | null;
}

/** How somebody proved who they are. */
export type SignInMethod = "passkey" | "recovery_code" | "oidc";

/** A browser in which a person has signed in. */
export interface PersonSession {
  readonly session_id: Uuid;
  readonly session_hash: string;
  readonly tenant_id: Uuid;
  readonly person_id: Uuid;
  readonly method: SignInMethod;
  readonly created_at: Date;
  /** When it was used last, to the minute. */
  readonly seen_at: Date;
  /** When they last proved who they are in it. */
  readonly confirmed_at: Date;
  readonly expires_at: Date;
  /** `sid` of the identity provider's session (OpenID Connect Back-Channel Logout 1.0 §2.1). */
  readonly provider_sid: string | null;
  /** What the browser calls itself, at most 200 characters. */
  readonly device: string;
}

/** The session of an identity provider in which somebody has proved who they are. */
export interface ProviderSession {
  readonly sid: string | null;
  /** Its ID token, which the provider is shown at sign-out (OpenID Connect RP-Initiated Logout 1.0 §2). Stores have it sealed. */
  readonly id_token_hint: string | null;
}

/** What comes with a person's first passkey. */
export interface InvitationAcceptance {
  readonly invitation_hash: string;
  readonly at: Date;
  readonly name: string;
  /** Null = as it is. */
  readonly email: string | null;
  readonly passkey: Omit<Passkey, "person_id">;
  /** They replace those that there were. */
  readonly recovery_hashes: readonly string[];
}

/** Why a person stays as they are: nobody of theirs who has joined could administer them afterwards. */
export type LastAdministrator = "last_administrator";

/** People of tenants and of the installation. Each method is one transaction; `entry` goes into the audit trail with the change. */
export interface PeopleDirectory {
  /** `taken` when somebody who has not ended has the address or the identity; `full` when there are `most` people. */
  add(
    person: Omit<Person, "seen_at" | "invited_until" | "ended_at">,
    invitation: Invitation | null,
    most: number,
    entry: AuditEntry,
  ): Promise<"added" | "taken" | "full">;
  /** False when there is no such person who has not ended. */
  invite(tenantId: Uuid, personId: Uuid, invitation: Invitation, entry: AuditEntry): Promise<boolean>;
  /** Whom an invitation is for, as long as it stands. */
  findInvited(tenantId: Uuid, invitationHash: string, at: Date): Promise<Person | null>;
  /** Of any number of calls with one invitation exactly one joins; null for the others. `taken` when somebody else has the address. */
  join(tenantId: Uuid, joining: InvitationAcceptance, entry: AuditEntry): Promise<Person | "taken" | null>;
  find(tenantId: Uuid, personId: Uuid): Promise<Person | null>;
  /** Who has not ended. */
  findByIdentity(tenantId: Uuid, identity: Identity): Promise<Person | null>;
  /** Whether somebody with this identity was ended. */
  wasRemoved(tenantId: Uuid, identity: Identity): Promise<boolean>;
  /** In the order of `person_id`, oldest first. */
  list(query: { tenant_id: Uuid; after: Uuid | null; limit: number; ended: boolean }): Promise<readonly Person[]>;
  /**
   * `keep` is the role that somebody who has joined has to go on having. A lesser role ends what they let assistants do. Null when there is
   * no such person who has not ended.
   */
  change(
    tenantId: Uuid,
    personId: Uuid,
    change: { readonly name?: string; readonly role?: Role },
    keep: Role | null,
    entry: AuditEntry,
  ): Promise<Person | LastAdministrator | null>;
  /** Ends a person with their sessions, passkeys, recovery codes, invitation and what they let assistants do. Otherwise as {@link change}. */
  end(
    tenantId: Uuid,
    personId: Uuid,
    at: Date,
    keep: Role | null,
    entry: AuditEntry,
  ): Promise<"ended" | LastAdministrator | null>;
  /**
   * Ends the sessions of somebody whom their identity provider names for no role here any more, and what they let assistants do. They can
   * come back when it names them again. False when nothing is left to end.
   */
  endAccess(tenantId: Uuid, identity: Identity, entry: AuditEntry): Promise<boolean>;
}

/** What people prove who they are with. Each method is one transaction. */
export interface PasskeyStore {
  /** Oldest first. */
  list(tenantId: Uuid, personId: Uuid): Promise<readonly Passkey[]>;
  find(tenantId: Uuid, credentialId: string): Promise<Passkey | null>;
  /** `known` when anybody of the tenant has it. */
  add(tenantId: Uuid, passkey: Passkey, most: number, entry: AuditEntry): Promise<"added" | "known" | "full">;
  /**
   * Notes a use. False when its counter does not rise, unless both are 0: somebody has a copy (WebAuthn Level 3 §6.1.1), or the same
   * answer came twice.
   */
  use(
    tenantId: Uuid,
    credentialId: string,
    use: { counter: number; is_backed_up: boolean; at: Date },
  ): Promise<boolean>;
  /** `last` when they have no other and none of an identity provider. Null when they have none with this id. */
  remove(tenantId: Uuid, personId: Uuid, credentialId: string, entry: AuditEntry): Promise<"removed" | "last" | null>;
  /** Replaces all recovery codes of a person. */
  keepRecoveryCodes(tenantId: Uuid, personId: Uuid, hashes: readonly string[], entry: AuditEntry): Promise<void>;
  /** How many they have left. */
  countRecoveryCodes(tenantId: Uuid, personId: Uuid): Promise<number>;
  /**
   * Who has such a code, in whichever tenant, which is used up: of any number of calls exactly one is answered a person. Whoever has lost
   * every key knows their address, and no id.
   */
  spendRecoveryCode(email: string, hash: string): Promise<Person | null>;
}

/** Sessions of people. Each method is one transaction. */
export interface PersonSessionStore {
  /** False when the person has ended. It also says that they have joined and were seen. @param idTokenHint sealed; kept until the end */
  begin(session: PersonSession, entry: AuditEntry, idTokenHint?: string | null): Promise<boolean>;
  /** The session of a cookie with its person; null when it, or the person, has ended or was last seen before `seenAfter`. */
  find(
    tenantId: Uuid,
    sessionHash: string,
    at: Date,
    seenAfter: Date,
  ): Promise<{ readonly session: PersonSession; readonly person: Person } | null>;
  /** Notes that a session, and its person, were seen. */
  see(tenantId: Uuid, sessionId: Uuid, at: Date): Promise<void>;
  /** Notes that the person proved again who they are, and what the provider said of it; null leaves what it said before as it is. */
  confirm(tenantId: Uuid, sessionId: Uuid, at: Date, provider: ProviderSession | null): Promise<boolean>;
  /** Those that have not ended or expired, newest first. */
  list(tenantId: Uuid, personId: Uuid, at: Date, seenAfter: Date): Promise<readonly PersonSession[]>;
  /** Ends one of a person's sessions. Null when they have no such session. */
  end(
    tenantId: Uuid,
    personId: Uuid,
    sessionId: Uuid,
    entry: AuditEntry,
  ): Promise<{ readonly id_token_hint: string | null } | null>;
  /** Ends those that a logout of the identity provider names; returns how many. */
  endOfProvider(
    tenantId: Uuid,
    logout: { readonly issuer: string; readonly subject: string | null; readonly sid: string | null },
    entry: AuditEntry,
  ): Promise<number>;
}

/**
 * Questions to browsers and identity providers that were answered. Nothing is kept of those that were not: they travel sealed in a cookie, so
 * that asking a million times stores nothing.
 */
export interface CeremonyStore {
  /** Of any number of calls with one id exactly one is answered true. It is kept until `expiresAt`. */
  spend(ceremonyId: Uuid, expiresAt: Date): Promise<boolean>;
  /**
   * Deletes what counts no more, at most `limit` of each kind: ceremonies, sessions and invitations that expired before `at`, sessions last
   * seen before `seenBefore`, people who were removed 30 days ago and had never joined. Returns how many.
   */
  reap(at: Date, seenBefore: Date, limit: number): Promise<number>;
}

/** How many people there are over all tenants, by role and state; who has ended is left out. */
export interface PeopleCount {
  readonly role: Role;
  readonly state: "invited" | "active";
  readonly people: number;
  /** Of those who sign in with passkeys: who would be locked out by the loss of one. */
  readonly with_one_passkey: number;
  /** Sessions that live. */
  readonly sessions: number;
}

/** All that is kept of people. */
export interface PeopleStores {
  readonly directory: PeopleDirectory;
  readonly passkeys: PasskeyStore;
  readonly sessions: PersonSessionStore;
  readonly ceremonies: CeremonyStore;
  /** @param seenAfter sessions live that were seen since */
  count(at: Date, seenAfter: Date): Promise<readonly PeopleCount[]>;
}
