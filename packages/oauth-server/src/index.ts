/*
 * OAuth 2.1 authorization server and a bearer verifier that a resource server can use alone.
 *
 *   create-oauth-server.ts  the server: an express router over a store; token/, clients/, keys/, http/ are its parts
 *   bearer/                 the verifier, its challenge, its sources of keys and of ended grants
 *   administration/         applications and their secrets, grants
 *   ports/                  what a storage backend implements; `./testing` holds a memory version and the cases
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
export type { Audit, AuditAction, AuditEvent, AuditOrigin } from "./audit.js";
export type { Principal } from "./bearer/access-token-claims.js";
export {
  type BearerRefusal,
  type ChallengeFacts,
  challenge,
  missingScope,
  refusalStatus,
} from "./bearer/bearer-refusal.js";
export {
  type BearerResult,
  type BearerVerifier,
  type BearerVerifierOptions,
  createBearerVerifier,
} from "./bearer/bearer-verifier.js";
export { createEndedGrants, type EndedGrants } from "./bearer/ended-grants.js";
export { createRemoteKeys, type RemoteKeysOptions } from "./bearer/remote-keys.js";
export { ipAddressOf } from "./clients/address-prefix.js";
export type { DocumentFetchOptions } from "./clients/fetch-document.js";
export { createOAuthServer, type OAuthServer, type OAuthServerOptions } from "./create-oauth-server.js";
export type { ErrorLog, RequestHandler } from "./http/endpoint.js";
export type { SecretHashKey } from "./keyed-hash.js";
export type { SigningAlgorithm, Vault } from "./keys/generate-signing-key.js";
export type { KeySource, VerificationKey } from "./keys/key-source.js";
export type { SigningKeyState } from "./keys/signing-key-state.js";
export type { SigningKey, SigningKeyInfo, SigningKeys } from "./keys/signing-keys.js";
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
  SecretStore,
} from "./ports/application-store.js";
export { MAX_LIVE_SECRETS } from "./ports/application-store.js";
export type {
  Approval,
  CodeStore,
  Denial,
  Redemption,
  RedemptionRefusal,
  RedemptionResult,
  RememberedCredentials,
  RememberedCredentialsStore,
  RequestAnswer,
} from "./ports/authorization-store.js";
export type { AssertionStore, ClientAuthMethod, ClientStore, RegisteredClient } from "./ports/client-store.js";
export type {
  EndedGrant,
  EndedGrantFeed,
  Grant,
  GrantStore,
  NewGrant,
  Rotation,
  RotationRefusal,
  RotationResult,
} from "./ports/grant-store.js";
export type { GuessBucket, GuessCount, GuessLimitStore } from "./ports/guess-limit-store.js";
export type { OAuthStore } from "./ports/oauth-store.js";
export type { SigningKeyStore, StoredSigningKey } from "./ports/signing-key-store.js";
export { OPERATOR_SCOPE, TENANT_SCOPES } from "./scopes.js";
export type { RandomBytes } from "./uuid-v7.js";
