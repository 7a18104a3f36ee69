import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A message that arrived. */
export interface ArrivedMail {
  readonly to: readonly string[];
  readonly raw: string;
  readonly subject: string;
  readonly messageId: string;
  /** Every attachment's bytes, by file name. */
  readonly attachments: ReadonlyMap<string, Buffer>;
}

/** A real SMTP server on this machine that stores what arrives. */
export interface TestMailServer {
  readonly port: number;
  readonly arrived: ArrivedMail[];
  close(): Promise<void>;
}

/**
 * @param options of the server, such as handlers that refuse; `onData` replaces storing
 * @param port a free one by default
 */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<TestMailServer> {
  const arrived: ArrivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.once("end", () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        arrived.push(readMail(to, Buffer.concat(chunks).toString("latin1")));
        callback();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    arrived,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** As much of MIME as the messages of the product use. */
function readMail(to: readonly string[], raw: string): ArrivedMail {
  const header = (name: string) =>
    new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, "im").exec(raw)?.[1]?.replace(/\r\n[ \t]/g, " ") ?? "";
  const attachments = new Map<string, Buffer>();
  const boundary = /boundary="?([^"\r\n;]+)/.exec(raw)?.[1];
  for (const part of boundary === undefined ? [] : raw.split(`--${boundary}`)) {
    const [head = "", ...body] = part.split("\r\n\r\n");
    const name = /filename="?([^"\r\n;]+)/.exec(head)?.[1];
    if (name !== undefined) attachments.set(name, Buffer.from(body.join("\r\n\r\n"), "base64"));
  }
  return { to, raw, subject: header("Subject"), messageId: header("Message-ID"), attachments };
}
