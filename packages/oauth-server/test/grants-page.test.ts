import { createBrowser } from "@org/pages/testing";
import { describe, expect, it } from "vitest";
import { authorization } from "./authorization.js";
import {
  basic,
  type Credentials,
  type Installation,
  install,
  machine,
  refresh,
  TENANT,
  type TokenInit,
} from "./harness.js";

const OTHER_TENANT = "018f0000-0000-7000-8000-000000000002";

describe("/grants: where a tenant sees and ends the grants of its applications", () => {
  it("lists them after signing in, and ends one at once", async () => {
    const at = await install();
    const application = await at.application({ name: "Family office" });
    const { authorize } = await authorization(at, { client_name: "Example <b>Assistant</b>" });
    const { body: granted } = await authorize(application);
    at.advance(1);
    const { body: ended } = await at.token(machine(application));
    const browser = await signedIn(at, application);
    expect(browser.page?.text).toContain("Example <b>Assistant</b>");
    expect(browser.page?.text).toContain("Family office");
    const forms = browser.page?.forms.filter(({ action }) => action === "/grants/end") ?? [];
    expect(forms).toHaveLength(2);
    // The application's own client is listed first.
    await browser.submit("end");
    expect(browser.page?.status).toBe(200);
    expect(browser.page?.forms.filter(({ action }) => action === "/grants/end")).toHaveLength(1);
    expect((await at.token(refresh(ended.refresh_token))).body.error).toBe("invalid_grant");
    expect((await at.token(refresh(granted.refresh_token))).status).toBe(200);
    expect(at.events.at(-3)).toMatchObject({
      action: "client.grants_ended",
      application_id: application.application_id,
    });
  });

  it("shows nothing of another tenant, and ends nothing of it", async () => {
    const at = await install();
    const [own, foreign] = [await at.application(), await at.application({ tenant_id: OTHER_TENANT })];
    const { body } = await at.token(machine(foreign));
    const [grant] = await at.store.grants.listGrants({ tenant_id: OTHER_TENANT, at: at.clock(), limit: 1 });
    const { body: mine } = await at.token(machine(own));
    const browser = await signedIn(at, own);
    const forms = browser.page?.forms.filter(({ action }) => action === "/grants/end") ?? [];
    expect(forms).toHaveLength(1);
    const attack = browser.filled("end");
    attack.body.set("grant_id", grant?.grant_id ?? "");
    await browser.send(attack);
    expect((await at.token(refresh(body.refresh_token))).status).toBe(200);
    expect((await at.token(refresh(mine.refresh_token))).status).toBe(200);
  });

  it("[C-2.20] shows another application of the tenant nothing of it, and ends nothing, without grants:manage", async () => {
    const at = await install();
    const [own, colleague] = [await at.application({ name: "Mine" }), await at.application({ name: "Theirs" })];
    const { body } = await at.token(machine(colleague));
    const [grant] = await at.store.grants.listGrants({ tenant_id: TENANT, at: at.clock(), limit: 1 });
    await at.token(machine(own));
    const browser = await signedIn(at, own);
    expect(browser.page?.text).toContain("through the credentials below");
    expect(browser.page?.text).not.toContain("Theirs");
    const attack = browser.filled("end");
    attack.body.set("grant_id", grant?.grant_id ?? "");
    await browser.send(attack);
    expect((await at.token(refresh(body.refresh_token))).status).toBe(200);
    const manager = await signedIn(at, await at.application({ scopes: ["grants:manage"] }));
    expect(manager.page?.text).toContain("your organisation's data");
    expect(manager.page?.text).toContain("Theirs");
    expect(manager.page?.forms.filter(({ action }) => action === "/grants/end")).toHaveLength(2);
    await manager.submit("end");
    expect(manager.page?.forms.filter(({ action }) => action === "/grants/end")).toHaveLength(1);
  });

  it("[C-2.21] shows a client once, each of its grants on a page of their own, page by page, and ends all of them at once", async () => {
    const at = await install();
    const [application, colleague] = [await at.application({ name: "Nightly" }), await at.application()];
    for (let index = 0; index < 26; index++) await at.token(machine(application));
    const { body: last } = await at.token(machine(application));
    const { body: theirs } = await at.token(machine(colleague));
    const browser = await signedIn(at, application);
    const ends = () => browser.page?.forms.filter(({ action }) => action === "/grants/end") ?? [];
    const link = (text: string) => {
      const found = new RegExp(`href="([^"]+)"[^>]*>${text}`).exec(browser.page?.html ?? "")?.[1];
      return `${at.issuer}${found?.replaceAll("&#38;", "&")}`;
    };
    expect(ends()).toHaveLength(1);
    expect(browser.page?.text).toContain("Signed in with a secret 27 times");
    await browser.open(link("Show each"));
    expect(ends()).toHaveLength(25);
    await browser.open(link("Show more"));
    expect(ends()).toHaveLength(2);
    await browser.submit("end");
    expect(browser.page?.text).toContain("Signed in with a secret 26 times");
    const attack = browser.filled("end");
    for (const name of ["application", "client"]) attack.body.set(name, colleague.client_id);
    await browser.send(attack);
    expect((await at.token(refresh(theirs.refresh_token))).status).toBe(200);
    await browser.open(`${at.issuer}/grants`);
    await browser.submit("end");
    expect(browser.page?.text).toContain("Nobody has access");
    expect((await at.token(refresh(last.refresh_token))).body.error).toBe("invalid_grant");
    const ended = at.events.filter(({ action }) => action === "client.grants_ended");
    expect(ended).toMatchObject([{ application_id: application.application_id, detail: "26 grants" }]);
  });

  it("[C-2.21] goes on page by page where there are many clients", async () => {
    const at = await install();
    const manager = await at.application({ scopes: ["grants:manage"] });
    for (let index = 0; index < 26; index++) await at.token(machine(await at.application()));
    const browser = await signedIn(at, manager);
    const next = /href="(\/grants\?after=[^"]+)"/.exec(browser.page?.html ?? "")?.[1];
    expect(browser.page?.forms.filter(({ action }) => action === "/grants/end")).toHaveLength(25);
    await browser.open(`${at.issuer}${next}`);
    expect(browser.page?.forms.filter(({ action }) => action === "/grants/end")).toHaveLength(1);
    await browser.open(`${at.issuer}/grants?after=nonsense`);
    expect(browser.page?.forms.filter(({ action }) => action === "/grants/end")).toHaveLength(25);
  });

  it("asks again for credentials that are wrong, and needs its form's token (403)", async () => {
    const at = await install();
    const { client_id, client_secret } = await at.application();
    const browser = createBrowser();
    await browser.open(`${at.issuer}/grants`);
    const wrong = await browser.submit("sign-in", { client_id, client_secret: "wcs_wrong" });
    expect([wrong.status, browser.form("sign-in") !== undefined]).toEqual([400, true]);
    const request = browser.filled("sign-in", { client_id, client_secret });
    expect((await createBrowser().send(request)).status).toBe(403);
    expect((await browser.send(request)).status).toBe(200);
    const end = browser.form("sign-out");
    expect(end).toBeDefined();
    const forged = { url: `${at.issuer}/grants/end`, body: new URLSearchParams({ grant_id: "x" }) };
    expect((await browser.send(forged)).status).toBe(403);
  });

  it("signing out forgets the credentials, here and for authorizations", async () => {
    const at = await install();
    const application = await at.application();
    const browser = await signedIn(at, application);
    await browser.submit("sign-out");
    expect(browser.form("sign-in")).toBeDefined();
    const { url } = await authorization(at);
    await browser.open(url());
    expect(browser.form("sign-in")).toBeDefined();
  });
});

describe("POST /grants/list and /grants/revoke, for programs", () => {
  it("[C-2.20] list and end an application's own grants; a colleague's do not exist", async () => {
    const at = await install();
    const [own, colleague] = [await at.application(), await at.application()];
    for (const one of [own, colleague]) await at.token(machine(one));
    const as = ({ client_id, client_secret }: Credentials) => ({ client_id, client_secret });
    const { items } = (await post(at, "/grants/list", as(own))).body;
    expect(items).toMatchObject([{ application: { client_id: own.client_id } }]);
    expect((await post(at, "/grants/list", { ...as(own), application: own.client_id })).body.items).toEqual(items);
    const others = await post(at, "/grants/list", { ...as(own), application: colleague.client_id });
    expect([others.status, others.body.items]).toEqual([200, []]);
    const { grant_id } = (await post(at, "/grants/list", as(colleague))).body.items[0];
    const refused = await post(at, "/grants/revoke", { ...as(own), grant_id });
    const unknown = await post(at, "/grants/revoke", { ...as(own), grant_id: own.application_id });
    expect([refused.status, refused.text]).toEqual([400, unknown.text]);
    expect((await post(at, "/grants/revoke", { ...as(colleague), grant_id })).status).toBe(200);
  });

  it("list the tenant's live grants and end one with grants:manage; another tenant's does not exist", async () => {
    const at = await install();
    const scopes = ["connections:read", "grants:manage"];
    const [own, second] = [await at.application({ name: "One", scopes }), await at.application({ name: "Two" })];
    const foreign = await at.application({ tenant_id: OTHER_TENANT });
    const { authorize, client } = await authorization(at);
    await authorize(own);
    at.advance(1);
    const { body: machineTokens } = await at.token(machine(second));
    const auth = { headers: { authorization: basic(own.client_id, own.client_secret) } };
    const { status, headers, body } = await post(at, "/grants/list", {}, auth);
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(body.next).toBeNull();
    expect(body.items).toMatchObject([
      { client_id: client.client_id, client_name: "Example Assistant", flow: "browser", application: { name: "One" } },
      {
        client_id: second.client_id,
        client_name: "Two",
        flow: "machine",
        application: { client_id: second.client_id },
      },
    ]);
    const some = await post(at, "/grants/list", { application: second.client_id, limit: "1" }, auth);
    expect(some.body.items).toHaveLength(1);
    const first = await post(at, "/grants/list", { limit: "1" }, auth);
    expect(first.body.next).toBe(body.items[0].grant_id);
    const rest = await post(at, "/grants/list", { after: first.body.next }, auth);
    expect(rest.body.items).toEqual(body.items.slice(1));

    const { grant_id } = body.items[1];
    const stranger = { headers: { authorization: basic(foreign.client_id, foreign.client_secret) } };
    expect((await post(at, "/grants/list", {}, stranger)).body.items).toEqual([]);
    expect((await post(at, "/grants/revoke", { grant_id }, stranger)).status).toBe(400);
    expect((await at.token(refresh(machineTokens.refresh_token))).status).toBe(200);
    const ended = await post(at, "/grants/revoke", { grant_id }, auth);
    expect(ended).toMatchObject({ status: 200, body: { grant_id, ended_at: at.clock().toISOString() } });
    expect((await post(at, "/grants/revoke", { grant_id }, auth)).body.error).toBe("invalid_request");
    expect((await post(at, "/grants/list", {}, auth)).body.items).toHaveLength(1);
  });

  it("[C-2.21] put them together by client, and end all of a client's", async () => {
    const at = await install();
    const [own, manager] = [await at.application({ name: "One" }), await at.application({ scopes: ["grants:manage"] })];
    const as = ({ client_id, client_secret }: Credentials) => ({ client_id, client_secret });
    for (let index = 0; index < 3; index++) await at.token(machine(own));
    await at.token(machine(manager));
    const list = async (who: Credentials, more: object = {}) =>
      (await post(at, "/grants/list", { ...as(who), group: "client", ...more })).body;
    const one = { client_id: own.client_id, client_name: "One", flow: "machine", grants: 3 };
    expect(await list(own)).toMatchObject({ items: [{ ...one, application: { name: "One" } }], next: null });
    const first = await list(manager, { limit: "1" });
    const rest = await list(manager, { limit: "1", after: first.next });
    expect([first.items, rest.items, rest.next]).toEqual([[expect.anything()], [expect.anything()], null]);
    expect((await list(manager, { application: own.client_id })).items).toMatchObject([one]);
    expect((await post(at, "/grants/list", { ...as(manager), client: own.client_id })).body.items).toHaveLength(3);
    expect((await post(at, "/grants/list", { ...as(own), group: "flow" })).body.error).toBe("invalid_request");

    const end = (who: Credentials, more: Record<string, string>) => post(at, "/grants/revoke", { ...as(who), ...more });
    expect((await end(own, { client: manager.client_id })).text).toContain("holds no live grant");
    expect((await end(manager, { client: own.client_id, application: manager.client_id })).status).toBe(400);
    expect((await end(manager, { client: own.client_id, grant_id: "x" })).status).toBe(400);
    expect((await end(manager, { client: "\0" })).status).toBe(400);
    const ended = await end(manager, { client: own.client_id });
    const done = { client_id: own.client_id, ended: 3, ended_at: at.clock().toISOString() };
    expect([ended.status, ended.body]).toEqual([200, done]);
    expect((await list(own)).items).toEqual([]);
    expect((await list(manager)).items).toHaveLength(1);
  });

  it("an operator sees and ends those of any tenant; a tenant only its own", async () => {
    const at = await install();
    const [operator, own] = [await at.application({ tenant_id: null }), await at.application()];
    await at.token(machine(own));
    const as = ({ client_id, client_secret }: Credentials) => ({ client_id, client_secret });
    expect((await post(at, "/grants/list", as(operator))).body.items).toEqual([]);
    const { body } = await post(at, "/grants/list", { ...as(operator), tenant: TENANT });
    expect(body.items).toMatchObject([{ client_id: own.client_id }]);
    const { grant_id } = body.items[0];
    expect((await post(at, "/grants/revoke", { ...as(operator), grant_id })).status).toBe(400);
    expect((await post(at, "/grants/revoke", { ...as(operator), grant_id, tenant: TENANT })).status).toBe(200);
    const foreign = await post(at, "/grants/list", { ...as(own), tenant: OTHER_TENANT });
    expect([foreign.status, foreign.body.error]).toEqual([400, "invalid_request"]);
  });

  const faults: [string, Record<string, string>, number, string][] = [
    ["/grants/list", { client_secret: "wcs_wrong" }, 401, "invalid_client"],
    ["/grants/list", { client_secret: "" }, 401, "invalid_client"],
    ["/grants/list", { limit: "0" }, 400, "limit"],
    ["/grants/list", { limit: "501" }, 400, "limit"],
    ["/grants/list", { limit: "many" }, 400, "limit"],
    ["/grants/revoke", {}, 400, "grant_id is missing"],
    ["/grants/revoke", { grant_id: "x" }, 400, "grant_id names no live grant"],
  ];
  it.each(faults)("%s with %j: %i %s", async (path, change, status, text) => {
    const at = await install();
    const { client_id, client_secret } = await at.application();
    const answer = await post(at, path, { client_id, client_secret, ...change });
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(text);
  });
});

async function signedIn(at: Installation, { client_id, client_secret }: Credentials) {
  const browser = createBrowser();
  await browser.open(`${at.issuer}/grants`);
  await browser.submit("sign-in", { client_id, client_secret });
  return browser;
}

async function post(at: Installation, path: string, fields: Record<string, string>, { headers = {} }: TokenInit = {}) {
  const response = await fetch(at.issuer + path, { method: "POST", body: new URLSearchParams(fields), headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}
