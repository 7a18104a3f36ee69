import type { IncomingMessage, ServerResponse } from "node:http";
import type { NameReader, Runtime, Uuid } from "@org/core";
import { answerJson, createRouteTable, type Exchange, exchangeOf, nothingHere, requestPath, routeOf } from "@org/http";
import {
  type PeopleOperations,
  type PeopleSessions,
  type ProviderSignIn,
  requirePower,
  type SavedViews,
  type SigningIn,
} from "@org/people";
import {
  answerOutcome,
  createAnswerOnce,
  type Endpoint,
  type Family,
  type Host,
  type Idempotency,
  type Log,
  pathsOf,
  RestError,
  type RestLimits,
  type RestServices,
  requireInput,
  requirePost,
  serveEndpoint,
} from "@org/rest-api";
import { callerOf, createBrowserSessions } from "./browser-sessions.js";
import { createConsoleCookies } from "./cookies.js";
import { createEventStreams, type EventSource } from "./event-streams.js";
import { createSearchLimit } from "./finding.js";
import { needsOf } from "./operations.js";
import type { OwnEndpoint, OwnServices, SignInOutcome } from "./own-endpoint.js";
import { passkeyFault } from "./passkey-fault.js";
import { createProviderPages, hasMalformedTenant, providerPaths } from "./provider-pages.js";
import { consoleEnvelope, consoleRefusal, inWordsOfRest } from "./refusals.js";
import { consoleApiRoutes, EVENTS, NOTHING, operatorFamily, ownEndpoints, PREFIX, tenantFamilies } from "./routes.js";

/** What the host passes to the console's backend. */
export interface ConsoleApiOptions {
  readonly signingIn: SigningIn;
  readonly sessions: PeopleSessions;
  readonly people: PeopleOperations;
  readonly views: SavedViews;
  readonly runtime: Pick<Runtime, "mac" | "clock">;
  /** Base address of the installation, without trailing slash. Only pages of its origin may call. */
  readonly publicUrl: string;
  /** Services, limits and shares of the REST API, whose endpoints the console also serves. */
  readonly rest: {
    readonly services: RestServices;
    readonly limits: RestLimits;
    readonly admit?: Host["admit"];
    /** Keeps the answers to the steps of a page's run, which have an `Idempotency-Key`. */
    readonly idempotency?: Idempotency;
  };
  /** Signs people in with identity providers; null, the default, when there are none. */
  readonly providerSignIn?: ProviderSignIn | null;
  /** Whether identity providers are the only way to sign in. */
  readonly hasProviderOnly?: boolean;
  readonly tenantNameOf: (tenantId: Uuid) => Promise<string | null>;
  /** Finds what the ids of audit lines and events are called. */
  readonly names: NameReader;
  /** The title of a loaded provider; null of one that is not loaded. */
  readonly providerTitleOf: (name: string) => string | null;
  /** Whether a tenant's people may sign in: false while the tenant is disabled. */
  readonly isTenantOpen: (tenantId: Uuid) => Promise<boolean>;
  /**
   * Counts a failed proof of identity from a network. `of` is the person or link that it was tried for; null when it names
   * nobody. A correct proof is always accepted, however many others failed from there.
   * @throws CoreError RATE_LIMITED when there were too many
   */
  readonly countGuess: (from: { readonly address: string | null; readonly of: string | null }) => Promise<void>;
  /** Called with every proof of identity, for metrics. */
  readonly onProof?: (proof: SignInOutcome) => void;
  /** Events, for pages that follow them. */
  readonly source: EventSource;
  /** Called with the number of open streams whenever it changes. */
  readonly onStreams?: (open: number) => void;
  /** Receives defects and outages, once each, with their trace id. */
  readonly log: Log;
}

/** Answers requests under `/console/api`, for `node:http` or as express middleware. Other requests go to `next`, or get a 404 without it. */
export interface ConsoleApi {
  (request: IncomingMessage, response: ServerResponse, next?: () => void): void | Promise<void>;
  /** Ends all event streams, because the server is about to stop. */
  stop(): void;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** No response here is a page, and none may be framed. */
const HEADERS = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
};

function setHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
}

/** Makes the backend of the console. Mount it at the root, without a body parser before it: it reads bodies itself, after authentication. */
export function createConsoleApi(options: ConsoleApiOptions): ConsoleApi {
  const { sessions, runtime, publicUrl, log, providerSignIn = null } = options;
  const { services, limits, admit, idempotency } = options.rest;
  const answerOnce = idempotency && createAnswerOnce(idempotency);
  const cookies = createConsoleCookies(publicUrl);
  const browserSessions = createBrowserSessions({
    sessions,
    cookies,
    runtime,
    publicUrl,
    isTenantOpen: options.isTenantOpen,
  });
  const own: OwnServices = {
    cookies,
    browserSessions,
    sessions,
    signingIn: options.signingIn,
    people: options.people,
    views: options.views,
    services,
    passkeyFault: passkeyFault(publicUrl),
    providerSignIn,
    publicUrl,
    hasProviderOnly: options.hasProviderOnly ?? false,
    tenantNameOf: options.tenantNameOf,
    names: options.names,
    providerTitleOf: options.providerTitleOf,
    countGuess: options.countGuess,
    onProof: options.onProof ?? (() => {}),
    finding: { services, people: options.people },
    countSearch: createSearchLimit(runtime.clock),
  };
  const pages = providerSignIn && createProviderPages({ own, signIns: providerSignIn, publicUrl, log });
  const answering = { envelope: consoleEnvelope, log, clock: runtime.clock };
  const host: Host = { services, limits, admit, authenticator, answerOnce, ...answering };
  const streams = createEventStreams({
    source: options.source,
    look: (exchange) => browserSessions.open(exchange, (cookie) => sessions.open(cookie, { isNoted: false })),
    onOpen: options.onStreams ?? (() => {}),
  });
  const table = createRouteTable(consoleApiRoutes(limits));
  /** Handlers by path of the table. */
  const served = new Map<string, Serve>([
    [PREFIX + EVENTS, serveEvents],
    [NOTHING, serveNothing],
  ]);
  for (const endpoint of ownEndpoints)
    served.set(PREFIX + endpoint.path, (request, response) => serveOwn(endpoint, request, response));
  for (const family of tenantFamilies) serveFamily(family);
  serveFamily(operatorFamily);
  if (pages)
    for (const path of providerPaths)
      served.set(path, (request, response) => {
        const exchange = exchangeOf(request, response);
        return pages(path, { exchange, browser: browserSessions.browserOf(exchange) });
      });

  const handle = (request: IncomingMessage, response: ServerResponse, next?: () => void) => {
    const route = routeOf(request, table);
    const serve = route && served.get(route.path);
    if (!serve || hasMalformedTenant(requestPath(request)))
      return next ? next() : answerJson(response, 404, nothingHere);
    setHeaders(response);
    exchangeOf(request, response).route = route;
    return serve(request, response);
  };
  return Object.assign(handle, { stop: streams.stop });

  function serveEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = exchangeOf(request, response);
    return answerOutcome(exchange, answering, async () => {
      try {
        if (request.method !== "GET")
          throw new RestError("METHOD_NOT_ALLOWED", "only GET is allowed", { Allow: "GET" });
        browserSessions.requireOwnPage(request);
        await streams.serve(exchange);
      } catch (error) {
        throw inWordsOfRest(error);
      }
    });
  }

  /** Serves the endpoints of a REST family, with another authenticator and one format of errors. */
  function serveFamily<Who>(family: Family<Who>): void {
    for (const endpoint of family.endpoints)
      for (const path of pathsOf(endpoint))
        served.set(PREFIX + path, (request, response) => serveEndpoint(endpoint, family, host, request, response));
  }

  /** Authenticates people. The session and the role's powers are looked up on every request. */
  async function authenticator<Who>(endpoint: Endpoint<Who>, family: Family<Who>, exchange: Exchange): Promise<Who> {
    try {
      browserSessions.requireOwnPage(exchange.request);
      const signedIn = await browserSessions.openForChange(exchange);
      const facts = { trace_id: exchange.traceId, address: exchange.address };
      const who = family.whoOf(callerOf(signedIn), facts);
      if (who === null) throw consoleRefusal("UNAUTHORIZED", "this is not for people of this kind");
      const { power, isDangerous } = needsOf(endpoint.operation);
      requirePower(signedIn, power, isDangerous);
      return who;
    } catch (error) {
      throw inWordsOfRest(error);
    }
  }

  function serveNothing(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return answerOutcome(exchangeOf(request, response), answering, async () => {
      throw new RestError("UNKNOWN_PATH", "no such endpoint");
    });
  }

  function serveOwn(endpoint: OwnEndpoint, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = exchangeOf(request, response);
    return answerOutcome(exchange, answering, async () => {
      try {
        requirePost(request);
        browserSessions.requireOwnPage(request);
        const call = { exchange, browser: browserSessions.browserOf(exchange) };
        const body = () => {
          requireInput(request, endpoint.input.mediaType);
          return endpoint.input.read(request, endpoint.input.limit(limits), limits);
        };
        if (endpoint.needs === null) return await endpoint.run(own, call, await body());
        const signedIn = await browserSessions.openForChange(exchange);
        requirePower(signedIn, endpoint.needs.power, endpoint.needs.isDangerous);
        return await endpoint.run(own, { ...call, signedIn }, await body());
      } catch (error) {
        throw inWordsOfRest(error);
      }
    });
  }
}
