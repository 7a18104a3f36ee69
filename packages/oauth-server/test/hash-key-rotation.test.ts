import { createBrowser } from "@org/pages/testing";
import { describe, expect, it } from "vitest";
import type { SecretHashKey } from "../src/keyed-hash.js";
import { authorization, codeOf, REDIRECT } from "./authorization.js";
import { install, machine, refresh } from "./harness.js";

/** An installation whose hash key the test rotates while it runs. */
async function rotatable() {
  const key = (version: number): SecretHashKey => ({ version, key: new Uint8Array(32).fill(version) });
  let keys: readonly SecretHashKey[] = [key(1)];
  const at = await install({ secretHashKeys: () => keys, registration: "token" });
  return {
    at,
    rotate: () => {
      keys = [key(2), key(1)];
      at.advance(3);
    },
    /** The state after every secret has been presented once. */
    forgetFormer: () => {
      keys = [key(2)];
      at.advance(3);
    },
  };
}

describe("[C-8.21] what was hashed under the former key goes on working, and is hashed again when it is used:", () => {
  it("the secret of an application", async () => {
    const { at, rotate, forgetFormer } = await rotatable();
    const [used, unused] = [await at.application(), await at.application()];
    rotate();
    expect((await at.token(machine({ ...used, client_secret: "wcs_wrong" }))).status).toBe(401);
    expect((await at.token(machine(used))).status).toBe(200);
    const stored = await at.store.applications.findByClientId(used.client_id);
    expect(stored?.secrets.map(({ secret_hash }) => secret_hash.split(".")[0])).toEqual(["2"]);
    forgetFormer();
    expect((await at.token(machine(used))).status).toBe(200);
    expect((await at.token(machine(unused))).status).toBe(401);
  });

  it("the secret of a registered client, and an initial access token", async () => {
    const { at, rotate, forgetFormer } = await rotatable();
    const { token } = await at.registrationTokens.create({ name: "Laptops", days: 30 });
    const headers = { authorization: `Bearer ${token}` };
    const { client_id, client_secret } = (await at.register({ redirect_uris: [REDIRECT] }, { headers })).body;
    rotate();
    expect((await at.register({ redirect_uris: [REDIRECT] }, { headers })).status).toBe(201);
    expect((await at.revoke({ token: "x", client_id, client_secret })).status).toBe(200);
    forgetFormer();
    expect((await at.revoke({ token: "x", client_id, client_secret })).status).toBe(200);
  });

  it("refresh tokens, whose successors are of the new key", async () => {
    const { at, rotate, forgetFormer } = await rotatable();
    const { body: first } = await at.token(machine(await at.application()));
    rotate();
    const { status, body: second } = await at.token(refresh(first.refresh_token));
    expect(status).toBe(200);
    forgetFormer();
    expect((await at.token(refresh(second.refresh_token))).status).toBe(200);
  });

  it("a page that is open, a code, and what a browser remembers", async () => {
    const { at, rotate } = await rotatable();
    const application = await at.application();
    const { browser, signIn, exchange, url } = await authorization(at);
    await signIn(application);
    rotate();
    const code = codeOf(await browser.submit("decision", {}, "approve"));
    expect((await exchange(code)).status).toBe(200);
    await browser.open(url());
    expect(browser.form("decision")).toBeDefined();
    const tab = createBrowser(browser.cookies);
    await tab.open(`${at.issuer}/grants`);
    await tab.submit("sign-out");
    await browser.open(url());
    expect(browser.form("sign-in")).toBeDefined();
  });
});
