import { Readable } from "node:stream";
import type { MailMessage, MailOutcome, MailTransport } from "@org/core";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SmtpSettings } from "./config.js";

const CONNECT_TIMEOUT_MS = 30_000;
const SILENCE_TIMEOUT_MS = 60_000;
/** How long a server has for its goodbye once it has taken the message. */
const QUIT_TIMEOUT_MS = 5_000;
/** The longest answer that is listened to; real ones have some hundred bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** What is held back until it is noted that the message leaves. */
const LAST_BYTES = 64;

/** A {@link MailTransport} that hands each message to one SMTP server, over a connection of its own. */
export function createSmtpTransport(settings: SmtpSettings, { quitTimeoutMs = QUIT_TIMEOUT_MS } = {}): MailTransport {
  return {
    async send(message, beforeLast, signal) {
      const bytes = await compose(message, settings);
      // Loaded by the first mail: most servers send none.
      const { default: Connection } = await import("nodemailer/lib/smtp-connection");
      if (signal.aborted) return notSent("the sender stops");
      return handOver({ settings, quitTimeoutMs, Connection }, message.to, bytes, beforeLast, signal);
    },
  };
}

/** Speaks to the server; whatever happens becomes an outcome. */
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
      // An open stream of a message must not be completed by a polite end.
      if (outcome.kind !== "accepted") return connection.close();
      connection.quit();
      // One that answers a byte at a time, or never, would keep the connection for good.
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

/** @param isLeaving whether the last of the message may have reached the server */
function outcomeOf(error: unknown, isLeaving: boolean): MailOutcome {
  const { responseCode, code, response, message } = error as {
    responseCode?: number;
    code?: string;
    response?: string;
    message: string;
  };
  const reason = response ?? message;
  // An answer settles it; a login that is refused is the installation's fault, not the mail's.
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
