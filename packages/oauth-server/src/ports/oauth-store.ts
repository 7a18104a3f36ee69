import type { ApplicationStore, SecretStore } from "./application-store.js";
import type { CodeStore, RememberedCredentialsStore } from "./authorization-store.js";
import type { AssertionStore, ClientStore, RegistrationTokenStore } from "./client-store.js";
import type { EndedGrantFeed, GrantStore } from "./grant-store.js";
import type { GuessLimitStore } from "./guess-limit-store.js";
import type { SigningKeyStore } from "./signing-key-store.js";
import type { TrustedIssuerStore } from "./trusted-issuer-store.js";

/**
 * Everything that the authorization server stores. There is one implementation per backend; each runs `describeOAuthStore` of
 * `./testing`. Where a method takes a `network`, it is that of a caller who may have made up what is looked up: such calls take
 * turns by network, so that a flood of guesses is not in the way of others.
 */
export interface OAuthStore {
  readonly applications: ApplicationStore & SecretStore;
  /** Self-registered clients, the tokens that let them register, and the assertions of all clients. */
  readonly clients: ClientStore & AssertionStore & RegistrationTokenStore;
  readonly codes: CodeStore;
  readonly remembered: RememberedCredentialsStore;
  readonly grants: GrantStore & EndedGrantFeed;
  readonly guessLimits: GuessLimitStore;
  readonly signingKeys: SigningKeyStore;
  readonly trustedIssuers: TrustedIssuerStore;
}
