/*
 * OAuth 2.1 authorization server, and a bearer verifier that a resource server can use alone.
 *
 * How a request is handled: routes.ts lists the paths, create-oauth-server.ts assigns an endpoint to each, and http/endpoint.ts
 * handles method, CORS and errors for all of them. `@org/http` handles trace, address and body.
 *   POST /token      token/form-endpoint reads the form and records refusals; token-endpoint picks the grant. Each of the four
 *                    *-grant.ts files reads like its RFC section: check everything, then run one store transaction.
 *   GET /authorize   authorize/authorization-request checks the query; steps shows page 1 or 2; decide stores the answer and
 *                    redirects the browser with a code. Between the pages a request travels sealed in forms (request-seal).
 *   /grants          tenant-grants/ serves pages for people and JSON for programs.
 *   POST /register, POST /revoke and the documents under /.well-known: registration-, revocation-endpoint.ts and metadata.ts.
 *
 * How a token is checked later: bearer/bearer-verifier verifies it with the keys of keys/ (or remote-keys, in another process),
 * and checks that its grant has not ended (ended-grants).
 *
 * Clients: clients/client-directory finds one, authenticate-oauth-client authenticates it, limits counts wrong guesses.
 * Identity providers: trusted-issuers/ reads and checks their assertions about people (ID-JAG).
 * Storage: a backend implements ports/; `./testing` has a memory version and the conformance cases.
 * Operators: administration/.
 */
export {
  type ApplicationInfo,
  type Applications,
  type ApplicationsOptions,
  createApplications,
  type RevealedSecret,
} from "./administration/applications.js";
export { createGrants, type Grants } from "./administration/grants.js";
export {
  type NewApplicationRequest,
  newApplicationSchema,
  redirectUrlsSchema,
} from "./administration/new-application.js";
export {
  createRegistrationTokens,
  type RegistrationTokenInfo,
  type RegistrationTokens,
} from "./administration/registration-tokens.js";
export type { TrustedIssuerRequest } from "./administration/trusted-issuer-request.js";
export {
  createTrustedIssuers,
  type IssuerKeyCheck,
  type TrustedIssuers,
  type TrustedIssuersOptions,
} from "./administration/trusted-issuers.js";
export type { Audit, AuditAction, AuditEvent, AuditOrigin } from "./audit.js";
export type { SignedInPeople, SignedInPerson } from "./authorize/login.js";
export type { VerifiedPrincipal } from "./bearer/access-token-claims.js";
export {
  type BearerResult,
  type BearerVerifier,
  type BearerVerifierOptions,
  createBearerVerifier,
} from "./bearer/bearer-verifier.js";
export { createEndedGrants, type EndedGrants } from "./bearer/ended-grants.js";
export { createRemoteKeys, type RemoteKeysOptions } from "./bearer/remote-keys.js";
export type { DocumentFetchOptions } from "./clients/fetch-document.js";
export { createGuessLimits, type GuessLimits } from "./clients/limits.js";
export { createOAuthServer, type OAuthServer, type OAuthServerOptions } from "./create-oauth-server.js";
export type { ErrorLog, RequestHandler } from "./http/endpoint.js";
export type { SecretHashKey, SecretHashKeys } from "./keyed-hash.js";
export type { KeyVault, SigningAlgorithm } from "./keys/generate-signing-key.js";
export type { KeySource, SigningKey, TokenVerificationKey } from "./keys/key-source.js";
export type { SigningKeyState } from "./keys/signing-key-state.js";
export type { SigningKeyInfo, SigningKeys } from "./keys/signing-keys.js";
export { resourceMetadataUrl } from "./metadata.js";
export {
  type AdministrationErrorCode,
  OAuthError,
  type OAuthErrorCode,
  type ProtocolErrorCode,
} from "./oauth-error.js";
export { createPages } from "./pages/create-pages.js";
export type { AuthorizationPages } from "./pages/page-views.js";
export type {
  Application,
  ApplicationOwner,
  ApplicationSecret,
  ApplicationStore,
  NewApplication,
  NewPeopleApplication,
  SecretStore,
} from "./ports/application-store.js";
export { MAX_LIVE_SECRETS } from "./ports/application-store.js";
export type {
  Approval,
  ApprovingPerson,
  CodeStore,
  Denial,
  Redemption,
  RedemptionRefusal,
  RedemptionResult,
  RememberedCredentials,
  RememberedCredentialsStore,
  RequestAnswer,
} from "./ports/authorization-store.js";
export type {
  AssertionStore,
  ClientAuthMethod,
  ClientStore,
  RegisteredClient,
  RegistrationToken,
  RegistrationTokenStore,
} from "./ports/client-store.js";
export type {
  AssertedGrant,
  ClientLimit,
  EndedGrant,
  EndedGrantFeed,
  Grant,
  GrantHolder,
  GrantStore,
  HeldGrants,
  HolderKey,
  LimitedApplication,
  NewGrant,
  Rotation,
  RotationRefusal,
  RotationResult,
} from "./ports/grant-store.js";
export type { GrantedClient, GrantedClients } from "./ports/granted-clients.js";
export type { FullBucket, GuessBucket, GuessLimitStore } from "./ports/guess-limit-store.js";
export type { OAuthStore } from "./ports/oauth-store.js";
export type { SigningKeyStore, StoredSigningKey } from "./ports/signing-key-store.js";
export type { ClaimRule, TrustedIssuer, TrustedIssuerStore } from "./ports/trusted-issuer-store.js";
export type { RegistrationMode } from "./registration-endpoint.js";
export { type OAuthPath, oauthRoutes } from "./routes.js";
export { ASSIGNABLE_SCOPES, GRANTS_SCOPE, OPERATOR_SCOPE, type PersonPower, TENANT_SCOPES } from "./scopes.js";
export { createTenantGrants, type NamedGrant, type TenantGrants } from "./tenant-grants/tenant-grants.js";
export { isUuid, type RandomBytes, type Uuid } from "./uuid.js";
