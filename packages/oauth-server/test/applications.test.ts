import { describe, expect, it } from "vitest";
import type { NewApplicationRequest } from "../src/administration/new-application.js";
import { OAuthError } from "../src/oauth-error.js";
import { TENANT_SCOPES } from "../src/scopes.js";
import { type Installation, install, machine, noon, TENANT } from "./harness.js";

async function refusalOf(work: Promise<unknown>): Promise<OAuthError> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OAuthError);
  return error as OAuthError;
}
const secretsOf = async (at: Installation, clientId: string) => (await at.applications.find(clientId)).secrets;

describe("[C-2.2] an application", () => {
  it("[C-2.4] [S2-5.2] is created with all scopes but operator, shows its secret once, stores a hash", async () => {
    const at = await install();
    const { application, client_secret } = await at.applications.create({
      tenant_id: TENANT,
      name: "  Portfolio sync ",
    });
    expect(client_secret).toMatch(/^wcs_[\w-]{43}$/);
    expect(application).toEqual({
      application_id: expect.any(String),
      tenant_id: TENANT,
      client_id: expect.stringMatching(/^wca_[\w-]{22}$/),
      name: "Portfolio sync",
      scopes: [...TENANT_SCOPES],
      enabled: true,
      tenant_enabled: true,
      redirect_urls: [],
      client_refs: null,
      dpop_bound_access_tokens: false,
      secrets: [{ secret_id: expect.any(String), created_at: noon }],
      created_at: noon,
    });
    expect(await at.applications.find(application.client_id)).toEqual(application);
    const stored = await at.store.applications.findByClientId(application.client_id);
    expect(JSON.stringify(stored)).not.toContain(client_secret);
  });

  it("takes the scopes it is told, in the order of the contract, once each", async () => {
    const at = await install();
    const scopes = ["letters:write", "connections:read", "letters:write"];
    const { application } = await at.applications.create({ tenant_id: TENANT, name: "A", scopes });
    expect(application.scopes).toEqual(["connections:read", "letters:write"]);
  });

  it("[C-2.20] manages everybody's grants only when it was created so", async () => {
    const at = await install();
    const scopes = ["grants:manage", "letters:read"];
    const { application } = await at.applications.create({ tenant_id: TENANT, name: "A", scopes });
    expect(application.scopes).toEqual(["letters:read", "grants:manage"]);
    expect((await at.applications.create({ tenant_id: TENANT, name: "B" })).application.scopes).toEqual(TENANT_SCOPES);
  });

  it("[C-2.3] of an operator has no tenant and nothing but `operator`", async () => {
    const at = await install();
    const { application } = await at.applications.create({ tenant_id: null, name: "Operator" });
    expect(application).toMatchObject({ tenant_id: null, scopes: ["operator"] });
  });

  const invalid: [string, object, string[]][] = [
    ["operator for a tenant", { scopes: ["letters:read", "operator"] }, ["scopes.1"]],
    ["grants:manage for an operator", { tenant_id: null, scopes: ["grants:manage"] }, ["scopes.0"]],
    ["a tenant's scope for an operator", { tenant_id: null, scopes: ["letters:read"] }, ["scopes.0"]],
    ["an unknown scope", { scopes: ["everything"] }, ["scopes.0"]],
    ["no scopes", { scopes: [] }, ["scopes"]],
    ["an empty name", { name: " " }, ["name"]],
    ["a long name", { name: "x".repeat(101) }, ["name"]],
    ["a NUL byte in the name", { name: "a\u0000b" }, ["name"]],
    ["a lone surrogate in the name", { name: "a\ud800" }, ["name"]],
    ["no tenant", { tenant_id: undefined }, ["tenant_id"]],
    ["unknown fields", { secret: "x" }, [""]],
    [
      "bad redirect URLs",
      { redirect_urls: ["https://a.example", "x", "http://a.example"] },
      ["redirect_urls.1", "redirect_urls.2"],
    ],
  ];
  it.each(invalid)("is refused with %s, every fault named", async (_, change, paths) => {
    const at = await install();
    const request = { tenant_id: TENANT, name: "A", ...change } as NewApplicationRequest;
    const refusal = await refusalOf(at.applications.create(request));
    expect(refusal.code).toBe("invalid_application");
    expect(refusal.issues.map((issue) => issue.path)).toEqual(paths);
  });

  it("has at most two live secrets, both good, so that one can be rolled", async () => {
    const at = await install();
    const client = await at.application();
    const rolled = await at.applications.rollSecret(client.client_id);
    for (const { client_secret } of [client, rolled])
      expect(await at.token(machine({ ...client, client_secret }))).toMatchObject({ status: 200 });
    expect((await refusalOf(at.applications.rollSecret(client.client_id))).code).toBe("secret_limit");
    await at.applications.removeSecret(client.client_id, client.secret_id);
    expect((await secretsOf(at, client.client_id)).map((secret) => secret.secret_id)).toEqual([rolled.secret_id]);
    const again = await refusalOf(at.applications.removeSecret(client.client_id, client.secret_id));
    expect(again.code).toBe("unknown_secret");
  });

  it("is listed by owner", async () => {
    const at = await install();
    const [mine, operator] = [await at.application(), await at.application({ tenant_id: null })];
    const ids = async (query: { tenant_id?: string | null }) =>
      (await at.applications.list({ ...query, limit: 10 })).map((application) => application.client_id);
    expect(await ids({ tenant_id: TENANT })).toEqual([mine.client_id]);
    expect(await ids({ tenant_id: null })).toEqual([operator.client_id]);
    expect((await ids({})).sort()).toEqual([mine.client_id, operator.client_id].sort());
  });

  it("is unknown_application to every method when it is not there", async () => {
    const { applications } = await install();
    const calls = [
      applications.find("wca_x"),
      applications.rollSecret("wca_x"),
      applications.removeSecret("wca_x", "x"),
      applications.setEnabled("wca_x", false),
      applications.updateRedirectUrls("wca_x", []),
      applications.addScopes("wca_x", ["events:read"]),
    ];
    for (const call of calls) expect((await refusalOf(call)).code).toBe("unknown_application");
  });
});

describe("scopes of an application", () => {
  it.each([
    [{}, "grants:manage"],
    [{}, "operator"],
    [{}, "root"],
    [{ tenant_id: null }, "events:read"],
    [{ tenant_id: null }, "operator"],
  ])("[C-2.22] are not added to %j: %s", async (of, scope) => {
    const at = await install();
    const { client_id } = await at.application(of);
    const { scopes } = await at.applications.find(client_id);
    const refusal = await refusalOf(at.applications.addScopes(client_id, ["events:read", scope]));
    expect(refusal.code).toBe("invalid_application");
    expect((await at.applications.find(client_id)).scopes).toEqual(scopes);
  });
});

describe("redirect URLs of an application", () => {
  const good = [
    "https://a.example/back?x=1",
    "https://a.example:8443",
    "http://localhost:3000/x",
    "http://127.0.0.1/",
    "http://127.0.0.2/",
    "http://[::1]:5/",
  ];
  it("replace the former ones, kept as written", async () => {
    const at = await install();
    const { client_id } = await at.application({ redirect_urls: ["https://old.example"] });
    await at.applications.updateRedirectUrls(client_id, good);
    expect((await at.applications.find(client_id)).redirect_urls).toEqual(good);
  });

  it.each([
    "http://a.example/",
    "https://a.example/#x",
    "https://user:pw@a.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "cursor://host/path",
    "/relative",
    "https://a.example/ü",
    " https://a.example",
    `https://a.example/${"x".repeat(2048)}`,
  ])("refuse %s", async (url) => {
    const at = await install();
    const { client_id } = await at.application();
    const refusal = await refusalOf(at.applications.updateRedirectUrls(client_id, ["https://ok.example", url]));
    expect([refusal.code, refusal.issues[0]?.path]).toEqual(["invalid_application", "redirect_urls.1"]);
  });

  it("are at most twenty, none twice", async () => {
    const at = await install();
    const { client_id } = await at.application();
    const many = Array.from({ length: 21 }, (_, index) => `https://a.example/${index}`);
    for (const urls of [many, ["https://a.example", "https://a.example"]])
      expect((await refusalOf(at.applications.updateRedirectUrls(client_id, urls))).code).toBe("invalid_application");
  });
});

describe("[security.md] administration is audited", () => {
  it("with who did it, from where", async () => {
    const at = await install();
    const by = { actor: "operator-1", address: "192.0.2.1", trace_id: "t" };
    const { application } = await at.applications.create({ tenant_id: TENANT, name: "A" }, by);
    const { client_id, application_id, secrets } = application;
    const { secret_id } = await at.applications.rollSecret(client_id, by);
    await at.applications.removeSecret(client_id, secret_id, by);
    await at.applications.updateRedirectUrls(client_id, [], by);
    await at.applications.addScopes(client_id, ["events:read", "events:write"], by);
    await at.applications.setEnabled(client_id, false, by);
    await at.applications.setEnabled(client_id, true, by);
    await at.applications.setTenantEnabled(TENANT, false, by);
    await at.applications.setTenantEnabled(TENANT, true, by);
    const about = { ...by, tenant_id: TENANT, application_id, client_id, grant_id: null, at: noon };
    const tenant = { ...about, application_id: null, client_id: null, detail: null };
    expect(at.events).toEqual([
      { action: "application.created", ...about, detail: secrets[0]?.secret_id },
      { action: "application.secret_added", ...about, detail: secret_id },
      { action: "application.secret_removed", ...about, detail: secret_id },
      { action: "application.redirect_urls_changed", ...about, detail: null },
      { action: "application.scopes_added", ...about, detail: "events:read events:write" },
      { action: "application.disabled", ...about, detail: null },
      { action: "application.enabled", ...about, detail: null },
      { action: "tenant.disabled", ...tenant },
      { action: "tenant.enabled", ...tenant },
    ]);
  });
});
