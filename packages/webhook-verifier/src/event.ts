type Optional<T> = T | undefined;

interface ConnectionChange {
  readonly connection_id: string;
  readonly connector_id: string;
  /** How the connection stands from now on. */
  readonly status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
  /** The letter whose custodian sends the data; null for a bank login. */
  readonly letter_id: string | null;
  readonly reason?: Optional<string>;
  /** What brought the news. */
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
  /** The letter's status from now on. */
  readonly status: LetterStatus;
  /** Null where it had none, or keeps the one that it has. */
  readonly from: LetterStatus | null;
  readonly to: LetterStatus;
  readonly labels: Readonly<Record<string, string>>;
  /** The letter has labels that did not fit in. */
  readonly more_labels?: Optional<true>;
  readonly document?: Optional<"letter" | "annex" | "generated">;
  /** What was changed while it keeps its status. */
  readonly change?: Optional<"observations" | "details" | "contacts" | "mail">;
  readonly reason?: Optional<string>;
}

interface FeedChange {
  readonly connection_id: string | null;
  readonly letter_id: string | null;
  readonly connector_id: string;
  /** The format that the file was read as. */
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

/** What an event says, by its type. Nothing in it is an amount, a person's name or a document: ask the API for those by id. */
export interface WebhookEventData {
  /** A Connect session has come to its end. */
  readonly "session.finished": {
    readonly session_id: string;
    readonly status: "Finished:OK" | "Finished:Error" | "Finished:Expired" | "Finished:Aborted";
    readonly error_code: SessionErrorCode | null;
    readonly connection_id: string | null;
  };
  readonly "connection.created": ConnectionChange;
  /** The data of a connection were fetched again. */
  readonly "connection.refreshed": ConnectionChange;
  /** The bank wants the customer to log in again. */
  readonly "connection.needs_relogin": ConnectionChange;
  /** A connection that was blocked or needed a login is well again. */
  readonly "connection.recovered": ConnectionChange;
  readonly "connection.blocked": ConnectionChange;
  readonly "connection.removed": ConnectionChange;
  /** The customer's consent ends in seven days, and in one day. */
  readonly "connection.consent_expiring": {
    readonly connection_id: string;
    readonly connector_id: string;
    readonly status: ConnectionChange["status"];
    /** RFC 3339. */
    readonly consent_expires_at: string;
    readonly days: 7 | 1;
  };
  /** New data of a connection can be read. */
  readonly "data.changed": {
    readonly connection_id: string;
    readonly snapshot_revision: number;
    readonly products: readonly ("portfolios" | "holdings" | "transactions")[];
  };
  readonly "letter.created": LetterChange;
  readonly "letter.moved": LetterChange;
  readonly "letter.blocked": LetterChange;
  readonly "letter.resolved": LetterChange;
  readonly "letter.document_added": LetterChange;
  readonly "letter.changed": LetterChange;
  /** A file of a custodian was read, and its data are published. */
  readonly "feed.file_taken": FeedChange;
  /** A file of a custodian could not be read. */
  readonly "feed.file_refused": FeedChange & { readonly place?: Optional<string>; readonly reason?: Optional<string> };
  /** A custodian whose files are expected has not sent any. */
  readonly "feed.silent": FeedChange;
  /** Positions do not follow from the statement before and the movements between, or days are missing. */
  readonly "feed.differences": FeedChange & {
    readonly date: string;
    readonly differences: number;
    readonly gap_days: number;
  };
  /** What a person or program was allowed has ended. */
  readonly "grant.ended": { readonly grant_id: string; readonly client_id: string; readonly reason: string };
  /** An endpoint gets no more deliveries until it is enabled again. */
  readonly "webhook.endpoint_disabled": { readonly endpoint_id: string; readonly reason: string };
  /** Sent on demand, to try an endpoint. */
  readonly "webhook.test": { readonly endpoint_id: string };
}

/** Types of events that this version knows. */
export type WebhookEventType = keyof WebhookEventData;

/** The event of one type. */
export interface WebhookEventOf<Type extends WebhookEventType> {
  /** The same at every try, and the same as `webhook-id`. */
  readonly id: string;
  readonly type: Type;
  /** When it happened, RFC 3339. */
  readonly created_at: string;
  readonly tenant_id: string;
  /** Rises by one from event to event of a tenant. Deliveries may come in another order: this is the order. */
  readonly sequence: number;
  readonly data: WebhookEventData[Type];
}

/** Any event: `type` tells what `data` is. */
export type WebhookEvent = { [Type in WebhookEventType]: WebhookEventOf<Type> }[WebhookEventType];
