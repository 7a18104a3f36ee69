import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fixture, pdf, startFixture } from "./fixture.js";

let api: Fixture;
beforeAll(async () => {
  api = await startFixture();
});
afterAll(() => api.close());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  api.post(`/operator/v1${path}`, body, { token: api.tokens.operator, headers });
const ndjson = { "content-type": "application/x-ndjson" };
const octets = { "content-type": "application/octet-stream" };
const submit = async (more: object = {}) => {
  const { body } = await api.post("/letters/v1/create-signed", { connector_id: "esp:bank-000", data: pdf(), ...more });
  return body.letter_id as string;
};
const fieldsOf = (body: { error: { details: { field: string }[] } }) => body.error.details.map(({ field }) => field);

describe("tenants", () => {
  it("[C-8.3] are created and listed; a name is taken once", async () => {
    const created = await post("/tenants/create", { name: " Third " });
    expect(created.body.tenant).toMatchObject({ name: "Third", created_at: expect.stringMatching(/Z$/) });
    expect((await post("/tenants/list", {})).body.items.map(({ name }: { name: string }) => name)).toEqual([
      "First",
      "Second",
      "Third",
    ]);
    const again = await post("/tenants/create", { name: "third" });
    expect([again.status, again.body.error.code]).toEqual([409, "CONFLICT"]);
  });
});

describe("[C-8.80] how a tenant shows itself", () => {
  it("is shown, set and reset; every fault names its field", async () => {
    const { tenant_id } = (await post("/tenants/create", { name: "Shown" })).body.tenant;
    const empty = (await post("/tenants/show", { tenant_id })).body.tenant;
    expect(empty).toMatchObject({
      tenant_id,
      name: "Shown",
      enabled: true,
      profile: { display_name: null, logo: null },
    });
    const set = { display_name: "Shown & Co", postal_address: ["Street 1"], privacy_url: "https://shown.example/p" };
    const changed = (await post("/tenants/update", { tenant_id, set })).body.tenant;
    expect(changed).toEqual({ ...empty, version: changed.version, profile: { ...empty.profile, ...set } });
    const reset = (await post("/tenants/update", { tenant_id, set: { legal_name: null }, reset: ["display_name"] }))
      .body;
    expect(reset.tenant.profile).toEqual({ ...changed.profile, display_name: null });
    const wrong = { set: { privacy_url: "http://x", support_contact: "call me", logo: 7 }, reset: ["name"] };
    const { status, body } = await post("/tenants/update", { tenant_id, ...wrong });
    expect(status).toBe(400);
    expect(fieldsOf(body)).toEqual(["set.privacy_url", "set.support_contact", "set.logo", "reset[0]"]);
    const unknown = await post("/tenants/show", { tenant_id: "019b0000-0000-7000-8000-ffffffffffff" });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, "NOT_FOUND"]);
  });
});

describe("[C-8.5] tenants that go", () => {
  const newTenant = async (name: string) => (await post("/tenants/create", { name })).body.tenant.tenant_id as string;
  const stateOf = async (tenantId: string) =>
    (await post("/tenants/list", {})).body.items.find(({ tenant_id }: { tenant_id: string }) => tenant_id === tenantId)
      ?.enabled;

  it("are switched off and on", async () => {
    const tenant_id = await newTenant("Switched");
    expect((await post("/tenants/disable", { tenant_id })).body.tenant).toMatchObject({ tenant_id, enabled: false });
    expect(await stateOf(tenant_id)).toBe(false);
    expect((await post("/tenants/enable", { tenant_id: tenant_id.toUpperCase() })).body.tenant.enabled).toBe(true);
    expect(await stateOf(tenant_id)).toBe(true);
  });

  it.each([{}, { confirm: false }])("are not deleted with %j", async (confirmation) => {
    const tenant_id = await newTenant(`Kept ${JSON.stringify(confirmation)}`);
    const { status, body } = await post("/tenants/delete", { tenant_id, ...confirmation });
    expect([status, body.error.code, fieldsOf(body)]).toEqual([400, "CONFIRMATION_REQUIRED", ["confirm"]]);
    expect(await stateOf(tenant_id)).toBe(true);
  });

  it("are deleted once confirmed; then there is none, but its audit trail", async () => {
    const tenant_id = await newTenant("Gone");
    expect((await post("/tenants/delete", { tenant_id, confirm: true })).body).toEqual({ success: true });
    expect(await stateOf(tenant_id)).toBeUndefined();
    for (const path of ["/tenants/delete", "/tenants/disable", "/tenants/enable"]) {
      const body = path === "/tenants/delete" ? { tenant_id, confirm: true } : { tenant_id };
      expect((await post(path, body)).body.error).toEqual({ code: "NOT_FOUND", message: "TenantNotFound" });
    }
    const { items } = (await post("/audit/list", { tenant_id, order: "oldest" })).body;
    expect(items.map(({ action }: { action: string }) => action)).toEqual(["tenant.create", "tenant.delete"]);
  });
});

describe("[C-8.5] the audit trail", () => {
  it("is read in pages, by tenant, time, action, actor, object and trace", async () => {
    const all = (await post("/audit/list", {})).body;
    const first = (await post("/audit/list", { page_size: 2 })).body;
    const second = (await post("/audit/list", { page_size: 2, page_token: first.next_page_token })).body;
    expect([...first.items, ...second.items]).toEqual(all.items.slice(0, 4));
    const [line] = all.items;
    const { action, actor, object_id, trace_id, at } = line;
    const search = { tenant_id: line.tenant_id, action, actor, object_id, trace_id, since: at, until: at };
    expect((await post("/audit/list", search)).body).toEqual({ items: [line], next_page_token: null });
    expect((await post("/audit/list", { trace_id: "0".repeat(32) })).body.items).toEqual([]);
    expect((await post("/audit/list", { until: "2025-12-31" })).body.items).toEqual([]);
    expect((await post("/audit/list", { since: "2026-01-01", until: "2026-01-01" })).body.items).toEqual(all.items);
    expect((await post("/audit/list", { tenant_id: null })).body.items).toEqual([]);
  });

  it.each([
    [{ since: "yesterday" }, ["since"]],
    [{ until: "2026-02-30" }, ["until"]],
    [{ tenant_id: "demo" }, ["tenant_id"]],
    [{ page_size: 1001 }, ["page_size"]],
    [{ page_token: "nonsense" }, ["page_token"]],
    [{ action: "", order: "random" }, ["action", "order"]],
    [{ limit: 3 }, ["limit"]],
  ])("refuses %j", async (search, fields) => {
    const { status, body } = await post("/audit/list", search);
    expect([status, fieldsOf(body)]).toEqual([400, fields]);
  });
});

it("[C-1.41] initial access tokens are made, listed and withdrawn", async () => {
  const made = await post("/registration-tokens/create", { name: " Phones " });
  expect(made.body).toMatchObject({ registration_token: { name: "Phones" }, token: "wci_x" });
  expect((await post("/registration-tokens/list", {})).body.items).toHaveLength(1);
  expect((await post("/registration-tokens/revoke", { token_id: "one" })).body).toEqual({ token_id: "one" });
  expect((await post("/registration-tokens/revoke", { token_id: "two" })).status).toBe(404);
  expect((await post("/registration-tokens/create", { name: "", days: 400 })).status).toBe(400);
});

it("[C-3.31] identity providers are trusted, listed, tested and withdrawn", async () => {
  const [issuer, scopes] = ["https://idp.example", ["letters:read"]];
  const wish = { issuer, tenant_id: null, client_ids: ["wcd_a"], rules: [{ client_id: "wca_a", scopes }] };
  expect((await post("/trusted-issuers/trust", wish)).body).toMatchObject({
    trusted_issuer: { issuer },
    grants_ended: 0,
  });
  expect((await post("/trusted-issuers/list", {})).body.items).toMatchObject([{ issuer }]);
  expect((await post("/trusted-issuers/test", { issuer })).body.found.keys).toEqual([
    { kid: "1", kty: "EC", alg: null },
  ]);
  expect((await post("/trusted-issuers/withdraw", { issuer })).body).toEqual({ grants_ended: 1 });
  expect((await post("/trusted-issuers/withdraw", { issuer: "https://other.example" })).status).toBe(404);
  const refused = await post("/trusted-issuers/trust", { ...wish, rules: [], secret: "x" });
  expect([refused.status, fieldsOf(refused.body)]).toEqual([400, expect.arrayContaining(["rules", "secret"])]);
});

describe("[C-8.9] keys", () => {
  it("are listed, rotated, and what they seal is sealed again batch by batch", async () => {
    expect((await post("/keys/list", {})).body.encryption_keys).toHaveLength(3);
    expect((await post("/keys/rotate", {})).body.signing_keys[1].state).toBe("active");
    expect((await post("/keys/revoke", { kid: "one" })).body.signing_keys).toMatchObject([
      { kid: "two", state: "active" },
    ]);
    expect((await post("/keys/revoke", { kid: "three" })).status).toBe(404);
    expect((await post("/keys/revoke", {})).status).toBe(400);
    expect((await post("/keys/rotate-server", { name: "mcp-session" })).body.server_keys).toHaveLength(2);
    expect((await post("/keys/rotate-server", { name: "identity" })).status).toBe(400);
    const tokens: unknown[] = [];
    let page_token: string | null = null;
    do {
      const { body } = await post("/keys/rewrap", { page_token });
      page_token = body.next_page_token;
      tokens.push(page_token);
    } while (page_token !== null);
    expect(tokens).toEqual(["2", "3", null]);
    expect(fieldsOf((await post("/keys/rewrap", { page_token: "nonsense" })).body)).toEqual(["page_token"]);
  });
});

describe("applications", () => {
  const create = async (extra: object = {}) =>
    (await post("/applications/create", { tenant_id: api.tenantIds.first, name: "App", ...extra })).body;

  it("[C-2.2][C-2.4] are created with all scopes but operator, and their secret is shown this once", async () => {
    const { application, client_secret } = await create();
    expect(client_secret).toMatch(/^wcs_/);
    expect(application.scopes).toHaveLength(8);
    expect(application.scopes).not.toContain("operator");
    const listed = await post("/applications/list", { tenant_id: api.tenantIds.first });
    expect(listed.text).toContain(application.client_id);
    expect(listed.text).not.toContain(client_secret);
  });

  it("[C-2.2] take a second secret, not a third, and lose one again", async () => {
    const { application } = await create();
    const { client_id } = application;
    expect((await post("/applications/roll-secret", { client_id })).body.application.secrets).toHaveLength(2);
    expect((await post("/applications/roll-secret", { client_id })).status).toBe(409);
    const removed = await post("/applications/remove-secret", {
      client_id,
      secret_id: application.secrets[0].secret_id,
    });
    expect(removed.body.application.secrets).toHaveLength(1);
  });

  it("[C-2.2] are switched off and on, and get redirect URLs", async () => {
    const { client_id } = (await create()).application;
    expect((await post("/applications/disable", { client_id })).body.application.enabled).toBe(false);
    expect((await post("/applications/enable", { client_id })).body.application.enabled).toBe(true);
    const redirect_urls = ["https://app.example/done", "http://localhost:8080/done"];
    expect((await post("/applications/update", { client_id, redirect_urls })).body.application.redirect_urls).toEqual(
      redirect_urls,
    );
  });

  it("[C-2.22] get scopes that there were none of when they were made, and no others", async () => {
    const { client_id } = (await create({ scopes: ["letters:read"] })).application;
    const add = (scopes: readonly string[], client = client_id) =>
      post("/applications/add-scopes", { client_id: client, scopes });
    const added = (await add(["events:read", "letters:read"])).body.application;
    expect(added.scopes).toEqual(["letters:read", "events:read"]);
    for (const scope of ["grants:manage", "operator", "root"])
      expect(fieldsOf((await add([scope])).body)).toEqual(["scopes[0]"]);
    expect(fieldsOf((await add([])).body)).toEqual(["scopes"]);
    const operators = (await create({ tenant_id: null })).application.client_id;
    expect((await add(["events:read"], operators)).status).toBe(400);
    expect((await add(["events:read"], "wca_x")).status).toBe(404);
  });

  it.each([
    ["a tenant's with operator", { scopes: ["operator"] }, ["scopes"]],
    ["an operator's with a tenant scope", { tenant_id: null, scopes: ["operator", "letters:read"] }, ["scopes"]],
    ["an unknown scope", { scopes: ["root"] }, ["scopes[0]"]],
    ["an unknown tenant", { tenant_id: "019b0000-0000-7000-8000-ffffffffffff" }, ["tenant_id"]],
    ["a redirect with fragment", { redirect_urls: ["https://a.example/#x"] }, ["redirect_urls[0]"]],
    ["a plain http redirect", { redirect_urls: ["http://a.example/"] }, ["redirect_urls[0]"]],
    ["a script redirect", { redirect_urls: ["javascript:alert(1)"] }, ["redirect_urls[0]"]],
  ])("[C-2.3] refuse %s", async (_name, extra, fields) => {
    const { status, body } = await post("/applications/create", {
      tenant_id: api.tenantIds.first,
      name: "App",
      ...extra,
    });
    expect([status, fieldsOf(body)]).toEqual([400, fields]);
  });

  it("[C-2.3] of an operator have the scope operator", async () => {
    expect((await create({ tenant_id: null })).application).toMatchObject({ tenant_id: null, scopes: ["operator"] });
  });

  it("are listed in pages", async () => {
    const tenant_id = (await post("/tenants/create", { name: "Many" })).body.tenant.tenant_id;
    for (let count = 0; count < 101; count++) await create({ tenant_id });
    const first = (await post("/applications/list", { tenant_id })).body;
    expect(first.items).toHaveLength(100);
    const second = (await post("/applications/list", { tenant_id, page_token: first.next_page_token })).body;
    expect([second.items.length, second.next_page_token]).toEqual([1, null]);
  });

  it.each(["roll-secret", "disable", "enable"])("are 404 to %s when unknown", async (action) => {
    expect((await post(`/applications/${action}`, { client_id: "wca_unknown" })).status).toBe(404);
  });
});

describe("catalogue", () => {
  const row = (id: string, extra: object = {}) => JSON.stringify({ id, name: id, country: "esp", ...extra });
  const find = async (name: string) => (await post("/connectors/list", { name })).body;

  it("[C-5.21][C-9.27] import inserts and replaces by id, whatever the line ends", async () => {
    const first = await post(
      "/connectors/import",
      `${row("esp:new-1")}\r\n${row("esp:new-2", { logo_url: "https://x.example/ñ.png" })}`,
      ndjson,
    );
    expect([first.status, first.body]).toEqual([
      200,
      { inserted: 2, updated: 0, unchanged: 0, unserved_total: 0, unserved: [] },
    ]);
    const named = row("esp:new-3", { provider_ref: "bank-3" });
    const again = await post("/connectors/import", `${row("esp:new-1")}\n\n${named}\n`, ndjson);
    expect(again.body).toMatchObject({ inserted: 1, updated: 0, unchanged: 1 });
    expect((await find("new-3")).items[0]).toMatchObject({ provider_ref: "bank-3", metadata: {} });
    expect((await find("new-2")).items[0]).toMatchObject({
      provider_ref: null,
      provider: "sandbox",
      metadata: { logo_url: "https://x.example/ñ.png" },
    });
  });

  it.each([
    ["is no JSON", "{", "line 2"],
    ["lacks a name", '{"id":"esp:bad","country":"esp"}', "line 2.name"],
    ["holds NUL", row("esp:bad", { note: "\0" }), "line 2.note"],
    ["holds half a character", '{"id":"esp:bad","name":"\\ud800","country":"esp"}', "line 2.name"],
    ["holds __proto__", '{"id":"esp:bad","name":"b","country":"esp","__proto__":{}}', "line 2.__proto__"],
    ["is not UTF-8", Buffer.from([0xff, 0xfe]), "line 2"],
    ["is too long", `"${"x".repeat(1024 * 1024)}"`, "line 2"],
  ])("[C-9.27] a line that %s is refused with its number, and nothing is imported", async (_name, bad, field) => {
    const before = (await find("fresh")).total;
    const body = Buffer.concat([
      Buffer.from(`${row("esp:fresh")}\n`),
      Buffer.from(bad),
      Buffer.from(`\n${row("esp:fresh-2")}\n`),
    ]);
    const { status, body: refusal } = await post("/connectors/import", body, ndjson);
    expect([status, fieldsOf(refusal)]).toEqual([400, [field]]);
    expect((await find("fresh")).total).toBe(before);
  });

  it("takes NDJSON only", async () => {
    expect((await post("/connectors/import", row("esp:x"))).status).toBe(415);
  });

  it("is listed by page, by name if asked", async () => {
    const { body } = await post("/connectors/list", { name: "bANK 1", page: 2, page_size: 10 });
    expect(body).toMatchObject({ page: 2, page_size: 10, total: 111, pages: 12 });
    expect(body.items).toHaveLength(10);
  });
});

describe("letters", () => {
  it("[C-7.15] advance along the main line; the history names every move", async () => {
    const letter_id = await submit();
    const first = await post("/letters/advance", { letter_id, to: "SentToCustodian", note: "by courier" });
    expect(first.body.letter).toMatchObject({
      id: letter_id,
      status: "SentToCustodian",
      tenant_id: api.tenantIds.first,
    });
    expect(first.body.letter.history).toMatchObject([
      { event: "sign", from: null, to: "Signed" },
      { event: "send_to_custodian", from: "Signed", to: "SentToCustodian", note: "by courier" },
    ]);
    const shown = await post("/letters/show", { letter_id });
    const document = { kind: "letter", size: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(shown.body).toEqual({ letter: { ...first.body.letter, documents: [{ ...document, signature: "none" }] } });
  });

  it("[C-8.13] advance --to something else is 409", async () => {
    const { status, body } = await post("/letters/advance", { letter_id: await submit(), to: "Connected" });
    expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
  });

  it("[C-7.13] block and resolve come back to where they were; out of order they are 409", async () => {
    const letter_id = await submit();
    expect((await post("/letters/block", { letter_id })).status).toBe(409);
    for (let step = 0; step < 4; step++) await post("/letters/advance", { letter_id });
    expect((await post("/letters/block", { letter_id, note: "no data" })).body.letter.status).toBe("Blocked");
    expect((await post("/letters/resolve", { letter_id })).body.letter.status).toBe("WaitingForData");
  });

  it("[S2-2.6] observe sets and clears what the tenant reads", async () => {
    const letter_id = await submit();
    const seen = async () =>
      (await api.post("/letters/v1/search-letters", { query: { id_in: [letter_id] } })).body.items[0].observations;
    await post("/letters/observe", { letter_id, observations: "custodian asked for an ID" });
    expect(await seen()).toBe("custodian asked for an ID");
    await post("/letters/observe", { letter_id, observations: null });
    expect(await seen()).toBeNull();
  });

  it("[C-7.31] [C-7.32] [C-7.36] submit is for the tenant it names, and search looks into all of them", async () => {
    const asked = {
      tenant_id: api.tenantIds.second,
      connector_id: "esp:bank-000",
      data: pdf(),
      labels: { case: "own" },
    };
    const headers = { "idempotency-key": "operator-1" };
    const made = await post("/letters/submit", asked, headers);
    expect((await post("/letters/submit", asked, headers)).body).toEqual(made.body);
    const { letter_id } = made.body;
    const { body } = await post("/letters/search", { query: { labels: { case: "own" } }, text: "OWN", stuck: null });
    expect(body).toMatchObject({
      items: [
        {
          id: letter_id,
          tenant: "Second",
          custodian: "Bank 0",
          to_do: { by: "operator", what: expect.stringContaining("letters advance") },
          mails: [],
          days_in_status: 0,
        },
      ],
      total: 1,
    });
    expect((await post("/letters/search", { order: "colour" })).status).toBe(400);
    expect(fieldsOf((await post("/letters/submit", { ...asked, tenant_id: undefined })).body)).toEqual(["tenant_id"]);
    const nobody = { ...asked, tenant_id: "019b0000-0000-7000-8000-ffffffffffff" };
    expect((await post("/letters/submit", nobody)).status).toBe(404);
    const wrong = (await post("/letters/submit", { ...asked, connector_id: "esp:nobody", data: "%" })).body;
    expect(fieldsOf(wrong)).toEqual(["connector_id", "data"]);
  });

  it("[C-7.33] [C-7.34] many are moved with an outcome each, and contacts are corrected", async () => {
    const [one, two] = [await submit(), await submit()];
    await post("/letters/cancel", { letter_id: two });
    const { status, body } = await post("/letters/move-many", { letter_ids: [one, two], to: "SentToCustodian" });
    expect([status, body.moved, body.refused]).toEqual([200, 1, 1]);
    expect(body.items).toMatchObject([
      { letter_id: one, outcome: "moved", from: "Signed", to: "SentToCustodian", error: null },
      { letter_id: two, outcome: "refused", to: null, error: { code: "CONFLICT" } },
    ]);
    for (const letter_ids of [[], Array(101).fill(one)])
      expect((await post("/letters/move-many", { letter_ids })).status).toBe(400);
    const contact_info = { banker_email: "b@bank.example" };
    const corrected = await post("/letters/contacts", { letter_id: one, contact_info, mail: true });
    expect(corrected.body.letter).toMatchObject({
      contact_info,
      mails: [{ state: "queued", recipient: "b@bank.example" }],
    });
    expect((await post("/letters/contacts", { letter_id: two, contact_info })).status).toBe(409);
  });

  it("[C-14.920] a move of all that match is previewed page by page, oldest first, with names and versions", async () => {
    const text = "everyoneof";
    const ids: string[] = [];
    for (let made = 0; made < 103; made += 1) ids.push(await submit({ labels: { batch: text } }));
    await post("/letters/cancel", { letter_id: ids[1] });
    const first = (await post("/letters/preview-matching", { text })).body;
    expect([first.items.length, first.total]).toEqual([100, 103]);
    expect(first.items[0]).toMatchObject({ outcome: "moves", to: "SentToCustodian", version: 0 });
    expect(first.items[0].tenant).not.toBe("");
    const [advanced] = first.items;
    await post("/letters/advance", { letter_id: advanced.letter_id });
    const second = (await post("/letters/preview-matching", { text, page_token: first.next_page_token })).body;
    expect([second.items.length, second.next_page_token]).toEqual([3, null]);
    const seen = [...first.items, ...second.items].map(({ letter_id }: { letter_id: string }) => letter_id);
    expect(seen.toSorted()).toEqual(ids.toSorted());
    const refused = [...first.items, ...second.items].filter(({ outcome }) => outcome === "refused");
    expect(refused.map(({ letter_id }) => letter_id)).toEqual([ids[1]]);
    const versions = Object.fromEntries(
      first.items.map((each: { letter_id: string; version: number }) => [each.letter_id, each.version]),
    );
    const again = await post("/letters/move-many", { letter_ids: [advanced.letter_id], versions });
    expect(again.body.items[0]).toMatchObject({ outcome: "refused", error: { code: "CONFLICT" } });
    expect((await post("/letters/preview-matching", { text, order: "newest" })).status).toBe(400);
  });

  it("search looks into one tenant", async () => {
    const letter_id = await submit();
    const search = async (tenant_id: string) =>
      (await post("/letters/search", { tenant_id, query: { id_in: [letter_id] } })).body;
    expect((await search(api.tenantIds.first)).total).toBe(1);
    expect((await search(api.tenantIds.second)).total).toBe(0);
    expect((await search("019b0000-0000-7000-8000-ffffffffffff")).error).toEqual({
      code: "NOT_FOUND",
      message: "TenantNotFound",
    });
  });

  it("unknown ones are 404", async () => {
    const { status, body } = await post("/letters/show", { letter_id: "019b0000-0000-7000-8000-ffffffffffff" });
    expect([status, body.error.message]).toEqual([404, "LetterNotFound"]);
  });
});

describe("data feeds", () => {
  const ingest = (query: string, body: string | Uint8Array = "FEED 1", headers = octets) =>
    post(`/datafeeds/ingest?${query}`, body, headers);
  const waiting = async () => {
    const letter_id = await submit();
    for (let step = 0; step < 4; step++) await post("/letters/advance", { letter_id });
    return letter_id;
  };

  it("[C-8.7][C-9.31] a file is taken once; by letter it makes the connection", async () => {
    const letter_id = await waiting();
    const first = await ingest(`letter_id=${letter_id}&name=a.csv`);
    expect(first.body).toMatchObject({ status: "ingested", format: "test" });
    const again = await ingest(`connection_id=${first.body.connection_id}&name=a.csv`);
    expect([again.status, again.body.status]).toEqual([200, "duplicate"]);
  });

  it.each(["nonsense", "", "x".repeat(5_000)])("[C-4.62] know no letter and no connection %j", async (id) => {
    for (const target of ["letter_id", "connection_id"])
      expect((await ingest(`name=a&${target}=${id}`)).status, target).toBe(404);
  });

  it.each([
    ["no name", "letter_id=019b0000-0000-7000-8000-000000000001", "name"],
    ["no target", "name=a", "connection_id"],
    ["two targets", "name=a&connection_id=x&letter_id=019b0000-0000-7000-8000-000000000001", "connection_id"],
    ["a name twice", "name=a&name=b&connection_id=x", "name"],
    ["a name with NUL", "name=a%00&connection_id=x", "name"],
    ["another parameter", "name=a&connection_id=x&access_token=first", "access_token"],
    ["a prototype", "name=a&connection_id=x&__proto__=1", "__proto__"],
  ])("refuses %s", async (_name, query, field) => {
    const { status, body } = await ingest(query);
    expect(status).toBe(400);
    expect(fieldsOf(body)).toContain(field);
  });

  it("what is odd about a file is answered", async () => {
    const letter_id = await waiting();
    const { body } = await ingest(`letter_id=${letter_id}&name=a`, "FEED odd");
    expect(body).toMatchObject({ status: "ingested", warnings: [{ place: "line 1", message: "is odd" }] });
  });

  it("[C-7.37] a held file is tried again, for one letter or connection; both are refused", async () => {
    const file_id = (await post("/datafeeds/list-pending", {})).body.items[0].file_id;
    const connection_id = "019b0000-0000-7000-8000-000000000001";
    expect((await post("/datafeeds/retry-pending", { file_id, connection_id })).body).toMatchObject({
      outcome: "taken",
    });
    const both = { file_id, connection_id, letter_id: connection_id };
    expect(fieldsOf((await post("/datafeeds/retry-pending", both)).body)).toEqual(["connection_id"]);
  });

  it("what is pending is dropped by its file, or by connection and statement", async () => {
    const connection_id = "019b0000-0000-7000-8000-000000000001";
    const file_id = (await post("/datafeeds/list-pending", {})).body.items[0].file_id;
    for (const body of [{}, { connection_id }, { statement: "a" }, { file_id, connection_id, statement: "a" }])
      expect(fieldsOf((await post("/datafeeds/drop-pending", body)).body)).toEqual(["file_id"]);
    expect((await post("/datafeeds/drop-pending", { file_id })).body).toEqual({ success: true });
    const pages = await post("/datafeeds/drop-pending", { connection_id, statement: "a" });
    expect([pages.status, JSON.stringify(pages.body)]).toEqual([
      404,
      expect.stringContaining("no pages of such a statement"),
    ]);
  });

  it("a file that cannot be read is refused on file", async () => {
    const letter_id = await waiting();
    expect(fieldsOf((await ingest(`letter_id=${letter_id}&name=a`, "something else")).body)).toEqual(["file"]);
    expect(fieldsOf((await ingest(`letter_id=${letter_id}&name=a`, "")).body)).toEqual(["file"]);
    expect((await post("/letters/show", { letter_id })).body.letter.status).toBe("WaitingForData");
  });

  it("unknown targets are 404, a letter that is not that far 409, another media type 415", async () => {
    expect((await ingest("name=a&connection_id=unknown")).status).toBe(404);
    expect((await ingest("name=a&letter_id=019b0000-0000-7000-8000-ffffffffffff")).status).toBe(404);
    expect((await ingest(`name=a&letter_id=${await submit()}`)).status).toBe(409);
    expect((await ingest("name=a&connection_id=x", "FEED", { "content-type": "text/csv" })).status).toBe(415);
  });
});

describe("connections", () => {
  it("[C-8.6] [C-4.143] are listed per tenant, never with an account, with their status if asked", async () => {
    const letter_id = await submit();
    for (let step = 0; step < 5; step++) await post("/letters/advance", { letter_id });
    const { connection_id } = (await post("/letters/show", { letter_id })).body.letter;
    const tenant_id = api.tenantIds.first;
    const plain = (await post("/connections/list", { tenant_id, bank: "bank" })).body;
    expect(plain.items.map((item: { connection_id: string }) => item.connection_id)).toContain(connection_id);
    expect(plain.items[0]).not.toHaveProperty("status");
    expect(plain.items[0]).toMatchObject({ attention: null, created_at: expect.any(String) });
    for (const item of (await post("/connections/list", { tenant_id, attention_only: true })).body.items)
      expect(item).toEqual({
        connection_id: expect.any(String),
        bank: expect.any(String),
        attention: expect.any(Object),
      });
    const full = (await post("/connections/list", { tenant_id, include_status: true })).body;
    expect(full.items[0].status).toMatchObject({ pending: expect.any(Boolean) });
    for (const item of [...plain.items, ...full.items]) expect(item).not.toHaveProperty("accounts");
    const status = await post("/connections/status", { tenant_id, connection_id });
    expect(status.body).toMatchObject({ connection_id, status: { blocked: false } });
    expect((await post("/connections/list", { tenant_id: api.tenantIds.second })).body.total).toBe(0);
    expect((await post("/connections/status", { tenant_id: api.tenantIds.second, connection_id })).status).toBe(404);
  });
});

describe("[C-8.6] refreshes", () => {
  const refresh = (connection_id: string) => post("/connections/refresh", { connection_id });

  it("say what became of them, for a connection of any tenant; the next may come 15 minutes later", async () => {
    const { connection_id } = await api.refreshable(api.tenantIds.second);
    const first = await refresh(connection_id);
    // The fixture has no bank that could be asked.
    expect([first.status, first.body]).toMatchObject([
      200,
      { connection_id, outcome: "postponed", refresh: { state: "planned" } },
    ]);
    const again = await refresh(connection_id);
    expect([again.status, again.body.error.code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(again.headers.get("retry-after"))).toBeGreaterThan(800);
    expect(Number(again.headers.get("retry-after"))).toBeLessThanOrEqual(900);
    const { body } = await post("/connections/status", { connection_id });
    expect(body.refresh).toMatchObject({ state: "planned", last_outcome: "postponed" });
  });

  it.each(["nonsense", "019b0000-0000-7000-8000-ffffffffffff"])("do not know the connection %s", async (id) => {
    expect((await refresh(id)).status).toBe(404);
  });

  it("refuse a connection whose data come as files", async () => {
    const letter_id = await submit();
    for (let step = 0; step < 5; step++) await post("/letters/advance", { letter_id });
    const { connection_id } = (await post("/letters/show", { letter_id })).body.letter;
    expect((await refresh(connection_id)).status).toBe(409);
  });
});

it.each(["nonsense", "", "x".repeat(5_000), "019B0000-0000-7000-8000-FFFFFFFFFFFF0", "../letters", "' or 1=1 --"])(
  "[C-4.62] a text that is no id is as unknown as any other: %j",
  async (id) => {
    for (const [path, body] of [
      ["/letters/show", { letter_id: id }],
      ["/letters/advance", { letter_id: id }],
      ["/letters/cancel", { letter_id: id }],
      ["/letters/document", { letter_id: id }],
      ["/letters/observe", { letter_id: id, observations: null }],
      ["/connections/status", { connection_id: id }],
      ["/connections/refresh", { connection_id: id }],
      ["/mails/retry", { mail_id: id }],
      ["/mails/confirm", { mail_id: id }],
    ] as const) {
      const answer = await post(path, body);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 404, "NOT_FOUND"]);
    }
  },
);

it.each(["nonsense", "019B0000-0000-7000-8000-FFFFFFFFFFFF0", "../letters", "' or 1=1 --"])(
  "[C-4.62] no rule, token or file of a source has the id %j",
  async (id) => {
    for (const [path, body] of [
      ["/sources/remove-route", { route_id: id }],
      ["/sources/end-token", { token_id: id }],
      ["/datafeeds/show-pending", { file_id: id }],
      ["/datafeeds/show-pending-text", { file_id: id }],
      ["/datafeeds/retry-pending", { file_id: id }],
      ["/datafeeds/drop-pending", { file_id: id }],
    ] as const) {
      const answer = await post(path, body);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 404, "NOT_FOUND"]);
    }
  },
);

it("[C-9.33] the operator API uses the letters envelope", async () => {
  const { status, body } = await post("/tenants/create", { name: "", tone: 1 });
  expect(status).toBe(400);
  expect(body).toEqual({
    success: false,
    error: {
      code: "VALIDATION_ERROR",
      details: [
        { field: "name", error_type: "InvalidValue", rule: expect.any(String) },
        { field: "tone", error_type: "UnknownField" },
      ],
    },
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});
