import type { webcrypto } from "node:crypto";
import { createBrowser } from "@org/pages/testing";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { describe, expect, it } from "vitest";
import { type Credentials, type Installation, install } from "./harness.js";

const loopback = { [oauth.allowInsecureRequests]: true };
const REDIRECT = "http://127.0.0.1:8765/callback";

describe("clients that people use, through the authorization page", () => {
  const methods = ["none", "client_secret_post", "client_secret_basic", "private_key_jwt"] as const;

  it.each(methods)("oauth4webapi with %s: registration, code, refresh, revocation", async (method) => {
    const at = await install();
    const application = await at.application();
    const issuer = new URL(at.issuer);
    const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...loopback });
    const as = await oauth.processDiscoveryResponse(issuer, found);
    const keys = await oauth.generateKeyPair("ES256", { extractable: true });
    const metadata = {
      client_name: "oauth4webapi",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: method,
      ...(method === "private_key_jwt" ? { jwks: { keys: [await publicJwk(keys.publicKey)] } } : {}),
    };
    const registered = await oauth.dynamicClientRegistrationRequest(as, metadata as never, loopback);
    const self = await oauth.processDynamicClientRegistrationResponse(registered);
    const skew = Math.floor(at.clock().getTime() / 1000 - Date.now() / 1000);
    const authentication = {
      none: () => oauth.None(),
      client_secret_post: () => oauth.ClientSecretPost(String(self.client_secret)),
      client_secret_basic: () => oauth.ClientSecretBasic(String(self.client_secret)),
      private_key_jwt: () =>
        oauth.PrivateKeyJwt(keys.privateKey, {
          [oauth.modifyAssertion]: (_header, payload) => {
            for (const claim of ["iat", "nbf", "exp"]) payload[claim] = Number(payload[claim]) + skew;
          },
        }),
    }[method];

    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const query = {
      response_type: "code",
      client_id: self.client_id,
      redirect_uri: REDIRECT,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    const back = await approve(at, `${as.authorization_endpoint}?${new URLSearchParams(query)}`, application);
    const parameters = oauth.validateAuthResponse(as, self, back, state);
    const answered = await oauth.authorizationCodeGrantRequest(
      ...[as, self, authentication(), parameters, REDIRECT, verifier, loopback],
    );
    const first = await oauth.processAuthorizationCodeResponse(as, self, answered);
    expect(first).toMatchObject({ token_type: "bearer", expires_in: 3600, refresh_token: expect.any(String) });
    const refreshToken = String(first.refresh_token);
    const refreshed = await oauth.refreshTokenGrantRequest(as, self, authentication(), refreshToken, loopback);
    const second = await oauth.processRefreshTokenResponse(as, self, refreshed);
    const revoked = await oauth.revocationRequest(as, self, authentication(), String(second.refresh_token), loopback);
    await oauth.processRevocationResponse(revoked);
    const refused = await oauth.refreshTokenGrantRequest(
      ...[as, self, authentication(), String(second.refresh_token), loopback],
    );
    await expect(oauth.processRefreshTokenResponse(as, self, refused)).rejects.toMatchObject({
      error: "invalid_grant",
    });
  });

  it("openid-client: registration, code, refresh, revocation", async () => {
    const at = await install();
    const config = await client.dynamicClientRegistration(
      new URL(at.issuer),
      { redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" },
      client.None(),
      { algorithm: "oauth2", execute: [client.allowInsecureRequests] },
    );
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      state,
      resource: `${at.issuer}/mcp`,
      scope: "investments:read",
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const back = await approve(at, url.href, await at.application());
    const tokens = await client.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect(tokens.scope).toBe("investments:read");
    const second = await client.refreshTokenGrant(config, String(tokens.refresh_token));
    await client.tokenRevocation(config, String(second.refresh_token));
    await expect(client.refreshTokenGrant(config, String(second.refresh_token))).rejects.toMatchObject({
      error: "invalid_grant",
    });
  });

  it("a denied request reaches the client as access_denied", async () => {
    const at = await install();
    const config = await client.dynamicClientRegistration(
      new URL(at.issuer),
      { redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" },
      client.None(),
      { algorithm: "oauth2", execute: [client.allowInsecureRequests] },
    );
    const verifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      state: "s",
      code_challenge_method: "S256",
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
    });
    const back = await approve(at, url.href, await at.application(), "deny");
    const grant = client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: "s" });
    await expect(grant).rejects.toMatchObject({ error: "access_denied" });
  });

  it("an application is a client too, with its own secret and redirect URLs", async () => {
    const at = await install();
    const own = await at.application({ redirect_urls: [REDIRECT] });
    const config = await client.discovery(
      ...[new URL(at.issuer), own.client_id, undefined, client.ClientSecretPost(own.client_secret)],
      { algorithm: "oauth2", execute: [client.allowInsecureRequests] },
    );
    const verifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      state: "s",
      code_challenge_method: "S256",
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
    });
    const back = await approve(at, url.href, own);
    const tokens = await client.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedState: "s",
    });
    expect(tokens.refresh_token).toMatch(/^wcr_/);
  });
});

async function approve(at: Installation, url: string, credentials: Credentials, decision = "approve"): Promise<URL> {
  expect(url.startsWith(`${at.issuer}/authorize?`)).toBe(true);
  const browser = createBrowser();
  await browser.open(url);
  const { client_id, client_secret } = credentials;
  await browser.submit("sign-in", { client_id, client_secret });
  return new URL((await browser.submit("decision", {}, decision)).url);
}

async function publicJwk(key: webcrypto.CryptoKey) {
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", key);
  return { kty, crv, x, y, kid: "k1", alg: "ES256", use: "sig" };
}
