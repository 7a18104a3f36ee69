import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fixture, publicUrl, startFixture } from "./fixture.js";

let api: Fixture;
beforeAll(async () => {
  api = await startFixture();
});
afterAll(() => api.close());

const PREVIEW = "/connect/v2/connectors/preview-connector-filter";
const rule = (action: string, field: string, value: unknown) => ({ action, field, value });
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

describe("preview-connector-filter", () => {
  it("[S2-4.7][S2-4.24][S2-2.14][S2-1.7] answers the connectors that the filter yields", async () => {
    const rules = [rule("exclude", "connector_id", "*"), rule("include", "connector_id", "fra:bank-001")];
    const { status, body } = await api.post(PREVIEW, { connector_filter: { rules } });
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [{ id: "fra:bank-001", name: "Bank 1", type: "psd2", countries: ["fra"], available: true }],
      next_page_token: null,
    });
  });

  it("[C-9.284] names each fault of a filter by its place", async () => {
    const sound = Array.from({ length: 700 }, () => rule("include", "type", "psd2"));
    const refused = await api.post(PREVIEW, { connector_filter: { rules: [...sound, rule("include", "type", "")] } });
    expect(refused.body.error.details).toMatchObject([{ field: "connector_filter.rules[700].value" }]);
    const faulty = await api.post(PREVIEW, { connector_filter: { rules: Array(1_000).fill(7) } });
    expect(faulty.body.error.details).toHaveLength(1_000);
    expect(faulty.body.error.details[999]).toMatchObject({ field: "connector_filter.rules[999]" });
  });

  it("[C-6.9][S2-4.25] pages of 100 follow each other by token without gap or overlap", async () => {
    const connector_filter = { rules: [] };
    const seen: string[] = [];
    let page_token: string | null = null;
    const sizes: number[] = [];
    do {
      const { body } = await api.post(PREVIEW, { connector_filter, ...(page_token && { page_token }) });
      seen.push(...ids(body.items));
      sizes.push(body.items.length);
      page_token = body.next_page_token;
    } while (page_token !== null);
    expect(sizes).toEqual([100, 100, 50]);
    expect(new Set(seen).size).toBe(250);
  });

  it.each(["another filter", "a damaged token"])("[C-6.9] %s is 400 on page_token", async (kind) => {
    const first = await api.post(PREVIEW, { connector_filter: { rules: [] } });
    const token = first.body.next_page_token as string;
    const { status, body } = await api.post(PREVIEW, {
      connector_filter: { rules: kind === "another filter" ? [rule("exclude", "type", "psd2")] : [] },
      page_token: kind === "another filter" ? token : `${token}x`,
    });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      { error_type: "InvalidValue", field: "page_token", rule: expect.stringContaining("same query") },
    ]);
  });

  it("[S2-7.8][C-5.23][C-6.7] lists every fault of a filter, in the shape of S2 §7 with the rule that it breaks", async () => {
    const rules = [
      rule("hide", "type", "psd2"),
      rule("exclude", "colour", "red"),
      rule("include", "type", "*"),
      { action: "include", field: "type" },
    ];
    const { status, body } = await api.post(PREVIEW, { connector_filter: { rules } });
    expect(status).toBe(400);
    expect(body).toEqual({
      success: false,
      error: { code: "ValidationError", details: expect.any(Array) },
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(body.error.details).toEqual([
      {
        error_type: "InvalidValue",
        field: "connector_filter.rules[0].action",
        rule: expect.stringContaining("include"),
      },
      {
        error_type: "InvalidValue",
        field: "connector_filter.rules[1].field",
        rule: expect.stringContaining("countries"),
      },
      { error_type: "InvalidValue", field: "connector_filter.rules[2].value", rule: expect.stringContaining("*") },
      {
        error_type: "RequiredField",
        field: "connector_filter.rules[3].value",
        rule: expect.stringContaining("non-empty"),
      },
    ]);
  });

  it("[C-6.11] warns of values that nothing matches, on every page, and says nothing else", async () => {
    const rules = [
      rule("exclude", "countries", "spian"),
      rule("include", "countries", ["Spain", "Iceland"]),
      rule("exclude", "type", ["ebanking"]),
      rule("exclude", "connector_id", ["ESP:bank-000", "esp:nobody"]),
    ];
    const { status, body } = await api.post(PREVIEW, { connector_filter: { rules } });
    const warnings = [
      { field: "connector_filter.rules[0].value", message: expect.stringContaining("spian") },
      { field: "connector_filter.rules[1].value[1]", message: "no available connector is in Iceland" },
      { field: "connector_filter.rules[2].value[0]", message: "no available connector has the type ebanking" },
      { field: "connector_filter.rules[3].value[1]", message: "no available connector has the id esp:nobody" },
    ];
    expect([status, body.items.length, body.warnings]).toEqual([200, 100, warnings]);
    const next = await api.post(PREVIEW, { connector_filter: { rules }, page_token: body.next_page_token });
    expect(next.body.warnings).toEqual(warnings);
    const sound = await api.post(PREVIEW, { connector_filter: { rules: [rule("include", "countries", "Spain")] } });
    expect(Object.keys(sound.body)).toEqual(["items", "next_page_token"]);
  });

  it("[S2-7.8] a body without a filter lacks a required field", async () => {
    const { body } = await api.post(PREVIEW, {});
    expect(body.error.details).toEqual([
      { error_type: "RequiredField", field: "connector_filter", rule: "is required" },
    ]);
  });

  it.each([
    ["no token", null],
    ["an empty token", ""],
    ["an unknown token", "unknown"],
  ])("[S2-7.9][S2-5.3] %s is 401 with exactly the body of S2", async (_name, token) => {
    const { status, text } = await api.post(PREVIEW, { connector_filter: { rules: [] } }, { token });
    expect(status).toBe(401);
    expect(text).toBe('{"error":"Invalid credentials"}');
  });
});

describe("connect list-connectors", () => {
  it("[C-5.3][C-5.5] answers the ids asked for, nothing for an empty list, everything without one", async () => {
    const list = async (query: object) => (await api.post("/connect/v2/connectors/list-connectors", { query })).body;
    expect(ids((await list({ connector_id_in: ["fra:bank-001", "esp:bank-000", "xx:none"] })).items)).toEqual([
      "esp:bank-000",
      "fra:bank-001",
    ]);
    expect(await list({ connector_id_in: [] })).toEqual({ items: [], next_page_token: null });
    expect((await list({})).items).toHaveLength(100);
  });
});

describe("sessions", () => {
  it.each(["/connect/v2/sessions/create-session", "/v2/connect/sessions"])(
    "[C-5.1][S2-4.26] %s opens a session",
    async (path) => {
      const configuration = {
        connector_filter: { rules: [rule("exclude", "type", "psd2")] },
        redirect_url: "https://app.example/done",
        labels: { a: "b" },
      };
      const { status, body } = await api.post(path, { configuration });
      expect(status).toBe(200);
      expect(body.session).toMatchObject({
        status: "Waiting:ProvideCredentials",
        error_code: null,
        connection_id: null,
        connector_id: null,
      });
      expect(body.widget_url).toMatch(new RegExp(`^${publicUrl}/connect/`));
    },
  );

  it.each([
    [["configuration.connector_filter"], { connector_id: "esp:bank-000", connector_filter: { rules: [] } }],
    [
      ["configuration.connector_id", "configuration.connection_id"],
      { connector_id: "esp:bank-000", connection_id: "x" },
    ],
    [["configuration.connector_id"], { connector_id: "xx:unknown" }],
    [["configuration.connector_id"], { connector_id: "prt:bank-009" }],
    [["configuration.connector_id"], { connector_id: "prt:bank-249" }],
    [["configuration.connection_id"], { connection_id: "unknown" }],
    [["configuration.redirect_url"], { redirect_url: "https://evil.example/" }],
    [["configuration.labels.x"], { labels: { x: 1 } }],
    [["configuration.colour"], { colour: "red" }],
    [
      ["configuration.connector_filter.rules[0]"],
      { connector_filter: { rules: [rule("exclude", "connector_id", "*"), rule("include", "countries", "spian")] } },
    ],
    [
      ["configuration.connector_filter.rules[0].value"],
      { connector_filter: { rules: [rule("include", "type", "*")] } },
    ],
  ])("[S2-4.32][C-9.25] refuses on %j", async (fields, configuration) => {
    const { status, body } = await api.post("/v2/connect/sessions", { configuration });
    expect(status).toBe(400);
    const named = body.error.details.map(({ field }: { field: string }) => field);
    for (const field of fields) expect(named).toContain(field);
  });

  it.each([
    [
      "which redirect address, those that are registered and how to register it",
      { redirect_url: "https://app.example/other" },
      "configuration.redirect_url",
      /^https:\/\/app\.example\/other is not registered .* has https:\/\/app\.example\/done; .*: wealth-connect apps update CLIENT_ID --redirect-url https:\/\/app\.example\/done --redirect-url https:\/\/app\.example\/other$/,
    ],
    [
      "both ids",
      { connector_id: "esp:bank-000", connection_id: "x" },
      "configuration.connection_id",
      /connector_id \(esp:bank-000\) and connection_id \(x\) exclude each other/,
    ],
    ["that one takes letters", { connector_id: "prt:bank-009" }, "configuration.connector_id", /authorization letter/],
    ["which id is unknown", { connector_id: "xx:unknown" }, "configuration.connector_id", /no xx:unknown/],
    [
      "the beginning of what is too long to be repeated",
      { connector_id: "x".repeat(900_000) },
      "configuration.connector_id",
      /no x{1000,1999}…$/,
    ],
  ])("[C-5.23] a 400 says %s", async (_what, configuration, field, rule) => {
    const { body } = await api.post("/v2/connect/sessions", { configuration });
    expect(body.error.details).toContainEqual({
      error_type: "InvalidValue",
      field,
      rule: expect.stringMatching(rule),
    });
  });

  it("[C-7.22] lists faults of the body and of the configuration together", async () => {
    const { body } = await api.post("/v2/connect/sessions", { configuration: { language: "xx" }, surprise: 1 });
    expect(body.error.details.map(({ field }: { field: string }) => field).sort()).toEqual([
      "configuration.language",
      "surprise",
    ]);
  });

  it("[C-9.25][C-2.1] refreshes a tenant's own connection, at most every 15 minutes", async () => {
    const { connection_id } = await api.refreshable();
    const refresh = (token: string, body: object) => api.post("/connect/v2/connections/refresh", body, { token });
    const mine = await refresh(api.tokens.first, { connection_id });
    expect([mine.status, mine.body]).toMatchObject([
      200,
      { connection_id, outcome: "postponed", status: { pending: expect.any(Boolean) } },
    ]);
    const again = await refresh(api.tokens.first, { connection_id });
    expect([again.status, again.body.error.code]).toEqual([429, "RateLimited"]);
    expect(Number(again.headers.get("retry-after"))).toBeGreaterThan(800);
    for (const [token, body] of [
      [api.tokens.second, { connection_id }],
      [api.tokens.first, { connection_id: "unknown" }],
      [api.tokens.first, {}],
    ] as const) {
      const refused = await refresh(token, body);
      expect([refused.status, refused.body.error.details[0].field]).toEqual([400, "connection_id"]);
    }
    const reader = api.tokenFor("reader", api.tenantIds.first, ["connections:read"]);
    expect((await refresh(reader, { connection_id })).status).toBe(403);
  });

  it("[C-5.2][C-2.1] list-sessions finds a tenant's own sessions only", async () => {
    const mine = (await api.post("/v2/connect/sessions", { configuration: {} }, { token: api.tokens.second })).body
      .session.session_id;
    const list = async (token: string) =>
      (await api.post("/connect/v2/sessions/list-sessions", { query: { session_id_in: [mine] } }, { token })).body
        .items;
    expect(await list(api.tokens.second)).toHaveLength(1);
    expect(await list(api.tokens.first)).toEqual([]);
  });
});
