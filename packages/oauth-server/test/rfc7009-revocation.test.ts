import { describe, expect, it } from "vitest";
import { createBearerVerifier } from "../src/bearer/bearer-verifier.js";
import { createEndedGrants } from "../src/bearer/ended-grants.js";
import { basic, bearing, type Credentials, type Installation, install, machine, refresh } from "./harness.js";

async function issued(at: Installation) {
  const client = await at.application();
  const { body } = await at.token(machine(client));
  return { client, ...(body as { access_token: string; refresh_token: string }) };
}
const alive = async (at: Installation, token: string) => (await at.token(refresh(token))).status === 200;

describe("RFC 7009 revocation", () => {
  const ways: [string, (c: Credentials) => [Record<string, string>, string?]][] = [
    ["without client authentication, as a refresh", () => [{}]],
    ["with its client_id", ({ client_id }) => [{ client_id }]],
    ["with its credentials", ({ client_id, client_secret }) => [{ client_id, client_secret }]],
    ["with Basic", ({ client_id, client_secret }) => [{}, basic(client_id, client_secret)]],
    ["with a hint", () => [{ token_type_hint: "refresh_token" }]],
    ["with a wrong hint", () => [{ token_type_hint: "access_token" }]],
  ];
  it.each(ways)("[C-3.1] ends the grant of a refresh token %s", async (_, make) => {
    const at = await install();
    const { client, refresh_token } = await issued(at);
    const [fields, authorization] = make(client);
    const answer = await at.revoke(
      { token: refresh_token, ...fields },
      authorization ? { headers: { authorization } } : {},
    );
    expect(answer).toMatchObject({ status: 200, text: "" });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await at.token(refresh(refresh_token))).toMatchObject({ body: { error: "invalid_grant" } });
    expect(at.events.filter((event) => event.action === "grant.ended")).toHaveLength(1);
  });

  it("takes an access token for its grant", async () => {
    const at = await install();
    const { access_token, refresh_token } = await issued(at);
    expect(await at.revoke({ token: access_token })).toMatchObject({ status: 200 });
    expect(await alive(at, refresh_token)).toBe(false);
  });

  it("takes a consumed refresh token for its grant", async () => {
    const at = await install();
    const { refresh_token } = await issued(at);
    const { body } = await at.token(refresh(refresh_token));
    await at.revoke({ token: refresh_token });
    expect(await alive(at, body.refresh_token)).toBe(false);
  });

  it("answers 200 to unknown, foreign and ended tokens, and changes nothing", async () => {
    const at = await install();
    const [mine, other] = [await issued(at), await issued(at)];
    const { client_id, client_secret } = other.client;
    for (const token of ["x", "wcr_x", "e30.e30.e30", `${mine.refresh_token}A`, `${mine.access_token}A`])
      expect(await at.revoke({ token })).toMatchObject({ status: 200, text: "" });
    for (const token of [mine.refresh_token, mine.access_token])
      for (const fields of [{ client_id }, { client_id, client_secret }, { client_id: "wca_nobody" }])
        expect(await at.revoke({ token, ...fields })).toMatchObject({ status: 200, text: "" });
    expect(await alive(at, mine.refresh_token)).toBe(true);
    await at.revoke({ token: other.refresh_token });
    expect(await at.revoke({ token: other.refresh_token })).toMatchObject({ status: 200 });
    expect(at.events.filter((event) => event.action === "grant.ended")).toHaveLength(1);
  });

  const bad: [string, Record<string, string>, number, string][] = [
    ["no token", {}, 400, "invalid_request"],
    [
      "an unknown client with a secret",
      { token: "x", client_id: "wca_nobody", client_secret: "x" },
      401,
      "invalid_client",
    ],
    ["a secret without a client", { token: "x", client_secret: "x" }, 401, "invalid_client"],
    ["two ways of authentication", { token: "x", client_secret: "x", client_assertion: "x" }, 400, "invalid_request"],
  ];
  it.each(bad)("refuses %s", async (_, fields, status, error) => {
    const at = await install();
    expect(await at.revoke(fields)).toMatchObject({ status, body: { error } });
  });

  it("refuses a wrong secret, and leaves the token alive", async () => {
    const at = await install();
    const { client, refresh_token } = await issued(at);
    const fields = { token: refresh_token, client_id: client.client_id, client_secret: "wcs_wrong" };
    expect(await at.revoke(fields)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    expect(await alive(at, refresh_token)).toBe(true);
  });

  it("refuses a disabled application, and a removed secret within seconds, and leaves the token alive", async () => {
    const at = await install();
    const [disabled, rolled] = [await issued(at), await issued(at)];
    const next = await at.applications.rollSecret(rolled.client.client_id);
    const { body } = await at.token(machine({ ...rolled.client, client_secret: next.client_secret }));
    await at.applications.removeSecret(rolled.client.client_id, rolled.client.secret_id);
    await at.applications.setEnabled(disabled.client.client_id, false);
    at.advance(2);
    for (const { client_id, client_secret } of [disabled.client, rolled.client])
      expect(await at.revoke({ token: body.refresh_token, client_id, client_secret })).toMatchObject({ status: 401 });
    expect(await alive(at, body.refresh_token)).toBe(true);
  });

  it("is not for scripts of other origins, and for POST only", async () => {
    const at = await install();
    const response = await fetch(`${at.issuer}/revoke`, { method: "OPTIONS" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await at.revoke({ token: "x" })).headers.has("access-control-allow-origin")).toBe(false);
  });
});

describe("[security.md] access tokens stop working within 5 s on every replica", () => {
  const causes: [string, (at: Installation, c: Awaited<ReturnType<typeof issued>>) => Promise<unknown>][] = [
    ["revocation", (at, { refresh_token }) => at.revoke({ token: refresh_token })],
    [
      "reuse of a refresh token",
      async (at, { refresh_token }) => {
        await at.token(refresh(refresh_token));
        await at.token(refresh(refresh_token));
      },
    ],
    ["removal of the secret", (at, { client }) => at.applications.removeSecret(client.client_id, client.secret_id)],
    ["disabling the application", (at, { client }) => at.applications.setEnabled(client.client_id, false)],
  ];
  it.each(causes)("after %s", async (_, cause) => {
    const at = await install();
    const victim = await issued(at);
    const bystander = await issued(at);
    const { server } = await at.replica();
    const verifiers = [at.server, server].map(({ signingKeys }) =>
      createBearerVerifier({
        issuer: at.issuer,
        audience: at.issuer,
        keys: signingKeys,
        endedGrants: createEndedGrants(at.store.grants, at.clock),
        clock: at.clock,
      }),
    );
    const accepted = ({ access_token }: { access_token: string }) =>
      Promise.all(
        verifiers.map(async (verifier) => "principal" in (await verifier.verify(bearing(`Bearer ${access_token}`)))),
      );
    expect(await accepted(victim)).toEqual([true, true]);
    await cause(at, victim);
    expect(await accepted(victim)).toEqual([false, false]);
    expect(await accepted(bystander)).toEqual([true, true]);
  });
});
