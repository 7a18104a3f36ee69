import { randomBytes } from "node:crypto";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { obtainCode } from "./authorize.js";
import { budgetedCalls, type CountedServer, startCountedServer } from "./counted-server.js";
import { START_TIMEOUT, type TestServer } from "./harness.js";
import { post } from "./http-client.js";

/** Requests in a row, which is fewer than the wrong guesses that a client may make. */
const REFUSED_REQUESTS = 6;

type Fields = Readonly<Record<string, string>>;

describe.skipIf(!testDatabaseUrl)("[C-9.461] a request for tokens costs no more than its budget", () => {
  let counted: CountedServer;
  let server: TestServer;
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  beforeAll(async () => {
    counted = await startCountedServer("grants");
    server = counted.server;
    keys = await generateKeyPair("ES256", { extractable: true });
  }, START_TIMEOUT);
  afterAll(() => counted?.remove());

  const token = (fields: Fields) => post(`${server.url}/token`, new URLSearchParams(fields));

  const secret = () => ({ client_id: server.demo.clientId, client_secret: server.demo.clientSecret });
  const refresh = (answer: { readonly body: { readonly refresh_token: string } }) => ({
    grant_type: "refresh_token",
    refresh_token: answer.body.refresh_token,
  });

  function signed(claims: Fields, header: Fields = {}): Promise<string> {
    return new SignJWT({ aud: server.url, jti: randomBytes(8).toString("hex"), ...claims })
      .setProtectedHeader({ alg: "ES256", ...header })
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(keys.privateKey);
  }
  const proof = async (client_id: string) => ({
    client_id,
    client_assertion: await signed({ iss: client_id, sub: client_id }),
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  });
  const codeOf = async (metadata: object) => {
    const { clientId, redemption } = await obtainCode(server.url, server.demo, {
      metadata: { redirect_uris: ["http://127.0.0.1:33418/callback"], ...metadata },
    });
    return { clientId, redemption: Object.fromEntries(redemption) };
  };
  const ofKey = async () => ({
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [await exportJWK(keys.publicKey)] },
  });

  let isTrusted = false;
  const requests: Readonly<Record<string, () => Promise<Fields> | Fields>> = {
    client_credentials: () => ({ grant_type: "client_credentials", ...secret() }),
    "refresh_token of an application": async () => ({
      ...refresh(await token({ grant_type: "client_credentials", ...secret() })),
      ...secret(),
    }),
    async "refresh_token of a public client"() {
      const { clientId, redemption } = await codeOf({});
      return { ...refresh(await token(redemption)), client_id: clientId };
    },
    async "refresh_token by private_key_jwt"() {
      const { clientId, redemption } = await codeOf(await ofKey());
      const answer = await token({ ...redemption, ...(await proof(clientId)) });
      return { ...refresh(answer), ...(await proof(clientId)) };
    },
    "authorization_code of a public client": async () => (await codeOf({})).redemption,
    async "authorization_code by private_key_jwt"() {
      const { clientId, redemption } = await codeOf(await ofKey());
      return { ...redemption, ...(await proof(clientId)) };
    },
    async "jwt-bearer with an ID-JAG"() {
      const issuer = "https://idp.example";
      const { clientId: client_id, tenantId: tenant_id } = server.demo;
      const ofPerson = async () => ({
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: await signed({ iss: issuer, sub: "00u1", client_id }, { typ: "oauth-id-jag+jwt" }),
        ...secret(),
      });
      if (!isTrusted) {
        const rules = [{ claims: {}, client_id, scopes: ["connections:read"] }];
        const jwks = { keys: [await exportJWK(keys.publicKey)] };
        const trust = { issuer, tenant_id, jwks, rules, client_ids: [client_id] };
        await server.operate("/operator/v1/trusted-issuers/trust", trust);
        // Servers reload the trusted issuers every two seconds.
        await expect.poll(async () => (await token(await ofPerson())).status).toBe(200);
        isTrusted = true;
      }
      return ofPerson();
    },
    "an unknown client": () => ({
      grant_type: "client_credentials",
      client_id: "wca_nobody",
      client_secret: "wcs_wrong",
    }),
    "a wrong secret": () => ({ grant_type: "client_credentials", ...secret(), client_secret: "wcs_wrong" }),
  };
  const refused = ["an unknown client", "a wrong secret"];

  it("names the grants that are counted", () => expect(budgetedCalls("grants")).toEqual(Object.keys(requests)));

  const costs = new Map<string, { readonly promises: number; readonly statements: number }>();
  it.each(Object.keys(requests))("%s", async (name) => {
    const isRefused = refused.includes(name);
    const make = async () => ({
      path: "/token",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(await requests[name]?.()).toString(),
      status: isRefused ? 401 : 200,
    });
    costs.set(name, await counted.checkCost(name, make, isRefused ? REFUSED_REQUESTS : undefined));
  });

  it("[security.md] an unknown client costs as much as a wrong secret", () => {
    const [unknown, wrong] = refused.map((name) => costs.get(name));
    expect(unknown).toMatchObject({ promises: wrong?.promises, statements: wrong?.statements });
  });
});
