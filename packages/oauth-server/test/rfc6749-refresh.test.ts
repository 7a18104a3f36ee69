import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { basic, countingStore, type Installation, install, machine, refresh, TENANT } from "./harness.js";

const invalidGrant = { status: 400, body: { error: "invalid_grant" } };

async function issued(at: Installation, more: Record<string, string> = {}) {
  const client = await at.application();
  const { body } = await at.token(machine(client, more));
  return { client, first: body.refresh_token as string, body };
}

describe("RFC 6749 §6 refresh, as S1 §5 departs from it", () => {
  it("[S1-5.7] needs grant_type and refresh_token only, and answers a new pair", async () => {
    const at = await install();
    const { first, body } = await issued(at);
    const { status, body: second } = await at.token(refresh(first));
    expect(status).toBe(200);
    expect(second).toEqual({ ...body, access_token: expect.any(String), refresh_token: expect.any(String) });
    expect(second.refresh_token).not.toBe(first);
    expect(second.access_token).not.toBe(body.access_token);
    const [old, young] = [decodeJwt(body.access_token), decodeJwt(second.access_token)];
    expect(young).toEqual({ ...old, jti: expect.any(String), iat: expect.any(Number), exp: expect.any(Number) });
    expect(young.jti).not.toBe(old.jti);
  });

  it("[S1-5.10] the refresh token is opaque: it holds no JWT and nothing readable", async () => {
    const at = await install();
    const { first, client } = await issued(at);
    const bytes = Buffer.from(first.slice(4), "base64url").toString("latin1");
    expect(first.includes(".")).toBe(false);
    expect(bytes).not.toContain(client.client_id);
    expect(bytes).not.toContain(TENANT);
  });

  it("[S1-8.3] lives 24 hours, sliding with each refresh", async () => {
    const at = await install();
    const [a, b] = [await issued(at), await issued(at)];
    at.advance(24 * 3600 - 1);
    const { status, body } = await at.token(refresh(a.first));
    expect(status).toBe(200);
    at.advance(1);
    expect(await at.token(refresh(b.first))).toMatchObject(invalidGrant);
    at.advance(24 * 3600 - 2);
    expect(await at.token(refresh(body.refresh_token))).toMatchObject({ status: 200 });
  });

  it("[S1-8.4] reuse of a consumed token answers invalid_grant and ends the whole family", async () => {
    const at = await install();
    const { first } = await issued(at);
    const { body: second } = await at.token(refresh(first));
    const { body: third } = await at.token(refresh(second.refresh_token));
    expect(await at.token(refresh(first))).toMatchObject(invalidGrant);
    expect(await at.token(refresh(third.refresh_token))).toMatchObject(invalidGrant);
    expect(at.events.map((event) => event.action)).toContain("grant.reuse_detected");
  });

  it("[S1-5.7] of ten refreshes at once on two replicas exactly one succeeds", async () => {
    const at = await install();
    const { first } = await issued(at);
    const other = await at.replica();
    const urls = Array.from({ length: 10 }, (_, index) => (index % 2 ? at.issuer : other.url));
    const answers = await Promise.all(urls.map((url) => at.token(refresh(first), { at: url })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === "invalid_grant")).toHaveLength(9);
  });

  it("accepts matching client_id, secret, or both, in the form or as Basic", async () => {
    const at = await install();
    let { client, first } = await issued(at);
    const { client_id, client_secret } = client;
    const ways: [Record<string, string>, string?][] = [
      [{ client_id }],
      [{ client_secret }],
      [{ client_id, client_secret }],
      [{}, basic(client_id, client_secret)],
    ];
    for (const [more, authorization] of ways) {
      const answer = await at.token(refresh(first, more), authorization ? { headers: { authorization } } : {});
      expect(answer.status).toBe(200);
      first = answer.body.refresh_token;
    }
  });

  it("fails for another client and leaves the owner's token alive", async () => {
    const at = await install();
    const { first } = await issued(at);
    const other = await at.application();
    const { client_id, client_secret } = other;
    for (const more of [{ client_id }, { client_id, client_secret }, { client_id: "wca_nobody" }])
      expect(await at.token(refresh(first, more))).toMatchObject(invalidGrant);
    expect(await at.token(refresh(first, { client_secret }))).toMatchObject({ status: 401 });
    const { body } = await at.token(refresh(first));
    expect(body.refresh_token).toBeDefined();
    expect(await at.token(refresh(first, { client_id }))).toMatchObject(invalidGrant);
    expect(await at.token(refresh(body.refresh_token))).toMatchObject({ status: 200 });
  });

  it("narrows the scope of the access token, never widens it, and keeps the grant's", async () => {
    const at = await install();
    const { first } = await issued(at, { scope: "letters:read letters:write" });
    const { body: narrow } = await at.token(refresh(first, { scope: "letters:read" }));
    expect(narrow.scope).toBe("letters:read");
    expect(decodeJwt(narrow.access_token).scope).toBe("letters:read");
    const wide = refresh(narrow.refresh_token, { scope: "letters:read connections:read" });
    expect(await at.token(wide)).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
    expect(await at.token(refresh(narrow.refresh_token))).toMatchObject({
      body: { scope: "letters:read letters:write" },
    });
  });

  it("[C-2.22] a grant does not grow with its application's scopes; the next one has them", async () => {
    const at = await install();
    const client = await at.application({ scopes: ["letters:read"] });
    const { body: first } = await at.token(machine(client));
    await at.applications.addScopes(client.client_id, ["events:read"]);
    const { body: second } = await at.token(refresh(first.refresh_token));
    expect(second.scope).toBe("letters:read");
    const more = refresh(second.refresh_token, { scope: "events:read" });
    expect(await at.token(more)).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
    // Applications are cached for a few seconds.
    at.advance(10);
    expect((await at.token(machine(client))).body.scope).toBe("letters:read events:read");
  });

  const failing: [string, Record<string, string>, number, string][] = [
    ["a wrong secret", { client_secret: "wcs_wrong" }, 401, "invalid_client"],
    ["a wider scope", { scope: "operator" }, 400, "invalid_scope"],
    ["a malformed scope", { scope: "a  b" }, 400, "invalid_scope"],
    ["a foreign resource", { resource: "https://other.example" }, 400, "invalid_target"],
    ["another client", { client_id: "wca_other" }, 400, "invalid_grant"],
    ["an assertion", { client_assertion: "x" }, 401, "invalid_client"],
  ];
  it.each(failing)("consumes nothing when it fails for %s", async (_, more, status, error) => {
    const at = await install();
    const { first } = await issued(at);
    expect(await at.token(refresh(first, more))).toMatchObject({ status, body: { error } });
    expect(await at.token(refresh(first))).toMatchObject({ status: 200 });
  });

  it("refuses what it never issued, without ending anything", async () => {
    const at = await install();
    const { first, body } = await issued(at);
    const flipped = `${first.slice(0, 30)}${first[30] === "A" ? "B" : "A"}${first.slice(31)}`;
    const guesses = ["x", "wcr_", flipped, `${first}A`, first.slice(0, -1), first.slice(4), body.access_token];
    for (const guess of guesses) expect(await at.token(refresh(guess))).toMatchObject(invalidGrant);
    expect(await at.token({ grant_type: "refresh_token" })).toMatchObject({ body: { error: "invalid_request" } });
    expect(await at.token(refresh(first))).toMatchObject({ status: 200 });
  });

  it("costs one store transaction", async () => {
    const { store, calls } = countingStore();
    const at = await install({ store });
    const { first } = await issued(at);
    calls.length = 0;
    await at.token(refresh(first));
    expect(calls).toEqual(["rotateRefreshToken"]);
  });
});

describe("[security.md] ends at once with what it was obtained with", () => {
  it("a disabled application, for good", async () => {
    const at = await install();
    const { client, first } = await issued(at);
    await at.applications.setEnabled(client.client_id, false);
    expect(await at.token(refresh(first))).toMatchObject(invalidGrant);
    await at.applications.setEnabled(client.client_id, true);
    expect(await at.token(refresh(first))).toMatchObject(invalidGrant);
  });

  it("a disabled tenant", async () => {
    const at = await install();
    const { client, first } = await issued(at);
    await at.applications.setTenantEnabled(TENANT, false);
    expect(await at.token(refresh(first))).toMatchObject(invalidGrant);
    expect(await at.token(machine(client))).toMatchObject({ status: 401 });
  });

  it("a removed secret, not the other one", async () => {
    const at = await install();
    const { client, first } = await issued(at);
    const { client_secret } = await at.applications.rollSecret(client.client_id);
    const { body } = await at.token(machine({ ...client, client_secret }));
    await at.applications.removeSecret(client.client_id, client.secret_id);
    expect(await at.token(refresh(first))).toMatchObject(invalidGrant);
    expect(await at.token(refresh(body.refresh_token))).toMatchObject({ status: 200 });
  });
});

describe("[C-1.23] REFRESH_REPLAY_SECONDS", () => {
  it("answers all who race with the same response, then ends the family on reuse", async () => {
    const at = await install({ refreshReplaySeconds: 10 });
    const { first } = await issued(at);
    const answers = await Promise.all(Array.from({ length: 5 }, () => at.token(refresh(first))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    at.advance(9);
    const again = await at.token(refresh(first));
    expect(again.text).toBe(answers[0]?.text);
    expect(again.headers.get("cache-control")).toBe("no-store");
    at.advance(1);
    expect(await at.token(refresh(first))).toMatchObject(invalidGrant);
    expect(await at.token(refresh(again.body.refresh_token))).toMatchObject(invalidGrant);
  });

  it("replays to nobody else, and nothing once the grant has ended", async () => {
    const at = await install({ refreshReplaySeconds: 10 });
    const { first } = await issued(at);
    const { body } = await at.token(refresh(first));
    expect(await at.token(refresh(first, { client_id: "wca_other" }))).toMatchObject(invalidGrant);
    await at.revoke({ token: body.refresh_token });
    expect(await at.token(refresh(first))).toMatchObject(invalidGrant);
  });

  it("keeps the response encrypted", async () => {
    const at = await install({ refreshReplaySeconds: 10 });
    const { first } = await issued(at);
    const kept: string[] = [];
    const { rotateRefreshToken } = at.store.grants;
    Object.assign(at.store.grants, {
      rotateRefreshToken: (rotation: Parameters<typeof rotateRefreshToken>[0]) => {
        kept.push(JSON.stringify(rotation));
        return rotateRefreshToken(rotation);
      },
    });
    const { body } = await at.token(refresh(first));
    expect(kept[0]).toContain("replay");
    for (const secret of [first, body.refresh_token, body.access_token]) expect(kept[0]).not.toContain(secret);
  });

  it("still refuses a wider scope, and consumes nothing", async () => {
    const at = await install({ refreshReplaySeconds: 10 });
    const { first } = await issued(at);
    expect(await at.token(refresh(first, { scope: "operator" }))).toMatchObject({ body: { error: "invalid_scope" } });
    expect(await at.token(refresh(first))).toMatchObject({ status: 200 });
  });
});
