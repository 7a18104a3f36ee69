import { setTimeout as delay } from "node:timers/promises";
import { type Client, clientOf, type ServingProxy } from "./proxy.js";

/** Requests of every kind, sequential within each kind, half of them over HTTP/1.1 and half over HTTP/2. */
export interface Traffic {
  /** How many requests were sent over HTTP/1.1, and over HTTP/2. */
  requests(): readonly [number, number];
  /** How often each kind was done. */
  readonly done: Readonly<Record<string, number>>;
  /** Requests that failed, and acknowledged results that are missing. */
  readonly failures: readonly string[];
  /** A summary of all that as text. */
  summary(): string;
  /** Sends no more requests, waits for those in progress, and checks that acknowledged results exist. */
  stop(): Promise<void>;
}

/** Credentials of an application as the benchmarks store them. */
interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

const PAUSE_MS = 500;

type Failed = (kind: string, error: Error) => void;

const load = (path: string) => import(new URL(`../../../resilience/${path}`, import.meta.url).href);
const { beginMixedUse, ENDED_WITHIN_MS, useDuring } = await load("faults/mixed-use.mjs");
const { beginMoreUse } = await load("soak/use.mjs");
const { joinConsole } = await load("soak/follow.mjs");

/**
 * Starts sending what resilience/faults and resilience/soak send. A repeated request would be noticed: each refresh token is valid once.
 * @param tenant another tenant's application
 */
export async function beginTraffic(
  proxy: ServingProxy,
  { operator, demo, tenant }: Readonly<Record<"operator" | "demo" | "tenant", Credentials>>,
): Promise<Traffic> {
  const clients = [clientOf(proxy, 1), clientOf(proxy, 2)] as const;
  const servers = clients.map(({ fetch }: Client) => ({ origin: proxy.url, fetch }));
  const failures: string[] = [];
  const onFailure: Failed = (kind, error) => failures.push(`${kind}: ${error.message}`);
  const mixed = await beginMixedUse(servers[0], { operator, demo });
  const more = beginMoreUse(servers[0], tenant);
  const person = await joinConsole(servers[1], operator, onFailure);
  let end = () => {};
  const during = () =>
    new Promise<void>((resolve) => {
      end = resolve;
    });
  let done: Readonly<Record<string, number>> = {};
  const kinds = { ...mixed.kinds, ...more.kinds, ...person.kinds };
  const ended = useDuring({ kinds }, servers, during, onFailure).then((counts: Readonly<Record<string, number>>) => {
    done = counts;
  });
  return {
    requests: () => [clients[0].requests(), clients[1].requests()],
    get done() {
      return done;
    },
    failures,
    summary: () =>
      `${clients[0].requests()} requests over HTTP/1.1 and ${clients[1].requests()} over HTTP/2, ${failures.length} failures, ` +
      `${person.seen.streams} streams of a console: ${JSON.stringify(done)}`,
    async stop() {
      end();
      await ended;
      await person.stop();
      const find = async () => [...(await mixed.check(servers[0])), ...(await more.check())];
      const known = performance.now() + ENDED_WITHIN_MS;
      let faults: readonly string[] = await find();
      for (; faults.length > 0 && performance.now() < known; faults = await find()) await delay(PAUSE_MS);
      failures.push(...faults);
      for (const client of clients) client.close();
    },
  };
}
