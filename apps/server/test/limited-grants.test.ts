import { createBrowser } from "@org/pages/testing";
import { operationsOf } from "@org/rest-api/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { obtainCode, register } from "./authorize.js";
import {
  START_TIMEOUT,
  sandboxBanks,
  startTestServer,
  type TestServer,
  type TestTenant,
  tenantByToken,
} from "./harness.js";
import { post, send } from "./http-client.js";
import { backends } from "./installation.js";
import { type Furniture, furnish, ofAllClients, testRefusals } from "./limited-clients.js";
import { toolCall } from "./mcp-clients.js";

const SCOPE =
  "connections:read connections:write connections:delete investments:read letters:read letters:write events:read events:write";

describe.each(backends)("a grant that is limited to clients, on %s", (backend) => {
  let server: TestServer;
  let whole: TestTenant;
  let other: TestTenant;
  let limited: TestTenant;
  let inside: Furniture;
  let outside: Furniture;

  beforeAll(async () => {
    server = await startTestServer({ backend });
    whole = await server.createTenant("One");
    other = await server.createTenant("Two");
    inside = await furnish(whole, "IN", "insider");
    outside = await furnish(whole, "OUT", "outsider");
    await whole.post("/clients/v1/update", { client_ref: "IN", name: "Meier" });
    await other.openSession({ connector_id: sandboxBanks.psd2, client_ref: "THEIRS" });
    ({ limited } = await letIn(["IN"]));
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  /** An assistant that is let in for some clients, or for all. */
  async function letIn(clients?: readonly string[], login = whole) {
    const scope = SCOPE;
    const { redemption } = await obtainCode(server.url, login, { scope, ...(clients && { clients }) });
    const { status, body } = await post(`${server.url}/token`, redemption);
    expect(status).toBe(200);
    return { limited: tenantByToken(server.url, whole, body.access_token), refresh_token: String(body.refresh_token) };
  }
  const call = (tool: string, args: object, tenant = limited) => tenant.tools.request(toolCall(tool, args));
  const seen = async (tenant: TestTenant) =>
    (await tenant.post("/clients/v1/list", {})).body.items.map(({ client_ref }: { client_ref: string }) => client_ref);
  /** The page on which a client's request is answered, opened by whoever signs in with these credentials. */
  async function openPage(login = whole) {
    const { body } = await register(server.url, { redirect_uris: ["http://127.0.0.1:33418/callback"] });
    const browser = createBrowser();
    const query = new URLSearchParams({
      response_type: "code",
      client_id: body.client_id,
      redirect_uri: "http://127.0.0.1:33418/callback",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    await browser.open(`${server.url}/authorize?${query}`);
    await browser.submit("sign-in", { client_id: login.clientId, client_secret: login.clientSecret });
    return browser;
  }

  testRefusals("[C-14.951]", () => ({ limited, inside, outside }));

  it("[C-14.951] finds what is theirs, and makes nothing without one of them", async () => {
    for (const tool of ["svc-credentials", "svc-portfolios", "svc-investments", "svc-investment-transactions"]) {
      const { text } = await call(tool, { page_size: 500 });
      expect(
        inside.all.some((id) => text.includes(id)),
        tool,
      ).toBe(true);
      expect(
        outside.all.filter((id) => text.includes(id)),
        tool,
      ).toEqual([]);
    }
    expect(await seen(limited)).toEqual(["IN"]);
    const refused = await call("svc-create-connect-session", { connector_id: sandboxBanks.psd2, client_ref: "OUT" });
    expect(refused.text).toContain("VALIDATION_ERROR");
    const { body } = await limited.post("/events/v1/list-events", { page_size: 500 });
    expect(JSON.stringify(body)).toContain(inside.connection);
    expect(outside.all.filter((id) => JSON.stringify(body).includes(id))).toEqual([]);
  });

  it("[C-14.951] is refused by everything that is of all clients", async () => {
    const { body } = await send(`${server.url}/openapi.json`);
    const refused: string[] = [];
    for (const { path } of operationsOf(body).filter((one) => !one.path.startsWith("/operator/")))
      if ((await limited.post(path, {})).text.includes("limited to some clients")) refused.push(path);
    // The work queue also needs scopes that no assistant has.
    expect(refused.length).toBeGreaterThan(8);
    expect(refused.filter((path) => !ofAllClients.includes(path))).toEqual([]);
  });

  it("[C-14.954] all clients are the default; clients are found by name and reference without a script", async () => {
    for (let count = 0; count < 25; count += 1)
      await other
        .post("/letters/v1/search-letters", {})
        .then(() =>
          other.openSession({ connector_id: sandboxBanks.psd2, client_ref: `B-${String(count).padStart(2, "0")}` }),
        );
    await other.post("/clients/v1/update", { client_ref: "B-24", name: "Stiftung Morgenrot" });
    const browser = await openPage(other);
    expect(browser.form("decision")?.preset).toContainEqual(["clients", "all"]);
    expect(browser.page?.text).toContain("20 of 26 clients are shown");
    expect(browser.page?.text).not.toContain("Morgenrot");
    // Enter presses the form's first button.
    const found = await browser.submit("decision", {
      clients: "some",
      client_ref: ["B-03"],
      client_search: "Abendrot",
    });
    expect(found.text).toContain("No client has this");
    await browser.submit("decision", { client_search: "MORGENRÖT" });
    expect(browser.page?.text).toContain("Stiftung Morgenrot");
    const preset = browser.form("decision")?.preset ?? [];
    expect(preset.filter(([name]) => /^client/.test(name))).toEqual([
      ["clients", "some"],
      ["client_ref", "B-03"],
    ]);
    const back = await browser.submit("decision", { client_ref: ["B-03", "B-24"] }, "approve");
    expect(new URL(back.url).searchParams.get("code")).not.toBeNull();
    expect((await openPage(whole)).page?.text).not.toContain("Search clients");
  });

  it("[C-14.954] a forged choice lets nobody in: another tenant's client, an unknown one, none, too many, another word", async () => {
    const browser = await openPage();
    const forged = async (...fields: [string, string][]) => {
      const { url, body } = browser.filled("decision", {}, "approve");
      body.delete("clients");
      for (const [name, value] of fields) body.append(name, value);
      return browser.request(url, { method: "POST", body });
    };
    const some = ["clients", "some"] as [string, string];
    for (const ref of ["THEIRS", "NOBODY", "' or true --"]) {
      const told = await forged(some, ["client_ref", "IN"], ["client_ref", ref]);
      expect([told.status, told.text]).toEqual([400, expect.stringContaining("is not there any more")]);
      expect(told.html).not.toContain("THEIRS");
    }
    // Named clients are a limit also where the form does not say so.
    expect((await forged(["client_ref", "THEIRS"])).text).toContain("is not there any more");
    expect((await forged(some)).text).toContain("Choose at least one client");
    const many = Array.from({ length: 51 }, (_, index): [string, string] => ["client_ref", `X${index}`]);
    expect((await forged(some, ...many)).text).toContain("Choose at most 50 clients");
    expect((await forged(["clients", "everything"])).status).toBe(400);
    expect((await forged(some, ["clients", "all"])).status).toBe(400);
    expect(browser.form("decision")).toBeDefined();
  });

  it("[C-14.951] the limit stays through refreshes, follows a new reference, ends with the client, and nobody widens it", async () => {
    await whole.openSession({ connector_id: sandboxBanks.psd2, client_ref: "SOON" });
    const { limited: first, refresh_token } = await letIn(["SOON"]);
    expect(await seen(first)).toEqual(["SOON"]);
    const refreshed = async (token: string, more = {}) =>
      (
        await post(
          `${server.url}/token`,
          new URLSearchParams({ grant_type: "refresh_token", refresh_token: token, ...more }),
        )
      ).body;
    const second = await refreshed(refresh_token, { clients: "all", client_ref: "OUT" });
    const again = tenantByToken(server.url, whole, second.access_token);
    expect(await seen(again)).toEqual(["SOON"]);
    await whole.post("/clients/v1/update", { client_ref: "SOON", new_client_ref: "LATER" });
    expect([await seen(again), await seen(first)]).toEqual([["LATER"], ["LATER"]]);
    expect((await whole.post("/clients/v1/delete", { client_ref: "LATER", confirm: true })).status).toBe(200);
    await whole.openSession({ connector_id: sandboxBanks.psd2, client_ref: "LATER" });
    const third = await refreshed(second.refresh_token);
    for (const tenant of [first, again, tenantByToken(server.url, whole, third.access_token)])
      expect(await seen(tenant)).toEqual([]);
    expect((await first.post("/data/v1/list-portfolios", {})).body).toMatchObject({ total: 0, items: [] });
  });

  it("[C-14.952] an application's own limit offers its clients only, and narrows what was chosen", async () => {
    const { application, client_secret } = await server.operate("/operator/v1/applications/create", {
      ...{ tenant_id: whole.tenantId, name: "Limited", client_refs: ["IN", "OUT"] },
    });
    const login = { ...whole, clientId: application.client_id, clientSecret: client_secret };
    const { limited: assistant } = await letIn(["IN"], login);
    expect(await seen(assistant)).toEqual(["IN"]);
    const limit = (client_refs: readonly string[] | null) =>
      server.operate("/operator/v1/applications/update", { client_id: application.client_id, client_refs });
    await limit(["OUT"]);
    expect(await seen(assistant)).toEqual([]);
    const page = await openPage(login);
    expect(page.page?.text).toContain("OUT");
    expect(page.page?.html).not.toContain('value="IN"');
    expect((await page.submit("decision", { clients: "some", client_ref: "IN" }, "approve")).status).toBe(400);
    // Its list of grants does not name a client that is not its own any more.
    const { body: listed } = await post(
      `${server.url}/grants/list`,
      new URLSearchParams({ client_id: login.clientId, client_secret: login.clientSecret }),
    );
    expect(JSON.stringify(listed)).not.toContain("Meier");
    await limit(null);
    expect(await seen(assistant)).toEqual(["IN"]);
  });

  it("[C-14.952] lists and audit trail say what a grant is limited to", async () => {
    const list = async (path: string, body: object) => (await server.operate(path, body)).items;
    const listed: { clients: unknown }[] = await list("/operator/v1/grants/list", { tenant_id: whole.tenantId });
    expect(listed.map(({ clients }) => clients)).toContainEqual([{ client_ref: "IN", name: "Meier" }]);
    expect(listed.map(({ clients }) => clients)).toContain(null);
    const form = { client_id: whole.clientId, client_secret: whole.clientSecret };
    const { body } = await post(`${server.url}/grants/list`, new URLSearchParams(form));
    expect(JSON.stringify(body)).toContain('"clients":[{"client_ref":"IN","name":"Meier"}]');
    const browser = createBrowser();
    await browser.open(`${server.url}/grants`);
    await browser.submit("sign-in", form);
    expect(browser.page?.text).toContain("Whose data Only of Meier");
    const lines: { action: string; facts: { detail?: string } }[] = await list("/operator/v1/audit/list", {
      tenant_id: whole.tenantId,
      page_size: 500,
    });
    const approved = lines.filter(({ action }) => action === "authorization.approved");
    expect(approved.map(({ facts }) => facts.detail).join("\n")).toMatch(/clients:1$/m);
    expect(JSON.stringify(approved)).not.toContain("Meier");
  });
});
