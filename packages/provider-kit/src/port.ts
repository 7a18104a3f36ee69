import type { CredentialField, Language, LocalizedText } from "./credential-field.js";
import type { FetchedSnapshot } from "./snapshot.js";

/**
 * Why a bank refuses an access without its customer: it is blocked, needs strong customer authentication, is rejected (wrong credentials), its
 * consent has expired, or the bank has reset it.
 */
export const accessRefusals = ["blocked", "sca_required", "rejected", "consent_expired", "reset"] as const;
export type AccessRefusal = (typeof accessRefusals)[number];

/** Why a login cannot continue. */
export const loginFailures = [
  "UnsupportedChallengeMethod",
  "UserInteractionNeeded",
  "AlreadyExists",
  "InternalError",
] as const;
export type LoginFailure = (typeof loginFailures)[number];

/** The kinds of challenges beyond credentials. */
export const challengeKinds = ["sms", "code", "app", "qr", "card"] as const;

/** What the bank asks the customer for. The customer answers `app` and `qr` with a Continue button, the others with a typed code. */
export interface Challenge {
  readonly kind: (typeof challengeKinds)[number];
  /** Text for the customer, in English; the widget translates the texts it knows. */
  readonly message: string;
  /** The content of a QR code, as text to be drawn. */
  readonly qr?: string;
}

/** The state of a login after one exchange with the bank. `state` and `access` are JSON and are stored encrypted. */
export type LoginStep =
  | {
      readonly kind: "authenticated";
      /** Identifies the customer at the bank, the same for every login. Stored only as a keyed hash. */
      readonly user_key: string;
      /**
       * True if no fetch states another `user_key`. A customer who has a connection, or who repairs another's, is then told before anything is read.
       */
      readonly user_key_is_final?: boolean;
      readonly access: unknown;
      /** When the customer's consent ends; null = never. Left out = unknown until the first fetch. */
      readonly consent_expires_at?: Date | null;
      /** How the institution refers to this access in its notifications (`notify`). */
      readonly reference?: string;
    }
  | { readonly kind: "challenge"; readonly challenge: Challenge; readonly state: unknown }
  /** The customer continues on the institution's own page and returns to `callback_url`. `url` is https (http on loopback only). */
  | { readonly kind: "redirect"; readonly url: string; readonly state: unknown }
  /** The bank asks for input during the login: a method, accounts, a security question. */
  | {
      readonly kind: "ask";
      readonly fields: readonly CredentialField[];
      readonly message?: LocalizedText;
      readonly state: unknown;
    }
  /** Wrong credentials or a wrong answer; `declined`: the customer turned back on the institution's own page. They may try again. */
  | { readonly kind: "rejected"; readonly declined?: true }
  | { readonly kind: "failed"; readonly error_code: LoginFailure }
  /** The bank asks for fewer requests; `retry_after` is in seconds. The session ends, and its customer may come back later. */
  | { readonly kind: "throttled"; readonly retry_after: number };

/**
 * The state of a challenge that the customer has not answered yet: unchanged (`waiting`), replaced by another one (`challenge`), or ended without an
 * answer, for example by an approval in the bank's app.
 */
export type LookStep = LoginStep | { readonly kind: "waiting" };

/** What every fetch result may have: a new access, which replaces the stored one. Exactly one of the other five members is present. */
interface FetchEnd {
  readonly access?: unknown;
  readonly snapshot?: undefined;
  readonly refused?: undefined;
  readonly pending?: undefined;
  readonly throttled?: undefined;
  readonly failed?: undefined;
}

/** A fetch that returned data. */
export interface FetchedData extends Omit<FetchEnd, "snapshot"> {
  readonly snapshot: FetchedSnapshot;
  readonly consent_expires_at: Date | null;
  /**
   * Identifies the customer at the bank, if the login could not know it. If the tenant has another connection with this key at the same connector,
   * that one stays and this one ends.
   */
  readonly user_key?: string;
  /**
   * The history goes on: the next fetch, in `retry_after` seconds, gets `state` as its `pending_state`. In this answer and in those that go on from it,
   * a list that is null was not asked for: its last good data stay and count as read.
   */
  readonly more?: { readonly retry_after: number; readonly state: unknown };
}

/**
 * The result of a fetch. One of:
 * - data, possibly with more to come;
 * - `refused`: why the bank gives no data;
 * - `pending` (the institution is preparing the data) or `throttled` (it asks for fewer requests), both in seconds; neither counts as a failure.
 *   With `shared` the limit is the application's own, so the server leaves the connector's other connections alone for that time, too;
 * - `failed`: an answer that cannot be used, or a failure after which a new access must be kept; not retried immediately. Its message contains no
 *   secret. It concerns this customer only, unless `outage` is true: the institution is then down for everybody.
 *
 * Throw only what is worth an immediate retry.
 */
export type FetchResult =
  | FetchedData
  | (Omit<FetchEnd, "refused"> & { readonly refused: AccessRefusal })
  | (Omit<FetchEnd, "pending"> & { readonly pending: { readonly retry_after: number; readonly state: unknown } })
  | (Omit<FetchEnd, "throttled"> & { readonly throttled: Throttled })
  | (Omit<FetchEnd, "failed"> & { readonly failed: { readonly message: string; readonly outage?: boolean } });

/** An institution asks for fewer requests, for so many seconds; `shared`: with the application's own key, which all customers share. */
export interface Throttled {
  readonly retry_after: number;
  readonly shared?: boolean | undefined;
}

/** What an institution's notification says: whose data changed, by `user_key` or by the `reference` given at login. */
export type Notified =
  | { readonly kind: "unverified" }
  | { readonly kind: "changed"; readonly user_keys?: readonly string[]; readonly references?: readonly string[] };

/** The catalogue row that a call is for. `provider_ref` is the provider's own name for it, if the row has one. */
export interface ConnectorOfProvider {
  readonly connector_id: string;
  readonly provider_ref: string | null;
}

/** How often an institution's holdings change, where that is at most daily: the server reads them once a day. */
export const holdingRhythms = ["daily", "weekly", "monthly"] as const;

/** What a customer is told before the login. What is left out is not told. */
export interface AccessTerms {
  /** What the login allows: `trade` if it could also be used to trade. */
  readonly rights?: "read" | "trade";
  /** Name of a company that stands between the bank and us and sees the data, such as an aggregator; told wherever this way is offered. */
  readonly through?: string;
  /** Where the customer makes the key that they log in with. Stated only if it is one: the customer then reads of a key, not of a login. */
  readonly howTo?: LocalizedText;
  readonly holdings?: (typeof holdingRhythms)[number];
  /** `login`: the institution ends an access before the daily refresh, so that later data need another login of the customer. */
  readonly updates?: "login";
  /** How many days back the first read gets transactions; `all` = as far as the institution has them. */
  readonly transactions?: number | "all";
}

/**
 * A connection to a bank. docs/reference/provider-kit.md describes each call.
 *
 * Every call must obey `signal`. `login`, `answer` and `resume` are never repeated; `fetch`, `look` and `revoke` may be. Five calls in a row that hang
 * or find the bank down (`isOutage`) open its circuit breaker; any other error concerns one customer only.
 */
export interface BankProvider {
  /** Unique in an installation; the `provider` of catalogue rows. */
  readonly name: string;
  /** The inputs of a connector's login, in order. Left out: user name and password. An empty list goes straight to the first step. */
  credentialFields?(connector: ConnectorOfProvider): readonly CredentialField[];
  /** What a connector's customers are told before the login. */
  terms?(connector: ConnectorOfProvider): AccessTerms;
  login(request: LoginRequest): Promise<LoginStep>;
  /** Sends the customer's answer to a `challenge` or an `ask`. Providers that use neither leave it out. */
  answer?(request: AnswerRequest): Promise<LoginStep>;
  /** Called once after each `redirect`, when the customer returns. */
  resume?(request: ResumeRequest): Promise<LoginStep>;
  /**
   * Asks for the state of a challenge, for banks that change or end it themselves. Called every few seconds, on any replica, never concurrently for
   * one session; an answer may arrive during the call. If it throws, the challenge stays as it is.
   */
  look?(request: LookRequest): Promise<LookStep>;
  fetch(request: FetchRequest): Promise<FetchResult>;
  /**
   * Revokes an access whose connection has been deleted, or whose login became none, or what a login has stored with `saveAccess`. May be called
   * again, also for an access that has ended.
   */
  revoke?(request: RevokeRequest): Promise<void>;
  /** Handles a notification. Verify it before using anything in it. */
  notify?(request: NotifyRequest): Promise<Notified>;
}

/** What every request to a bank contains. */
export interface BankRequest extends ConnectorOfProvider {
  /** The tenant whose share of the concurrent bank calls this one uses. The guard reads it; it is not passed to the provider. */
  readonly for_tenant?: string;
  readonly signal: AbortSignal;
}

/** How a customer returns from a `redirect`, and in which language to address them. */
interface CallbackRequest {
  /** Where an institution sends the customer back to; the same URL for all providers of an installation. */
  readonly callback_url: string;
  /** Unguessable and valid once. A provider passes it to the institution as `state`, so that the customer can be recognised. */
  readonly callback_state: string;
  readonly language: Language;
}

/** A customer logs in. `fields` are kept only as long as the login needs them. */
export interface LoginRequest extends BankRequest, CallbackRequest {
  /** What the customer typed, by field name. */
  readonly fields: Readonly<Record<string, string>>;
  /** The access of the connection to repair; null for a new connection. */
  readonly existing_access: unknown;
  /**
   * Stores an access to what the login is about to make at the institution, such as a user, before its customer has come back: to be called before it
   * is made. Unless the login becomes a connection, `revoke` gets it once the session has ended, however that was; then it may never have been made.
   * Rejects if it could not be stored; then nothing must be made.
   */
  saveAccess(access: unknown): Promise<void>;
}

/** The customer's answer, with the state of the step. */
export interface AnswerRequest extends BankRequest, CallbackRequest {
  readonly state: unknown;
  /** The answer to a challenge; empty for an approval and for an `ask`. */
  readonly answer: string;
  /** The answers to an `ask`; otherwise empty. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The customer has returned; `state` is that of the `redirect`. `callback_state` is new, for a further redirect. */
export interface ResumeRequest extends BankRequest, CallbackRequest {
  readonly state: unknown;
  /** The query parameters with which the institution sent the customer back, without `state`. */
  readonly params: Readonly<Record<string, string>>;
}

/** A challenge that waits for its answer, with the latest state. */
export interface LookRequest extends BankRequest {
  readonly state: unknown;
}

/** Reads the data with the access from a login. */
export interface FetchRequest extends BankRequest {
  readonly access: unknown;
  /** False right after a login, while the customer is present; true later, when nobody can answer the bank. */
  readonly refresh: boolean;
  /**
   * Whether somebody waits for the result: a customer who has just logged in, or the caller who requested this refresh. If nobody does, a fetch
   * neither sleeps nor waits for its turn: it answers `pending` or `throttled`, so that another connection can use its slot. A wait of some seconds
   * is acceptable only if the work cannot be kept in `state` and would have to be repeated.
   */
  readonly awaited: boolean;
  /** `as_of` of the last snapshot stored with its transactions; null = none. */
  readonly since: Date | null;
  /** `state` of the last `pending`, if this fetch continues that one; otherwise null. */
  readonly pending_state: unknown;
  /**
   * Stores a new access at once: for an institution whose tokens work only once, to be called before the new one is used. A retry of this fetch gets
   * it as its `access`. Rejects if it could not be stored, or if another login has replaced it; then it must not be used.
   */
  saveAccess(access: unknown): Promise<void>;
}

/** An access that is no longer needed. */
export interface RevokeRequest extends BankRequest {
  readonly access: unknown;
  /** Accesses that stay. What one of them has too, such as a token that the institution gives out again at each login, must not be revoked. */
  readonly kept_accesses?: readonly unknown[];
}

/** A notification as received. Header names are in lower case. */
export interface NotifyRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The sender's network, whose share of the concurrent notifications this one uses. The guard reads it; it is not passed to the provider. */
  readonly from_network?: string;
  readonly signal: AbortSignal;
}
