import { connect, type NetConnectOpts, type Socket } from "node:net";

/** The address of a clamd. */
export type ClamdAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/** The ClamAV daemon. Every method throws a {@link ClamdError}. */
export interface Clamd {
  /** Returns the name of the signature that was found in the bytes, or null. */
  scan(bytes: Uint8Array): Promise<string | null>;
  /** Resolves when it answers. */
  ping(): Promise<void>;
}

/** Why clamd gave no verdict. */
export class ClamdError extends Error {
  override readonly name = "ClamdError";
  readonly code: "unreachable" | "too_slow" | "too_large" | "not_understood";

  constructor(code: ClamdError["code"], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The time limit for connecting, sending and scanning together. Ten megabytes take clamd some hundred milliseconds. */
const TIMEOUT_MS = 30_000;
const CHUNK_BYTES = 256 * 1024;
const MAX_REPLY_BYTES = 4_096;

/** Reads `tcp://host:port` or `unix:/path`; null when it is neither. */
export function parseClamdUrl(text: string): ClamdAddress | null {
  const path = /^unix:(?:\/\/)?(\/[^\0]+)$/.exec(text)?.[1];
  if (path !== undefined) return { path };
  const tcp = /^tcp:\/\/(\[[0-9a-fA-F:.]+\]|[^\s/:@?#[\]]+):(\d{1,5})\/?$/.exec(text);
  const port = Number(tcp?.[2]);
  if (!tcp?.[1] || port < 1 || port > 65_535) return null;
  return { host: tcp[1].replace(/^\[|\]$/g, ""), port };
}

/**
 * A client of clamd's protocol (clamd(8)): a connection for each command. Only INSTREAM and PING are used, so that the daemon
 * needs no access to this machine's files.
 */
export function createClamd(address: ClamdAddress, timeoutMs = TIMEOUT_MS): Clamd {
  return {
    async scan(bytes) {
      const reply = await ask(address, timeoutMs, (socket) => sendStream(socket, bytes));
      if (reply === "stream: OK") return null;
      const found = /^stream: (.+) FOUND$/.exec(reply)?.[1];
      if (found !== undefined) return found.replace(/[^\x20-\x7e]/g, "?").slice(0, 200);
      if (/size limit exceeded/i.test(reply))
        throw new ClamdError("too_large", "clamd takes no stream of this size: raise its StreamMaxLength");
      throw notUnderstood(reply);
    },
    async ping() {
      const reply = await ask(address, timeoutMs, async (socket) => {
        socket.write("zPING\0");
      });
      if (reply !== "PONG") throw notUnderstood(reply);
    },
  };
}

/** Sends one command and resolves to its reply, even when clamd hangs up in the middle of what is sent. */
function ask(address: ClamdAddress, timeoutMs: number, send: (socket: Socket) => Promise<void>): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(address as NetConnectOpts);
    const received: Buffer[] = [];
    let length = 0;
    const settle = (act: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      act();
    };
    const fail = (code: ClamdError["code"], message: string, cause?: unknown) =>
      settle(() => reject(new ClamdError(code, message, cause === undefined ? undefined : { cause })));
    const timer = setTimeout(() => fail("too_slow", `clamd did not answer within ${timeoutMs} ms`), timeoutMs);
    socket.on("data", (chunk) => {
      received.push(chunk);
      length += chunk.length;
      const end = chunk.indexOf(0);
      if (end < 0 && length > MAX_REPLY_BYTES) return fail("not_understood", "clamd answered without end");
      if (end < 0) return;
      const reply = Buffer.concat(received).subarray(0, length - chunk.length + end);
      settle(() => resolve(reply.toString("utf8").trim()));
    });
    // A reply that explains why clamd hung up may still arrive: its last bytes come after the error.
    socket.on("error", (error) => setImmediate(() => fail("unreachable", "clamd cannot be reached", error)));
    socket.on("close", () => fail("unreachable", "clamd closed the connection without an answer"));
    socket.once("connect", () => {
      send(socket).catch((error: unknown) => socket.destroy(error as Error));
    });
  });
}

/** INSTREAM: each chunk is preceded by its length; a length of zero ends the stream. The bytes are not copied. */
async function sendStream(socket: Socket, bytes: Uint8Array): Promise<void> {
  socket.write("zINSTREAM\0");
  for (let from = 0; from < bytes.length && !socket.destroyed; from += CHUNK_BYTES) {
    const chunk = bytes.subarray(from, from + CHUNK_BYTES);
    socket.write(lengthOf(chunk));
    if (!socket.write(chunk)) await drained(socket);
  }
  if (!socket.destroyed) socket.write(lengthOf(new Uint8Array()));
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      socket.off("drain", go).off("close", go);
      resolve();
    };
    socket.on("drain", go).on("close", go);
  });
}

function lengthOf(chunk: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(chunk.length);
  return length;
}

function notUnderstood(reply: string): ClamdError {
  return new ClamdError("not_understood", `clamd answered ${JSON.stringify(reply.slice(0, 200))}`);
}
