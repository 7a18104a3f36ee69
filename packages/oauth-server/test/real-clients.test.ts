import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { describe, expect, it } from "vitest";
import { install } from "./harness.js";

const loopback = { [oauth.allowInsecureRequests]: true };

describe("clients that people use", () => {
  const methods = [
    ["client_secret_post", oauth.ClientSecretPost],
    ["client_secret_basic", oauth.ClientSecretBasic],
  ] as const;
  it.each(methods)("oauth4webapi with %s: discovery, client_credentials, refresh, revocation", async (_, method) => {
    const at = await install();
    const { client_id, client_secret } = await at.application();
    const issuer = new URL(at.issuer);
    const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...loopback });
    const as = await oauth.processDiscoveryResponse(issuer, found);
    const [self, auth] = [{ client_id }, method(client_secret)];

    const granted = await oauth.clientCredentialsGrantRequest(as, self, auth, new URLSearchParams(), loopback);
    const first = await oauth.processClientCredentialsResponse(as, self, granted);
    expect(first).toMatchObject({ token_type: "bearer", expires_in: 3600 });
    const refreshed = await oauth.refreshTokenGrantRequest(as, self, auth, first.refresh_token ?? "", loopback);
    const second = await oauth.processRefreshTokenResponse(as, self, refreshed);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    const revoked = await oauth.revocationRequest(as, self, auth, second.refresh_token ?? "", loopback);
    await oauth.processRevocationResponse(revoked);
    const refused = await oauth.refreshTokenGrantRequest(as, self, auth, second.refresh_token ?? "", loopback);
    await expect(oauth.processRefreshTokenResponse(as, self, refused)).rejects.toMatchObject({
      error: "invalid_grant",
    });
  });

  it("oauth4webapi validates the access token with the published keys", async () => {
    const at = await install();
    const { client_id, client_secret } = await at.application();
    const as = {
      issuer: at.issuer,
      token_endpoint: `${at.issuer}/token`,
      jwks_uri: `${at.issuer}/.well-known/jwks.json`,
    };
    const auth = oauth.ClientSecretPost(client_secret);
    const params = new URLSearchParams({ resource: `${at.issuer}/mcp` });
    const response = await oauth.clientCredentialsGrantRequest(as, { client_id }, auth, params, loopback);
    const { access_token } = await oauth.processClientCredentialsResponse(as, { client_id }, response);
    const request = new Request(`${at.issuer}/mcp`, { headers: { authorization: `Bearer ${access_token}` } });
    const skew = { [oauth.clockSkew]: Math.floor(at.clock().getTime() / 1000 - Date.now() / 1000) };
    const claims = await oauth.validateJwtAccessToken(as, request, `${at.issuer}/mcp`, { ...loopback, ...skew });
    expect(claims).toMatchObject({ client_id, scope: expect.stringContaining("letters:read") });
  });

  it("openid-client: discovery, client_credentials, refresh, revocation", async () => {
    const at = await install();
    const { client_id, client_secret } = await at.application();
    const config = await client.discovery(
      new URL(at.issuer),
      client_id,
      undefined,
      client.ClientSecretPost(client_secret),
      {
        algorithm: "oauth2",
        execute: [client.allowInsecureRequests],
      },
    );
    expect(config.serverMetadata().token_endpoint).toBe(`${at.issuer}/token`);
    const first = await client.clientCredentialsGrant(config, { scope: "letters:read" });
    expect(first.scope).toBe("letters:read");
    const second = await client.refreshTokenGrant(config, first.refresh_token ?? "");
    await client.tokenRevocation(config, second.refresh_token ?? "");
    await expect(client.refreshTokenGrant(config, second.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant",
    });
  });
});
