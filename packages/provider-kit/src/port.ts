import type { CredentialField, Language, LocalizedText } from "./credential-field.js";
import type { SnapshotData } from "./snapshot.js";

/**
 * Why a bank lets nobody in any more without its customer: the access is blocked, needs strong customer authentication, is
 * rejected (wrong credentials), stands on a consent that has run out, or has been reset by the bank.
 */
export const accessRefusals = ["blocked", "sca_required", "rejected", "consent_expired", "reset"] as const;
export type AccessRefusal = (typeof accessRefusals)[number];

/** Why a login cannot go on. */
export const loginFailures = [
  "UnsupportedChallengeMethod",
  "UserInteractionNeeded",
  "AlreadyExists",
  "InternalError",
] as const;
export type LoginFailure = (typeof loginFailures)[number];

/** How a bank can ask for more than credentials. */
export const challengeKinds = ["sms", "code", "app", "qr", "card"] as const;

/** What the bank asks the customer for. `app` and `qr` are answered by a Continue button, the others by a typed code. */
export interface Challenge {
  readonly kind: (typeof challengeKinds)[number];
  /** Words for the customer, in English; the widget translates what it knows. */
  readonly message: string;
  /** What a QR challenge shows, as text to be drawn. */
  readonly qr?: string;
}

/** Where a login stands after one exchange with the bank. `state` and `access` are JSON and are stored only encrypted. */
export type LoginStep =
  | {
      readonly kind: "authenticated";
      /** Who it is at the bank, the same for every login. Stored only as a keyed hash. */
      readonly user_key: string;
      readonly access: unknown;
      /** When the customer's consent ends; null = never. Left out = not known before the first fetch. */
      readonly consent_expires_at?: Date | null;
      /** What the institution calls this access in its notifications (`notify`). */
      readonly reference?: string;
    }
  | { readonly kind: "challenge"; readonly challenge: Challenge; readonly state: unknown }
  /** The customer goes on at the institution's own page, and comes back to `callback_url`. `url` is https (http on loopback only). */
  | { readonly kind: "redirect"; readonly url: string; readonly state: unknown }
  /** The bank asks for something in the middle: which method, which accounts, a security question. */
  | {
      readonly kind: "ask";
      readonly fields: readonly CredentialField[];
      readonly message?: LocalizedText;
      readonly state: unknown;
    }
  /** Wrong credentials or a wrong answer: the customer may try again. */
  | { readonly kind: "rejected" }
  | { readonly kind: "failed"; readonly error_code: LoginFailure }
  /** The bank wants fewer requests, in seconds. The session ends; its customer may come again later. */
  | { readonly kind: "throttled"; readonly retry_after: number };

/**
 * How a challenge stands that the customer has not answered yet: as it was (`waiting`), replaced by what is to be shown from now
 * on (`challenge`), or ended without an answer, by an approval in the bank's app for example.
 */
export type LookStep = LoginStep | { readonly kind: "waiting" };

/** What every end of a fetch may have: a new access, which replaces the stored one. Exactly one of the other five is there. */
interface FetchEnd {
  readonly access?: unknown;
  readonly snapshot?: undefined;
  readonly refused?: undefined;
  readonly pending?: undefined;
  readonly throttled?: undefined;
  readonly failed?: undefined;
}

/** A fetch that brought data. */
export interface FetchedData extends Omit<FetchEnd, "snapshot"> {
  readonly snapshot: SnapshotData;
  readonly consent_expires_at: Date | null;
  /**
   * Who it is at the bank, where the login could not know yet. Another connection of the tenant with this key at the same connector
   * stays, and this one ends.
   */
  readonly user_key?: string;
}

/**
 * What a fetch came to: data; or why there are none (`refused`); or that the institution prepares them (`pending`) or wants fewer
 * requests (`throttled`), both in seconds and held against nobody; or a failure (`failed`, without a secret in its message) that is not
 * tried again at once, or after which a new access must not be lost. It concerns this customer only, unless it says `outage`: the
 * institution cannot be reached or is out of order, whoever asks. Any other failure is thrown.
 */
export type FetchResult =
  | FetchedData
  | (Omit<FetchEnd, "refused"> & { readonly refused: AccessRefusal })
  | (Omit<FetchEnd, "pending"> & { readonly pending: { readonly retry_after: number; readonly state: unknown } })
  | (Omit<FetchEnd, "throttled"> & { readonly throttled: { readonly retry_after: number } })
  | (Omit<FetchEnd, "failed"> & { readonly failed: { readonly message: string; readonly outage?: boolean } });

/** What a notification of the institution says: whose data changed, by `user_key` or by the `reference` given at login. */
export type Notified =
  | { readonly kind: "unverified" }
  | { readonly kind: "changed"; readonly user_keys?: readonly string[]; readonly references?: readonly string[] };

/** The catalogue row that a call is for. `provider_ref` is the provider's own name for it, where the row has one. */
export interface ConnectorOfProvider {
  readonly connector_id: string;
  readonly provider_ref: string | null;
}

/**
 * A way to a bank. docs/bank-providers.md tells how to write one.
 *
 * Every call must obey `signal`. A call that throws is a failure of the provider or the bank, not of the customer: `login`, `answer` and
 * `resume` are never repeated, `fetch`, `look` and `revoke` may be. Five in a row open the bank's circuit breaker, unless they are
 * answers of the bank to one customer (`isOutage`).
 */
export interface BankProvider {
  /** Unique in an installation; the `provider` of catalogue rows. */
  readonly name: string;
  /** What a connector's login asks for, in order. Without it, user name and password; an empty list goes straight to the first step. */
  credentialFields?(connector: ConnectorOfProvider): readonly CredentialField[];
  login(request: LoginRequest): Promise<LoginStep>;
  /** The customer's answer to a `challenge` or an `ask`. Left out by providers that have neither. */
  answer?(request: AnswerRequest): Promise<LoginStep>;
  /** The customer is back from a `redirect`. Called once for each. */
  resume?(request: ResumeRequest): Promise<LoginStep>;
  /**
   * Asks how a challenge stands, for banks that change it or end it by themselves. Asked every few seconds, on any replica, never
   * twice at once for one session; an answer may come while it is asked. One that throws leaves the challenge as it is.
   */
  look?(request: LookRequest): Promise<LookStep>;
  fetch(request: FetchRequest): Promise<FetchResult>;
  /** Gives an access back when its connection is gone. May be called again, also for an access that has ended. */
  revoke?(request: RevokeRequest): Promise<void>;
  /** A notification of the institution, to be verified before anything of it is believed. */
  notify?(request: NotifyRequest): Promise<Notified>;
}

/** What every request to a bank has. */
export interface BankRequest extends ConnectorOfProvider {
  /** Whose share of the places at banks the call takes. The guard reads it; a provider is not told. */
  readonly for_tenant?: string;
  readonly signal: AbortSignal;
}

/** How a customer comes back from a `redirect`, and in which language they are spoken to. */
interface CallbackRequest {
  /** Where an institution sends the customer back to: the same address for all providers of an installation. */
  readonly callback_url: string;
  /** Unguessable, good once: what a provider hands to the institution as `state`, to get the customer back. */
  readonly callback_state: string;
  readonly language: Language;
}

/** A customer wants in. `fields` live only as long as the login needs them. */
export interface LoginRequest extends BankRequest, CallbackRequest {
  /** What the customer typed, by name of the field. */
  readonly fields: Readonly<Record<string, string>>;
  /** The access of the connection that is repaired; null for a new one. */
  readonly existing_access: unknown;
}

/** What the customer answered, with the state of the step. */
export interface AnswerRequest extends BankRequest, CallbackRequest {
  readonly state: unknown;
  /** To a challenge; empty for an approval and for an `ask`. */
  readonly answer: string;
  /** To an `ask`; empty otherwise. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The customer is back, with the state of the `redirect`. `callback_state` is a new one, for a further redirect. */
export interface ResumeRequest extends BankRequest, CallbackRequest {
  readonly state: unknown;
  /** The query that the institution sent the customer back with, without `state`. */
  readonly params: Readonly<Record<string, string>>;
}

/** A challenge that waits for its answer, by the state that came with it last. */
export interface LookRequest extends BankRequest {
  readonly state: unknown;
}

/** A read of the data with an access that a login gave. */
export interface FetchRequest extends BankRequest {
  readonly access: unknown;
  /** False right after a login, while the customer is there; true later on, when nobody can answer the bank. */
  readonly refresh: boolean;
  /**
   * Whether somebody waits for what comes of it: a customer who has just logged in, or whoever asked for this refresh. Where nobody does, a
   * fetch neither sleeps nor waits for its turn: it answers `pending` or `throttled`, and gives its place to another connection. Only what
   * could not be kept in `state`, and would have to be read again, is worth a wait of some seconds.
   */
  readonly awaited: boolean;
  /** `as_of` of the last snapshot that is stored with its transactions; null = nothing is known. */
  readonly since: Date | null;
  /** `state` of the last `pending`, when this fetch asks for the same thing again; otherwise null. */
  readonly pending_state: unknown;
}

/** An access that is not needed any more. */
export interface RevokeRequest extends BankRequest {
  readonly access: unknown;
}

/** A notification as it came in. Names of headers are in lower case. */
export interface NotifyRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}
