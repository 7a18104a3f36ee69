import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from "node:net";
import { type Config, ConfigError, type ListenAddress } from "@org/installation";
import { addressReason, listen } from "./addresses.js";

/** What a separate address can serve. */
type Audience = "operator" | "metrics";

const settingOf = { operator: "OPERATOR_LISTEN", metrics: "METRICS_LISTEN" } as const;

/** Maximum connections of each address, which has few clients. */
const MAX_CONNECTIONS = 256;

/** What each address answers. Besides its API, it answers what tools need for it, such as a token for the operator API. */
const HEALTH = ["/healthz", "/readyz"];
const answered: Readonly<Record<Audience, readonly string[]>> = {
  operator: ["/operator", "/token", "/revoke", "/grants/list", "/grants/revoke", ...HEALTH],
  metrics: ["/metrics", ...HEALTH],
};
/** What the public address then stops answering. */
const withdrawn: Readonly<Record<Audience, string>> = { operator: "/operator", metrics: "/metrics" };

/** Separate addresses for the operator API and the metrics, if settings name them; the public address then answers 404 for these. */
export interface OwnListeners {
  /** Whether a connection came over one of them. */
  has(socket: Socket): boolean;
  /** Whether a path is not served on the connection that it came over. @param url as it is routed: it begins with a slash */
  hides(socket: Socket, url: string): boolean;
  /** @returns the addresses by audience, such as `127.0.0.1:9464` @throws ConfigError naming every setting that cannot be used */
  listen(): Promise<Readonly<Partial<Record<Audience, string>>>>;
  /** Accepts no more connections; resolves when the existing ones have ended. */
  close(): Promise<void>;
}

/**
 * Hands connections of these addresses to the one HTTP server, so that its limits, log and shutdown apply to them too. Only the limit on the
 * number of connections is separate, because an operator who fights a flood of the public address needs one.
 * @param server takes the connections
 */
export function createOwnListeners(
  server: Server,
  { operatorListen, metricsListen }: Pick<Config, "operatorListen" | "metricsListen">,
): OwnListeners {
  const wanted = new Map<string, { address: ListenAddress; audiences: Audience[] }>();
  for (const [audience, address] of [
    ["operator", operatorListen],
    ["metrics", metricsListen],
  ] as const) {
    if (address === undefined) continue;
    const key = JSON.stringify(address);
    wanted.set(key, { address, audiences: [...(wanted.get(key)?.audiences ?? []), audience] });
  }
  const own = new WeakMap<Socket, readonly Audience[]>();
  const gone = [...wanted.values()].flatMap(({ audiences }) => audiences.map((audience) => withdrawn[audience]));
  const listeners: NetServer[] = [];

  return {
    has: (socket) => own.has(socket),
    hides(socket, url) {
      if (wanted.size === 0) return false;
      const path = routedPath(url);
      const audiences = own.get(socket);
      if (audiences === undefined) return isBelow(path, gone);
      return !audiences.some((audience) => isBelow(path, answered[audience]));
    },
    async listen() {
      const found: Partial<Record<Audience, string>> = {};
      const problems: string[] = [];
      for (const { address, audiences } of wanted.values()) {
        const listener = createServer((socket) => {
          own.set(socket, audiences);
          server.emit("connection", socket);
        });
        listener.maxConnections = MAX_CONNECTIONS;
        try {
          await listen(listener, address);
          listeners.push(listener);
          for (const audience of audiences) found[audience] = inWords(listener.address());
        } catch (error) {
          problems.push(`${audiences.map((audience) => settingOf[audience]).join(", ")}: ${addressReason(error)}`);
        }
      }
      if (problems.length > 0) {
        for (const listener of listeners) listener.close();
        throw new ConfigError(problems);
      }
      return found;
    },
    async close() {
      await Promise.all(
        listeners.map(async (listener) => {
          const closed = once(listener, "close");
          listener.close();
          await closed;
        }),
      );
    },
  };
}

/** The address where this machine's command line finds the operator API; undefined if that is the public address, or if no URL is known. */
export function operatorUrlOf({ operatorListen: address }: Pick<Config, "operatorListen">): string | undefined {
  if (address === undefined || "path" in address || address.port === 0) return undefined;
  const { host, port } = address;
  if (host === "::" || host === "0.0.0.0") return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The path as the router compares it: case-insensitive, without a trailing slash. */
function routedPath(url: string): string {
  const path = url.split("?", 1)[0] ?? "";
  return path.toLowerCase().replace(/(?<!\/)\/+$/, "") || "/";
}

function isBelow(path: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

function inWords(address: AddressInfo | string | null): string {
  if (address === null || typeof address === "string") return `unix:${address ?? ""}`;
  return address.family === "IPv6" ? `[${address.address}]:${address.port}` : `${address.address}:${address.port}`;
}
