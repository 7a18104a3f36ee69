import { eventually } from "./eventually.js";

/** The proxies whose settings deploy/ ships. */
export type ProxyName = "haproxy" | "nginx";

/** What scripts/proxies.mjs starts: a real proxy with the settings that are shipped, TLS and HTTP/2 included. */
export interface ServingProxy {
  readonly url: string;
  /** Its certificate, which nobody has signed. */
  readonly ca: string;
  output(): string;
  isRunning(): boolean;
  stop(): Promise<void>;
}

/** One site over one version of HTTP, as resilience/faults/fetch-over-tls.mjs makes it. */
export interface Client {
  readonly fetch: typeof fetch;
  /** How many it has sent. */
  requests(): number;
  close(): void;
}

const { findProxies, startProxy } = await import(new URL("../../../scripts/proxies.mjs", import.meta.url).href);
const { fetchOverTls } = await import(new URL("../../../resilience/faults/fetch-over-tls.mjs", import.meta.url).href);

/** Where they are, and what makes their certificate; null where one of them is missing. */
export const proxyPrograms: Readonly<Record<ProxyName, string>> | null = findProxies();

/**
 * Starts one, and waits until it serves.
 * @param port where it listens
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

/** Makes a client of a proxy that speaks this version of HTTP, over connections that are kept. */
export function clientOf({ url, ca }: ServingProxy, version: 1 | 2): Client {
  return fetchOverTls(url, ca, version);
}
