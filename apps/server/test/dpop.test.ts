import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { promisify } from "node:util";
import { exportJWK, SignJWT } from "jose";
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { approve } from "./authorize.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { toolCall } from "./mcp-clients.js";

const loopback = { [oauth.allowInsecureRequests]: true };
const REDIRECT = "http://127.0.0.1:33418/callback";
const SEARCH = "/data/v1/search-connections";

describe("[RFC 9449] DPoP, with a client of somebody else against the started server", () => {
  let server: TestServer;
  let as: oauth.AuthorizationServer;
  beforeAll(async () => {
    const backend = oneBackend("what the store keeps is in its conformance suite; this is about the protocol");
    server = await startTestServer({ backend });
    const issuer = new URL(server.url);
    const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...loopback });
    as = await oauth.processDiscoveryResponse(issuer, found);
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  const newKey = async (client: oauth.Client) => oauth.DPoP(client, await oauth.generateKeyPair("ES256"));
  const rpc = { "content-type": "application/json", accept: "application/json, text/event-stream" };

  /** A request to a resource with a bound token and a proof. */
  function ask(
    token: string,
    DPoP: oauth.DPoPHandle,
    path: string,
    body: object,
    headers: Record<string, string> = {},
  ) {
    return oauth.protectedResourceRequest(
      ...[token, "POST", new URL(server.url + path), new Headers({ ...rpc, ...headers }), JSON.stringify(body)],
      { DPoP, ...loopback },
    );
  }

  /** The same request with a bearer token. */
  const askBearer = (token: string, path: string, body: object) =>
    fetch(server.url + path, {
      method: "POST",
      headers: { ...rpc, authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });

  /** A request that each resource answers with 200. */
  const requests = [
    ["/mcp", toolCall("svc-credentials", {})],
    ["/mcp/analytics", { jsonrpc: "2.0", id: 1, method: "tools/list" }],
    [SEARCH, {}],
  ] as const;

  async function machineToken(DPoP?: oauth.DPoPHandle, login = server.demo) {
    const self = { client_id: login.clientId };
    const answer = await oauth.clientCredentialsGrantRequest(
      ...[as, self, oauth.ClientSecretPost(login.clientSecret), new URLSearchParams()],
      { ...(DPoP && { DPoP }), ...loopback },
    );
    return oauth.processClientCredentialsResponse(as, self, answer);
  }

  it("[C-3.59] a resource says what it takes before a client has anything", async () => {
    for (const path of ["/mcp", "/mcp/analytics"]) {
      const resource = new URL(server.url + path);
      const answer = await fetch(resource, { method: "POST" });
      const challenge = answer.headers.get("www-authenticate") ?? "";
      expect(challenge).toMatch(/^Bearer resource_metadata="[^"]+", scope="[^"]+", DPoP algs="ES256 Ed25519 EdDSA"$/);
      const found = await oauth.resourceDiscoveryRequest(resource, loopback);
      expect(await oauth.processResourceDiscoveryResponse(resource, found)).toMatchObject({
        dpop_signing_alg_values_supported: as.dpop_signing_alg_values_supported,
      });
    }
    expect(as.dpop_signing_alg_values_supported).toEqual(["ES256", "Ed25519", "EdDSA"]);
  });

  it("[C-3.50] [C-3.53] [C-3.54] [C-3.57] [C-3.62] registration, page, code, calls, refresh, the same session", async () => {
    const metadata = {
      client_name: "dpop",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
      dpop_bound_access_tokens: true,
    };
    const registered = await oauth.dynamicClientRegistrationRequest(as, metadata, loopback);
    const self = await oauth.processDynamicClientRegistrationResponse(registered);
    expect(self).toMatchObject({ dpop_bound_access_tokens: true });
    const DPoP = await newKey(self);
    const verifier = oauth.generateRandomCodeVerifier();
    const query = {
      response_type: "code",
      client_id: self.client_id,
      redirect_uri: REDIRECT,
      state: "s",
      dpop_jkt: await DPoP.calculateThumbprint(),
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    const back = await approve(`${as.authorization_endpoint}?${new URLSearchParams(query)}`, server.demo);
    const parameters = oauth.validateAuthResponse(as, self, back, "s");
    const exchange = (by?: oauth.DPoPHandle) =>
      oauth.authorizationCodeGrantRequest(...[as, self, oauth.None(), parameters, REDIRECT, verifier], {
        ...(by && { DPoP: by }),
        ...loopback,
      });
    await expect(
      exchange().then((answer) => oauth.processAuthorizationCodeResponse(as, self, answer)),
    ).rejects.toMatchObject({
      error: "invalid_dpop_proof",
    });
    const first = await oauth.processAuthorizationCodeResponse(as, self, await exchange(DPoP));
    expect(first.token_type).toBe("dpop");
    for (const [path, body] of requests) {
      expect([path, (await ask(first.access_token, DPoP, path, body)).status]).toEqual([path, 200]);
      expect([path, (await askBearer(first.access_token, path, body)).status]).toEqual([path, 401]);
    }

    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "dpop", version: "1" } };
    const initialized = await ask(first.access_token, DPoP, "/mcp", {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: hello,
    });
    const session = { "mcp-session-id": initialized.headers.get("mcp-session-id") ?? "" };
    const refreshed = await oauth.refreshTokenGrantRequest(...[as, self, oauth.None(), String(first.refresh_token)], {
      DPoP,
      ...loopback,
    });
    const second = await oauth.processRefreshTokenResponse(as, self, refreshed);
    expect(second.token_type).toBe("dpop");
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    expect((await ask(second.access_token, DPoP, "/mcp", list, session)).status).toBe(200);
    const { token } = await server.createTenant("Foreign");
    const foreign = await fetch(server.mcpUrl, {
      method: "POST",
      headers: { ...rpc, ...session, authorization: `Bearer ${token}` },
      body: JSON.stringify(list),
    });
    expect(foreign.status).toBe(404);
  });

  it("[C-3.57] a machine's token; what is wrong is said in the scheme that was used", async () => {
    const self = { client_id: server.demo.clientId };
    const [DPoP, stranger] = [await newKey(self), await newKey(self)];
    const { access_token, token_type } = await machineToken(DPoP);
    expect(token_type).toBe("dpop");
    for (const [path, body] of requests) {
      expect([path, (await ask(access_token, DPoP, path, body)).status]).toEqual([path, 200]);
      const refused = await ask(access_token, stranger, path, body).catch(
        (error: oauth.WWWAuthenticateChallengeError) => error,
      );
      if (!(refused instanceof oauth.WWWAuthenticateChallengeError)) throw new Error(`${path}: ${refused.status}`);
      expect([refused.status, refused.cause]).toEqual([
        401,
        [
          {
            scheme: "dpop",
            parameters: expect.objectContaining({
              error: "invalid_dpop_proof",
              error_description: "the access token is bound to another key",
              algs: "ES256 Ed25519 EdDSA",
              resource_metadata: expect.stringContaining("/.well-known/oauth-protected-resource"),
            }),
          },
        ],
      ]);
      // [C-3.57] A bearer token is not accepted in this scheme, whatever its proof.
      const bearer = await machineToken();
      await expect(ask(bearer.access_token, DPoP, path, body)).rejects.toMatchObject({ status: 401 });
    }
  });

  it("[C-3.60] [C-3.65] a request line that names another host does not change what `htu` is compared with", async () => {
    const pair = await oauth.generateKeyPair("ES256");
    const self: oauth.Client = { client_id: server.demo.clientId };
    const { access_token } = await machineToken(oauth.DPoP(self, pair));
    const jwk = await exportJWK(pair.publicKey);
    const ath = createHash("sha256").update(access_token).digest("base64url");
    const { hostname, port } = new URL(server.url);
    const send = async (target: string, htu: string) => {
      const claims = new SignJWT({ jti: randomUUID(), htm: "POST", htu, ath }).setIssuedAt();
      const dpop = await claims.setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk }).sign(pair.privateKey);
      const sent = { ...rpc, dpop, authorization: `DPoP ${access_token}` };
      return new Promise<number | undefined>((resolve, reject) => {
        const asked = request({ hostname, port, path: target, method: "POST", headers: sent });
        asked.on("response", (answer) => resolve(answer.resume().statusCode)).on("error", reject);
        asked.end(JSON.stringify(toolCall("svc-credentials", {})));
      });
    };
    const other = "http://other.example/mcp";
    expect(await send(other, other)).toBe(401);
    expect(await send(other, "none")).toBe(401);
    expect(await send(other, server.mcpUrl)).toBe(200);
  });

  it("[C-3.59] pages of other origins may send proofs and read what is said about them", async () => {
    const preflight = (path: string, origin: string) =>
      fetch(server.url + path, {
        method: "OPTIONS",
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization,dpop",
        },
      });
    for (const path of ["/token", "/mcp", SEARCH]) {
      const answer = await preflight(path, "http://localhost:6274");
      expect(answer.headers.get("access-control-allow-headers")?.toLowerCase(), path).toContain("dpop");
      const { headers } = await fetch(server.url + path, {
        method: "POST",
        headers: { origin: "http://localhost:6274" },
      });
      expect(headers.get("access-control-expose-headers"), path).toMatch(/WWW-Authenticate.*DPoP-Nonce/);
    }
  });

  it("[C-3.55] [C-3.64] an application that demands it loses its tokens at once, and gets no others without a proof", async () => {
    const tenant = await server.createTenant("Demanding");
    const { clientId: client_id } = tenant;
    const change = (dpop_bound_access_tokens: boolean) =>
      server.operate("/operator/v1/applications/update", { client_id, dpop_bound_access_tokens });
    expect((await change(true)).application).toMatchObject({ dpop_bound_access_tokens: true });
    for (const [path, body] of requests)
      expect([path, (await askBearer(tenant.token, path, body)).status]).toEqual([path, 401]);
    // Servers remember an application for two seconds; until then one that may not is told that it is not known.
    await expect.poll(() => machineToken(undefined, tenant).catch(({ error }) => error)).toBe("invalid_dpop_proof");
    const DPoP = await newKey({ client_id });
    const { access_token } = await machineToken(DPoP, tenant);
    for (const [path, body] of requests)
      expect([path, (await ask(access_token, DPoP, path, body)).status]).toEqual([path, 200]);
    expect((await change(false)).application).toMatchObject({ dpop_bound_access_tokens: false });
    await expect
      .poll(() => machineToken(undefined, tenant).catch(({ error }) => error))
      .toMatchObject({ token_type: "bearer" });
    expect((await ask(access_token, DPoP, SEARCH, {})).status).toBe(200);
  });

  it("[C-3.63] the program of the documentation does what it says", async () => {
    const page = readFileSync(new URL("../../../docs/how-to/dpop.md", import.meta.url), "utf8");
    const [, program = ""] = /```js\n(.*?)```/s.exec(page) ?? [];
    const { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = server.demo;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
      env: { URL: server.url, CLIENT_ID, CLIENT_SECRET },
    });
    expect(stdout).toBe("DPoP 0\n");
  });

  it("[C-3.61] no proof is in what the server has written", () => {
    expect(server.output()).not.toContain(Buffer.from('{"alg":"ES256","typ":"dpop').toString("base64url"));
    expect(server.faults()).toEqual([]);
  });
});
