/** A message for a mail server. */
export interface MailMessage {
  /** Stays the same when a mail is sent again, so that a recipient of both can tell (RFC 5322 §3.6.4). Without angle brackets and domain. */
  readonly message_id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments: readonly {
    readonly name: string;
    readonly type: "application/pdf";
    readonly bytes: Uint8Array;
  }[];
}

/** The outcome of sending a message. */
export type MailOutcome =
  | { readonly kind: "accepted" }
  /** The server refused the message or was never reached: it was not delivered. `permanent` = the same message will be refused again. */
  | { readonly kind: "refused"; readonly permanent: boolean; readonly reason: string }
  /** The connection broke after the whole message was transmitted: it may have been delivered. */
  | { readonly kind: "unknown"; readonly reason: string };

/** Sends messages to a mail server. */
export interface MailTransport {
  /**
   * Sends one message. `beforeLast` is awaited before the last part is transmitted; if it returns false or rejects, the connection
   * is cut and nothing is delivered.
   */
  send(message: MailMessage, beforeLast: () => Promise<boolean>, signal: AbortSignal): Promise<MailOutcome>;
}
