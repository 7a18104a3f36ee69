import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { MailMessage } from "@org/core";
import { createSmtpTransport, type SmtpSettings } from "@org/installation";
import { afterEach, describe, expect, it } from "vitest";
import { startMailServer, type TestMailServer } from "./mail-server.js";

const settings = (port: number, more: Partial<SmtpSettings> = {}): SmtpSettings => ({
  host: "127.0.0.1",
  port,
  tls: "off",
  user: null,
  password: null,
  from: { name: "Wealth Connect", address: "letters@connect.example" },
  ...more,
});
const pdf = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 256));
const message: MailMessage = {
  message_id: "01900000-0000-7000-8000-000000000001",
  to: "banker@custody.example",
  subject: "Vollmacht für Müller",
  text: "Guten Tag,\n.\nein Punkt allein.\n",
  attachments: [{ name: "letter.pdf", type: "application/pdf", bytes: pdf }],
};
const yes = async () => true;
const never = new AbortController().signal;

const closing: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const server of closing.splice(0)) await server.close();
});
const mailServer = async (...options: Parameters<typeof startMailServer>): Promise<TestMailServer> => {
  const server = await startMailServer(...options);
  closing.push(server);
  return server;
};
/** A hand-written SMTP server, so that it can break off anywhere. */
const brokenServer = async (after: "greeting" | "data" | "message"): Promise<number> => {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    let received = "";
    let isData = false;
    socket.on("error", () => undefined);
    socket.write("220 here\r\n");
    if (after === "greeting") socket.destroy();
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (isData) {
        if (received.endsWith("\r\n.\r\n") && after === "message") socket.destroy();
        return;
      }
      if (!received.endsWith("\r\n")) return;
      const command = received.slice(0, 4).toUpperCase();
      received = "";
      isData = command === "DATA";
      if (isData && after === "data") return socket.destroy();
      socket.write(isData ? "354 go on\r\n" : command === "EHLO" ? "250 here\r\n" : "250 ok\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  });
  return (server.address() as AddressInfo).port;
};

describe("[C-7.16] a message handed to a mail server", () => {
  it("arrives byte for byte, from the configured sender, under an id that stays the same", async () => {
    const server = await mailServer();
    const transport = createSmtpTransport(settings(server.port));
    expect(await transport.send(message, yes, never)).toEqual({ kind: "accepted" });
    const [arrived] = server.arrived;
    expect(arrived?.to).toEqual(["banker@custody.example"]);
    expect(arrived?.messageId).toBe("<01900000-0000-7000-8000-000000000001@connect.example>");
    expect(arrived?.raw).toMatch(/^From: Wealth Connect <letters@connect.example>\r$/m);
    expect(arrived?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(arrived?.attachments.get("letter.pdf")?.equals(pdf)).toBe(true);
    expect(arrived?.raw).toContain("\r\n.\r\nein Punkt allein.\r\n");
  });

  it("logs in where the server asks for it, and a refused login is no fault of the mail", async () => {
    const server = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, callback) =>
        password === "right" ? callback(null, { user: username }) : callback(new Error("no")),
    });
    const login = (password: string) =>
      createSmtpTransport(settings(server.port, { user: "us", password })).send(message, yes, never);
    expect(await login("right")).toEqual({ kind: "accepted" });
    expect(await login("wrong")).toMatchObject({ kind: "refused", permanent: false });
    expect(server.arrived).toHaveLength(1);
  });

  it.each([
    [450, false],
    [550, true],
  ])("a recipient that is refused with %i is refused, for good: %s", async (responseCode, permanent) => {
    const server = await mailServer({
      onRcptTo: (_address, _session, callback) => callback(Object.assign(new Error("not here"), { responseCode })),
    });
    let asked = false;
    const beforeLast = async () => {
      asked = true;
      return true;
    };
    expect(await createSmtpTransport(settings(server.port)).send(message, beforeLast, never)).toEqual({
      kind: "refused",
      permanent,
      reason: `${responseCode} not here`,
    });
    expect(asked).toBe(false);
  });

  it("a message that is refused after it was read is refused, not doubtful", async () => {
    const server = await mailServer({
      onData(stream, _session, callback) {
        stream.resume();
        stream.once("end", () => callback(Object.assign(new Error("too busy"), { responseCode: 451 })));
      },
    });
    expect(await createSmtpTransport(settings(server.port)).send(message, yes, never)).toEqual({
      kind: "refused",
      permanent: false,
      reason: "451 too busy",
    });
  });

  it.each([
    ["greeting", "refused"],
    ["data", "refused"],
    ["message", "unknown"],
  ] as const)("a line that breaks after the %s makes it %s", async (after, kind) => {
    const port = await brokenServer(after);
    expect(await createSmtpTransport(settings(port)).send(message, yes, never)).toMatchObject({ kind });
  });

  /** A server that can do anything with each connection. */
  const hostileServer = async (act: (socket: Socket) => void) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.on("error", () => undefined));
      act(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push({
      close: () => {
        for (const socket of sockets) socket.destroy();
        return new Promise((resolve) => server.close(resolve));
      },
    });
    return { port: (server.address() as AddressInfo).port, sockets };
  };

  it.each<[string, (socket: Socket) => void]>([
    ["answers garbage", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["sends a line without end", (socket) => socket.write(`220 ${"x".repeat(1_000_000)}`)],
    ["sends an answer of lines without end", (socket) => socket.write("220-x\r\n".repeat(100_000))],
    ["sends empty lines and hangs up", (socket) => socket.end("\r\n".repeat(100_000))],
  ])("[C-9.282] a server that %s is given up on", async (_what, act) => {
    const { port } = await hostileServer(act);
    expect(await createSmtpTransport(settings(port)).send(message, yes, never)).toMatchObject({
      kind: "refused",
      permanent: false,
    });
  });

  it.each([
    ["never greets", ""],
    ["drips", "2"],
  ])("[C-9.282] a server that %s is left when its time is over", async (_what, greeting) => {
    const late = new AbortController();
    const { port, sockets } = await hostileServer((socket) => {
      socket.write(greeting, () => late.abort());
    });
    expect(await createSmtpTransport(settings(port)).send(message, yes, late.signal)).toMatchObject({
      kind: "refused",
    });
    await expect.poll(() => sockets.every(({ closed }) => closed), { timeout: 60_000 }).toBe(true);
  });

  it("[C-9.282] a server that takes the message and never says goodbye is left", async () => {
    const server = await mailServer();
    const { port, sockets } = await hostileServer((socket) => {
      const behind = connect(server.port, "127.0.0.1").on("error", () => undefined);
      behind.on("data", (chunk) => chunk.toString().startsWith("221") || socket.write(chunk));
      socket.on("data", (chunk) => behind.write(chunk)).once("close", () => behind.destroy());
    });
    const transport = createSmtpTransport(settings(port), { quitTimeoutMs: 20 });
    expect(await transport.send(message, yes, never)).toEqual({ kind: "accepted" });
    await expect.poll(() => sockets[0]?.closed, { timeout: 60_000 }).toBe(true);
  });

  it("nobody there: refused for the moment", async () => {
    const server = await startMailServer();
    await server.close();
    expect(await createSmtpTransport(settings(server.port)).send(message, yes, never)).toMatchObject({
      kind: "refused",
      permanent: false,
    });
  });

  it.each<[string, () => Promise<boolean>]>([
    ["is withdrawn", async () => false],
    ["cannot be noted", () => Promise.reject(new Error("the database is away"))],
  ])("a message that %s before its last byte does not arrive", async (_what, beforeLast) => {
    const server = await mailServer();
    const outcome = await createSmtpTransport(settings(server.port)).send(message, beforeLast, never);
    expect(outcome).toMatchObject({ kind: "refused", permanent: false });
    expect(server.arrived).toEqual([]);
  });

  it("a sender that stops cuts the message off before its end", async () => {
    const server = await mailServer();
    const stop = new AbortController();
    const beforeLast = () => {
      stop.abort();
      return new Promise<boolean>(() => undefined);
    };
    const outcome = await createSmtpTransport(settings(server.port)).send(message, beforeLast, stop.signal);
    expect(outcome).toMatchObject({ kind: "refused", permanent: false });
    expect(server.arrived).toEqual([]);
  });

  it("does not speak in the clear where STARTTLS is asked for", async () => {
    const server = await mailServer();
    const outcome = await createSmtpTransport(settings(server.port, { tls: "starttls" })).send(message, yes, never);
    expect(outcome).toMatchObject({ kind: "refused" });
    expect(server.arrived).toEqual([]);
  });
});
