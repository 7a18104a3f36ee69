import { createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { obtainCode } from "./authorize.js";
import { type ConsolePerson, joinConsole } from "./console-person.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { post } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { rawCaller } from "./mcp-clients.js";

describe("what people approve with their own sign-in", () => {
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend(
        "which grants end with a person is in the stores' conformance suite (conformance-people), on both",
      ),
    });
    tenant = await server.createTenant("Household");
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  let joined = 0;
  const join = (role: string) => {
    joined += 1;
    return joinConsole(server, { tenant_id: tenant.tenantId, email: `person${joined}@example.com`, role });
  };
  /** A person's assistant, with its tokens. */
  async function assistantOf(person: ConsolePerson) {
    const { redemption } = await obtainCode(server.url, person, {
      metadata: { client_name: "Helper", redirect_uris: ["http://127.0.0.1:33418/callback"] },
    });
    const { status, body } = await post(`${server.url}/token`, redemption);
    expect(status).toBe(200);
    const form = { grant_type: "refresh_token", refresh_token: String(body.refresh_token) };
    return {
      scope: String(body.scope),
      call: () => rawCaller(server.mcpUrl, body.access_token).call("svc-credentials", {}),
      connect: () =>
        rawCaller(server.mcpUrl, body.access_token).call("svc-create-connect-session", {
          connector_id: sandboxBanks.eBanking,
        }),
      refresh: async () => (await post(`${server.url}/token`, new URLSearchParams(form))).status,
    };
  }
  const end = ({ personId }: ConsolePerson) =>
    server.operate("/operator/v1/people/end", { tenant_id: tenant.tenantId, person_id: personId });

  it("[C-14.121] is not offered before a tenant has people", async () => {
    const page = async () => {
      const browser = createBrowser();
      await obtainCode(server.url, tenant, { browser });
      return (await browser.open(`${server.url}/grants`)).text;
    };
    expect(await page()).not.toContain("person");
    const signIn = (await createBrowser().open(`${server.url}/grants`)).text;
    expect(signIn).not.toContain("Sign in as a person");
  });

  it("[C-14.120] [C-14.122] names them in list and audit trail, and ends with them alone", async () => {
    const [boss, ada, grace] = [await join("admin"), await join("member"), await join("member")];
    // Whether there are people is cached for two seconds.
    const isOffered = async () =>
      (await createBrowser().open(`${server.url}/grants`)).text.includes("Sign in as a person");
    await eventually(isOffered, "the page speaks of people");
    const [adas, graces] = [await assistantOf(ada), await assistantOf(grace)];
    expect(adas.scope).not.toContain("events");
    expect(await adas.call()).toMatchObject({ total: 0 });
    await adas.connect();
    const { body } = await boss.post("/data/v1/list-grants", {});
    const people = body.items.map((grant: { person: { person_id: string } | null }) => grant.person?.person_id ?? null);
    expect(people).toContain(ada.personId);
    expect(body.items.find((grant: { person: object | null }) => grant.person)).toMatchObject({
      person: { name: "Ada" },
      application: { name: "People" },
      client_name: "Helper",
    });
    const named = async () => {
      const { items } = await server.operate("/operator/v1/audit/list", { tenant_id: tenant.tenantId });
      const lines = items as { action: string; actor: string; facts: Record<string, unknown> }[];
      const isAdas = ({ actor, facts }: (typeof lines)[number]) =>
        actor === `person:${ada.personId}` || facts.person_id === ada.personId;
      return lines.filter(isAdas).map(({ action }) => action);
    };
    const all = ["authorization.approved", "grant.issued", "session.create"];
    await eventually(async () => {
      const found = await named();
      return all.every((what) => found.includes(what));
    }, "the audit trail names the person with each");

    await end(ada);
    expect(await adas.refresh()).toBe(400);
    await eventually(() => adas.call().then(() => false, String), "the access token is refused");
    expect(await graces.call()).toMatchObject({ total: 0 });
    expect(await graces.refresh()).toBe(200);
  });

  it("[C-14.122] ends with a lesser role and with a new invitation, not with a sign-out", async () => {
    const [ada, grace] = [await join("admin"), await join("member")];
    const [adas, graces] = [await assistantOf(ada), await assistantOf(grace)];
    await server.operate("/operator/v1/people/change", {
      tenant_id: tenant.tenantId,
      person_id: ada.personId,
      role: "read",
    });
    expect(await adas.refresh()).toBe(400);
    expect((await assistantOf(ada)).scope).toBe("connections:read investments:read letters:read");
    await grace.post("/sign-out");
    expect(await graces.call()).toMatchObject({ total: 0 });
    const { link } = await server.operate("/operator/v1/people/reinvite", {
      tenant_id: tenant.tenantId,
      person_id: grace.personId,
    });
    expect((await joinConsole(server, { link })).personId).toBe(grace.personId);
    expect(await graces.refresh()).toBe(400);
  });

  it("[C-14.120] an operator approves for nobody", async () => {
    const operator = await joinConsole(server, { email: "operator@example.com", role: "operator" });
    await expect(obtainCode(server.url, operator)).rejects.toThrow("Operators have no investments to share");
  });
});
