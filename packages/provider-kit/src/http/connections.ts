import { createHash } from "node:crypto";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import type { TlsIdentity } from "../http-client.js";

export { request as send } from "undici";

/** How requests leave this machine. */
export interface OutboundProxy {
  /** For https and http alike; null = no proxy. */
  readonly proxy: string | null;
  /** Hosts that are requested without the proxy, as in `NO_PROXY`. */
  readonly no_proxy: string;
}

/** Connections that are reused by later requests. */
export interface Connections {
  for(tls: TlsIdentity | undefined): Dispatcher;
  /** Closes them all, aborting requests in progress. */
  close(): Promise<void>;
}

/** The number of client certificates whose connections are kept. */
const KEPT = 100;
const CONNECT_MS = 10_000;
const AT_ONE_HOST = 50;

/** Keeps separate connections for each client certificate. */
export function createConnections({ proxy, no_proxy }: OutboundProxy): Connections {
  const kept = new Map<string, Dispatcher>();

  return {
    for(tls) {
      const key = tls === undefined ? "" : hashOf(tls);
      const dispatcher = kept.get(key) ?? open(tls);
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

  function open({ cert, key, ca }: TlsIdentity = {}): Dispatcher {
    const identity = {
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(ca !== undefined && { ca }),
    };
    const connect = { ...identity, timeout: CONNECT_MS };
    const options = { connect, connections: AT_ONE_HOST };
    if (proxy === null) return new Agent(options);
    return new EnvHttpProxyAgent({
      ...options,
      requestTls: connect,
      httpProxy: proxy,
      httpsProxy: proxy,
      noProxy: no_proxy,
    });
  }
}

function hashOf({ cert = "", key = "", ca = "" }: TlsIdentity): string {
  return createHash("sha256")
    .update(JSON.stringify([cert, key, ca]))
    .digest("hex");
}
