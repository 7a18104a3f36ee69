import { eventually } from "./eventually.js";

/** The proxies for which deploy/ has settings. */
export type ProxyName = "haproxy" | "nginx";

/** A proxy started by scripts/proxies.mjs: real, with the shipped settings, including TLS and HTTP/2. */
export interface ServingProxy {
  readonly url: string;
  /** Its self-signed certificate. */
  readonly ca: string;
  output(): string;
  isRunning(): boolean;
  stop(): Promise<void>;
}

/** A client for one site over one version of HTTP, from resilience/faults/fetch-over-tls.mjs. */
export interface Client {
  readonly fetch: typeof fetch;
  /** How many it has sent. */
  requests(): number;
  close(): void;
}

const { findProxies, startProxy } = await import(new URL("../../../scripts/proxies.mjs", import.meta.url).href);
const { fetchOverTls } = await import(new URL("../../../resilience/faults/fetch-over-tls.mjs", import.meta.url).href);

/** The proxies' programs, and the one that creates their certificate; null if one of them is missing. */
export const proxyPrograms: Readonly<Record<ProxyName, string>> | null = findProxies();

/**
 * Starts a proxy and waits until it serves.
 * @param port on which it listens
 * @param replicas origins of both
 */
export async function startServingProxy(
  name: ProxyName,
  port: string,
  replicas: readonly string[],
): Promise<ServingProxy> {
  const ports = replicas.map((origin) => new URL(origin).port);
  const proxy: ServingProxy = startProxy(name, port, ports);
  const client = clientOf(proxy, 1);
  await eventually(async () => {
    if (!proxy.isRunning()) throw new Error(`${name} ended: ${proxy.output()}`);
    return client.fetch(`${proxy.url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }, `${name} serves`).finally(() => client.close());
  return proxy;
}

/** Creates a client of a proxy for this version of HTTP, over persistent connections. */
export function clientOf({ url, ca }: ServingProxy, version: 1 | 2): Client {
  return fetchOverTls(url, ca, version);
}
