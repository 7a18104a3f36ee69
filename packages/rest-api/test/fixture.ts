import { createHmac } from "node:crypto";
import type { AddressInfo } from "node:net";
import {
  createAuditReading,
  createConnectionAdmin,
  createConnectors,
  createCredentials,
  createExchangeRates,
  createInvestmentData,
  createLetterAdmin,
  createLetterOperations,
  createLetters,
  createMails,
  createRefreshes,
  createSessions,
  createTenantClients,
  createTenantLimits,
  createTenantProfiles,
  createTenants,
  createWealth,
  createWhy,
  type EventView,
  type Runtime,
  type Uuid,
  type Vault,
} from "@org/core";
import {
  createMemoryKeyedRequests,
  createMemoryStorage,
  createMemoryTenantAccess,
  directoryOf,
  samples,
} from "@org/core/testing";
import {
  createDataFeeds,
  createFeedAccounts,
  createFeedDifferences,
  createFeedMappings,
  createFeedWaiting,
  type MappingLanguage,
  readPart,
} from "@org/data-feeds";
import type { Principal } from "@org/http";
import { FeedRefusal } from "@org/provider-kit";
import express from "express";
import { createOpenApiDocument, createRestApi, type RestServices, scopes } from "../src/index.js";
import { documentedAnswers } from "./documented-answers.js";
import { memoryApplications } from "./memory-applications.js";
import { memoryFeedKeys } from "./memory-feed-keys.js";
import { memoryFeedSources } from "./memory-feed-sources.js";
import { memoryGrants } from "./memory-grants.js";
import { memoryKeys } from "./memory-keys.js";
import { memoryPeople } from "./memory-people.js";
import { memoryRegistrationTokens } from "./memory-registration-tokens.js";
import { memoryTrustedIssuers } from "./memory-trusted-issuers.js";
import { memoryWebhookAdmin, memoryWebhooks } from "./memory-webhooks.js";
import { memoryWork } from "./memory-work.js";
import { providerServices } from "./provider-services.js";

export const publicUrl = "https://wealth.example";
export const letterMaxBytes = 60_000;
export const letterBodyBytes = 160_000 + 64 * 1024;
export const allowedOrigin = "https://app.example";

/** A mapping language whose mappings have a name and a title. */
const mappingLanguage: MappingLanguage = {
  faultsOf: async (stated) =>
    stated !== null && typeof stated === "object" && "name" in stated ? [] : [{ path: "name", message: "is required" }],
  test: async () => ({
    shown: {
      rows: [],
      counts: { holding: 0, transaction: 0, cash: 0, ignored: 0 },
      faults: [],
      faults_total: 0,
      left_out: 0,
      warnings: [],
      portfolios: [],
    },
  }),
  draft: async () => ({ mapping: {}, guesses: [], to_decide: [], tables: [], lines: [] }),
  shipped: () => [],
};

const eventOf = (log: string): EventView => ({
  id: "019b0000-0000-7000-8000-00000000000e",
  type: "connection.blocked",
  created_at: "2026-03-01T12:00:00.000Z",
  tenant_id: log,
  sequence: 1,
  data: {
    connection_id: "c",
    connector_id: "esp:bank-000",
    status: "blocked",
    letter_id: null,
    client_ref: null,
    reason: "sca_required",
  },
});

/** Services that a test replaces; the rest are core's own over memory storage. */
export interface FixtureOptions {
  readonly services?: (services: RestServices) => Partial<RestServices>;
}

/**
 * Serves the REST API on a real port, with two tenants, an operator and a catalogue of 250 connectors. Every answer is checked against the
 * API document.
 */
export async function startFixture({ services: replaced }: FixtureOptions = {}) {
  const storage = createMemoryStorage();
  const runtime = createRuntime();
  const connectors = createConnectors({
    catalogue: storage.catalogue,
    mac: runtime.mac,
    defaultProvider: "sandbox",
  });
  const access = createMemoryTenantAccess();
  const tenants = createTenants({ storage, runtime, access });
  const limits = createTenantLimits({ storage, runtime });
  const redirectUrls = async () => ["https://app.example/done"];
  const bankOf = async (connectorId: string) => (await connectors.find(connectorId))?.name ?? null;
  const operated = { storage, runtime, bankOf, sendsMail: true };
  const provided = await providerServices({ storage, runtime, connectors });
  const data = createInvestmentData({ reader: storage.reader, runtime });
  const real: RestServices = {
    connectors,
    providers: provided,
    exchangeRates: createExchangeRates({
      store: storage.exchangeRates,
      runtime,
      read: async ({ bytes }) => ratesIn(bytes),
    }),
    tenants,
    tenantLimits: limits,
    tenantProfiles: createTenantProfiles({ storage, runtime }),
    sessions: createSessions({
      storage,
      runtime,
      connectors,
      redirectUrls,
      publicUrl,
      // Each look at the clock is a second.
      ttlSeconds: 86_400,
      limitsOf: limits.of,
    }),
    letters: createLetters({
      storage,
      runtime,
      connectors,
      checks: { inspect: async (bytes) => ({ bytes, signature: "none" }), scan: null, maxBytes: letterMaxBytes },
    }),
    letterAdmin: createLetterAdmin({ storage, runtime, connectors, sendsMail: true }),
    letterOperations: createLetterOperations({
      ...operated,
      mailDelayMs: 24 * 60 * 60_000,
      template: async () => Buffer.from("%PDF-1.7 letter %%EOF"),
      connectors,
      checks: { inspect: async (bytes) => ({ bytes, signature: "none" }), scan: null, maxBytes: letterMaxBytes },
    }),
    mails: createMails({ storage, runtime }),
    feedMappings: createFeedMappings({ storage, runtime, connectors, language: mappingLanguage }),
    dataFeeds: createDataFeeds({
      storage,
      runtime,
      bankOf,
      readParts: ({ name, bytes }) => [readPart(name, bytes, readFeed)],
    }),
    feedAccounts: createFeedAccounts({ storage, runtime, bankOf, accountRules: async () => null }),
    feedDifferences: createFeedDifferences({ storage, runtime, bankOf }),
    feedWaiting: createFeedWaiting({ storage, runtime, keptDays: 30 }),
    connectionAdmin: createConnectionAdmin({ storage, runtime, connectors }),
    credentials: createCredentials({ storage, runtime }),
    tenantClients: createTenantClients({ storage, runtime }),
    data,
    wealth: createWealth({
      data,
      reader: storage.reader,
      facts: storage.wealthReader,
      rates: storage.exchangeRates,
      runtime,
    }),
    why: createWhy({ reader: storage.reader, figures: storage.figureReader, runtime }),
    refreshes: createRefreshes({ storage, runtime, access, connectors, providers: directoryOf() }),
    applications: memoryApplications({
      newId: runtime.newId,
      clock: runtime.clock,
      isTenant: async (id) => (await tenants.find(id)) !== null,
    }),
    events: { list: async (log) => ({ items: [eventOf(log)], next_page_token: null }) },
    auditTrail: createAuditReading({ storage, mac: runtime.mac }),
    grants: memoryGrants(),
    keys: memoryKeys(),
    feedSources: memoryFeedSources(),
    feedKeys: memoryFeedKeys(),
    registrationTokens: memoryRegistrationTokens(),
    people: memoryPeople(),
    trustedIssuers: memoryTrustedIssuers(),
    webhooks: memoryWebhooks(),
    webhookAdmin: memoryWebhookAdmin("019b0000-0000-7000-8000-0000000000aa"),
    ...memoryWork({ connectors, runtime, storage }),
    examination: { examine: async () => [{ check: "database", state: "ok", message: "answers" }] },
  };
  const services = { ...real, ...replaced?.(real) };
  const operator = { application_id: runtime.newId(), trace_id: null, address: null };
  await connectors.importLines(catalogueLines());
  const [first, second] = [await tenants.create(operator, "First"), await tenants.create(operator, "Second")];

  const principals = new Map<string, Principal>();
  const tokenFor = (token: string, tenantId: string | null, granted: readonly string[]) => {
    const application_id = runtime.newId();
    principals.set(token, {
      application_id,
      client_id: `wca_${token}`,
      tenant_id: tenantId,
      scopes: new Set(granted),
      grant_id: runtime.newId(),
    });
    return token;
  };
  const tenantScopes = scopes.filter((scope) => scope !== "operator");
  const tokens = {
    first: tokenFor("first", first.tenant_id, tenantScopes),
    second: tokenFor("second", second.tenant_id, tenantScopes),
    withoutLetters: tokenFor(
      "without-letters",
      first.tenant_id,
      tenantScopes.filter((scope) => scope !== "letters:write"),
    ),
    operator: tokenFor("operator", null, ["operator"]),
  };

  const logged: { fields: Readonly<Record<string, unknown>>; message: string }[] = [];
  const restApi = createRestApi({
    idempotency: { store: createMemoryKeyedRequests(), runtime },
    services,
    async authenticate({ headers }) {
      const [, token] = /^Bearer (.*)$/i.exec(headers.authorization ?? "") ?? [];
      if (token === undefined) return { refusal: "missing" };
      const principal = principals.get(token);
      return principal ? { principal } : { refusal: "invalid" };
    },
    publicUrl,
    allowedOrigins: [allowedOrigin],
    letterMaxBytes,
    clock: () => new Date(Date.UTC(2026, 0, 1)),
    admit: limits.admit,
    log: { error: (fields, message) => logged.push({ fields, message }) },
  });
  const app = express().disable("x-powered-by").use(restApi);
  const server = await new Promise<ReturnType<typeof app.listen>>((resolve) => {
    const listening = app.listen(0, "127.0.0.1", () => resolve(listening));
    // A check that takes longer than an idle connection lasts would let the next request run into its end.
    listening.keepAliveTimeout = 0;
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const document = await createOpenApiDocument({ publicUrl, letterMaxBytes });
  const check = documentedAnswers(document);

  return {
    url,
    storage,
    document,
    services,
    tokens,
    tokenFor,
    logged,
    /** Creates a connection that can be refreshed, though no bank answers for it. */
    async refreshable(tenantId: string = first.tenant_id) {
      const record = samples.connection({ provider: "sandbox" });
      await storage.inTenant(tenantId, async ({ connections, refreshes }) => {
        await connections.create(record);
        await refreshes.plan(record.connection_id, samples.plan(runtime.clock()));
      });
      return record;
    },
    tenantIds: { first: first.tenant_id, second: second.tenant_id },

    /** Sends a POST; `body` is sent as JSON unless it is a string or bytes. */
    async post(
      path: string,
      body: unknown,
      { token = tokens.first, headers = {}, method = "POST" }: PostOptions = {},
    ): Promise<Answer> {
      const raw = typeof body === "string" || body instanceof Uint8Array;
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          "content-type": "application/json; charset=utf-8",
          ...headers,
        },
        ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const answer = {
        status: response.status,
        headers: response.headers,
        text,
        body: text === "" ? undefined : JSON.parse(text),
      };
      if (!replaced && answer.status === 500) throw logged.at(-1)?.fields.err;
      if (method === "POST") check(new URL(path, url).pathname, answer);
      return answer;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Fixture = Awaited<ReturnType<typeof startFixture>>;

export interface PostOptions {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire; the document's schemas have checked it
  readonly body: any;
}

/** Base64 of the smallest file accepted as a PDF. */
export function pdf(padding = 0): string {
  return Buffer.from(`%PDF-1.4\n${" ".repeat(padding)}\n%%EOF\n`).toString("base64");
}

function createRuntime(): Runtime {
  let ticks = 0;
  let ids = 0;
  const hex = (number: number, digits: number) => number.toString(16).padStart(digits, "0");
  return {
    clock: () => new Date(Date.UTC(2026, 0, 1) + ++ticks * 1000),
    staleAfterDays: 5,
    newId: () => `019b0000-0000-7000-8000-${hex(++ids, 12)}` as Uuid,
    newSecret: () => createHmac("sha256", "fixture").update(String(++ids)).digest("hex"),
    mac: (purpose, text) => createHmac("sha256", "fixture").update(`${purpose}\n${text}`).digest("hex"),
    vault: openVault,
  };
}

/** Encrypts nothing, but only opens values in the context in which they were sealed. */
const openVault: Vault = {
  seal: async (plaintext, context) => JSON.stringify([context.purpose, context.row, plaintext]),
  async open(sealed, context) {
    const [purpose, row, plaintext] = JSON.parse(sealed);
    if (purpose !== context.purpose || row !== context.row) throw new Error("another context");
    return plaintext;
  },
  sealBytes: async (bytes, context) => ({ key: JSON.stringify(context), ciphertext: bytes }),
  async openBytes({ key, ciphertext }, context) {
    if (key !== JSON.stringify(context)) throw new Error("another context");
    return ciphertext;
  },
};

function readFeed(file: Uint8Array) {
  const text = Buffer.from(file).toString();
  if (!text.startsWith("FEED")) throw new FeedRefusal("line 1", "must start with FEED");
  return {
    format: "test",
    snapshot: { as_of: new Date(Date.UTC(2026, 0, 1)), portfolios: [], holdings: [], transactions: [] },
    warnings: text.includes("odd") ? [{ place: "line 1", message: "is odd" }] : [],
  };
}

/** A rate on each line: date, base, quote, rate. */
function ratesIn(bytes: Uint8Array) {
  return Buffer.from(bytes)
    .toString()
    .split("\n")
    .map((line, index) => {
      const [date, base, quote, rate] = line.split(",");
      if (!date || !base || !quote || !rate) throw new FeedRefusal(`line ${index + 1}.rate`, "is missing");
      return { date, base, quote, rate };
    });
}

function catalogueLines(): string[] {
  const countries = ["esp", "fra", "deu", "ita", "prt"];
  return Array.from({ length: 250 }, (_, index) => {
    const country = countries[index % countries.length] ?? "esp";
    const type = index % 10 === 9 ? "datafeed" : index % 2 === 0 ? "e-banking" : "psd2";
    return JSON.stringify({
      id: `${country}:bank-${String(index).padStart(3, "0")}`,
      name: `Bank ${index}`,
      country,
      type,
    });
  });
}
