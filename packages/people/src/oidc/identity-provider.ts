import type { Claims } from "@org/claim-rules";
import { createRemoteJWKSet, customFetch as josesFetch, jwtVerify } from "jose";
import * as oidc from "openid-client";
import { PeopleError } from "../people-error.js";
import type { IdentityProviderSettings } from "./provider-settings.js";
import { checkIdTokenClaims, checkLogoutClaims, type LogoutClaims, type ProvenIdentity } from "./token-claims.js";

/** Binds an answer of the provider to the question in this browser. */
export interface Expected {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** A client of a provider. */
export interface IdentityProvider {
  readonly settings: IdentityProviderSettings;
  /** Loads the provider's metadata. @throws PeopleError `refused`, `provider_away` */
  look(): Promise<void>;
  /**
   * The URL to which the browser is redirected.
   * @param isAgain whether the person must authenticate again
   * @throws PeopleError `provider_away`
   */
  authorizationUrl(expected: Expected, isAgain: boolean): Promise<string>;
  /** Exchanges the code of an answer, and checks everything. @throws PeopleError `refused`, `cancelled`, `provider_away` */
  redeem(answer: URL, expected: Expected): Promise<ProvenIdentity>;
  /** Checks a logout token completely, except for replay. @throws PeopleError `refused`, `provider_away` */
  readLogout(token: string): Promise<LogoutClaims>;
  /**
   * The URL where a browser signs out of the provider's session that issued an ID token, and then returns; null when the
   * provider has no such page.
   * @throws PeopleError `provider_away`
   */
  endSessionUrl(backTo: string, idToken: string | null): Promise<string | null>;
}

/** Only public-key algorithms: a shared secret proves nothing to third parties, and `none` proves nothing at all. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** How long metadata stay fresh, and the pause before a retry after they could not be read. */
const FRESH_MS = 10 * 60_000;
const RETRY_DELAY_MS = 5_000;
const TIMEOUT_SECONDS = 5;
const SKEW_SECONDS = 30;

/**
 * A relying party of OpenID Connect Core 1.0: code flow with PKCE (S256), state, nonce and `iss` (RFC 9207). It verifies the
 * signature of an ID token even though it arrives over TLS. Answers count only for the issuer of the settings.
 * @param given.fetch reaches nothing that the server must not reach, and limits what it reads
 */
export function createIdentityProvider(given: {
  readonly settings: IdentityProviderSettings;
  /** Registered for this provider only, so that one provider's code is never sent to another (RFC 9700 §4.4.2.2). */
  readonly redirectUri: string;
  readonly clock: () => Date;
  readonly fetch: typeof fetch;
}): IdentityProvider {
  const { settings, redirectUri, clock } = given;
  const { issuer, client_id, client_secret } = settings;
  const reach = orUnavailable(given.fetch);
  const current = kept(clock, discover);

  return {
    settings,
    async look() {
      await current();
    },
    async authorizationUrl({ state, nonce, verifier }, isAgain) {
      const { relyingParty } = await current();
      const url = oidc.buildAuthorizationUrl(relyingParty, {
        redirect_uri: redirectUri,
        scope: settings.scopes.join(" "),
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...(settings.acr.length > 0 && { acr_values: settings.acr.join(" ") }),
        // max_age makes the provider return the time of authentication (OpenID Connect Core 1.0 §3.1.2.1).
        ...(isAgain && { prompt: "login", max_age: "0" }),
      });
      return url.href;
    },

    async redeem(answer, { state, nonce, verifier }) {
      if (answer.origin + answer.pathname !== redirectUri)
        throw new PeopleError("refused", "the answer came to another redirect URI than was asked for");
      const { relyingParty } = await current();
      return asPeople(async () => {
        const tokens = await oidc.authorizationCodeGrant(relyingParty, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const idToken = (tokens.claims() ?? {}) as Claims;
        const proven = checkIdTokenClaims(idToken, settings);
        const { userinfo_endpoint } = relyingParty.serverMetadata();
        const more = userinfo_endpoint
          ? await oidc.fetchUserInfo(relyingParty, tokens.access_token, proven.subject)
          : {};
        return { ...proven, id_token: tokens.id_token ?? null, claims: { ...more, ...idToken } };
      });
    },

    async readLogout(token) {
      const { keys } = await current();
      return asPeople(async () => {
        const { payload, protectedHeader } = await jwtVerify(token, keys, {
          issuer,
          audience: client_id,
          algorithms: ALGORITHMS,
          currentDate: clock(),
          clockTolerance: SKEW_SECONDS,
          requiredClaims: ["iat", "exp", "jti"],
        });
        return checkLogoutClaims(payload, protectedHeader.typ, clock());
      });
    },

    async endSessionUrl(backTo, idToken) {
      const { relyingParty } = await current();
      if (!isReachable(relyingParty.serverMetadata().end_session_endpoint, issuer.startsWith("http:"))) return null;
      const hint = idToken === null ? {} : { id_token_hint: idToken };
      return oidc.buildEndSessionUrl(relyingParty, { client_id, post_logout_redirect_uri: backTo, ...hint }).href;
    },
  };

  async function discover() {
    return asPeople(async () => {
      const isLocal = issuer.startsWith("http:");
      const options = {
        [oidc.customFetch]: reach,
        timeout: TIMEOUT_SECONDS,
        ...(isLocal && { execute: [oidc.allowInsecureRequests] }),
      };
      const discovered = await oidc.discovery(new URL(issuer), client_id, undefined, undefined, options);
      const { supportsPKCE: _, ...found } = discovered.serverMetadata();
      if (found.issuer !== issuer) throw new PeopleError("provider_away", "its metadata are of another issuer");
      const [, , jwksUri = ""] = (["authorization_endpoint", "token_endpoint", "jwks_uri"] as const).map((name) => {
        if (isReachable(found[name], isLocal)) return found[name];
        throw new PeopleError("provider_away", `its metadata have no https URL as ${name}`);
      });
      const signedWith = (found.id_token_signing_alg_values_supported ?? ["RS256"]).filter((name) =>
        ALGORITHMS.includes(name),
      );
      const secretIn = found.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
      const relyingParty = new oidc.Configuration(
        { ...found, id_token_signing_alg_values_supported: signedWith } as oidc.ServerMetadata,
        client_id,
        undefined,
        secretIn.includes("client_secret_basic")
          ? oidc.ClientSecretBasic(client_secret)
          : oidc.ClientSecretPost(client_secret),
      );
      relyingParty[oidc.customFetch] = reach;
      relyingParty.timeout = TIMEOUT_SECONDS;
      if (isLocal) oidc.allowInsecureRequests(relyingParty);
      oidc.enableNonRepudiationChecks(relyingParty);
      const keys = createRemoteJWKSet(new URL(jwksUri), {
        [josesFetch]: reach,
        timeoutDuration: TIMEOUT_SECONDS * 1_000,
        cacheMaxAge: FRESH_MS,
      });
      return { relyingParty, keys };
    });
  }
}

/** Whether a URL may be requested: https, or plain http for a local test provider. */
function isReachable(url: string | undefined, isLocal: boolean): boolean {
  const protocol = url !== undefined && URL.canParse(url) && new URL(url).protocol;
  return protocol === "https:" || (isLocal && protocol === "http:");
}

/**
 * Caches the result of `load` for ten minutes, and keeps using it while `load` fails, so that a short outage of a provider goes
 * unnoticed.
 */
function kept<T>(clock: () => Date, load: () => Promise<T>): () => Promise<T> {
  let known: { readonly value: T; readonly at: number } | null = null;
  let failed: { readonly error: unknown; readonly at: number } | null = null;
  let loading: Promise<T> | null = null;
  const age = ({ at }: { readonly at: number }) => Math.abs(clock().getTime() - at);
  return async () => {
    if (known && age(known) < FRESH_MS) return known.value;
    if (failed && age(failed) < RETRY_DELAY_MS) {
      if (known) return known.value;
      throw failed.error;
    }
    loading ??= load().finally(() => {
      loading = null;
    });
    try {
      const value = await loading;
      [known, failed] = [{ value, at: clock().getTime() }, null];
      return value;
    } catch (error) {
      failed = { error, at: clock().getTime() };
      if (known) return known.value;
      throw error;
    }
  };
}

/** Wraps fetch: a provider that does not answer, or is overloaded, is `provider_away`. */
function orUnavailable(reach: typeof fetch): (url: string, options: object) => Promise<Response> {
  return async (url, options) => {
    const response = await reach(url, options).catch((cause: unknown) => {
      throw new PeopleError("provider_away", "it does not answer", { cause });
    });
    if (response.status < 500 && response.status !== 429) return response;
    throw new PeopleError("provider_away", `it answered ${response.status}`);
  };
}

/** Turns any fault of a provider's answer into a refusal, unless the provider was unavailable. */
async function asPeople<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      if (cause instanceof PeopleError) throw cause;
    const { code, error: told } = error as { code?: unknown; error?: unknown };
    const isSlow = code === "OAUTH_TIMEOUT" || code === "ERR_JWKS_TIMEOUT";
    const reason = [code, told].filter((word) => typeof word === "string" && /^[\w.-]{1,60}$/.test(word)).join(" ");
    // From the answer to the browser, not from the token response (RFC 6749 §4.1.2.1).
    const isCancelled = error instanceof oidc.AuthorizationResponseError && told === "access_denied";
    const kind = isSlow ? "provider_away" : isCancelled ? "cancelled" : "refused";
    throw new PeopleError(kind, reason || "no sound answer", { cause: error });
  }
}
