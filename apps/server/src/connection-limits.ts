import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createPlaces, type ReachedLimit } from "@org/admission";
import { addressPrefix, networkOf } from "@org/http";

/** Identifies one host: an IPv4 address, also in its IPv6 form, or the /64 of an IPv6 address. */
const HOST = { ipv4: 32, ipv6: 64 };

/** Connections over a limit that receive an answer before they are closed, so that honest clients learn why. One network has half of them. */
const TOLD = 64;
const RETRY_SECONDS = 10;

/** Limits on connections. */
export interface ConnectionLimits {
  /** Above half of it, each network has at most an equal part of what is left, unless behind a proxy. */
  readonly total: number;
  /** Limit for each IPv4 address or IPv6 /64, which one host may have. Null behind a proxy, whose connections serve all clients. */
  readonly perAddress: number | null;
}

/**
 * Limits the connections of a server, in total and for each address. A few connections over a limit are accepted and answered with the reason;
 * the rest are closed.
 * @param onClosed called with the limit for each connection that is closed immediately
 * @param isOwn whether a connection came over an address that clients cannot reach; such a connection is always accepted
 * @returns the limit that a connection exceeds, null for those within
 */
export function limitConnections(
  server: Server,
  { total, perAddress }: ConnectionLimits,
  onClosed: (limit: string) => void,
  isOwn: (socket: Socket) => boolean = () => false,
): (socket: Socket) => ReachedLimit | null {
  const retryAfterSeconds = RETRY_SECONDS;
  const ofAddress = createPlaces({
    ...(perAddress !== null && { ofKey: { name: "connections_per_address", value: perAddress } }),
    retryAfterSeconds,
  });
  const ofAll = createPlaces({ overall: { name: "connections", value: total }, retryAfterSeconds });
  const told = createPlaces({ overall: { name: "connections", value: TOLD }, retryAfterSeconds });
  const over = new WeakMap<Socket, ReachedLimit>();
  let opened = 0;

  server.maxConnections = total + TOLD;
  server.on("drop", () => onClosed("connections"));
  server.on("connection", (socket: Socket) => {
    if (isOwn(socket)) return;
    const remote = socket.remoteAddress ?? null;
    const address = addressPrefix(remote, HOST);
    opened += 1;
    // Behind a proxy nothing is known of networks, so each connection is one.
    const network = perAddress === null ? String(opened) : networkOf(remote);
    let limit = ofAddress.take(address);
    if (limit === null) {
      limit = ofAll.take(network);
      if (limit !== null) ofAddress.leave(address);
    }
    if (limit === null) {
      socket.once("close", () => {
        ofAddress.leave(address);
        ofAll.leave(network);
      });
    } else if (told.take(network) === null) {
      over.set(socket, limit);
      socket.once("close", () => told.leave(network));
    } else {
      onClosed(limit.name);
      socket.destroy();
    }
  });
  return (socket) => over.get(socket) ?? null;
}

/**
 * How many pipelined requests may wait on a connection. No browser, proxy or library in use pipelines, and the waiting requests of all
 * connections start in one turn of the event loop.
 */
const PIPELINED = 4;
/** After the last answered request, Node holds up to this many more until the connection closes; one more closes it immediately. */
const TOO_LATE = 32;

/** The fate of a request on a connection: it is handled, is refused as the last one, or comes after that one and is ignored. */
type PlaceOnConnection = "taken" | "last" | "too_late";

/**
 * Bounds the pipelined requests on one connection: Node reads a thousand of them in one go, and no other client is served until all of them were
 * started. Waiting answers are closed with their connection: Node closes only the one being sent, and the others would never return what they
 * hold of a limit.
 * @returns the fate of a request; the caller has to close the connection after the last one
 */
export function limitPipelining(): (request: IncomingMessage, response: ServerResponse) => PlaceOnConnection {
  const waiting = new WeakMap<Socket, Set<ServerResponse>>();
  /** Connections whose last request was refused, and how many came since. */
  const ended = new WeakMap<Socket, number>();

  return ({ socket }, response) => {
    const late = ended.get(socket);
    if (late !== undefined) {
      if (late >= TOO_LATE) socket.destroy();
      ended.set(socket, late + 1);
      return "too_late";
    }
    // No other answer is being sent on this connection.
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

/** Answers that wait for earlier ones on a connection, and close with it. */
function waitingOn(socket: Socket): Set<ServerResponse> {
  const responses = new Set<ServerResponse>();
  socket.once("close", () => {
    // Node closes an answer that has been assigned to the connection meanwhile.
    for (const response of responses)
      if (response.socket === null && !response.writableFinished) response.destroy().emit("close");
  });
  return responses;
}

/** The limit that the last request exceeds. */
export const pipeliningReached = reached("requests_of_connection", PIPELINED, true);

function reached(name: string, value: number, isOwnShare: boolean): ReachedLimit {
  return { name, value, isOwnShare, retryAfterSeconds: RETRY_SECONDS };
}
