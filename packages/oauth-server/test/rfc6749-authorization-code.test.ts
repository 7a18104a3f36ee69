import { describe, expect, it } from "vitest";
import { authorization, challengeOf } from "./authorization.js";
import { install, refresh } from "./harness.js";

describe("[security.md] RFC 6749 §4.1.3: codes", () => {
  it("of ten redemptions at once exactly one succeeds, and its tokens end with the replays", async () => {
    const at = await install();
    const { approve, exchange } = await authorization(at);
    const code = await approve(await at.application());
    const replica = await at.replica();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => exchange(code, {}, index % 2 ? replica.url : at.issuer)),
    );
    const [winner, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(answers.filter(({ body }) => body.error === "invalid_grant")).toHaveLength(9);
    expect((await at.token(refresh(winner?.body.refresh_token))).body.error).toBe("invalid_grant");
  });

  it("a replay by its own client ends the grant", async () => {
    const at = await install();
    const { approve, exchange } = await authorization(at);
    const code = await approve(await at.application());
    const { body } = await exchange(code);
    expect((await exchange(code)).body).toMatchObject({ error: "invalid_grant" });
    expect((await at.token(refresh(body.refresh_token))).body.error).toBe("invalid_grant");
    expect(at.events.map(({ action }) => action)).toContain("grant.reuse_detected");
    // An old code cannot flood the audit trail.
    at.advance(1);
    expect((await exchange(code)).body).toMatchObject({ error: "invalid_grant" });
    expect(at.events.filter(({ action }) => action === "grant.reuse_detected")).toHaveLength(1);
  });

  it("[C-9.454] a code that was not made here is refused before the store is asked", async () => {
    const at = await install();
    const { approve, exchange } = await authorization(at);
    const code = await approve(await at.application());
    let asked = 0;
    const { redeemCode } = at.store.codes;
    at.store.codes.redeemCode = (redemption) => {
      asked += 1;
      return redeemCode(redemption);
    };
    for (const index of [10, 30, 60, 85]) {
      const other = code[index] === "A" ? "B" : "A";
      const { body } = await exchange(code.slice(0, index) + other + code.slice(index + 1));
      expect(body.error).toBe("invalid_grant");
    }
    expect(asked).toBe(0);
    expect((await exchange(code)).status).toBe(200);
    expect(asked).toBe(1);
  });

  it("a guess, another client, another redirect_uri or verifier has no effect, before or after the redemption", async () => {
    const at = await install();
    const { approve, exchange } = await authorization(at);
    const code = await approve(await at.application());
    const stranger = await authorization(at);
    const last = code.at(-1) === "A" ? "Q" : "A";
    const attempts: Record<string, string>[] = [
      { client_id: stranger.client.client_id },
      { redirect_uri: "https://client.example/other" },
      { code_verifier: stranger.verifier },
      { code: `${code.slice(0, -1)}${last}` },
      { code: "wcc_AAAA" },
      { code: "x" },
    ];
    const attack = async () => {
      for (const attempt of attempts) {
        const { status, body } = await exchange(code, attempt);
        expect([status, body.error]).toEqual([400, "invalid_grant"]);
      }
    };
    await attack();
    const { status, body } = await exchange(code);
    expect(status).toBe(200);
    await attack();
    expect((await at.token(refresh(body.refresh_token))).status).toBe(200);
  });

  const broken: [string, Record<string, string>, string][] = [
    ["no code", { code: "" }, "code is missing"],
    ["RFC 7636 §4.5: no code_verifier", { code_verifier: "" }, "code_verifier is missing"],
    ["no redirect_uri", { redirect_uri: "" }, "redirect_uri is missing"],
    ["RFC 7636 §4.1: a verifier of 42 characters", { code_verifier: "a".repeat(42) }, "43 to 128"],
    ["RFC 7636 §4.1: a verifier of 129 characters", { code_verifier: "a".repeat(129) }, "43 to 128"],
    ["RFC 7636 §4.1: a verifier with a reserved character", { code_verifier: `${"a".repeat(43)}+` }, "43 to 128"],
  ];
  it.each(broken)("%s is invalid_request and consumes nothing", async (_, change, description) => {
    const at = await install();
    const { approve, exchange } = await authorization(at);
    const code = await approve(await at.application());
    const { status, body } = await exchange(code, change);
    expect([status, body.error]).toEqual([400, "invalid_request"]);
    expect(body.error_description).toContain(description);
    expect((await exchange(code)).status).toBe(200);
  });

  it.each([43, 128])("RFC 7636 §4.1: a verifier of %i characters works", async (length) => {
    const at = await install();
    const { approve, exchange } = await authorization(at);
    const verifier = "aZ09-._~".repeat(16).slice(0, length);
    const code = await approve(await at.application(), { code_challenge: challengeOf(verifier) });
    expect((await exchange(code, { code_verifier: verifier })).status).toBe(200);
  });

  it("RFC 8707: a code for one resource gives tokens for that one, and no request widens it", async () => {
    const at = await install();
    const { approve, exchange } = await authorization(at);
    const application = await at.application();
    const code = await approve(application, { resource: `${at.issuer}/mcp/` });
    const wider = await exchange(code, { resource: at.issuer });
    expect([wider.status, wider.body.error]).toEqual([400, "invalid_target"]);
    expect((await exchange(code, { resource: "https://other.example" })).body.error).toBe("invalid_target");
    const { body } = await exchange(code, { resource: `${at.issuer}/mcp` });
    expect(claims(body.access_token).aud).toEqual([`${at.issuer}/mcp`]);
    const all = await authorization(at);
    expect(claims((await all.authorize(application)).body.access_token).aud).toEqual([
      `${at.issuer}/mcp`,
      `${at.issuer}/mcp/analytics`,
      at.issuer,
    ]);
  });

  it("[S1-5.13] the access token has the claims of the machine flow's", async () => {
    const at = await install();
    const application = await at.application();
    const { authorize, client } = await authorization(at);
    const browser = claims((await authorize(application)).body.access_token);
    const machine = claims(
      (await at.token({ grant_type: "client_credentials", ...pick(application) })).body.access_token,
    );
    expect(Object.keys(browser).sort()).toEqual(Object.keys(machine).sort());
    expect(browser).toMatchObject({
      sub: application.application_id,
      client_id: client.client_id,
      tenant: machine.tenant,
    });
    expect(browser.exp - browser.iat).toBe(3600);
  });

  it("[S1-5.11] [S1-5.12] [S1-8.2] the refresh token lives 30 days from each use and rotates", async () => {
    const at = await install();
    const { authorize, client } = await authorization(at);
    let { body } = await authorize(await at.application());
    for (let month = 0; month < 3; month++) {
      at.advance(30 * 24 * 3600 - 1);
      const next = await at.token(refresh(body.refresh_token, { client_id: client.client_id }));
      expect(next.status).toBe(200);
      body = next.body;
    }
    at.advance(30 * 24 * 3600);
    expect((await at.token(refresh(body.refresh_token))).body.error).toBe("invalid_grant");
  });

  it("a refresh token of a browser's grant presented by another client fails and stays alive", async () => {
    const at = await install();
    const { authorize } = await authorization(at);
    const { body } = await authorize(await at.application());
    const stranger = await authorization(at);
    const foreign = await at.token(refresh(body.refresh_token, { client_id: stranger.client.client_id }));
    expect(foreign.body.error).toBe("invalid_grant");
    expect((await at.token(refresh(body.refresh_token))).status).toBe(200);
  });

  it("the access token opens the resource and is refused once its grant is revoked", async () => {
    const at = await install();
    const { authorize } = await authorization(at);
    const { body } = await authorize(await at.application());
    expect((await at.revoke({ token: body.refresh_token })).status).toBe(200);
    expect((await at.token(refresh(body.refresh_token))).body.error).toBe("invalid_grant");
  });

  it("every step is in the audit trail", async () => {
    const at = await install();
    const application = await at.application();
    const { authorize, client } = await authorization(at);
    await authorize(application);
    const { application_id } = application;
    expect(at.events.slice(1)).toMatchObject([
      { action: "login.accepted", application_id, client_id: application.client_id, address: "203.0.113.7" },
      { action: "authorization.approved", application_id, client_id: client.client_id },
      { action: "grant.issued", application_id, client_id: client.client_id, grant_id: expect.any(String) },
    ]);
  });
});

function claims(token: string) {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
}

function pick({ client_id, client_secret }: { client_id: string; client_secret: string }) {
  return { client_id, client_secret };
}
