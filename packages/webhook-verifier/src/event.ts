type Optional<T> = T | undefined;

interface ConnectionChange {
  readonly connection_id: string;
  readonly connector_id: string;
  /** The tenant's reference of the client whose it is; null if none. */
  readonly client_ref: string | null;
  /** The new status of the connection. */
  readonly status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
  /** The letter whose custodian sends the data; null for a bank login. */
  readonly letter_id: string | null;
  readonly reason?: Optional<string>;
  /** What caused the change. */
  readonly source?: Optional<"login" | "refresh" | "feed">;
}

type LetterStatus =
  | "NewRequest"
  | "UsersDetail"
  | "Generated"
  | "SentToUser"
  | "Signed"
  | "SentToCustodian"
  | "AcceptedByCustodian"
  | "ConnectionSetup"
  | "WaitingForData"
  | "Connected"
  | "Blocked"
  | "Cancelled"
  | "Discontinued"
  | "Revoked";

interface LetterChange {
  readonly letter_id: string;
  readonly connector_id: string;
  /** The tenant's reference of the client whose it is; null if none. */
  readonly client_ref: string | null;
  /** The new status of the letter. */
  readonly status: LetterStatus;
  /** Null for a new letter, or when the status did not change. */
  readonly from: LetterStatus | null;
  readonly to: LetterStatus;
  readonly labels: Readonly<Record<string, string>>;
  /** The letter has more labels than fit. */
  readonly more_labels?: Optional<true>;
  readonly document?: Optional<"letter" | "annex" | "generated">;
  /** What changed when the status did not. */
  readonly change?: Optional<"observations" | "details" | "contacts" | "mail" | "client">;
  readonly reason?: Optional<string>;
}

interface FeedChange {
  readonly connection_id: string | null;
  readonly letter_id: string | null;
  readonly connector_id: string;
  /** The tenant's reference of the client whose it is; null if none. */
  readonly client_ref: string | null;
  /** The format that the file was parsed as. */
  readonly format?: Optional<string>;
}

type SessionErrorCode =
  | "InvalidCredentials"
  | "InvalidChallengeResponse"
  | "UnsupportedChallengeMethod"
  | "UserInteractionNeeded"
  | "AlreadyExists"
  | "AbortedByUser"
  | "SessionExpired"
  | "InternalError";

/** The data of an event, by its type. It contains no amounts, names of people or documents: request those from the API by id. */
export interface WebhookEventData {
  /** The link of a Connect session was opened for the first time. */
  readonly "session.opened": {
    readonly session_id: string;
    /** The connection to log in to again; null for a new one. */
    readonly connection_id: string | null;
    readonly connector_id: string | null;
    /** The tenant's reference of the client whose it is; null if none. */
    readonly client_ref: string | null;
  };
  /** A Connect session has ended. */
  readonly "session.finished": {
    readonly session_id: string;
    readonly status: "Finished:OK" | "Finished:Error" | "Finished:Expired" | "Finished:Aborted";
    readonly error_code: SessionErrorCode | null;
    readonly connection_id: string | null;
    /** The tenant's reference of the client whose it is; null if none. */
    readonly client_ref: string | null;
  };
  readonly "connection.created": ConnectionChange;
  /** The data of a connection were fetched again. */
  readonly "connection.refreshed": ConnectionChange;
  /** The bank requires the customer to log in again. */
  readonly "connection.needs_relogin": ConnectionChange;
  /** A connection that was blocked or needed a login works again. */
  readonly "connection.recovered": ConnectionChange;
  readonly "connection.blocked": ConnectionChange;
  readonly "connection.removed": ConnectionChange;
  /** The customer's consent ends in seven days, or in one day. */
  readonly "connection.consent_expiring": {
    readonly connection_id: string;
    readonly connector_id: string;
    /** The tenant's reference of the client whose it is; null if none. */
    readonly client_ref: string | null;
    readonly status: ConnectionChange["status"];
    /** RFC 3339. */
    readonly consent_expires_at: string;
    readonly days: 7 | 1;
  };
  /** New data of a connection are available. */
  readonly "data.changed": {
    readonly connection_id: string;
    /** The tenant's reference of the client whose it is; null if none. */
    readonly client_ref: string | null;
    readonly snapshot_revision: number;
    readonly products: readonly ("portfolios" | "holdings" | "transactions")[];
    /** How many known transactions have other content now; left out: none. */
    readonly corrected_transactions?: number | undefined;
    /** How many known transactions are gone; left out: none. */
    readonly withdrawn_transactions?: number | undefined;
  };
  readonly "letter.created": LetterChange;
  readonly "letter.moved": LetterChange;
  readonly "letter.blocked": LetterChange;
  readonly "letter.resolved": LetterChange;
  readonly "letter.document_added": LetterChange;
  readonly "letter.changed": LetterChange;
  /** A custodian's file was read, and its data are published. */
  readonly "feed.file_taken": FeedChange;
  /** A custodian's file could not be read. */
  readonly "feed.file_refused": FeedChange & { readonly place?: Optional<string>; readonly reason?: Optional<string> };
  /** A custodian whose files are expected has not sent any. */
  readonly "feed.silent": FeedChange;
  /** Positions do not match the previous statement and the movements since, or days are missing. */
  readonly "feed.differences": FeedChange & {
    readonly date: string;
    readonly differences: number;
    readonly gap_days: number;
  };
  /** People took lines of their work queue, handed them over, put them aside or brought them back. */
  readonly "work.changed": {
    readonly kind: string;
    readonly lines: number;
    readonly change: "taken" | "handed_over" | "let_go" | "snoozed" | "woken";
  };
  /** A grant of a person or program has ended. */
  readonly "grant.ended": { readonly grant_id: string; readonly client_id: string; readonly reason: string };
  /** An endpoint gets no more deliveries until it is enabled again. */
  readonly "webhook.endpoint_disabled": { readonly endpoint_id: string; readonly reason: string };
  /** Sent on request, to test an endpoint. */
  readonly "webhook.test": { readonly endpoint_id: string };
}

/** The types of events that this version knows. */
export type WebhookEventType = keyof WebhookEventData;

/** An event of one type. */
export interface WebhookEventOf<Type extends WebhookEventType> {
  /** The same for every attempt, and equal to `webhook-id`. */
  readonly id: string;
  readonly type: Type;
  /** When it happened, in RFC 3339. */
  readonly created_at: string;
  readonly tenant_id: string;
  /** Increases by one from event to event of a tenant. Deliveries may arrive in another order; this is the correct one. */
  readonly sequence: number;
  readonly data: WebhookEventData[Type];
}

/** Any event: `type` determines the type of `data`. */
export type WebhookEvent = { [Type in WebhookEventType]: WebhookEventOf<Type> }[WebhookEventType];
