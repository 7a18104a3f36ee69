/**
 * People who sign in: who they are, how they prove it, and what their role allows. This package does not handle HTTP.
 *
 *   roles.ts              what a role allows
 *   people-operations.ts  the administration of people: invites, changes and removes them
 *   signing-in.ts         joining, signing in, recovering and confirming, with passkeys (passkeys.ts) and recovery-codes.ts;
 *                         ceremonies.ts keeps what an answer is checked against
 *   oidc/                 signing in with an identity provider: identity-provider.ts is its client, token-claims.ts checks the claims
 *                         of its tokens, provider-sign-in.ts derives people and sessions; provider-fetch.ts sends the requests
 *   saved-views.ts        views of lists that people have named
 *   people-sessions.ts    sessions, identified by secrets that name their tenant (bearer-text.ts)
 *   ports/                what a storage backend implements; `./testing` has a memory version and the conformance cases
 */
export { actorIdOf, personIdOf, SESSION_COOKIE } from "./bearer-text.js";
export { CEREMONY_COOKIE } from "./ceremonies.js";
export { deviceName } from "./device-name.js";
export { INSTALLATION, rolesOf } from "./installation.js";
export {
  createIdentityProvider,
  type IdentityProvider,
} from "./oidc/identity-provider.js";
export { createProviderFetch } from "./oidc/provider-fetch.js";
export type { IdentityProviderSettings, RoleRule } from "./oidc/provider-settings.js";
export {
  createProviderSignIn,
  PROVIDER_SIGN_IN_MS,
  type ProviderAnswer,
  type ProviderSignIn,
} from "./oidc/provider-sign-in.js";
export { CEREMONY_MS } from "./passkeys.js";
export { PeopleError, type PeopleErrorCode } from "./people-error.js";
export {
  createPeopleOperations,
  INVITATION_MS,
  type Invited,
  MAX_PEOPLE,
  type NewPerson,
  NO_ADDRESS,
  type PeopleOf,
  type PeopleOperations,
  type PersonView,
  personView,
} from "./people-operations.js";
export {
  actorOf,
  type Browser,
  createPeopleSessions,
  type PeopleSessions,
  requirePower,
  SESSION_TIMES,
  type SessionTimes,
  type SignedIn,
} from "./people-sessions.js";
export type {
  CeremonyStore,
  Identity,
  Invitation,
  InvitationAcceptance,
  LastAdministrator,
  Passkey,
  PasskeyStore,
  PeopleCount,
  PeopleDirectory,
  PeopleStores,
  Person,
  PersonSession,
  PersonSessionStore,
  SavedView,
  SavedViewStore,
  SignInMethod,
} from "./ports/people-store.js";
export { allows, OPERATOR_ROLES, POWERS, type Power, powerOf, ROLES, type Role, TENANT_ROLES } from "./roles.js";
export { createSavedViews, type SavedViews } from "./saved-views.js";
export {
  type Begun,
  type CeremonyOptions,
  createSigningIn,
  MAX_PASSKEYS,
  type PasskeyView,
  type SigningIn,
} from "./signing-in.js";
