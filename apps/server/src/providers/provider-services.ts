import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Storage } from "@org/core";
import { isProxied } from "@org/http";
import type { Config } from "@org/installation";
import { hostsIn, type ProviderLog } from "@org/provider-kit";
import { createHttpClient } from "@org/provider-kit/http";
import { createSharedPace, type ServicesFor } from "@org/provider-registry";
import type { Platform } from "../feature.js";
import { durations } from "../measures.js";
import { tracedHttpClient } from "../tracing/traced-calls.js";

/** Log lines accepted from one provider per minute. */
const LINES = 60;
const MINUTE = 60_000;

/** The services that providers get from the server: HTTP to the hosts in their settings, at a rate that all servers observe together. */
export function providerServices({
  config,
  storage,
  runtime,
  clock,
  log,
}: Pick<Platform, "runtime" | "clock" | "log"> & {
  config: Pick<Config, "httpsProxy" | "noProxy" | "tracing">;
  storage: Pick<Storage, "callTurns">;
}) {
  const requests = durations(
    "wealth_connect_provider_http_seconds",
    "Requests of providers to institutions by provider and outcome",
    ["provider", "outcome"],
    "slow",
  );
  const sleep = (milliseconds: number, signal?: AbortSignal) => delay(milliseconds, undefined, signal && { signal });
  const logs = new Map<string, ProviderLog>();

  const servicesFor: ServicesFor = (definition, settings) => {
    const { name } = definition;
    const http = createHttpClient({
      hosts: definition.hosts?.(settings) ?? hostsIn(settings),
      // Measures elapsed time: the server's clock follows the database's and may jump.
      clock: () => new Date(),
      proxyFor: (url) => (isProxied(config.noProxy, url) ? config.httpsProxy : null),
      user_agent: "Wealth-Connect",
      onCall: ({ outcome, seconds }) => requests.observe({ provider: name, outcome }, seconds * 1_000),
    });
    const ownLog = logs.get(name) ?? logOf(name);
    logs.set(name, ownLog);
    return {
      http: tracedHttpClient(http, name, config),
      clock,
      random: (bytes) => new Uint8Array(randomBytes(bytes)),
      sleep,
      log: ownLog,
      pace: createSharedPace({ provider: name, turns: storage.callTurns, mac: runtime.mac, sleep }),
      close: () => http.close(),
    };
  };
  return { servicesFor, sleep, metric: requests.metric };

  /** A log for one provider that adds its name, limited per minute so that a provider cannot fill the disk. */
  function logOf(provider: string): ProviderLog {
    let since = 0;
    let lines = 0;
    const mayWrite = () => {
      const now = clock().getTime();
      if (now - since > MINUTE) [since, lines] = [now, 0];
      lines += 1;
      return lines <= LINES;
    };
    return {
      info: (message, facts = {}) => mayWrite() && log.info({ ...facts, provider }, message),
      warn: (message, facts = {}) => mayWrite() && log.warn({ ...facts, provider }, message),
    };
  }
}
