import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { TENANT_SCOPES } from "../src/scopes.js";
import { install, json, machine, noon, TENANT } from "./harness.js";

describe("RFC 9068 access token", () => {
  it("[S1-5.5] [S1-8.1] [C-9.4] has the claims of the contract and lives 3600 s", async () => {
    const at = await install();
    const client = await at.application();
    const { body } = await at.token(machine(client));
    const issuedAt = noon.getTime() / 1000;
    expect(decodeJwt(body.access_token)).toEqual({
      iss: at.issuer,
      sub: client.application_id,
      aud: [`${at.issuer}/mcp`, `${at.issuer}/mcp/analytics`, at.issuer],
      client_id: client.client_id,
      tenant: TENANT,
      scope: TENANT_SCOPES.join(" "),
      iat: issuedAt,
      exp: issuedAt + 3600,
      jti: expect.stringMatching(UUID_V7),
      gid: expect.stringMatching(UUID_V7),
    });
  });

  it("[C-9.4] names one audience as an array too", async () => {
    const at = await install();
    const { body } = await at.token(machine(await at.application(), { resource: at.issuer }));
    expect(decodeJwt(body.access_token).aud).toEqual([at.issuer]);
  });

  it.each(["ES256", "RS256", "Ed25519"] as const)("[C-1.22] %s: verifies against the published keys", async (alg) => {
    const at = await install({ accessTokenAlg: alg });
    const { body } = await at.token(machine(await at.application()));
    expect(decodeProtectedHeader(body.access_token)).toEqual({ alg, typ: "at+jwt", kid: expect.any(String) });
    const jwks = createRemoteJWKSet(new URL(`${at.issuer}/.well-known/jwks.json`));
    const expected = { issuer: at.issuer, audience: at.issuer, typ: "at+jwt", algorithms: [alg], currentDate: noon };
    await expect(jwtVerify(body.access_token, jwks, expected)).resolves.toBeDefined();
  });

  it("follows a change of the algorithm, and still publishes the keys of the former one", async () => {
    const before = await install();
    const { body } = await before.token(machine(await before.application()));
    const after = await install({ accessTokenAlg: "Ed25519", store: before.store });
    const { body: changed } = await after.token(machine(await after.application()));
    const { keys } = await json(`${after.issuer}/.well-known/jwks.json`);
    const kids = keys.map((key: { kid: string }) => key.kid);
    expect(decodeProtectedHeader(changed.access_token).alg).toBe("Ed25519");
    for (const token of [body.access_token, changed.access_token])
      expect(kids).toContain(decodeProtectedHeader(token).kid);
  });
});

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
