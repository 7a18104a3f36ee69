import { beforeAll, describe, expect, it } from "vitest";
import { type Authorization, authorization, REDIRECT } from "./authorization.js";
import { documentServer } from "./document-server.js";
import { basic, countingStore, type Fields, type Installation, install, machine, refresh } from "./harness.js";
import { type ClientKey, clientKey } from "./proofs.js";

let key: ClientKey;
let other: ClientKey;
beforeAll(async () => {
  [key, other] = [await clientKey(), await clientKey()];
});

const refused = { status: 400, body: { error: "invalid_dpop_proof" } };
const invalidGrant = { status: 400, body: { error: "invalid_grant" } };

/** A token request with a proof of the key, or without one. */
async function proven(at: Installation, form: Fields, by: ClientKey | null = key, headers = {}) {
  return at.token(form, { headers: { ...headers, ...(by && { dpop: await by.proof(at) }) } });
}

function redemption({ client, verifier }: Pick<Authorization, "client" | "verifier">, code: string) {
  const [redirect_uri = ""] = client.redirect_uris;
  return { grant_type: "authorization_code", code, client_id: client.client_id, redirect_uri, code_verifier: verifier };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look at claims one by one
function claimsOf({ body }: { readonly body: any }): any {
  return JSON.parse(Buffer.from(body.access_token.split(".")[1], "base64url").toString());
}

describe("RFC 9449 §5 access tokens", () => {
  it("[C-3.50] are bound to the key in every grant, and bearer tokens without a proof", async () => {
    const at = await install();
    const application = await at.application();
    const machines = await proven(at, machine(application));
    const flow = await authorization(at);
    const browsers = await proven(at, redemption(flow, await flow.approve(application)));
    const refreshed = await proven(at, refresh(browsers.body.refresh_token));
    for (const answer of [machines, browsers, refreshed]) {
      expect(answer).toMatchObject({ status: 200, body: { token_type: "DPoP", expires_in: 3600 } });
      expect(claimsOf(answer).cnf).toEqual({ jkt: key.jkt });
    }
    const bearer = await at.token(machine(application));
    expect(bearer.body.token_type).toBe("bearer");
    expect(claimsOf(bearer)).not.toHaveProperty("cnf");
  });

  it("cost a request without a proof no statement more", async () => {
    const { calls, store } = countingStore();
    const at = await install({ store });
    const application = await at.application();
    await at.token(machine(application));
    calls.length = 0;
    await at.token(machine(application));
    expect(calls).toEqual(["issueGrant"]);
    calls.length = 0;
    await proven(at, machine(application));
    expect(calls).toEqual(["useAssertion", "issueGrant"]);
  });
});

describe("RFC 9449 §5 refresh tokens", () => {
  async function browsers(at: Installation) {
    const flow = await authorization(at);
    const { body } = await proven(at, redemption(flow, await flow.approve(await at.application())));
    return { flow, first: body.refresh_token as string };
  }

  it("[C-3.54] of a public client need its key; what is refused consumes nothing", async () => {
    const at = await install();
    const { first } = await browsers(at);
    expect(await proven(at, refresh(first), null)).toMatchObject(refused);
    expect(await proven(at, refresh(first), other)).toMatchObject(invalidGrant);
    const { body } = await proven(at, refresh(first));
    expect(body.token_type).toBe("DPoP");
    // A thief who has the consumed token but not the key cannot end the grant; its client can.
    expect(await proven(at, refresh(first), other)).toMatchObject(invalidGrant);
    const next = await proven(at, refresh(body.refresh_token));
    expect(next.status).toBe(200);
    expect(await proven(at, refresh(first))).toMatchObject(invalidGrant);
    expect(at.events.at(-2)).toMatchObject({ action: "grant.reuse_detected" });
    expect(await proven(at, refresh(next.body.refresh_token))).toMatchObject(invalidGrant);
  });

  it("[C-3.54] of a client that authenticates may come with another key, and not without one", async () => {
    const at = await install();
    const application = await at.application();
    const { client_id, client_secret } = application;
    let { refresh_token: token } = (await proven(at, machine(application))).body;
    const authorizationHeader = { authorization: basic(client_id, client_secret) };
    expect(await proven(at, refresh(token), null, authorizationHeader)).toMatchObject(refused);
    const answer = await proven(at, refresh(token), other, authorizationHeader);
    expect(claimsOf(answer).cnf).toEqual({ jkt: other.jkt });
    token = answer.body.refresh_token;
    // The machine flow refreshes without the secret, and then the key is the only proof.
    expect(await proven(at, refresh(token), other)).toMatchObject(invalidGrant);
    expect(await proven(at, refresh(token), key)).toMatchObject({ status: 200 });
  });

  it("[C-3.54] without a key get that of the first refresh with one", async () => {
    const at = await install();
    const flow = await authorization(at);
    const { body } = await flow.authorize(await at.application());
    const bound = await proven(at, refresh(body.refresh_token));
    expect(bound.body.token_type).toBe("DPoP");
    expect(await proven(at, refresh(bound.body.refresh_token), null)).toMatchObject(refused);
    expect(await proven(at, refresh(bound.body.refresh_token))).toMatchObject({ status: 200 });
  });

  it("[C-3.54] a replayed answer is bound to the key of the request that it repeats", async () => {
    const at = await install({ refreshReplaySeconds: 60 });
    const { first } = await browsers(at);
    const answer = await proven(at, refresh(first));
    const again = await proven(at, refresh(first));
    expect(again.body).toEqual(answer.body);
    expect(await proven(at, refresh(first), other)).toMatchObject(invalidGrant);
  });
});

describe("RFC 9449 §10 codes", () => {
  it("[C-3.53] that are bound to a key by `dpop_jkt` are exchanged with it alone; what is refused consumes nothing", async () => {
    const at = await install();
    const flow = await authorization(at);
    const code = await flow.approve(await at.application(), { dpop_jkt: key.jkt });
    for (const by of [null, other]) expect(await proven(at, redemption(flow, code), by)).toMatchObject(invalidGrant);
    expect(await proven(at, redemption(flow, code))).toMatchObject({ status: 200, body: { token_type: "DPoP" } });
  });

  it.each(["x", "A".repeat(44), `${"A".repeat(42)}=`, `${"A".repeat(42)}B`])(
    "[C-3.53] [C-3.67] `dpop_jkt` must be a thumbprint: %s",
    async (dpop_jkt) => {
      const at = await install();
      const flow = await authorization(at);
      const page = await flow.browser.open(flow.url({ dpop_jkt }));
      expect(page.status).toBe(400);
      expect(page.text).toContain("dpop_jkt is not a base64url SHA-256 hash");
    },
  );
});

describe("RFC 9449 §5.2 clients that demand bound tokens", () => {
  it("[C-3.55] an application gets nothing without a proof, in any grant, and loses what it held", async () => {
    const at = await install();
    const application = await at.application({ redirect_urls: [REDIRECT] });
    const { client_id, client_secret } = application;
    const held = await at.token(machine(application));
    await at.applications.setDpopBound(client_id, true, { actor: "op" });
    expect(at.events.at(-1)).toMatchObject({
      action: "application.dpop_changed",
      detail: "demanded",
      client_id,
      actor: "op",
    });
    expect(await at.token(refresh(held.body.refresh_token))).toMatchObject(invalidGrant);
    at.advance(3);
    const answer = await at.token(machine(application));
    expect(answer).toMatchObject(refused);
    expect(answer.body.error_description).toMatch(/bound to a key, so the header DPoP must hold a proof/);
    expect(at.events.at(-1)).toMatchObject({ action: "grant.refused", detail: "dpop_missing", client_id });
    const given = await proven(at, machine(application));
    expect(given.body.token_type).toBe("DPoP");
    expect(await at.token(refresh(given.body.refresh_token))).toMatchObject(refused);

    const flow = await authorization(at);
    const own = { ...flow, client: { ...flow.client, client_id, redirect_uris: [REDIRECT] } };
    const code = await flow.approve(await at.application(), { client_id, redirect_uri: REDIRECT });
    const form = { ...redemption(own, code), client_secret };
    expect(await proven(at, form, null)).toMatchObject(refused);
    expect(await proven(at, form)).toMatchObject({ status: 200, body: { token_type: "DPoP" } });

    await at.applications.setDpopBound(client_id, false);
    at.advance(3);
    expect(await at.token(machine(application))).toMatchObject({ status: 200, body: { token_type: "bearer" } });
  });

  it("[C-3.55] it is demanded by a server that has not heard of it yet, too", async () => {
    const at = await install();
    const [application, replica] = [await at.application(), await at.replica()];
    await at.token(machine(application), { at: replica.url });
    await at.applications.setDpopBound(application.client_id, true);
    expect(await at.token(machine(application), { at: replica.url })).toMatchObject({ status: 401 });
    expect(await at.token(machine(application), { at: replica.url })).toMatchObject(refused);
  });

  it("[C-3.55] an application may be made so", async () => {
    const at = await install();
    const application = await at.application({ dpop_bound_access_tokens: true });
    expect(await at.applications.find(application.client_id)).toMatchObject({ dpop_bound_access_tokens: true });
    expect(await at.token(machine(application))).toMatchObject(refused);
  });

  it("[C-3.56] a registered client is told what counts, and held to it", async () => {
    const at = await install();
    const redirect_uris = [REDIRECT];
    const plain = await at.register({ redirect_uris, token_endpoint_auth_method: "none" });
    expect(plain.body).not.toHaveProperty("dpop_bound_access_tokens");
    const facts = { redirect_uris, token_endpoint_auth_method: "none", dpop_bound_access_tokens: true };
    const { body } = await at.register(facts);
    expect(body).toMatchObject({ dpop_bound_access_tokens: true });
    expect((await at.register({ ...facts, dpop_bound_access_tokens: "yes" })).body).toMatchObject({
      error: "invalid_client_metadata",
      error_description: expect.stringMatching(/^dpop_bound_access_tokens: /),
    });
    const flow = await authorization(at);
    const own = { ...flow, client: { ...flow.client, client_id: body.client_id, redirect_uris } };
    const code = await flow.approve(await at.application(), { client_id: body.client_id });
    expect(await proven(at, redemption(own, code), null)).toMatchObject(refused);
    const answer = await proven(at, redemption(own, code));
    expect(answer.body.token_type).toBe("DPoP");
    expect(await proven(at, refresh(answer.body.refresh_token), null)).toMatchObject(refused);
  });

  it("[C-3.56] so is one that says so in its metadata document", async () => {
    const redirect_uris = [REDIRECT];
    const documents = await documentServer((req, res) => {
      const client_id = `https://${req.headers.host}${req.url}`;
      res.setHeader("content-type", "application/json");
      res.end(JSON.stringify({ client_id, client_name: "Keyed", redirect_uris, dpop_bound_access_tokens: true }));
    });
    const at = await install({ clientDocuments: documents.options });
    const client_id = documents.url("/client.json");
    const flow = await authorization(at);
    const own = { ...flow, client: { ...flow.client, client_id, redirect_uris } };
    const code = await flow.approve(await at.application(), { client_id });
    expect(await proven(at, redemption(own, code), null)).toMatchObject(refused);
    expect(await proven(at, redemption(own, code))).toMatchObject({ status: 200, body: { token_type: "DPoP" } });
  });
});
