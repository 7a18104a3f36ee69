import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressPrefix, type ReachedLimit } from "@org/http";

/** Identifies one host: an IPv4 address, also in its IPv6 form, or the /64 of an IPv6 address. */
const HOST = { ipv4: 32, ipv6: 64 };

/** Connections over a limit that receive an answer before they are closed, so that honest clients learn why. */
const TOLD = 64;
const RETRY_SECONDS = 10;

/** The limits on connections. */
export interface ConnectionLimits {
  readonly total: number;
  /** Limit for each IPv4 address or IPv6 /64, which one host may have. Null behind a proxy, whose connections serve all clients. */
  readonly perAddress: number | null;
}

/**
 * Limits the connections of a server, in total and for each address. A few connections over a limit are accepted and answered with the
 * reason; the rest are closed.
 * @param onClosed called with the limit for each connection that is closed at once
 * @param isOwn whether a connection came over an address that clients cannot reach; such a connection is always accepted
 * @returns the limit that a connection exceeds, null for those within
 */
export function limitConnections(
  server: Server,
  { total, perAddress }: ConnectionLimits,
  onClosed: (limit: string) => void,
  isOwn: (socket: Socket) => boolean = () => false,
): (socket: Socket) => ReachedLimit | null {
  const byAddress = new Map<string, number>();
  const over = new WeakMap<Socket, ReachedLimit>();
  let open = 0;

  server.maxConnections = total + TOLD;
  server.on("drop", () => onClosed("connections"));
  server.on("connection", (socket: Socket) => {
    if (isOwn(socket)) return;
    const address = addressPrefix(socket.remoteAddress ?? null, HOST);
    const own = (byAddress.get(address) ?? 0) + 1;
    open += 1;
    byAddress.set(address, own);
    socket.once("close", () => {
      open -= 1;
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
    });
    if (perAddress !== null && own > perAddress) {
      over.set(socket, reached("connections_per_address", perAddress, true));
      if (own > perAddress + TOLD) {
        onClosed("connections_per_address");
        socket.destroy();
      }
    } else if (open > total) over.set(socket, reached("connections", total, false));
  });
  return (socket) => over.get(socket) ?? null;
}

/**
 * How many pipelined requests may wait on a connection. No browser, proxy or library in use pipelines, and the waiting requests of all
 * connections start in one turn of the event loop.
 */
const PIPELINED = 4;
/** So many more behind the last that is answered are kept by Node until the connection closes; with a further one it closes at once. */
const TOO_LATE = 32;

/** What becomes of a request on a connection: it is taken, or refused as the last one, or comes after that one. */
type PlaceOnConnection = "taken" | "last" | "too_late";

/**
 * Bounds the requests that follow each other on one connection without waiting for answers: Node reads a thousand of them at once, and
 * nobody else has a turn until all of them were begun. The answers that wait close with their connection: Node closes only the one that the
 * connection is busy with, and what the others have taken of a limit would never be given back.
 * @returns what becomes of a request; that after the last one the connection is closed is for the caller to see to
 */
export function limitPipelining(): (request: IncomingMessage, response: ServerResponse) => PlaceOnConnection {
  const waiting = new WeakMap<Socket, Set<ServerResponse>>();
  /** Connections that have had their last one, and how many came since. */
  const ended = new WeakMap<Socket, number>();

  return ({ socket }, response) => {
    const late = ended.get(socket);
    if (late !== undefined) {
      if (late >= TOO_LATE) socket.destroy();
      ended.set(socket, late + 1);
      return "too_late";
    }
    // It has the connection to itself.
    if (response.socket !== null) return "taken";
    const others = waiting.get(socket) ?? waitingOn(socket);
    waiting.set(socket, others);
    const isLast = others.size >= PIPELINED;
    if (isLast) ended.set(socket, 0);
    others.add(response);
    response.once("close", () => others.delete(response));
    return isLast ? "last" : "taken";
  };
}

/** Answers that wait for those before them on a connection, and close with it. */
function waitingOn(socket: Socket): Set<ServerResponse> {
  const responses = new Set<ServerResponse>();
  socket.once("close", () => {
    // One that the connection was given to meanwhile is closed by Node.
    for (const response of responses)
      if (response.socket === null && !response.writableFinished) response.destroy().emit("close");
  });
  return responses;
}

/** The limit that the last one is over. */
export const pipeliningReached = reached("requests_of_connection", PIPELINED, true);

function reached(name: string, value: number, isOwnShare: boolean): ReachedLimit {
  return { name, value, isOwnShare, retryAfterSeconds: RETRY_SECONDS };
}
