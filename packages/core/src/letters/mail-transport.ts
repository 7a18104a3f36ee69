/** A message as it is handed to a mail server. */
export interface MailMessage {
  /** Stays the same when a mail is sent again, so that whoever receives both can tell (RFC 5322 §3.6.4). Without brackets and domain. */
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

/** How a mail server answered. */
export type MailOutcome =
  | { readonly kind: "accepted" }
  /** Refused, or never reached: it was not delivered. `permanent` = the same message will be refused again. */
  | { readonly kind: "refused"; readonly permanent: boolean; readonly reason: string }
  /** The whole message had left when the connection broke: it may have been delivered. */
  | { readonly kind: "unknown"; readonly reason: string };

/** Hands messages to a mail server. */
export interface MailTransport {
  /**
   * Sends one message. `beforeLast` is awaited before the last of it leaves; when it answers false, or rejects, the connection is
   * cut and nothing is delivered.
   */
  send(message: MailMessage, beforeLast: () => Promise<boolean>, signal: AbortSignal): Promise<MailOutcome>;
}
