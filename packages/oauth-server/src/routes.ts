import type { RouteFacts } from "@org/http";

/** The longest accepted assertion and token have 16 KiB each; anyone may send such a body. */
const BODY_BYTES = 64 * 1024;
/** Several times the largest real request; anyone can fill the store with them (scale.md §1). */
const REGISTRATION_BYTES = 4 * 1024;
const PAGE_FORM_BYTES = 64 * 1024;

/** For programs: JSON answers, and clients that authenticate with the contents of the request. */
const protocol = { family: "oauth", methods: ["POST"], scopes: [], maxBodyBytes: BODY_BYTES, origins: "none" } as const;
/** For people: pages that no script may call. */
const page = {
  family: "authorization-pages",
  methods: ["GET", "HEAD"],
  scopes: [],
  maxBodyBytes: null,
  origins: "none",
} as const;
const form = { ...page, methods: ["POST"], maxBodyBytes: PAGE_FORM_BYTES } as const;
const document = { family: "oauth", methods: ["GET", "HEAD"], scopes: [], maxBodyBytes: null, origins: "any" } as const;

/** All paths of the authorization server, for a server's route table; its own router is built from this list. */
export const oauthRoutes = [
  { ...protocol, path: "/token", origins: "any", summary: "Tokens for a code, a secret or a refresh token (RFC 6749)" },
  { ...protocol, path: "/revoke", summary: "Ends a grant (RFC 7009)" },
  {
    ...protocol,
    path: "/register",
    origins: "any",
    maxBodyBytes: REGISTRATION_BYTES,
    summary: "Registers a client (RFC 7591)",
  },
  { ...protocol, path: "/grants/list", summary: "Lists an application's grants, or its tenant's" },
  { ...protocol, path: "/grants/revoke", summary: "Ends a grant, or all grants of a client" },

  { ...page, path: "/authorize", summary: "The authorization page (RFC 6749 §4.1)" },
  { ...page, path: "/authorize/continue", summary: "The step that follows a sign-in" },
  { ...form, path: "/authorize/sign-in", summary: "Checks the credentials of step 1" },
  { ...form, path: "/authorize/use-different-credentials", summary: "Returns to step 1" },
  { ...form, path: "/authorize/cancel", summary: "Returns from step 1 to the client" },
  { ...form, path: "/authorize/decision", summary: "Approve or Deny" },
  { ...page, path: "/grants", summary: "The page that shows who has access" },
  { ...form, path: "/grants/sign-in", summary: "Signs in to that page" },
  { ...form, path: "/grants/end", summary: "Ends grants on that page" },
  { ...form, path: "/grants/sign-out", summary: "Signs out of that page" },

  { ...document, path: "/.well-known/jwks.json", summary: "Keys of the access tokens (RFC 7517)" },
  {
    ...document,
    path: "/.well-known/oauth-authorization-server",
    summary: "Metadata of the authorization server (RFC 8414)",
  },
  { ...document, path: "/.well-known/oauth-authorization-server/mcp", summary: "The same" },
  { ...document, path: "/.well-known/oauth-authorization-server/mcp/analytics", summary: "The same" },
  {
    ...document,
    path: "/.well-known/oauth-protected-resource",
    summary: "Metadata of the protected resource (RFC 9728)",
  },
  {
    ...document,
    path: "/.well-known/oauth-protected-resource/mcp",
    summary: "The same, where RFC 9728 §3.1 looks for it",
  },
  {
    ...document,
    path: "/.well-known/oauth-protected-resource/mcp/analytics",
    summary: "The same for `/mcp/analytics`",
  },
] as const satisfies readonly RouteFacts[];

/** A path of the authorization server. */
export type OAuthPath = (typeof oauthRoutes)[number]["path"];
