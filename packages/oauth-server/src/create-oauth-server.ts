import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { createPageCookies } from "@org/pages";
import { Router } from "express";
import { type Audit, type AuditOrigin, auditEvent } from "./audit.js";
import { authorizeEndpoints } from "./authorize/authorize-endpoints.js";
import { BROWSER_SECRET, createRememberedLogins } from "./authorize/remembered-logins.js";
import { createRequestSeal } from "./authorize/request-seal.js";
import { readAccessToken } from "./bearer/access-token-claims.js";
import { ACCESS_TOKEN_LINGERS_SECONDS, createEndedGrants, type EndedGrants } from "./bearer/ended-grants.js";
import { createClientAssertions } from "./clients/client-assertion.js";
import { createClientDirectory } from "./clients/client-directory.js";
import type { DocumentSource } from "./clients/document-cache.js";
import { createDocumentFetch, type DocumentFetchOptions } from "./clients/fetch-document.js";
import { createKnownApplications } from "./clients/known-applications.js";
import { createGuessLimits, createRequestLimit } from "./clients/limits.js";
import { createMetadataDocuments } from "./clients/metadata-document.js";
import { type Endpoint, type ErrorLog, handlerOf, type RequestHandler } from "./http/endpoint.js";
import { createKeyedHash, type SecretHashKey } from "./keyed-hash.js";
import type { SigningAlgorithm, Vault } from "./keys/generate-signing-key.js";
import { createSigningKeys, JWKS_MAX_AGE_SECONDS, type SigningKeyInfo, type SigningKeys } from "./keys/signing-keys.js";
import {
  AUTHORIZATION_SERVER_PATH,
  authorizationServerMetadata,
  PROTECTED_RESOURCE_PATH,
  protectedResourceMetadata,
} from "./metadata.js";
import { OAuthError } from "./oauth-error.js";
import { createPages } from "./pages/create-pages.js";
import type { AuthorizationPages } from "./pages/page-views.js";
import type { OAuthStore } from "./ports/oauth-store.js";
import { registrationEndpoint } from "./registration-endpoint.js";
import { revocationEndpoint } from "./revocation-endpoint.js";
import { grantsEndpoints } from "./tenant-grants/grants-endpoints.js";
import { grantsPages } from "./tenant-grants/grants-pages.js";
import { createTenantGrants } from "./tenant-grants/tenant-grants.js";
import { createRequestRecorder } from "./token/request-recorder.js";
import { resourcesOf } from "./token/resource-indicator.js";
import { tokenEndpoint } from "./token/token-endpoint.js";
import type { RandomBytes } from "./uuid-v7.js";

/** What the authorization server is made of. */
export interface OAuthServerOptions {
  /** Public address without a trailing slash; the `iss` of its tokens. */
  readonly issuer: string;
  readonly store: OAuthStore;
  /** Encrypts signing keys and replayable answers; a keyring of `@org/keyring` does. */
  readonly keyring: Vault;
  /** Keys of the hashes of secrets and refresh tokens; the first makes new ones, all are recognised. */
  readonly secretHashKeys: readonly SecretHashKey[];
  readonly clock: () => Date;
  readonly audit: Audit;
  readonly log: ErrorLog;
  /** `randomBytes` of `node:crypto` unless told otherwise. */
  readonly random?: RandomBytes;
  /** ES256 unless told otherwise. */
  readonly accessTokenAlg?: SigningAlgorithm;
  /** For how long a consumed refresh token is answered with what it was answered with before; 0 = never, the default. */
  readonly refreshReplaySeconds?: number;
  /** Address that guesses are counted for; express's `req.ip`, or the socket's, unless told otherwise. */
  readonly clientAddress?: (req: IncomingMessage) => string;
  /** Trace that log and audit lines and `X-Trace-Id` name: the same whenever it is asked about one request. */
  readonly traceId?: (req: IncomingMessage) => string | null;
  /**
   * How metadata documents and keys of clients are fetched. Null = never: then addresses of documents are no client ids, and
   * clients that register give their keys themselves.
   */
  readonly clientDocuments?: DocumentFetchOptions | null;
  /** What people see; the built-in pages unless told otherwise. */
  readonly pages?: AuthorizationPages;
  /** 1 MiB unless told otherwise. */
  readonly maxBodyBytes?: number;
}

/** The authorization server. */
export interface OAuthServer {
  /** All endpoints, to be mounted at the root and before any body parser. */
  readonly router: Router;
  /** `POST /token` alone, for servers that answer their busiest addresses before express. */
  readonly token: RequestHandler;
  /** The server's keys, for verifiers in this process. */
  readonly signingKeys: Pick<SigningKeys, "publicKey" | "list">;
  /** For verifiers in this process. */
  readonly endedGrants: EndedGrants;
  /** Makes the next signing key sign, on every replica and without invalidating a token; see `SigningKeys.rotate`. */
  rotateSigningKey(by?: AuditOrigin): Promise<readonly SigningKeyInfo[]>;
  /** Deletes at most `limit` rows of each kind that are of no further use. Answers how many; all zero = done. */
  reap(limit: number): Promise<Readonly<Record<string, number>>>;
}

/** Puts the authorization server together; it opens nothing and starts no timer. Throws `bad_configuration`. */
export function createOAuthServer(options: OAuthServerOptions): OAuthServer {
  const { issuer, store, keyring, clock, audit, log } = options;
  const { random = randomBytes, accessTokenAlg = "ES256", refreshReplaySeconds = 0, traceId = () => null } = options;
  const { clientAddress = addressOf, maxBodyBytes = 1024 * 1024 } = options;
  if (!URL.canParse(issuer) || issuer.endsWith("/"))
    throw new OAuthError("bad_configuration", "the issuer is not an URL without a trailing slash");

  const signingKeys = createSigningKeys({
    ...{ store: store.signingKeys, keyring, algorithm: accessTokenAlg, clock },
    onUnsoundKey: (kid, err) => log.error({ err, trace_id: null }, `signing key ${kid} is not used`),
  });
  const hash = createKeyedHash(options.secretHashKeys);
  const applications = createKnownApplications(store.applications, clock);
  const documents = documentSourceOf(options);
  const services = {
    issuer,
    codes: store.codes,
    grants: store.grants,
    signingKeys,
    keyring,
    random,
    refreshReplaySeconds,
    applications,
    directory: createClientDirectory({
      applications,
      clients: store.clients,
      documents: documents && createMetadataDocuments(documents),
    }),
    assertions: createClientAssertions({ issuer, store: store.clients, documents }),
    guessLimits: createGuessLimits(store.guessLimits),
    hash,
    grantOfAccessToken: async (token: string) => {
      const expected = { issuer, audience: resourcesOf(issuer), keys: signingKeys };
      return (await readAccessToken(token, expected, clock()))?.grant_id ?? null;
    },
  };
  const recorder = createRequestRecorder({ audit, clock, clientAddress, traceId });
  const limits = { maxBytes: maxBodyBytes, maxSeconds: BODY_SECONDS };
  const handler = (endpoint: Endpoint) => handlerOf(endpoint, log, traceId);
  const token = handler(tokenEndpoint(services, recorder, limits));

  const pageServices = {
    ...services,
    clients: store.clients,
    logins: createRememberedLogins({ store: store.remembered, vault: keyring, random, applications, hash }),
    seal: createRequestSeal(keyring, (browserSecret) => hash.hash("authorization-request", browserSecret)),
    cookies: createPageCookies(issuer, BROWSER_SECRET),
    pages: options.pages ?? createPages(),
    recorder,
    limits: { ...limits, maxBytes: Math.min(maxBodyBytes, MAX_PAGE_FORM_BYTES) },
    log,
    traceId,
  };
  const registration = {
    clients: store.clients,
    counters: store.guessLimits,
    hash,
    random,
    allowsJwksUri: documents !== null,
  };
  const tenantGrants = createTenantGrants(store);
  const endpoints = {
    ...authorizeEndpoints(pageServices),
    ...grantsPages(pageServices, tenantGrants),
    ...grantsEndpoints(services, tenantGrants, recorder, limits),
  };

  const router = Router({ caseSensitive: true, strict: true });
  router.all("/token", token);
  for (const [path, endpoint] of Object.entries(endpoints)) router.all(path, handler(endpoint));
  router.all("/register", handler(registrationEndpoint(registration, recorder, limits)));
  router.all("/revoke", handler(revocationEndpoint(services, recorder, limits)));
  router.all("/.well-known/jwks.json", handler(document(() => signingKeys.jwks(), JWKS_MAX_AGE_SECONDS)));
  const serverMetadata = authorizationServerMetadata(issuer, { takesDocuments: documents !== null });
  const resourceMetadata = protectedResourceMetadata(issuer);
  for (const suffix of ["", "/mcp"]) {
    router.all(AUTHORIZATION_SERVER_PATH + suffix, handler(document(async () => serverMetadata, METADATA_MAX_AGE)));
    router.all(PROTECTED_RESOURCE_PATH + suffix, handler(document(async () => resourceMetadata, METADATA_MAX_AGE)));
  }

  return {
    router,
    token,
    signingKeys,
    endedGrants: createEndedGrants(store.grants, clock),
    async rotateSigningKey(by) {
      const keys = await signingKeys.rotate();
      const waiting = keys.find(({ state, signs_from }) => state === "next" && signs_from !== null);
      const detail = (waiting ?? keys.find(({ state }) => state === "active"))?.kid ?? null;
      audit(auditEvent({ action: "signing_key.rotated", at: clock(), detail, ...by }));
      return keys;
    },
    async reap(limit) {
      const at = clock();
      const issuedBefore = new Date(at.getTime() - ACCESS_TOKEN_LINGERS_SECONDS * 1000);
      return {
        authorization_answers: await store.codes.reapAnswers(
          new Date(at.getTime() - REPLAY_WATCH_SECONDS * 1000),
          limit,
        ),
        remembered_credentials: await store.remembered.reapRemembered(at, limit),
        grants: await store.grants.reapGrants({ at, issuedBefore }, limit),
        clients: await store.clients.reapClients(
          { at, usedBefore: daysBefore(at, IDLE_DAYS), createdBefore: daysBefore(at, UNUSED_DAYS) },
          limit,
        ),
        assertions: await store.clients.reapAssertions(at, limit),
        guesses: await store.guessLimits.reapFailures(at, limit),
        signing_keys: await signingKeys.reap(),
      };
    },
  };
}

/** Fetching for clients that name themselves or their keys by an address; null where nothing is to be fetched. */
function documentSourceOf({ store, clock, clientDocuments }: OAuthServerOptions): DocumentSource | null {
  if (clientDocuments === null) return null;
  const limit = createRequestLimit(store.guessLimits, {
    name: "(documents)",
    perMinute: DOCUMENTS_PER_MINUTE,
    message: "too many documents were asked for from this network, try again later",
  });
  return { fetch: createDocumentFetch(clock, clientDocuments), limit, clock };
}

/** A public JSON document. */
function document(read: () => Promise<object>, maxAgeSeconds: number): Endpoint {
  return {
    method: "GET",
    anyOrigin: true,
    cacheControl: `public, max-age=${maxAgeSeconds}`,
    answer: async () => ({ status: 200, body: await read() }),
  };
}

function addressOf(req: IncomingMessage & { ip?: string }): string {
  return req.ip ?? req.socket.remoteAddress ?? "";
}

function daysBefore(at: Date, days: number): Date {
  return new Date(at.getTime() - days * 24 * 3600 * 1000);
}

/** For how long registered clients are kept without a live grant: those that took part in an authorization, and those never used. */
const IDLE_DAYS = 30;
const UNUSED_DAYS = 7;
/** How long after a code expired its replay still ends the grant that was made with it. */
const REPLAY_WATCH_SECONDS = 24 * 3600;
const MAX_PAGE_FORM_BYTES = 64 * 1024;
const METADATA_MAX_AGE = 300;
/** Documents of clients that one network may have fetched. */
const DOCUMENTS_PER_MINUTE = 30;
const BODY_SECONDS = 30;
