import type { IncomingMessage } from "node:http";
import {
  type Audit,
  type BearerRefusal,
  challenge,
  createApplications,
  createBearerVerifier,
  createOAuthServer,
  type Principal,
  refusalStatus,
  resourceMetadataUrl,
} from "@org/oauth-server";
import { Counter } from "prom-client";
import type { Feature, Platform } from "../feature.js";

const TOOL_SCOPES = ["connections:read", "connections:write", "connections:delete", "investments:read"];

/** The authorization server with its pages, the applications that it knows, and the check of the tokens that it issues. */
export function oauth(
  deps: Pick<Platform, "config" | "publicUrl" | "database" | "keyring" | "keys" | "clock" | "log"> & {
    audit: Audit;
    addressOf: (request: IncomingMessage) => string;
    traceId: (request: IncomingMessage) => string;
  },
) {
  const { config, publicUrl, keyring, clock, log } = deps;
  const { oauthStore: store } = deps.database;
  const secretHashKeys = deps.keys.secretHash;
  const events = new Counter({
    name: "wealth_connect_authorization_events_total",
    help: "Events of the authorization server by action, refusals also by their code",
    labelNames: ["action", "code"],
    registers: [],
  });
  const server = createOAuthServer({
    issuer: publicUrl,
    store,
    keyring,
    secretHashKeys,
    clock,
    audit(event) {
      // Only refusals have details of few kinds; others name secrets and scopes by their ids.
      const code = event.action.endsWith(".refused") ? (event.detail ?? "") : "";
      events.inc({ action: event.action, code });
      deps.audit(event);
    },
    log,
    accessTokenAlg: config.accessTokenAlg,
    refreshReplaySeconds: config.refreshReplaySeconds,
    ...(config.clientDocuments ? {} : { clientDocuments: null }),
    clientAddress: deps.addressOf,
    traceId: deps.traceId,
  });
  const verifier = (audience: string | readonly string[]) =>
    createBearerVerifier({
      issuer: publicUrl,
      audience,
      keys: server.signingKeys,
      endedGrants: server.endedGrants,
      clock,
    });
  const forMcp = verifier(`${publicUrl}/mcp`);
  const forRest = verifier([publicUrl, `${publicUrl}/mcp`]);
  const facts = { resourceMetadata: resourceMetadataUrl(publicUrl), scopes: TOOL_SCOPES };

  const feature: Feature = {
    routes: { direct: { "/token": server.token }, handle: server.router },
    metrics: [events],
  };
  return {
    feature,
    server,
    applications: createApplications({ store, secretHashKeys, clock, audit: deps.audit }),
    /** Where a browser may be sent back to. */
    async redirectUrls({ tenant_id, application_id }: { tenant_id: string; application_id: string }) {
      const own = await store.applications.list({ tenant_id, limit: 1_000 });
      return own.find((application) => application.application_id === application_id)?.redirect_urls ?? [];
    },
    async authenticateMcp(
      authorization: string | undefined,
    ): Promise<{ principal: Principal } | { refusal: string; status: number; wwwAuthenticate: string }> {
      const result = await forMcp.verify(authorization);
      if (result.kind === "verified") return { principal: result.principal };
      return { refusal: words[result.kind], status: refusalStatus(result), wwwAuthenticate: challenge(result, facts) };
    },
    async authenticateRest(
      authorization: string | undefined,
    ): Promise<{ principal: Principal } | { refusal: "missing" | "invalid" }> {
      const result = await forRest.verify(authorization);
      if (result.kind === "verified") return { principal: result.principal };
      return { refusal: result.kind === "missing" ? "missing" : "invalid" };
    },
    scopeChallenge: ({ scope }: { scope: string }) => challenge({ kind: "insufficient_scope", scope }, facts),
  };
}

const words: Record<BearerRefusal["kind"], string> = {
  missing: "an access token is required",
  invalid_token: "the access token is invalid or expired",
  insufficient_scope: "the access token lacks a scope",
};
