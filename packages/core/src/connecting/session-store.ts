import type { ConnectorFilter } from "@org/connector-filter";
import type { Challenge, CredentialField, LocalizedText } from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";
import type { Labels } from "../schemas/labels.js";
import type { ListOrder } from "../schemas/paging.js";
import type { SessionErrorCode, SessionLanguage, SessionRemark, SessionStatus } from "../schemas/session.js";

/**
 * A Connect session. Its secrets are hashed, or encrypted and bound to its id. At its end it loses the filter, labels and notice
 * ({@link contentAfterEnd}).
 */
export interface SessionRecord {
  readonly session_id: Uuid;
  readonly application_id: string;
  readonly status: SessionStatus;
  readonly error_code: SessionErrorCode | null;
  readonly remark: SessionRemark | null;
  /** The connector, chosen by the customer or fixed by the program; null until there is one. */
  readonly connector_id: string | null;
  /** The connection to repair, or the one that the session created. */
  readonly connection_id: Uuid | null;
  /** True if the session repairs `connection_id` instead of creating a connection. */
  readonly relogin: boolean;
  /** Which banks the customer can choose from, `{rules: []}` = all; null if the program that opened the session fixed the bank. */
  readonly connector_filter: ConnectorFilter | null;
  readonly redirect_url: string | null;
  readonly labels: Labels;
  /** The language that the program asked for; null = what the customer's browser prefers. */
  readonly language: SessionLanguage | null;
  readonly privacy_notice: string | null;
  /** SHA-256 hex of the secret in `widget_url`. */
  readonly link_hash: string;
  /** The secret in `widget_url`, encrypted; null once the session has finished. */
  readonly sealed_link: string | null;
  /** SHA-256 hex of the cookie of the browser that owns the session; null until one claims it. */
  readonly owner_hash: string | null;
  /** When a browser claimed it first: its link was opened. */
  readonly opened_at: Date | null;
  /** What the customer is asked for. If `sealed_challenge` is set, this contains only the kind and the text is in there. */
  readonly challenge: SessionChallenge | null;
  /** The text of a challenge or an ask, encrypted, because a bank's text may name accounts. Null for a redirect. */
  readonly sealed_challenge: string | null;
  /** The provider's state between two exchanges, encrypted; for a redirect, together with its URL. */
  readonly sealed_state: string | null;
  /** What its logins have made at institutions and no connection has, encrypted; revoked once the session has ended. */
  readonly sealed_accesses: string | null;
  /** SHA-256 hex of the state with which the bank's page sends the customer back; kept after use, until there is another one. */
  readonly callback_hash: string | null;
  /**
   * When the bank may be polled again about the challenge; null = immediately, but only while a page is open. Of an ended session, when
   * what it keeps in `sealed_accesses` may be revoked.
   */
  readonly poll_after: Date | null;
  /** Until when a server holds this session while it talks to the bank; the server extends it. Null = no server does. */
  readonly working_until: Date | null;
  /** Refused attempts so far, at all steps and banks. */
  readonly attempts: number;
  /** How often the customer has restarted the login midway. */
  readonly restarts: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly expires_at: Date;
  /** Increases with every move. */
  readonly version: number;
  /** Whose connection it makes or repairs, by the tenant's reference. */
  readonly client_ref: string | null;
}

/** What the customer is asked for: a challenge, a visit to the bank's own page on `host`, or fields to fill in. */
export type SessionChallenge =
  | Challenge
  | { readonly kind: "redirect"; readonly host: string }
  | { readonly kind: "ask"; readonly fields: readonly CredentialField[]; readonly message: LocalizedText | null };

/** The fields that a move can change. */
export type SessionChange = Partial<
  Pick<
    SessionRecord,
    | "status"
    | "error_code"
    | "remark"
    | "connector_id"
    | "connection_id"
    | "sealed_link"
    | "owner_hash"
    | "opened_at"
    | "challenge"
    | "sealed_challenge"
    | "sealed_state"
    | "sealed_accesses"
    | "callback_hash"
    | "poll_after"
    | "working_until"
    | "attempts"
    | "restarts"
  >
> & { readonly updated_at: Date };

/**
 * Filter of list-sessions: lists are ORed inside and ANDed with each other, an empty list matches nothing, null matches everything
 * (contract §5).
 */
export interface SessionQuery {
  readonly session_id_in: readonly Uuid[] | null;
  readonly status_in: readonly string[] | null;
  readonly connection_id_in: readonly Uuid[] | null;
  readonly error_code_in: readonly string[] | null;
  readonly is_opened: boolean | null;
  /** Sessions of these clients; null = of all, and of none. */
  readonly client_ref_in: readonly string[] | null;
  readonly order: ListOrder;
  /** Sessions after this id in list order; null = from the start. */
  readonly after: Uuid | null;
  readonly limit: number;
}

/** A session in a list: without its filter, which may be a megabyte, while a list has a hundred sessions. */
export type ListedSession = Omit<SessionRecord, "connector_filter">;

/** Bytes, as JSON, of what a program sends with a session. They count to the tenant while the session is open. */
export function sessionBytes({
  connector_filter,
  labels,
  redirect_url,
  privacy_notice,
}: Pick<SessionRecord, "connector_filter" | "labels" | "redirect_url" | "privacy_notice">): number {
  return Buffer.byteLength(JSON.stringify([connector_filter, labels, redirect_url, privacy_notice]));
}

/** What of it changes when the session ends, so that only the URL is left. The filter offers no bank; null would mean a fixed bank. */
export function contentAfterEnd({ connector_filter }: Pick<SessionRecord, "connector_filter">) {
  const none: ConnectorFilter = { rules: [{ action: "exclude", field: "connector_id", value: "*" }] };
  return { connector_filter: connector_filter && none, labels: {}, privacy_notice: null };
}

/** Connect sessions of one tenant. */
export interface SessionStore {
  create(record: SessionRecord): Promise<void>;
  /**
   * Counts the tenant's open sessions and their {@link sessionBytes}, including those of this transaction, and returns when the first
   * of them expires. Until the transaction ends, other callers wait here, so that two concurrent ones cannot exceed a limit together.
   */
  countOpen(at: Date): Promise<{ readonly open: number; readonly bytes: number; readonly first_ends: Date | null }>;
  find(sessionId: Uuid): Promise<SessionRecord | null>;
  /**
   * Applies `change` and increments the version if it still is `expected`; otherwise changes nothing and returns false. A session that
   * ends keeps only {@link contentAfterEnd} of what was sent with it.
   */
  move(sessionId: Uuid, expected: number, change: SessionChange): Promise<boolean>;
  /**
   * Applies `change` and increments the version if the session waits for its customer to return from a redirect, and state, owning
   * browser and time match; otherwise changes nothing and returns false. It is one statement, so that of several concurrent calls
   * exactly one succeeds.
   */
  redeemCallback(
    callback: {
      readonly session_id: Uuid;
      readonly callback_hash: string;
      readonly owner_hash: string;
      readonly now: Date;
    },
    change: SessionChange,
  ): Promise<boolean>;
  /**
   * Sets `poll_after` if neither it nor the version has changed since `session` was read; otherwise changes nothing and returns
   * false. This is not a move: the version stays the same, so that a poll does not make other changes fail.
   */
  reservePoll(session: Pick<SessionRecord, "session_id" | "version" | "poll_after">, until: Date): Promise<boolean>;
  /** Sets `working_until` if the version has not changed; otherwise changes nothing and returns false. Not a move either. */
  keepWorking(session: Pick<SessionRecord, "session_id" | "version">, until: Date): Promise<boolean>;
  /** Sets `sealed_accesses` if the version has not changed; otherwise changes nothing and returns false. Not a move either. */
  keepAccesses(session: Pick<SessionRecord, "session_id" | "version">, sealed: string | null): Promise<boolean>;
  /** The sessions with `sealed_accesses`, by id: at most `limit` after one of them, null = from the start. */
  withAccesses(
    after: Uuid | null,
    limit: number,
  ): Promise<readonly Pick<SessionRecord, "session_id" | "sealed_accesses">[]>;
  /** By id (session ids are time-ordered). */
  list(query: SessionQuery): Promise<readonly ListedSession[]>;
}
