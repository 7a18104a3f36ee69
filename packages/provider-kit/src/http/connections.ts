import { createHash } from "node:crypto";
import { Agent, type Dispatcher, ProxyAgent } from "undici";
import type { TlsIdentity } from "../http-client.js";

export { request as send } from "undici";

/** Connections that are reused by later requests. */
export interface Connections {
  /** @param proxy for https and http alike; null = none */
  for(tls: TlsIdentity | undefined, proxy: string | null): Dispatcher;
  /** Closes them all, aborting requests in progress. */
  close(): Promise<void>;
}

/** The number of client certificates, and proxies for them, whose connections are kept. */
const KEPT = 100;
const CONNECT_MS = 10_000;
const AT_ONE_HOST = 50;

/** Keeps separate connections for each client certificate. */
export function createConnections(): Connections {
  const kept = new Map<string, Dispatcher>();

  return {
    for(tls, proxy) {
      const key = `${proxy ?? ""} ${tls === undefined ? "" : hashOf(tls)}`;
      const dispatcher = kept.get(key) ?? open(tls, proxy);
      kept.delete(key);
      kept.set(key, dispatcher);
      for (const [oldest, unused] of kept) {
        if (kept.size <= KEPT) break;
        kept.delete(oldest);
        // Requests in progress finish first.
        void unused.close().catch(() => undefined);
      }
      return dispatcher;
    },
    async close() {
      const all = [...kept.values()];
      kept.clear();
      await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
    },
  };

  function open({ cert, key, ca }: TlsIdentity = {}, proxy: string | null): Dispatcher {
    const identity = {
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(ca !== undefined && { ca }),
    };
    const connect = { ...identity, timeout: CONNECT_MS };
    const options = { connect, connections: AT_ONE_HOST };
    return proxy === null ? new Agent(options) : new ProxyAgent({ ...options, uri: proxy, requestTls: connect });
  }
}

function hashOf({ cert = "", key = "", ca = "" }: TlsIdentity): string {
  return createHash("sha256")
    .update(JSON.stringify([cert, key, ca]))
    .digest("hex");
}
