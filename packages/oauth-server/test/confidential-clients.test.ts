import { describe, expect, it } from "vitest";
import { authorization, REDIRECT } from "./authorization.js";
import { basic, install, machine, refresh } from "./harness.js";

/** A client with a secret, and the refresh token it got for a person. */
async function confidential(kind: "registered" | "application") {
  const at = await install();
  const owner = await at.application();
  const { client_id, client_secret } =
    kind === "registered"
      ? (await at.register({ redirect_uris: [REDIRECT] })).body
      : await at.application({ redirect_urls: [REDIRECT] });
  const flow = await authorization(at, { client_id: "wcd_other" });
  const code = await flow.approve(owner, { client_id });
  const { body } = await flow.exchange(code, { client_id, client_secret });
  return { at, client_id, client_secret, refresh_token: body.refresh_token, access_token: body.access_token };
}

describe.each(["registered", "application"] as const)(
  "[C-3.20] the grant of a client that authenticated (%s): RFC 6749 §6, RFC 9700 §4.14.2",
  (kind) => {
    it("is refreshed with its authentication only; a refused attempt consumes nothing", async () => {
      const { at, client_id, client_secret, refresh_token } = await confidential(kind);
      for (const more of [{}, { client_id }]) {
        const refused = await at.token(refresh(refresh_token, more));
        expect(refused).toMatchObject({ status: 401, body: { error: "invalid_client" } });
      }
      expect(at.events.at(-1)).toMatchObject({ action: "grant.refused", client_id, detail: "invalid_client" });
      const headers = { authorization: basic(client_id, client_secret) };
      const { status, body } = await at.token(refresh(refresh_token), { headers });
      expect(status).toBe(200);
      // A consumed token from a caller that cannot authenticate ends nothing.
      expect((await at.token(refresh(refresh_token))).status).toBe(401);
      expect((await at.token(refresh(body.refresh_token, { client_id, client_secret }))).status).toBe(200);
    });

    it("is revoked with its authentication only, by either token: RFC 7009 §2.1", async () => {
      const { at, client_id, client_secret, refresh_token, access_token } = await confidential(kind);
      for (const token of [refresh_token, access_token])
        expect(await at.revoke({ token })).toMatchObject({ status: 401, body: { error: "invalid_client" } });
      expect((await at.revoke({ token: "wcr_unknown" })).status).toBe(200);
      const { body } = await at.token(refresh(refresh_token, { client_id, client_secret }));
      expect((await at.revoke({ token: body.refresh_token, client_id, client_secret })).status).toBe(200);
      expect((await at.token(refresh(body.refresh_token, { client_id, client_secret }))).body.error).toBe(
        "invalid_grant",
      );
      expect((await at.revoke({ token: body.refresh_token })).status).toBe(200);
    });

    it("is of no use to another client with its own authentication", async () => {
      const { at, client_id, client_secret, refresh_token } = await confidential(kind);
      const { body } = await at.register({ redirect_uris: [REDIRECT] });
      const other = { client_id: body.client_id, client_secret: body.client_secret };
      expect((await at.token(refresh(refresh_token, other))).body.error).toBe("invalid_grant");
      expect((await at.revoke({ token: refresh_token, ...other })).status).toBe(200);
      expect((await at.token(refresh(refresh_token, { client_id, client_secret }))).status).toBe(200);
    });
  },
);

describe("[C-3.20] without authentication are refreshed and revoked, as before,", () => {
  it("[S1-5.7] grants of the machine flow, also after a refresh that showed the secret", async () => {
    const at = await install();
    const client = await at.application();
    const { client_id, client_secret } = client;
    const { body: first } = await at.token(machine(client));
    const { body: second } = await at.token(refresh(first.refresh_token, { client_id, client_secret }));
    const { status, body: third } = await at.token(refresh(second.refresh_token));
    expect(status).toBe(200);
    expect((await at.revoke({ token: third.refresh_token })).status).toBe(200);
    expect((await at.token(refresh(third.refresh_token))).body.error).toBe("invalid_grant");
  });

  it("grants of public clients", async () => {
    const at = await install();
    const { authorize } = await authorization(at);
    const { body } = await authorize(await at.application());
    const { status, body: second } = await at.token(refresh(body.refresh_token));
    expect(status).toBe(200);
    expect((await at.revoke({ token: second.access_token })).status).toBe(200);
    expect((await at.token(refresh(second.refresh_token))).body.error).toBe("invalid_grant");
  });

  it("with refreshReplaySeconds a confidential grant's replay needs its authentication too", async () => {
    const at = await install({ refreshReplaySeconds: 30 });
    const { client_id, client_secret } = (await at.register({ redirect_uris: [REDIRECT] })).body;
    const flow = await authorization(at, { client_id: "wcd_other" });
    const code = await flow.approve(await at.application(), { client_id });
    const { body } = await flow.exchange(code, { client_id, client_secret });
    const first = await at.token(refresh(body.refresh_token, { client_id, client_secret }));
    expect((await at.token(refresh(body.refresh_token))).status).toBe(401);
    const replayed = await at.token(refresh(body.refresh_token, { client_id, client_secret }));
    expect(replayed.text).toBe(first.text);
  });
});
