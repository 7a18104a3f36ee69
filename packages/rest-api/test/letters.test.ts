import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Fixture, letterBodyBytes, letterMaxBytes, pdf, startFixture } from "./fixture.js";

let api: Fixture;
beforeAll(async () => {
  api = await startFixture();
});
afterAll(() => api.close());

const submission = (extra: object = {}) => ({ connector_id: "esp:bank-000", data: pdf(), ...extra });
const submit = async (extra: object = {}, token = api.tokens.first) =>
  (await api.post("/letters/v1/create-signed", submission(extra), { token })).body.letter_id as string;

describe("list-connectors", () => {
  it("[S2-4.2][S2-4.3][S2-2.9][S2-2.10][S2-2.11][S2-2.12][S2-2.13] answers 200 with every connector", async () => {
    const { status, body } = await api.post("/letters/v1/list-connectors", {});
    expect(status).toBe(200);
    expect(body.items).toHaveLength(250);
    expect(body.items[0]).toEqual({
      id: "deu:bank-002",
      name: "Bank 2",
      type: "e-banking",
      countries: ["deu"],
      available: true,
      takes_letters: true,
    });
    expect(body.items.some(({ type }: { type: string }) => type === "datafeed")).toBe(true);
  });

  it("[C-7.62] says which connectors take letters: those for which create-signed takes one", async () => {
    const own = await startFixture();
    onTestFinished(() => own.close());
    const rows = [
      { id: "esp:none", letters: false },
      { id: "esp:closed", available: false },
    ].map((row) => JSON.stringify({ name: "Bank", country: "ES", ...row }));
    await own.post("/operator/v1/connectors/import", rows.join("\n"), {
      token: own.tokens.operator,
      headers: { "content-type": "application/x-ndjson" },
    });
    const { body } = await own.post("/letters/v1/list-connectors", {});
    const said = new Map(
      body.items.map(({ id, takes_letters }: { id: string; takes_letters: boolean }) => [id, takes_letters]),
    );
    for (const [connector_id, takes] of [
      ["esp:none", false],
      ["esp:closed", false],
      ["esp:bank-000", true],
      ["prt:bank-009", true],
    ] as const) {
      expect([connector_id, said.get(connector_id)]).toEqual([connector_id, takes]);
      const { status } = await own.post("/letters/v1/create-signed", submission({ connector_id }));
      expect([connector_id, status]).toEqual([connector_id, takes ? 200 : 400]);
    }
  });

  it("[S2-4.2] makes the answer once for all who ask, as long as the catalogue does not change", async () => {
    const made = vi.spyOn(JSON, "stringify");
    onTestFinished(() => made.mockRestore());
    for (const token of [api.tokens.first, api.tokens.second, api.tokens.first])
      expect((await api.post("/letters/v1/list-connectors", {}, { token })).body.items).toHaveLength(250);
    const lists = made.mock.calls.filter(([value]) => (value as { items?: unknown[] } | null)?.items?.length === 250);
    expect(lists.length).toBeLessThanOrEqual(1);
  });

  it("[S2-4.3] takes an empty object: other fields are faults", async () => {
    const { status, body } = await api.post("/letters/v1/list-connectors", { page: 1 });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field: "page", error_type: "UnknownField" }]);
  });
});

describe("create-signed", () => {
  it("[S2-4.4][S2-4.13][S2-3.15] every call makes a new letter in Signed", async () => {
    const [one, other] = [await submit(), await submit()];
    expect(one).not.toBe(other);
    const { body } = await api.post("/letters/v1/search-letters", { query: { id_in: [one, other] } });
    expect(body.items.map(({ status }: { status: string }) => status)).toEqual(["Signed", "Signed"]);
  });

  it("[S2-4.10][S2-4.11][S2-4.12][S2-2.16] takes labels, an annex and contact info", async () => {
    const { status } = await api.post(
      "/letters/v1/create-signed",
      submission({
        annex: pdf(),
        labels: { desk: "7" },
        contact_info: { banker_email: "b@bank.example", branch: "Gran Vía 1" },
      }),
    );
    expect(status).toBe(200);
  });

  it("[S2-7.4][C-7.22] lists every fault with its path", async () => {
    const { status, body } = await api.post("/letters/v1/create-signed", {
      data: "not Base64!",
      labels: { "no spaces": "x", n: 1 },
      contact_info: { banker_email: "nobody" },
      surprise: true,
    });
    expect(status).toBe(400);
    expect(body).toEqual({
      success: false,
      error: { code: "VALIDATION_ERROR", details: expect.any(Array) },
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const found = new Map(body.error.details.map(({ field, ...rest }: { field: string }) => [field, rest]));
    expect(Object.fromEntries(found)).toMatchObject({
      connector_id: { error_type: "RequiredField" },
      data: { error_type: "InvalidValue", rule: expect.stringContaining("Base64") },
      "labels.no spaces": { error_type: "InvalidValue", rule: expect.any(String) },
      "labels.n": { error_type: "InvalidValue", rule: expect.any(String) },
      "contact_info.banker_email": { error_type: "InvalidValue", rule: expect.stringContaining("e-mail") },
      surprise: { error_type: "UnknownField" },
    });
  });

  it("[C-7.7] an Idempotency-Key makes a retry return the first answer, and 422 with another body", async () => {
    const send = (extra: object) =>
      api.post("/letters/v1/create-signed", submission(extra), { headers: { "idempotency-key": "retry-1" } });
    const [first, again, other] = [await send({}), await send({}), await send({ labels: { changed: "yes" } })];
    expect(again.body).toEqual(first.body);
    expect(other.status).toBe(422);
    expect(other.body.error).toEqual({
      code: "VALIDATION_ERROR",
      details: [{ field: "Idempotency-Key", error_type: "InvalidValue", rule: expect.any(String) }],
    });
  });

  it.each(["", "with space", "x".repeat(256)])("[C-7.7] refuses the Idempotency-Key %j", async (key) => {
    const { status, body } = await api.post("/letters/v1/create-signed", submission(), {
      headers: { "idempotency-key": key },
    });
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([{ field: "Idempotency-Key", error_type: "InvalidValue" }]);
  });

  it.each(["data", "annex"])("[C-7.3] a %s over the limit is 413 with the limit in the rule", async (field) => {
    const { status, body } = await api.post("/letters/v1/create-signed", submission({ [field]: pdf(letterMaxBytes) }));
    expect(status).toBe(413);
    expect(body.error).toEqual({
      code: "VALIDATION_ERROR",
      details: [{ field, error_type: "InvalidValue", rule: expect.stringContaining(String(letterMaxBytes)) }],
    });
  });

  it.each(["data", "annex"])("[C-7.22] a second %s is 400 by its name, before the rest is read", async (field) => {
    const twice = `{"${field}":"",`.padEnd(letterBodyBytes - 1_000, `"${field}":"",`);
    const { status, body } = await api.post("/letters/v1/create-signed", twice);
    expect(status).toBe(400);
    expect(body.error).toEqual({
      code: "VALIDATION_ERROR",
      details: [{ field, error_type: "InvalidValue", rule: "must not be given twice" }],
    });
    expect(await submit()).toEqual(expect.any(String));
  });

  it("[C-9.14][C-7.3] a body over 2 × 4/3 × LETTER_MAX_BYTES + 64 KiB is 413, one of that size is read", async () => {
    const filled = (bytes: number) => {
      const body = JSON.stringify(submission({ annex: "" }));
      return body.replace('"annex":""', `"annex":"${"A".repeat(bytes - body.length)}"`);
    };
    const over = await api.post("/letters/v1/create-signed", filled(letterBodyBytes + 1));
    expect(over.status).toBe(413);
    expect(over.body.error.details).toEqual([
      { field: "body", error_type: "InvalidValue", rule: expect.stringContaining(`${letterBodyBytes} bytes`) },
    ]);
    const exact = await api.post("/letters/v1/create-signed", filled(letterBodyBytes));
    expect(exact.body.error.details.map(({ field }: { field: string }) => field)).toEqual(["annex"]);
  });
});

describe("search-letters", () => {
  it("[S2-4.5][S2-4.15][S2-4.16][S2-8.1][S2-8.2][C-7.8] counts, pages and sorts newest first", async () => {
    const token = api.tokenFor("search", api.tenantIds.second, ["letters:read", "letters:write"]);
    const ids = [];
    for (let count = 0; count < 21; count++) ids.push(await submit({ labels: { n: String(count) } }, token));
    const first = await api.post("/letters/v1/search-letters", { query: {} }, { token });
    expect(first.body).toMatchObject({ page: 1, page_size: 20, pages: 2, total: 21 });
    expect(first.body.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1).reverse());
    const second = await api.post("/letters/v1/search-letters", { query: {}, page: 2 }, { token });
    expect(second.body.items.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
    expect(
      (await api.post("/letters/v1/search-letters", { query: {}, page_size: 101 }, { token })).body.error.details,
    ).toEqual([{ field: "page_size", error_type: "InvalidValue", rule: expect.stringContaining("100") }]);
  });

  it("[S2-2.1][S2-2.2][S2-2.3][S2-2.4][S2-2.5][S2-2.6][S2-2.7] shows a letter with its eight fields, and whose it is", async () => {
    const id = await submit({ labels: { shown: "yes" } });
    const { body } = await api.post("/letters/v1/search-letters", { query: { labels: { shown: "yes" } } });
    expect(body.items).toEqual([
      {
        id,
        connector_id: "esp:bank-000",
        status: "Signed",
        labels: { shown: "yes" },
        client_ref: null,
        client_name: null,
        connection_id: null,
        observations: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        updated_at: expect.any(String),
      },
    ]);
  });

  it("[S2-4.14] query is required", async () => {
    const { status, body } = await api.post("/letters/v1/search-letters", {});
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field: "query", error_type: "RequiredField" }]);
  });

  it.each(["2026-01-01", "20260101", "2026-001", "2026001", "2026-W01-4", "2026W014", "20260101T000000Z"])(
    "[S2-4.22] [S2-4.23] [C-7.61] takes %s, as ISO 8601 has it",
    async (start) => {
      const id = await submit();
      const period = { creation_date: { start }, last_update: { start } };
      const { body } = await api.post("/letters/v1/search-letters", { query: { id_in: [id], ...period } });
      expect(body).toMatchObject({ total: 1 });
    },
  );

  it.each([
    ["query.creation_date.start", { creation_date: { start: "2026-02-30" } }],
    ["query.last_update.end", { last_update: { end: "yesterday" } }],
    ["query.creation_date.start", { creation_date: { start: "2026-02-02", end: "2026-02-01" } }],
    ["query.colour", { colour: "red" }],
    ["query.id_in[1]", { id_in: ["019b0000-0000-7000-8000-000000000000", "letter-7"] }],
    ["query.status_in[0]", { status_in: ["Lost"] }],
  ])("[C-7.9][C-7.10][S2-4.17] refuses a bad %s", async (field, query) => {
    const { status, body } = await api.post("/letters/v1/search-letters", { query });
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([{ field }]);
  });
});

describe("discontinue-letter", () => {
  it("[S2-4.6][S2-3.16] cancels a letter that never was connected", async () => {
    const letter_id = await submit();
    const { status, body } = await api.post("/letters/v1/discontinue-letter", { letter_id });
    expect([status, body]).toEqual([200, { success: true }]);
    const found = await api.post("/letters/v1/search-letters", { query: { id_in: [letter_id] } });
    expect(found.body.items[0].status).toBe("Cancelled");
  });

  it("[S2-7.5][S2-3.20] a second time is 400 on letter_id with a rule", async () => {
    const letter_id = await submit();
    await api.post("/letters/v1/discontinue-letter", { letter_id });
    const { status, body } = await api.post("/letters/v1/discontinue-letter", { letter_id });
    expect(status).toBe(400);
    expect(body.error).toEqual({
      code: "VALIDATION_ERROR",
      details: [{ field: "letter_id", error_type: "InvalidValue", rule: expect.any(String) }],
    });
  });

  it.each(["unknown", "foreign"])("[S2-7.6][C-2.1] an %s letter is 404 LetterNotFound", async (kind) => {
    const letter_id = kind === "foreign" ? await submit({}, api.tokens.second) : "019b0000-0000-7000-8000-ffffffffffff";
    const { status, body } = await api.post("/letters/v1/discontinue-letter", { letter_id });
    expect(status).toBe(404);
    expect(body).toEqual({
      success: false,
      error: { code: "NOT_FOUND", message: "LetterNotFound" },
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it("[C-9.8] an id that is no UUID is InvalidValue", async () => {
    const { status, body } = await api.post("/letters/v1/discontinue-letter", { letter_id: "letter-7" });
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([{ field: "letter_id", error_type: "InvalidValue" }]);
  });
});
