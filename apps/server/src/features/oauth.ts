import { CoreError, type TenantLimits, type Uuid } from "@org/core";
import { type Config, type Finding, type InstallationKeys, ok, warn } from "@org/installation";
import type { McpEndpoint } from "@org/mcp-tools";
import {
  type Audit,
  createApplications,
  createBearerVerifier,
  createGrants,
  createOAuthServer,
  createRegistrationTokens,
  createTenantGrants,
  createTrustedIssuers,
  type GrantedClients,
  OAuthError,
  type OAuthServer,
  resourceMetadataUrl,
  type SignedInPeople,
} from "@org/oauth-server";
import { actorIdOf, personIdOf } from "@org/people";
import type { OpenedStorage } from "@org/storage-postgres";
import { Counter } from "prom-client";
import type { Feature, Platform } from "../feature.js";
import { grants, registrationTokens } from "../services/oauth-administration.js";
import { trustedIssuers } from "../services/trusted-issuers.js";

/** The authorization server with its pages, its applications, and the check of the tokens that it issues. */
export function oauth({
  config,
  publicUrl,
  oauthStore: store,
  keyring,
  keys: { secretHash: secretHashKeys },
  clock,
  log,
  audit,
  limits,
  people,
  tenantClients,
}: Pick<Platform, "publicUrl" | "keyring" | "clock" | "log"> &
  Pick<OpenedStorage, "oauthStore"> & {
    config: Pick<
      Config,
      | "accessTokenAlg"
      | "clientDocuments"
      | "httpsProxy"
      | "noProxy"
      | "refreshReplaySeconds"
      | "registration"
      | "trustedIssuersPrivate"
    >;
    keys: Pick<InstallationKeys, "secretHash">;
    audit: Audit;
    limits: Pick<TenantLimits, "admitGrant" | "grantEnded">;
    people: SignedInPeople;
    tenantClients: GrantedClients;
  }) {
  const events = new Counter({
    name: "wealth_connect_authorization_events_total",
    help: "Events of the authorization server by action, refusals also by their code",
    labelNames: ["action", "code"],
    registers: [],
  });
  const { httpsProxy, noProxy } = config;
  const outbound = httpsProxy === null ? {} : { proxy: { url: httpsProxy, noProxy } };
  const issuerDocuments = {
    ...outbound,
    anyPort: true,
    ...(config.trustedIssuersPrivate && { isPublicAddress: () => true }),
  };
  const record: Audit = (event) => {
    // Only refusals have details with few values; others name secrets and scopes by their ids.
    const code = event.action.endsWith(".refused") ? (event.detail ?? "") : "";
    events.inc({ action: event.action, code });
    if (event.tenant_id !== null && ENDINGS.has(event.action)) limits.grantEnded(event.tenant_id);
    audit(event);
  };
  const server = createOAuthServer({
    issuer: publicUrl,
    store,
    keyring,
    secretHashKeys,
    clock,
    audit: record,
    log,
    admitGrant: (tenantId) => asOAuth(() => limits.admitGrant(tenantId)),
    accessTokenAlg: config.accessTokenAlg,
    refreshReplaySeconds: config.refreshReplaySeconds,
    registration: config.registration,
    clientDocuments: config.clientDocuments ? outbound : null,
    issuerDocuments,
    people,
    tenantClients,
  });
  const verifier = (audience: string | readonly string[]) =>
    createBearerVerifier({
      issuer: publicUrl,
      audience,
      keys: server.signingKeys,
      endedGrants: server.endedGrants,
      clientRefsOf: { application: store.applications.clientRefsOf, grant: store.grants.clientRefsOf },
      clock,
      actorOf: (personId) => actorIdOf(personId as Uuid),
    });
  const issuers = trustedIssuers(createTrustedIssuers({ store, clock, audit, issuerDocuments }));
  const feature: Feature = {
    routes: { direct: { "/token": server.token }, handle: server.router },
    metrics: [events],
    check: async () => [...(await issuers.check()), documentFinding(config, server.lostDocument())],
    reap: (_now, limit) => server.reap(limit),
  };
  return {
    ...feature,
    grants: grants({
      ofOwners: createTenantGrants(store, { people, tenantClients }),
      administration: createGrants({ store: store.grants, clock, audit: record }),
      clock,
    }),
    registrationTokens: registrationTokens(
      createRegistrationTokens({ store: store.clients, secretHashKeys, clock, audit }),
    ),
    trustedIssuers: issuers.service,
    signing: server,
    oauthApplications: createApplications({ store, secretHashKeys, clock, audit }),
    /** The redirect URLs that an application or person may use. */
    async redirectUrls({ tenant_id, application_id }: { tenant_id: string; application_id: string }) {
      const own = await store.applications.list({ tenant_id, limit: 1_000 });
      // A person may redirect a customer to any redirect URL of their tenant's applications.
      if (personIdOf(application_id) !== null) return own.flatMap(({ redirect_urls }) => redirect_urls);
      return own.find((application) => application.application_id === application_id)?.redirect_urls ?? [];
    },
    authenticateRest: verifier([publicUrl, `${publicUrl}/mcp`]).verify,
    /** How an MCP endpoint checks tokens, and where it tells a refused client to get one. */
    mcpResource: (path: McpEndpoint["path"]) => ({
      authenticate: verifier(`${publicUrl}${path}`).verify,
      resourceMetadata: resourceMetadataUrl(publicUrl, path),
    }),
  };
}

/** Events in which clients end one grant at a time. */
const ENDINGS: ReadonlySet<string> = new Set(["grant.ended", "grant.reuse_detected"]);

/** Translates a refusal by one of core's limits into an error of the authorization server. */
function asOAuth<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof CoreError) || cause.limit === undefined) throw cause;
    throw new OAuthError("temporarily_unavailable", cause.message, {
      cause,
      limit: { ...cause.limit, isOfAll: cause.code === "UNAVAILABLE" },
      ...(cause.retryAfterSeconds !== undefined && { retryAfterSeconds: cause.retryAfterSeconds }),
    });
  }
}

/** The doctor's finding on clients' metadata documents, from what the server has seen since it started. */
export function documentFinding(
  { clientDocuments, httpsProxy }: Pick<Config, "clientDocuments" | "httpsProxy">,
  lost: ReturnType<OAuthServer["lostDocument"]>,
): Finding {
  const check = "client documents";
  if (!clientDocuments) return ok(check, "CLIENT_DOCUMENTS is false: they are not fetched");
  if (lost === null) return ok(check, httpsProxy === null ? "fetched directly" : "fetched through HTTPS_PROXY");
  const { address, at, cause } = lost;
  return warn(
    check,
    `${address} could not be reached at ${at.toISOString()} (${cause}), and no other has been within a day: such assistants cannot sign in`,
    httpsProxy === null
      ? "let the server reach it, set HTTPS_PROXY, or CLIENT_DOCUMENTS=false so that clients register"
      : "let the proxy of HTTPS_PROXY reach it, or set CLIENT_DOCUMENTS=false so that clients register",
  );
}
