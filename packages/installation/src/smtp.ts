import { Readable } from "node:stream";
import type { MailMessage, MailOutcome, MailTransport } from "@org/core";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SmtpSettings } from "./smtp-settings.js";

const CONNECT_TIMEOUT_MS = 30_000;
const SILENCE_TIMEOUT_MS = 60_000;
/** How long the client waits for the server's reply to QUIT after the message was accepted. */
const QUIT_TIMEOUT_MS = 5_000;
/** Maximum length of a reply; real ones have some hundred bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Bytes held back until the caller has recorded that the message is being sent. */
const LAST_BYTES = 64;

/** A {@link MailTransport} that sends each message to one SMTP server, over a separate connection. */
export function createSmtpTransport(settings: SmtpSettings, { quitTimeoutMs = QUIT_TIMEOUT_MS } = {}): MailTransport {
  return {
    async send(message, beforeLast, signal) {
      const bytes = await compose(message, settings);
      // Loaded with the first mail, because most servers send none.
      const { default: Connection } = await import("nodemailer/lib/smtp-connection");
      if (signal.aborted) return notSent("the sender stops");
      return handOver({ settings, quitTimeoutMs, Connection }, message.to, bytes, beforeLast, signal);
    },
  };
}

/** Runs the SMTP dialogue; every result becomes an outcome. */
function handOver(
  {
    settings,
    quitTimeoutMs,
    Connection,
  }: {
    readonly settings: SmtpSettings;
    readonly quitTimeoutMs: number;
    readonly Connection: typeof SMTPConnection;
  },
  to: string,
  bytes: Buffer,
  beforeLast: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<MailOutcome> {
  const connection = new Connection({
    host: settings.host,
    port: settings.port,
    secure: settings.tls === "implicit",
    requireTLS: settings.tls === "starttls",
    ignoreTLS: settings.tls === "off",
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  return new Promise((resolve) => {
    let isLeaving = false;
    const end = (outcome: MailOutcome) => {
      signal.removeEventListener("abort", abort);
      resolve(outcome);
      // A QUIT must not complete the open data stream of a message.
      if (outcome.kind !== "accepted") return connection.close();
      connection.quit();
      // A server that answers one byte at a time, or never, would keep the connection open forever.
      setTimeout(() => connection.close(), quitTimeoutMs).unref();
    };
    const fail = (error: unknown) => end(outcomeOf(error, isLeaving));
    const abort = () => fail(new Error("the sender stops, or the server takes too long"));
    signal.addEventListener("abort", abort);
    connection.once("error", fail);
    connection.once("end", () => fail(new Error("the server closed the connection")));

    async function* content() {
      const held = Math.max(0, bytes.length - LAST_BYTES);
      yield bytes.subarray(0, held);
      if (!(await beforeLast())) throw new Error("the mail was withdrawn");
      isLeaving = true;
      yield bytes.subarray(held);
    }
    const transmit = () => {
      const stream = Readable.from(content());
      stream.once("error", fail);
      connection.send({ from: settings.from.address, to: [to] }, stream, (error) =>
        error ? fail(error) : end({ kind: "accepted" }),
      );
    };
    connection.connect((error) => {
      if (error) return fail(error);
      const { user, password } = settings;
      if (user === null || password === null) return transmit();
      connection.login({ user, credentials: { user, pass: password } }, (refusal) =>
        refusal ? fail(refusal) : transmit(),
      );
    });
  });
}

/** @param isLeaving whether the end of the message may have reached the server */
function outcomeOf(error: unknown, isLeaving: boolean): MailOutcome {
  const { responseCode, code, response, message } = error as {
    responseCode?: number;
    code?: string;
    response?: string;
    message: string;
  };
  const reason = response ?? message;
  // A reply is definite. A refused login is the fault of the installation, not of the mail.
  if (responseCode !== undefined && responseCode >= 400)
    return { kind: "refused", permanent: responseCode >= 500 && code !== "EAUTH", reason };
  return isLeaving ? { kind: "unknown", reason } : notSent(reason);
}

function notSent(reason: string): MailOutcome {
  return { kind: "refused", permanent: false, reason };
}

async function compose(message: MailMessage, { from }: SmtpSettings): Promise<Buffer> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return new MailComposer({
    from,
    to: { name: "", address: message.to },
    messageId: `<${message.message_id}@${domain}>`,
    subject: message.subject,
    text: message.text,
    headers: { "Auto-Submitted": "auto-generated" },
    attachments: message.attachments.map(({ name, type, bytes }) => ({
      filename: name,
      contentType: type,
      content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}
