import { ExampleError } from "./example-error.js";
import { post } from "./post.js";
import type { Settings } from "./settings.js";

/** The one destructive tool: a person approves it, or it is not offered. */
export const DELETION = "svc-delete-credentials";

/** The nine tools that are read-only. */
export const readOnlyTools = [
  "svc-connectors",
  "svc-create-connect-session",
  "svc-session-status",
  "svc-credentials",
  "svc-credential-status",
  "svc-needs-relogin",
  "svc-portfolios",
  "svc-investments",
  "svc-investment-transactions",
] as const;

/** The scopes of the nine read-only tools; deletion also needs `connections:delete`. */
export const readOnlyScopes = ["connections:read", "connections:write", "investments:read"] as const;

const TOKEN_TIMEOUT_MS = 15_000;

/**
 * Requests an access token with exactly these scopes, valid for one hour (RFC 6749 §4.4). @throws ExampleError if the application may not have them,
 * or the server does not answer
 */
export async function accessToken(settings: Settings, scopes: readonly string[]): Promise<string> {
  const { serverUrl, clientId, clientSecret } = settings;
  const answer = await post({
    to: "Wealth Connect",
    url: `${serverUrl}/token`,
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
      scope: scopes.join(" "),
    }),
    timeoutMs: TOKEN_TIMEOUT_MS,
  });
  const token = (answer as { access_token?: unknown } | null)?.access_token;
  if (typeof token !== "string") throw new ExampleError("Wealth Connect answered without an access_token");
  return token;
}
