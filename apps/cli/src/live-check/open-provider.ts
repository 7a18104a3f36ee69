import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type CallTurns, createProviderGuard } from "@org/core";
import { isProxied } from "@org/http";
import { shippedProviders } from "@org/installation";
import {
  type BankProvider,
  type ConnectorOfProvider,
  type HttpClient,
  hostsIn,
  nextTurn,
  type ProviderDefinition,
  type ProviderLog,
  withTurn,
} from "@org/provider-kit";
import { createHttpClient, type HttpExchange } from "@org/provider-kit/http";
import { loadProviders } from "@org/provider-kit/loading";
import { createSharedPace, makeProvider, NotMade, parseSettings, type ServicesFor } from "@org/provider-registry";
import { failed, wrongUsage } from "../cli-error.js";
import { configOf } from "../installation.js";
import type { Shell } from "../shell.js";

/** A provider as a server runs it: behind its guard, with its HTTP client and its rate limits. */
export interface OpenProvider {
  readonly definition: ProviderDefinition;
  readonly provider: BankProvider;
  readonly connector: ConnectorOfProvider;
  readonly settings: unknown;
  readonly http: HttpClient;
  close(): Promise<void>;
}

/** What happens while a provider runs. */
export interface ProviderEvents {
  readonly onExchange: (exchange: HttpExchange) => void;
  readonly onFailedRequest: (outcome: string) => void;
  readonly onPaced: (milliseconds: number) => void;
  readonly log: ProviderLog;
}

/** More connectors than a person wants to read. */
const MAX_SHOWN = 20;

/** Loads a shipped provider, or one by its path or package. @throws CliError */
export async function loadProvider(shell: Shell, name: string): Promise<ProviderDefinition> {
  const { providers, problems } = await loadProviders([name], {
    directory: shell.cwd,
    shipped: shippedProviders,
    builtIn: [],
  });
  const [definition] = providers;
  if (definition) return definition;
  throw failed(`${problems.join("; ")}. Shipped are ${Object.keys(shippedProviders).join(", ")}`);
}

/** Opens a provider with settings. @throws CliError for settings that it does not take, or if it does not start */
export async function openProvider(
  shell: Shell,
  definition: ProviderDefinition,
  given: { settings: unknown; connector: string | undefined; signal: AbortSignal } & ProviderEvents,
): Promise<OpenProvider> {
  const { httpsProxy, noProxy } = configOf(shell);
  const sleep = (milliseconds: number, signal?: AbortSignal) => delay(milliseconds, undefined, signal && { signal });
  const turns = ownTurns();
  const clients: ReturnType<typeof createHttpClient>[] = [];
  const servicesFor: ServicesFor = ({ name, hosts }, settings) => {
    const http = createHttpClient({
      hosts: hosts?.(settings) ?? hostsIn(settings),
      clock: shell.clock,
      proxyFor: (url) => (isProxied(noProxy, url) ? httpsProxy : null),
      user_agent: "Wealth-Connect",
      onExchange: given.onExchange,
      onCall: ({ outcome }) => {
        if (!/^\dxx$/.test(outcome)) given.onFailedRequest(outcome);
      },
    });
    clients.push(http);
    const pace = createSharedPace({ provider: name, turns, mac: (_, key) => key, sleep });
    return {
      http,
      clock: shell.clock,
      random: (bytes) => new Uint8Array(randomBytes(bytes)),
      sleep,
      log: given.log,
      async pace(...asked) {
        const since = performance.now();
        const late = await pace(...asked);
        given.onPaced(performance.now() - since);
        return late;
      },
      close: () => http.close(),
    };
  };
  try {
    const settings = await parseSettings(definition, given.settings);
    const { provider } = await makeProvider(definition, given.settings, servicesFor, sleep);
    const http = clients[0] ?? servicesFor(definition, settings).http;
    const rows = (await definition.connectors?.(settings, { http, clock: shell.clock, signal: given.signal })) ?? [];
    const guard = createProviderGuard({ clock: shell.clock, random: Math.random, sleep });
    return {
      definition,
      provider: guard.guard(provider),
      connector: chosen(definition, rows, given.connector),
      settings,
      http,
      close: async () => {
        for (const client of clients) await client.close();
      },
    };
  } catch (error) {
    for (const client of clients) await client.close();
    throw error instanceof NotMade ? failed(`${definition.name}: ${error.message} (--settings)`, error) : error;
  }
}

function chosen(
  { name }: ProviderDefinition,
  rows: readonly { id: string; provider_ref?: string }[],
  wanted: string | undefined,
): ConnectorOfProvider {
  const ids = rows.map(({ id }) => id);
  const row = wanted === undefined ? (rows.length === 1 ? rows[0] : undefined) : rows.find(({ id }) => id === wanted);
  if (row) return { connector_id: row.id, provider_ref: row.provider_ref ?? null };
  if (rows.length === 0) return { connector_id: wanted ?? `live:${name}`, provider_ref: null };
  const more = ids.length > MAX_SHOWN ? `, and ${ids.length - MAX_SHOWN} more` : "";
  throw wrongUsage(`--connector must be one of ${ids.slice(0, MAX_SHOWN).join(", ")}${more}`);
}

/** Turns at an institution for this process alone. */
function ownTurns(): CallTurns {
  const given = new Map<string, number[]>();
  return {
    async take(key, limits, longestMs) {
      const now = performance.now();
      const before = given.get(key) ?? [];
      const turn = nextTurn(before, limits, now);
      const wait_ms = Math.ceil(turn - now);
      if (wait_ms > longestMs) return { granted: false, wait_ms };
      given.set(key, withTurn(before, turn).slice(-Math.max(...limits.map(({ calls }) => calls))));
      return { granted: true, wait_ms };
    },
  };
}
