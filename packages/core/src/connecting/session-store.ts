import type { ConnectorFilter } from "@org/connector-filter";
import type { Challenge, CredentialField, LocalizedText } from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";
import type { Labels } from "../schemas/labels.js";
import type { SessionErrorCode, SessionLanguage, SessionRemark, SessionStatus } from "../schemas/session.js";

/** A Connect session. Secrets in it are hashes or encrypted and bound to its id. */
export interface SessionRecord {
  readonly session_id: Uuid;
  readonly application_id: string;
  readonly status: SessionStatus;
  readonly error_code: SessionErrorCode | null;
  readonly remark: SessionRemark | null;
  /** Chosen or given connector; null until the customer picks one. */
  readonly connector_id: string | null;
  /** The connection to repair, or the one that came of it. */
  readonly connection_id: Uuid | null;
  /** True when the session repairs `connection_id` rather than making a new connection. */
  readonly relogin: boolean;
  /** Which banks the customer may choose from, `{rules: []}` = all; null when the bank was fixed by whoever opened the session. */
  readonly connector_filter: ConnectorFilter | null;
  readonly redirect_url: string | null;
  readonly labels: Labels;
  /** As the program asked for; null = what the customer's browser prefers. */
  readonly language: SessionLanguage | null;
  readonly privacy_notice: string | null;
  /** SHA-256 hex of the secret in `widget_url`. */
  readonly link_hash: string;
  /** The secret in `widget_url`, encrypted; null once the session has finished. */
  readonly sealed_link: string | null;
  /** SHA-256 hex of the cookie of the browser that owns the session; null until one claims it. */
  readonly owner_hash: string | null;
  /** What the customer is asked for. Where `sealed_challenge` is there, only of which kind it is: the words are in that. */
  readonly challenge: SessionChallenge | null;
  /** What a challenge or an ask says, encrypted: a bank's words may name accounts. Null of a redirect. */
  readonly sealed_challenge: string | null;
  /** The provider's state between two exchanges, encrypted; of a redirect with the address that it leads to. */
  readonly sealed_state: string | null;
  /** SHA-256 hex of the state that leads back from the bank's page; kept when it is used, until there is another. */
  readonly callback_hash: string | null;
  /** When the bank may be polled again about the challenge; null = at once, but only while a page is open. */
  readonly poll_after: Date | null;
  /** Until when the server that asks a bank for this session has it, unless it says again that it does; null = no server asks. */
  readonly working_until: Date | null;
  /** Refused attempts so far, at whichever steps and banks. */
  readonly attempts: number;
  /** How often the customer has begun the login anew in the middle of it. */
  readonly restarts: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly expires_at: Date;
  /** Grows with every move. */
  readonly version: number;
}

/** What the customer is asked for: a challenge, a visit to the bank's own page on `host`, or fields to fill in. */
export type SessionChallenge =
  | Challenge
  | { readonly kind: "redirect"; readonly host: string }
  | { readonly kind: "ask"; readonly fields: readonly CredentialField[]; readonly message: LocalizedText | null };

/** What a move may change. */
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
    | "challenge"
    | "sealed_challenge"
    | "sealed_state"
    | "callback_hash"
    | "poll_after"
    | "working_until"
    | "attempts"
    | "restarts"
  >
> & { readonly updated_at: Date };

/** Filter of list-sessions: lists are ORed inside and ANDed between, an empty list matches nothing, null matches all (contract §5). */
export interface SessionQuery {
  readonly session_id_in: readonly Uuid[] | null;
  readonly status_in: readonly string[] | null;
  readonly connection_id_in: readonly Uuid[] | null;
  readonly error_code_in: readonly string[] | null;
  /** Sessions after this id in list order; null = from the start. */
  readonly after: Uuid | null;
  readonly limit: number;
}

/** A session as a list has it: without its filter, which may be a megabyte, and a list has a hundred. */
export type ListedSession = Omit<SessionRecord, "connector_filter">;

/** Connect sessions of one tenant. */
export interface SessionStore {
  create(record: SessionRecord): Promise<void>;
  /**
   * How many sessions of the tenant are open, with those of this transaction, and when the first of them ends. Until the end of the
   * transaction nobody else who asks opens one, so that a limit is never passed by two at once.
   */
  countOpen(at: Date): Promise<{ readonly open: number; readonly first_ends: Date | null }>;
  find(sessionId: Uuid): Promise<SessionRecord | null>;
  /** Applies `change` and raises the version if the version is still `expected`; false, changing nothing, if not. */
  move(sessionId: Uuid, expected: number, change: SessionChange): Promise<boolean>;
  /**
   * Applies `change` and raises the version if the session waits for its customer to come back from a redirect, with this state,
   * in the browser that owns it, in time; false, changing nothing, if not. One statement: of all that ask at once one succeeds.
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
   * Sets `poll_after` if neither it nor the version has changed since `session` was read; false, changing nothing, if either has.
   * This is no move: the version stays, so that a poll stands in nobody's way.
   */
  reservePoll(session: Pick<SessionRecord, "session_id" | "version" | "poll_after">, until: Date): Promise<boolean>;
  /** Sets `working_until` if the version has not changed; false, changing nothing, if it has. No move either. */
  keepWorking(session: Pick<SessionRecord, "session_id" | "version">, until: Date): Promise<boolean>;
  /** Newest first (session ids are time-ordered). */
  list(query: SessionQuery): Promise<readonly ListedSession[]>;
}
