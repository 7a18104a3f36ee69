import { createBrowser } from "@org/pages/testing";
import { decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import type { RememberedCredentials } from "../src/ports/authorization-store.js";
import { authorization, codeOf, REDIRECT, returned } from "./authorization.js";
import { install, keyring, TENANT } from "./harness.js";

/** The scopes checked by default: all but deletion. */
const CHECKED = "connections:read connections:write investments:read letters:read letters:write";

describe("the authorization page (S1 §5.2–5.4)", () => {
  it("[S1-5.2] [S1-5.15] [C-9.3] asks for client_id and client_secret, then for permission, and returns with a code, state and iss", async () => {
    const at = await install();
    const application = await at.application({ name: "Family office" });
    const { browser, url, exchange } = await authorization(at);
    const first = await browser.open(url());
    expect([first.status, browser.form("sign-in")?.fields]).toEqual([200, ["client_id", "client_secret"]]);
    const { client_id, client_secret } = application;
    const second = await browser.submit("sign-in", { client_id, client_secret });
    expect(second.text).toContain("Example Assistant");
    expect(second.text).toMatch(/not verified/i);
    expect(second.text).toContain("client.example");
    expect(second.html).not.toContain(client_secret);
    expect(second.html).not.toContain(client_id);
    expect(second.text).toContain(client_id.slice(-4));
    const back = await browser.submit("decision", {}, "approve");
    expect([back.status, back.url.startsWith(`${REDIRECT}?code=wcc_`)]).toEqual([303, true]);
    expect(returned(back)).toMatchObject({ state: "st/4te=?&+", iss: at.issuer });
    const { status, body } = await exchange(codeOf(back));
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^eyJ/),
      token_type: "bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^wcr_/),
      scope: CHECKED,
    });
  });

  it("[C-9.60] everything is checked but deletion, which is granted when it was ticked", async () => {
    const at = await install();
    const { browser, signIn, exchange } = await authorization(at);
    const page = await signIn(await at.application());
    expect(page.text).toContain("Tick this only if the app needs it");
    const { preset = [], fields = [] } = browser.form("decision") ?? {};
    const checked = preset.flatMap(([name, value]) => (name === "scope" ? [value] : []));
    expect(checked.join(" ")).toBe(CHECKED);
    expect(fields).toEqual(["scope"]);
    const back = await browser.submit("decision", { scope: [...checked, "connections:delete"] }, "approve");
    expect((await exchange(codeOf(back))).body.scope.split(" ")).toContain("connections:delete");
  });

  it("[S1-5.16] 'Use different credentials' returns to step 1 and forgets the stored ones", async () => {
    const at = await install();
    const [one, other] = [await at.application(), await at.application()];
    const { browser, signIn, url, exchange } = await authorization(at);
    await signIn(one);
    expect(browser.form("sign-in")).toBeUndefined();
    await browser.submit("use-different-credentials");
    expect(browser.form("decision")).toBeUndefined();
    expect((await browser.open(url())) && browser.form("sign-in")).toBeDefined();
    const { client_id, client_secret } = other;
    await browser.submit("sign-in", { client_id, client_secret });
    const { body } = await exchange(codeOf(await browser.submit("decision", {}, "approve")));
    expect(claims(body.access_token).sub).toBe(other.application_id);
  });

  it("[S1-5.3] [S1-8.6] a browser that remembers credentials goes straight to step 2, for 30 days, and never past it", async () => {
    const at = await install();
    const application = await at.application();
    const { browser, approve, url, exchange } = await authorization(at);
    await approve(application);
    at.advance(30 * 24 * 3600 - 1);
    const page = await browser.open(url());
    expect([page.status, browser.form("sign-in"), browser.form("decision") !== undefined]).toEqual([
      200,
      undefined,
      true,
    ]);
    expect((await exchange(codeOf(await browser.submit("decision", {}, "approve")))).status).toBe(200);
    at.advance(2);
    await browser.open(url());
    expect(browser.form("sign-in")).toBeDefined();
  });

  it("[S1-5.4] [S1-8.5] has to be completed within 10 minutes; then it says to start again from the client", async () => {
    const at = await install();
    const application = await at.application();
    for (const step of ["sign-in", "decision"] as const) {
      const { browser, url, signIn } = await authorization(at);
      if (step === "decision") await signIn(application);
      else await browser.open(url());
      const { client_id, client_secret } = application;
      const typed = step === "sign-in" ? { client_id, client_secret } : {};
      const request = browser.filled(step, typed, step === "decision" ? "approve" : undefined);
      at.advance(600);
      const late = await browser.send(request);
      expect([late.status, late.headers.get("location")]).toEqual([400, null]);
      expect(late.text).toMatch(/start again/i);
    }
  });

  it("[C-3.21] a code lives 60 seconds from its issue, however long its request had waited", async () => {
    const at = await install();
    const application = await at.application();
    const waited = await authorization(at);
    await waited.signIn(application);
    at.advance(599);
    const code = codeOf(await waited.browser.submit("decision", {}, "approve"));
    at.advance(59);
    const other = await authorization(at);
    expect((await other.exchange(code)).body.error).toBe("invalid_grant");
    expect((await waited.exchange(code)).status).toBe(200);
    const idle = await authorization(at);
    const second = await idle.approve(application);
    at.advance(60);
    expect((await idle.exchange(second)).body.error).toBe("invalid_grant");
  });

  it.each([
    ["a wrong secret", (client_id: string) => ({ client_id, client_secret: "wcs_wrong" })],
    ["an unknown client_id", () => ({ client_id: "wca_unknown", client_secret: "wcs_wrong" })],
    ["characters that no secret has", (client_id: string) => ({ client_id, client_secret: "pässwörd ✓" })],
  ])("[security.md] %s shows step 1 again with one generic message, echoing nothing", async (_, typed) => {
    const at = await install();
    const { client_id } = await at.application();
    const { browser, url } = await authorization(at);
    await browser.open(url());
    const entered = typed(client_id);
    const page = await browser.submit("sign-in", entered);
    expect(page.status).toBe(400);
    expect(page.html).toContain('role="alert"');
    expect(page.html).not.toContain(entered.client_secret);
    expect(browser.form("sign-in")).toBeDefined();
    expect(page.text).toBe((await wrongPage(at, client_id)).text);
  });

  it("[security.md] an operator's credentials are not accepted: there is nothing to allow", async () => {
    const at = await install();
    const operator = await at.application({ tenant_id: null });
    const { browser, signIn } = await authorization(at);
    const page = await signIn(operator);
    expect([page.status, browser.form("decision")]).toEqual([400, undefined]);
  });

  it("[C-9.62] guesses are limited: after 10 failures a wrong secret gets 429 with Retry-After, the right one gets in", async () => {
    const at = await install();
    const { client_id, client_secret } = await at.application();
    const { browser, url } = await authorization(at);
    await browser.open(url());
    for (let guess = 0; guess < 10; guess++)
      expect((await browser.submit("sign-in", { client_id, client_secret: `wcs_${guess}` })).status).toBe(400);
    const page = await browser.submit("sign-in", { client_id, client_secret: "wcs_10" });
    expect(page.status).toBe(429);
    expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0);
    await browser.submit("sign-in", { client_id, client_secret });
    expect(browser.form("decision")).toBeDefined();
  });

  it("Deny returns access_denied; no answer can follow it", async () => {
    const at = await install();
    const { browser, signIn } = await authorization(at);
    await signIn(await at.application());
    const [approve, deny] = [browser.filled("decision", {}, "approve"), browser.filled("decision", {}, "deny")];
    const denied = await browser.send(deny);
    expect(denied.status).toBe(303);
    expect(returned(denied)).toMatchObject({ error: "access_denied", state: "st/4te=?&+", iss: at.issuer });
    expect(returned(await browser.send(deny))).toMatchObject({ error: "access_denied" });
    expect((await browser.send(approve)).status).toBe(400);
  });

  it("a double click on Approve gives the same code; after it was redeemed, a page", async () => {
    const at = await install();
    const { browser, signIn, exchange } = await authorization(at);
    await signIn(await at.application());
    const approve = browser.filled("decision", {}, "approve");
    const both = await Promise.all([browser.send(approve), createBrowser(browser.cookies).send(approve)]);
    const [first, second] = both.map(codeOf);
    expect(first).toBe(second);
    expect((await exchange(first as string)).status).toBe(200);
    const again = await browser.send(approve);
    expect([again.status, again.headers.get("location")]).toEqual([400, null]);
  });

  it("permissions that were unchecked are not granted; with none it asks again", async () => {
    const at = await install();
    const { browser, signIn, exchange } = await authorization(at);
    await signIn(await at.application());
    const none = await browser.submit("decision", { scope: [] }, "approve");
    expect([none.status, none.html.includes('role="alert"')]).toEqual([400, true]);
    const back = await browser.submit("decision", { scope: ["connections:read", "investments:read"] }, "approve");
    const { body } = await exchange(codeOf(back));
    expect(body.scope).toBe("connections:read investments:read");
    expect(claims(body.access_token).scope).toBe(body.scope);
  });

  it("Enter in a checkbox, which presses the form's first button, shows the page again with what is chosen", async () => {
    const at = await install();
    const { browser, signIn } = await authorization(at);
    await signIn(await at.application());
    expect(browser.form("decision")?.buttons[0]).toEqual({ name: "decision", value: "review" });
    const again = await browser.submit("decision", { scope: ["letters:read"] });
    expect([again.status, again.html.includes('role="alert"')]).toEqual([200, false]);
    expect(browser.form("decision")?.preset.filter(([name]) => name === "scope")).toEqual([["scope", "letters:read"]]);
  });

  it("offers what was asked for and the application has, and takes nothing else", async () => {
    const at = await install();
    const application = await at.application({ scopes: ["connections:read", "letters:read"] });
    const { browser, signIn, exchange } = await authorization(at);
    await signIn(application, { scope: "connections:read connections:delete" });
    const offered = browser.form("decision")?.preset.filter(([name]) => name === "scope");
    expect(offered).toEqual([["scope", "connections:read"]]);
    const more = await browser.submit("decision", { scope: ["connections:read", "letters:read"] }, "approve");
    expect(more.status).toBe(400);
    const other = await authorization(at);
    const refused = await other.signIn(application, { scope: "connections:delete" });
    expect(returned(refused)).toMatchObject({ error: "invalid_scope" });
    await other.browser.open(other.url({ scope: "letters:read" }));
    expect((await exchange(codeOf(await other.browser.submit("decision", {}, "approve")))).body.error).toBe(
      "invalid_grant",
    );
  });

  it("[C-3.39] unknown scopes are left out, and page and token say so; none left is invalid_scope", async () => {
    const at = await install();
    const { browser, signIn, exchange } = await authorization(at);
    const none = await authorization(at);
    expect((await none.browser.open(none.url({ scope: "openid profile" }))).text).toContain("invalid_scope");
    const page = await signIn(await at.application(), { scope: "letters:read offline_access" });
    expect(page.text).toContain("permissions that do not exist here");
    const offered = browser.form("decision")?.preset.filter(([name]) => name === "scope");
    expect(offered?.map(([, value]) => value)).toEqual(["letters:read"]);
    const approved = await browser.submit("decision", { scope: ["letters:read"] }, "approve");
    expect((await exchange(codeOf(approved))).body.scope).toBe("letters:read");
    const plain = await authorization(at);
    expect((await plain.signIn(await at.application(), { scope: "letters:read" })).text).not.toContain("do not exist");
  });

  it("a page of one browser is of no use in another, nor without its token (403)", async () => {
    const at = await install();
    const { browser, signIn } = await authorization(at);
    await signIn(await at.application());
    const approve = browser.filled("decision", {}, "approve");
    const stranger = createBrowser();
    expect((await stranger.send(approve)).status).toBe(403);
    const body = new URLSearchParams(approve.body);
    for (const token of ["", "x", body.get("csrf_token")?.slice(1) ?? ""]) {
      body.set("csrf_token", token);
      expect((await browser.send({ url: approve.url, body })).status).toBe(403);
    }
    const sealed = approve.body.get("request") ?? "";
    for (const request of ["", "x", sealed.slice(0, -2), `${sealed.slice(0, 36)}.e30`]) {
      const changed = new URLSearchParams(approve.body);
      changed.set("request", request);
      expect((await browser.send({ url: approve.url, body: changed })).status).toBe(403);
    }
    expect((await browser.send(approve)).status).toBe(303);
  });

  it("the csrf token of one request does not fit another in the same browser", async () => {
    const at = await install();
    const { browser, signIn, url } = await authorization(at);
    await signIn(await at.application());
    const one = browser.filled("decision", {}, "approve");
    await browser.open(url());
    const other = browser.filled("decision", {}, "approve");
    other.body.set("csrf_token", one.body.get("csrf_token") ?? "");
    expect((await browser.send(other)).status).toBe(403);
  });

  it("two tabs do not disturb each other", async () => {
    const at = await install();
    const { client_id, client_secret } = await at.application();
    const { browser, url, exchange } = await authorization(at);
    const tab = createBrowser(browser.cookies);
    await browser.open(url());
    await tab.open(url());
    await browser.submit("sign-in", { client_id, client_secret });
    await tab.submit("sign-in", { client_id, client_secret });
    for (const one of [browser, tab])
      expect((await exchange(codeOf(await one.submit("decision", {}, "approve")))).status).toBe(200);
  });

  it("when another tab has signed in as another application, step 2 says so and keeps what was chosen", async () => {
    const at = await install();
    const [own, other] = [await at.application({ name: "Mine" }), await at.application({ name: "The other one" })];
    const { browser, signIn, url, exchange } = await authorization(at);
    await signIn(own);
    const tab = createBrowser(browser.cookies);
    await tab.open(url());
    await tab.submit("use-different-credentials");
    await tab.submit("sign-in", { client_id: other.client_id, client_secret: other.client_secret });
    const asked = await browser.submit("decision", { scope: ["connections:read"] }, "approve");
    expect([asked.status, asked.headers.get("location")]).toEqual([409, null]);
    expect(asked.text).toMatch(/different credentials.*The other one/s);
    expect(asked.html).toContain('role="alert"');
    const { body } = await exchange(codeOf(await browser.submit("decision", {}, "approve")));
    expect(claims(body.access_token)).toMatchObject({ sub: other.application_id, scope: "connections:read" });
  });

  it("another tab's 'Use different credentials' leads back to step 1 instead of approving", async () => {
    const at = await install();
    const { browser, signIn, url } = await authorization(at);
    await signIn(await at.application());
    const tab = createBrowser(browser.cookies);
    await tab.open(url());
    await tab.submit("use-different-credentials");
    await browser.submit("decision", {}, "approve");
    expect(browser.form("sign-in")).toBeDefined();
  });

  it.each([
    [
      "removing the secret",
      async (at: Awaited<ReturnType<typeof install>>, { client_id, secret_id }: Record<string, string>) => {
        await at.applications.rollSecret(client_id as string);
        await at.applications.removeSecret(client_id as string, secret_id as string);
      },
    ],
    [
      "disabling the application",
      (at: Awaited<ReturnType<typeof install>>, { client_id }: Record<string, string>) =>
        at.applications.setEnabled(client_id as string, false),
    ],
    [
      "disabling the tenant",
      (at: Awaited<ReturnType<typeof install>>) => at.applications.setTenantEnabled(TENANT, false),
    ],
  ])("[security.md] %s sends the browser back to step 1, also from step 2, and ends its code", async (_, change) => {
    const at = await install();
    const application = await at.application();
    const { browser, signIn, approve, exchange, url } = await authorization(at);
    const code = await approve(application);
    await signIn(application).catch(() => browser.open(url()));
    const shown = browser.filled("decision", {}, "approve");
    await change(at, { ...application });
    at.advance(3);
    await browser.send(shown);
    expect(browser.form("sign-in")).toBeDefined();
    await browser.open(url());
    expect(browser.form("sign-in")).toBeDefined();
    expect((await exchange(code)).body.error).toBe("invalid_grant");
  });

  it("answers pages with the headers that protect them, and never caches", async () => {
    const at = await install();
    const { browser, url } = await authorization(at);
    const good = await browser.open(url());
    const bad = await browser.open(url({ client_id: "nobody" }));
    const reloaded = await browser.open(`${at.issuer}/authorize/sign-in`);
    expect(reloaded.status).toBe(405);
    for (const { headers } of [good, bad, reloaded]) {
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(/^default-src 'none'; style-src '(sha256-[^']+|self)'/);
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("form-action");
      expect(policy).not.toContain("script");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    }
  });

  it("sets cookies that scripts and other hosts cannot use", async () => {
    const at = await install();
    const { browser, url } = await authorization(at);
    const page = await browser.open(url());
    const [cookie = ""] = page.headers.getSetCookie();
    expect(cookie).toMatch(/^wc-authorize-[0-9a-f]{12}=wcb_[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it("[S1-5.14] stores what it remembers as a JWE under a fresh key, bound to its row, and the cookie as a hash", async () => {
    const at = await install();
    const application = await at.application();
    const rows: RememberedCredentials[] = [];
    const { rememberCredentials } = at.store.remembered;
    Object.assign(at.store.remembered, {
      rememberCredentials: (row: RememberedCredentials) => {
        rows.push(row);
        return rememberCredentials(row);
      },
    });
    for (let person = 0; person < 2; person++) await (await authorization(at)).signIn(application);
    const [one, other] = rows as [RememberedCredentials, RememberedCredentials];
    expect(decodeProtectedHeader(one.sealed_credentials)).toMatchObject({
      alg: "A256KW",
      enc: "A256GCM",
      purpose: "remembered-credentials",
      row: `${one.remembered_id} ${one.cookie_hash}`,
    });
    expect(one.sealed_credentials.split(".")[1]).not.toBe(other.sealed_credentials.split(".")[1]);
    const context = { purpose: "remembered-credentials", row: `${one.remembered_id} ${one.cookie_hash}` };
    const { client_id, client_secret } = application;
    expect(JSON.parse(await keyring.open(one.sealed_credentials, context))).toEqual({ client_id, client_secret });
    expect(one.cookie_hash).toMatch(/^1\.[\w-]{43}$/);
    expect(one.expires_at.getTime() - one.created_at.getTime()).toBe(30 * 24 * 3600 * 1000);
    // A row whose key was removed counts as missing.
    const { signIn, browser, url } = await authorization(at);
    await signIn(application);
    Object.assign(at.store.remembered, {
      findRemembered: async () => ({ ...one, remembered_id: other.remembered_id }),
    });
    await browser.open(url());
    expect(browser.form("sign-in")).toBeDefined();
  });

  it("a form that is too large or no form is refused with a page", async () => {
    const at = await install();
    const post = (body: string, type = "application/x-www-form-urlencoded") =>
      fetch(`${at.issuer}/authorize/decision`, { method: "POST", body, headers: { "content-type": type } });
    expect((await post("x=".padEnd(70_000, "y"))).status).toBe(413);
    expect((await post("{}", "application/json")).status).toBe(400);
    expect((await post("")).status).toBe(403);
    expect((await post("request=a&request=b")).status).toBe(400);
    expect(at.log).toEqual([]);
  });

  it("an unexpected failure is a page with a trace id, logged once, without inner text", async () => {
    const at = await install();
    const { browser, url } = await authorization(at);
    Object.assign(at.store.clients, { findClient: () => Promise.reject(new Error("connection refused by db-7")) });
    const page = await browser.open(url());
    expect(page.status).toBe(500);
    expect(page.text).toContain("0af7651916cd43dd8448eb211c80319c");
    expect(page.html).not.toContain("db-7");
    expect(at.log).toHaveLength(1);
  });
});

function claims(token: string) {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
}

async function wrongPage(at: Awaited<ReturnType<typeof install>>, client_id: string) {
  const { browser, url } = await authorization(at);
  await browser.open(url());
  return browser.submit("sign-in", { client_id, client_secret: "wcs_other" });
}
