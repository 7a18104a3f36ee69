import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { generate } from "selfsigned";

/** Ways in which a receiver of webhooks can be slow, broken or malicious. */
export const hostileBehaviours = [
  "hangs",
  "drips-its-headers",
  "drips-its-body",
  "resets",
  "closes",
  "answers-garbage",
  "redirects-to-metadata",
  "redirects-to-private",
  "fails-forever",
  "asks-for-seconds",
  "asks-for-a-date",
  "asks-for-nonsense",
  "is-unavailable",
  "is-gone",
  "answers-megabytes",
  "takes-and-answers-megabytes",
  "has-huge-headers",
  "breaks-kept-connections",
  "never-shakes-hands",
  "has-a-wrong-certificate",
] as const;

export type HostileBehaviour = (typeof hostileBehaviours)[number];

/** A receiver that must not delay anyone. */
export interface HostileReceiver {
  /** The URL where it behaves in that way. */
  url(way: HostileBehaviour): string;
  /** How often it was requested, by behaviour; for behaviours that never see a request, how often a client connected. */
  readonly asked: ReadonlyMap<HostileBehaviour, number>;
  close(): Promise<void>;
}

const DRIP_INTERVAL_MS = 1_000;
const MEGABYTES = 64;

type Behaviour = (socket: Socket, request: string, nth: number) => void;

const answer =
  (status: string, ...headers: string[]): Behaviour =>
  (socket) =>
    socket.write([`HTTP/1.1 ${status}`, ...headers, "content-length: 0", "", ""].join("\r\n"));

/** What is written to a connection after the head of a request, and how many requests the connection has sent. */
const behaviours: Readonly<
  Record<Exclude<HostileBehaviour, "never-shakes-hands" | "has-a-wrong-certificate">, Behaviour>
> = {
  hangs: () => undefined,
  "drips-its-headers": (socket) => drip(socket, "HTTP/1.1 200 OK\r\nx-slow: yes\r\n"),
  "drips-its-body": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");
    drip(socket, "x".repeat(100_000));
  },
  resets: (socket) => socket.resetAndDestroy(),
  closes: (socket) => socket.end(),
  "answers-garbage": (socket) => socket.end(Buffer.from("\u0000\u0001 200 OK; this is no HTTP\r\n\r\n<html>")),
  "redirects-to-metadata": answer("301 Moved Permanently", "location: http://169.254.169.254/latest/meta-data/"),
  "redirects-to-private": answer("307 Temporary Redirect", "location: http://10.0.0.1/"),
  "fails-forever": answer("500 Internal Server Error"),
  "asks-for-seconds": answer("429 Too Many Requests", "retry-after: 3600"),
  "asks-for-a-date": answer("503 Service Unavailable", "retry-after: Fri, 31 Dec 2100 23:59:59 GMT"),
  "asks-for-nonsense": answer("429 Too Many Requests", "retry-after: -1e9 soon"),
  "is-unavailable": answer("503 Service Unavailable"),
  "is-gone": answer("410 Gone"),
  "answers-megabytes": (socket) => flood(socket, "500 Internal Server Error"),
  "takes-and-answers-megabytes": (socket) => flood(socket, "200 OK"),
  "has-huge-headers": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    for (let n = 0; n < 1_000 && !socket.destroyed; n += 1) socket.write(`x-${n}: ${"y".repeat(1_000)}\r\n`);
    socket.write("content-length: 0\r\n\r\n");
  },
  // The first request of a connection is answered; the second is cut off in the middle.
  "breaks-kept-connections": (socket, request, nth) =>
    nth === 1 ? answer("204 No Content", "connection: keep-alive")(socket, request, nth) : socket.resetAndDestroy(),
};

/** Starts a hostile receiver on 127.0.0.1. */
export async function startHostileReceiver(): Promise<HostileReceiver> {
  const asked = new Map<HostileBehaviour, number>();
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).once("close", () => sockets.delete(socket));
  };
  const count = (way: HostileBehaviour) => asked.set(way, (asked.get(way) ?? 0) + 1);

  const plain = createServer((socket) => {
    keep(socket);
    let text = "";
    let nth = 0;
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
      for (let request = takeRequest(); request !== null; request = takeRequest()) {
        const way = /^POST \/([a-z-]+)/.exec(request)?.[1] as keyof typeof behaviours;
        nth += 1;
        count(way);
        behaviours[way]?.(socket, request, nth);
      }
    });

    /** Removes and returns the next complete request of the connection. */
    function takeRequest(): string | null {
      const end = text.indexOf("\r\n\r\n");
      const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, end + 2))?.[1] ?? 0);
      if (end < 0 || text.length < end + 4 + length) return null;
      const request = text.slice(0, end + 4 + length);
      text = text.slice(request.length);
      return request;
    }
  });

  const silent = createServer((socket) => {
    keep(socket);
    count("never-shakes-hands");
    socket.resume();
  });

  const { private: key, cert } = await generate([{ name: "commonName", value: "somebody-else.example" }], {
    keyType: "ec",
  });
  const mistaken = createTlsServer({ key, cert }, (_, response) => {
    count("has-a-wrong-certificate");
    response.writeHead(204).end();
  }).on("connection", keep);

  const servers = [plain, silent, mistaken] as const;
  for (const server of servers) await once(server.listen(0, "127.0.0.1"), "listening");
  const portOf = (server: (typeof servers)[number]) => (server.address() as AddressInfo).port;

  return {
    asked,
    url(way) {
      if (way === "never-shakes-hands") return `https://127.0.0.1:${portOf(silent)}/`;
      if (way === "has-a-wrong-certificate") return `https://127.0.0.1:${portOf(mistaken)}/`;
      return `http://127.0.0.1:${portOf(plain)}/${way}`;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** Sends one byte a second for as long as the client listens. */
function drip(socket: Socket, text: string): void {
  let position = 0;
  const timer = setInterval(() => {
    if (position < text.length) socket.write(text[position++] ?? "");
  }, DRIP_INTERVAL_MS);
  socket.once("close", () => clearInterval(timer));
}

/** Sends as many megabytes as the client reads, up to a bound. */
function flood(socket: Socket, status: string): void {
  const megabyte = Buffer.alloc(1_048_576, "x");
  socket.write(`HTTP/1.1 ${status}\r\ncontent-length: ${MEGABYTES * megabyte.length}\r\n\r\n`);
  let sent = 0;
  const send = () => {
    while (sent < MEGABYTES && !socket.destroyed) {
      sent += 1;
      if (!socket.write(megabyte)) {
        socket.once("drain", send);
        return;
      }
    }
  };
  send();
}
