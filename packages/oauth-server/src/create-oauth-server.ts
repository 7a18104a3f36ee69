import { createPageCookies, type PageLanguage } from "@org/pages";
import { Router } from "express";
import { type Audit, type AuditOrigin, auditEvent } from "./audit.js";
import { authorizeEndpoints } from "./authorize/authorize-endpoints.js";
import type { SignedInPeople } from "./authorize/login.js";
import { BROWSER_SECRET, createRememberedLogins } from "./authorize/remembered-logins.js";
import { createRequestSeal } from "./authorize/request-seal.js";
import { readAccessToken } from "./bearer/access-token-claims.js";
import { createEndedGrants, type EndedGrants } from "./bearer/ended-grants.js";
import { createClientAssertions } from "./clients/client-assertion.js";
import { createClientDirectory } from "./clients/client-directory.js";
import type { DocumentSource } from "./clients/document-cache.js";
import { type UnreachableDocument, watchReach } from "./clients/document-reach.js";
import { createDocumentFetch, type DocumentFetchOptions } from "./clients/fetch-document.js";
import { createKnownApplications } from "./clients/known-applications.js";
import { createGuessLimits, createRequestLimit } from "./clients/limits.js";
import { createMetadataDocuments } from "./clients/metadata-document.js";
import { type ErrorLog, handlerOf, type OAuthEndpoint, type RequestHandler } from "./http/endpoint.js";
import { createKeyedHash, type SecretHashKeys } from "./keyed-hash.js";
import type { KeyVault, SigningAlgorithm } from "./keys/generate-signing-key.js";
import { createSigningKeys, JWKS_MAX_AGE_SECONDS, type SigningKeyInfo, type SigningKeys } from "./keys/signing-keys.js";
import { authorizationServerMetadata, protectedResourceMetadata } from "./metadata.js";
import { OAuthError } from "./oauth-error.js";
import { createPages } from "./pages/create-pages.js";
import type { AuthorizationPages } from "./pages/page-views.js";
import type { GrantedClients } from "./ports/granted-clients.js";
import type { OAuthStore } from "./ports/oauth-store.js";
import { createRandomReserve } from "./random-reserve.js";
import { reapRows } from "./reap.js";
import { type RegistrationMode, registrationEndpoint } from "./registration-endpoint.js";
import { revocationEndpoint } from "./revocation-endpoint.js";
import { type OAuthPath, oauthRoutes } from "./routes.js";
import { grantsEndpoints } from "./tenant-grants/grants-endpoints.js";
import { grantsPages } from "./tenant-grants/grants-pages.js";
import { createTenantGrants } from "./tenant-grants/tenant-grants.js";
import { createRequestRecorder } from "./token/request-recorder.js";
import { resourcesOf } from "./token/resource-indicator.js";
import type { AdmitGrant } from "./token/token-context.js";
import { tokenEndpoint } from "./token/token-endpoint.js";
import { createIssuerKeys } from "./trusted-issuers/issuer-keys.js";
import { createKnownIssuers } from "./trusted-issuers/known-issuers.js";
import { isUuid, type RandomBytes } from "./uuid.js";

/** Options of the authorization server. */
export interface OAuthServerOptions {
  /** Public URL without a trailing slash; the `iss` of its tokens. */
  readonly issuer: string;
  readonly store: OAuthStore;
  /** Encrypts signing keys and replayable answers, such as a keyring of `@org/keyring`. */
  readonly keyring: KeyVault;
  /** Keys of the hashes of secrets and refresh tokens: the first makes new hashes, all are accepted. */
  readonly secretHashKeys: SecretHashKeys;
  readonly clock: () => Date;
  readonly audit: Audit;
  readonly log: ErrorLog;
  /** By default `node:crypto`, buffered. */
  readonly random?: RandomBytes;
  /** ES256 by default. */
  readonly accessTokenAlg?: SigningAlgorithm;
  /** How long a consumed refresh token gets the same answer again; 0 = never, the default. */
  readonly refreshReplaySeconds?: number;
  /**
   * How metadata documents and keys of clients are fetched. Null = never: then URLs of documents are not client ids, and
   * clients that register must send their keys inline.
   */
  readonly clientDocuments?: DocumentFetchOptions | null;
  /** How metadata and keys of trusted identity providers are fetched. Null = never: then only issuers with inline keys work. */
  readonly issuerDocuments?: DocumentFetchOptions | null;
  /** Limits the live grants of tenants; without it there is no limit. */
  readonly admitGrant?: AdmitGrant;
  /** Who may register clients; anyone by default. `createRegistrationTokens` creates the tokens. */
  readonly registration?: RegistrationMode;
  /** People who sign in with a sign-in of their own and may approve clients; without it only applications can sign in. */
  readonly people?: SignedInPeople;
  /** The clients of tenants; without it a grant cannot be limited to some. */
  readonly tenantClients?: GrantedClients;
  /** The pages in each language; the built-in ones by default. */
  readonly pages?: (language: PageLanguage) => AuthorizationPages;
  /** Caps the body sizes of `oauthRoutes`. */
  readonly maxBodyBytes?: number;
}

/** The authorization server. */
export interface OAuthServer {
  /** All endpoints. Mount it at the root and before any body parser. */
  readonly router: Router;
  /** `POST /token` alone, for servers that route their busiest paths before express. */
  readonly token: RequestHandler;
  /** The server's keys, for verifiers in the same process. */
  readonly signingKeys: Pick<SigningKeys, "publicKey" | "isTrusted" | "list">;
  /** For verifiers in the same process. */
  readonly endedGrants: EndedGrants;
  /** Starts signing with the next key, on every replica and without invalidating a token; see `SigningKeys.rotate`. */
  rotateSigningKey(by?: AuditOrigin): Promise<readonly SigningKeyInfo[]>;
  /**
   * Revokes a signing key: within two seconds every replica refuses its signatures, and the next key signs. Null when there is
   * no such key. Verifiers in other processes accept its tokens until they reload the JWKS document.
   */
  revokeSigningKey(kid: string, by?: AuditOrigin): Promise<readonly SigningKeyInfo[] | null>;
  /**
   * The client's document that could not be reached last, while none has been reached within a day; otherwise null. Until then
   * the metadata do not offer documents where clients may register instead.
   */
  lostDocument(): UnreachableDocument | null;
  /** Deletes at most `limit` obsolete rows of each kind. Returns their numbers; all zero = done. */
  reap(limit: number): Promise<Readonly<Record<string, number>>>;
}

/** Assembles the authorization server; it opens no connection and starts no timer. Throws `bad_configuration`. */
export function createOAuthServer(options: OAuthServerOptions): OAuthServer {
  const { issuer, store, keyring, clock, audit, log } = options;
  const { random = createRandomReserve(), accessTokenAlg = "ES256", refreshReplaySeconds = 0 } = options;
  const { registration: mode = "open" } = options;
  const { pages = createPages, maxBodyBytes = Number.POSITIVE_INFINITY } = options;
  if (!URL.canParse(issuer) || issuer.endsWith("/"))
    throw new OAuthError("bad_configuration", "the issuer is not an URL without a trailing slash");

  // Keys, secrets, clients.
  const signingKeys = createSigningKeys({
    store: store.signingKeys,
    keyring,
    algorithm: accessTokenAlg,
    clock,
    onUnsoundKey: (kid, err) => log.error({ err, trace_id: null }, `signing key ${kid} is not used`),
  });
  const hash = createKeyedHash(options.secretHashKeys);
  const applications = createKnownApplications(store.applications, clock);
  const { documents, lostDocument } = documentSourceOf(options);
  const directory = createClientDirectory({
    applications,
    clients: store.clients,
    documents: documents && createMetadataDocuments(documents),
  });

  // Services shared by tokens, pages and registrations.
  const services = {
    issuer,
    signingKeys,
    keyring,
    random,
    refreshReplaySeconds,
    applications,
    directory,
    hash,
    codes: store.codes,
    grants: store.grants,
    proofs: store.clients,
    admitGrant: options.admitGrant,
    assertions: createClientAssertions({ issuer, store: store.clients, documents }),
    guessLimits: createGuessLimits(store.guessLimits),
    grantOfAccessToken: async (token: string) => {
      const expected = { issuer, audience: resourcesOf(issuer), keys: signingKeys };
      const grantId = (await readAccessToken(token, expected, clock()))?.principal.grant_id;
      return grantId !== undefined && isUuid(grantId) ? grantId : null;
    },
  };
  const recorder = createRequestRecorder({ audit, clock });
  const pageServices = {
    ...services,
    pages,
    recorder,
    log,
    clients: store.clients,
    people: options.people ?? null,
    tenantClients: options.tenantClients ?? null,
    store: store.applications,
    logins: createRememberedLogins({ store: store.remembered, vault: keyring, random, applications, hash }),
    seal: createRequestSeal(keyring, (browserSecret) => hash.candidates("authorization-request", browserSecret)),
    cookies: createPageCookies(issuer, BROWSER_SECRET),
  };
  const registration = {
    hash,
    random,
    mode,
    guessLimits: services.guessLimits,
    clients: store.clients,
    counters: store.guessLimits,
    allowsJwksUri: documents !== null,
  };
  const tenantGrants = createTenantGrants(store, options);
  const assertions = {
    issuers: createKnownIssuers(store.trustedIssuers, clock),
    issuerKeys: createIssuerKeys({
      clock,
      fetching: options.issuerDocuments === undefined ? {} : options.issuerDocuments,
    }),
    refusedAssertions: createRequestLimit(store.guessLimits, {
      name: "(refused assertions)",
      windows: [{ limit: "refused_assertions", seconds: 900, perNetwork: REFUSED_ASSERTIONS, inAll: null }],
      what: "refused assertions",
    }),
  };
  const serverMetadata = document(async () =>
    authorizationServerMetadata(issuer, {
      // Clients that cannot be reached by their documents register instead, where they may.
      takesDocuments: documents !== null && (mode !== "open" || lostDocument() === null),
      takesRegistrations: mode !== "off",
      takesAssertions: await assertions.issuers.wasAnyTrusted(),
    }),
  );
  const resourceMetadata = document(async () => protectedResourceMetadata(issuer, "/mcp"));

  // The endpoint of each path in `oauthRoutes`.
  const endpoints: Readonly<Record<OAuthPath, OAuthEndpoint>> = {
    "/token": tokenEndpoint({ ...services, ...assertions }, recorder),
    "/revoke": revocationEndpoint(services, recorder),
    "/register": registrationEndpoint(registration, recorder),
    ...grantsEndpoints(services, tenantGrants, recorder),
    ...authorizeEndpoints(pageServices),
    ...grantsPages(pageServices, tenantGrants),
    "/.well-known/jwks.json": jwksDocument(signingKeys),
    "/.well-known/oauth-authorization-server": serverMetadata,
    "/.well-known/oauth-authorization-server/mcp": serverMetadata,
    "/.well-known/oauth-authorization-server/mcp/analytics": serverMetadata,
    "/.well-known/oauth-protected-resource": resourceMetadata,
    "/.well-known/oauth-protected-resource/mcp": resourceMetadata,
    "/.well-known/oauth-protected-resource/mcp/analytics": document(async () =>
      protectedResourceMetadata(issuer, "/mcp/analytics"),
    ),
  };
  const handlers = new Map<OAuthPath, RequestHandler>(
    oauthRoutes.map((route) => [route.path, handlerOf(route, endpoints[route.path], { log, maxBodyBytes })]),
  );
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, handler] of handlers) router.all(path, handler);

  return {
    router,
    token: handlers.get("/token") as RequestHandler,
    signingKeys,
    endedGrants: createEndedGrants(store.grants, clock),
    async rotateSigningKey(by) {
      const keys = await signingKeys.rotate();
      const waiting = keys.find(({ state, signs_from }) => state === "next" && signs_from !== null);
      const detail = (waiting ?? keys.find(({ state }) => state === "active"))?.kid ?? null;
      audit(auditEvent({ action: "signing_key.rotated", at: clock(), detail, ...by }));
      return keys;
    },
    async revokeSigningKey(kid, by) {
      const keys = await signingKeys.revoke(kid);
      if (keys) audit(auditEvent({ action: "signing_key.revoked", at: clock(), detail: kid, ...by }));
      return keys;
    },
    lostDocument,
    reap: (limit) => reapRows(store, signingKeys, clock(), limit),
  };
}

/** Fetches metadata and keys that clients reference by URL; null when fetching is disabled. */
function documentSourceOf({ store, clock, clientDocuments, log }: OAuthServerOptions): {
  readonly documents: DocumentSource | null;
  readonly lostDocument: OAuthServer["lostDocument"];
} {
  if (clientDocuments === null) return { documents: null, lostDocument: () => null };
  const limit = createRequestLimit(store.guessLimits, {
    name: "(documents)",
    windows: [{ limit: "documents_per_minute", seconds: 60, perNetwork: DOCUMENTS_PER_MINUTE, inAll: null }],
    what: "requests for documents",
  });
  const reach = watchReach(createDocumentFetch(clock, clientDocuments), { clock, log });
  return { documents: { fetch: reach.fetch, limit, clock }, lostDocument: reach.lost };
}

/** A public JSON document that rarely changes while the server runs. */
function document(body: () => Promise<object>): OAuthEndpoint {
  return { cacheControl: "public, max-age=300", answer: async () => ({ status: 200, body: await body() }) };
}

function jwksDocument(signingKeys: SigningKeys): OAuthEndpoint {
  return {
    cacheControl: `public, max-age=${JWKS_MAX_AGE_SECONDS}`,
    answer: async () => ({ status: 200, body: await signingKeys.jwks() }),
  };
}

/** Client documents that one network may have fetched per minute, and the limits of the wider networks around it (/16; /56, /48). */
const DOCUMENTS_PER_MINUTE: readonly number[] = [30, 120, 240];
/** Refused assertions within 15 minutes before a network must wait, and the limits of the wider networks around it. */
const REFUSED_ASSERTIONS: readonly number[] = [100, 500, 1_000];
