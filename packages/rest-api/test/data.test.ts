import { samples } from "@org/core/testing";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fixture, startFixture } from "./fixture.js";

let api: Fixture;
let connectionId: string;
beforeAll(async () => {
  api = await startFixture();
  const record = await api.refreshable();
  connectionId = record.connection_id;
  const portfolios = ["EUR", "EUR", "CHF"].map((currency, index) =>
    samples.portfolio({ name: `Account ${index}`, balance: `${1_000 * (index + 1)}.50`, currency }),
  );
  await api.storage.inTenant(api.tenantIds.first, ({ snapshots }) =>
    snapshots.publish({
      connection_id: record.connection_id,
      as_of: samples.now,
      published_at: samples.now,
      portfolios,
    }),
  );
});
afterAll(() => api.close());

const read = (name: string, body: object = {}, token = api.tokens.first) =>
  api.post(`/data/v1/${name}`, body, { token });

describe("[C-9.90] reads of data", () => {
  it("answer rows, totals, sources and the snapshot to read on in", async () => {
    const { body } = await read("list-portfolios", { currency: "eur", page_size: 1, fields: ["name", "balance"] });
    expect(body).toMatchObject({
      items: [{ name: "Account 0", balance: "1000.50" }],
      page: 1,
      page_size: 1,
      pages: 2,
      total: 2,
      totals: [{ currency: "EUR", balance: "3001.00" }],
      snapshot: expect.any(String),
    });
    const further = { currency: "eur", page_size: 1, page: 2, snapshot: body.snapshot, include_source_token: true };
    expect((await read("list-portfolios", further)).body.items).toMatchObject([
      { name: "Account 1", credentials_token: connectionId },
    ]);
  });

  it.each([
    ["credentials_token", "list-portfolios"],
    ["currency", "list-portfolios"],
    ["portfolio_type", "list-portfolios"],
    ["fields", "list-portfolios"],
    ["inv_type", "list-investments"],
    ["subtype", "list-investments"],
    ["start_date", "list-transactions"],
    ["end_date", "list-transactions"],
  ])("[C-9.91] null for the list or day %s is no way to say all", async (field, name) => {
    const { status, body } = await read(name, { [field]: null });
    expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error.details).toMatchObject([{ field, error_type: "InvalidValue" }]);
  });

  it("[C-9.91] null for any other argument is as if it were left out", async () => {
    const nothing = { page: null, page_size: null, include_source_token: null, snapshot: null, min_balance: null };
    expect((await read("list-portfolios", nothing)).text).toBe((await read("list-portfolios")).text);
    const bank = { bank: null, ready_only: null, include_status: null };
    expect((await read("list-connections", bank)).text).toBe((await read("list-connections")).text);
  });

  it.each([
    ["list-portfolios", { credentials_token: "019b0000-0000-7000-8000-ffffffffffff" }],
    ["list-portfolios", { credentials_token: ["no-uuid"] }],
    ["list-investments", { portfolio_id: "no-uuid" }],
    ["show-connection", { credentials_token: "no-uuid" }],
    ["show-transaction", { credentials_token: "no-uuid", transaction_id: "no-uuid" }],
    ["delete-connection", { credentials_token: "019b0000-0000-7000-8000-ffffffffffff", confirm: true }],
  ])("%s %j is a 404", async (name, body) => {
    const answer = await read(name, body);
    expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
  });

  it("start after end, and a field that no row has, are refused by name", async () => {
    const period = await read("list-transactions", { start_date: "2026-02-01", end_date: "2026-01-01" });
    expect(period.body.error.details).toMatchObject([{ field: "start_date" }]);
    const fields = await read("list-investments", { fields: ["isin", "colour"] });
    expect(fields.body.error.details).toMatchObject([{ field: "fields[1]" }]);
  });
});

it("[C-5.223] a transaction is shown by its id, in any case of letters, and unknown ids are named", async () => {
  const { connection_id } = await api.refreshable();
  const row = samples.transaction({ description: "Fee" });
  const publish = (description: string, n: number) =>
    api.storage.inTenant(api.tenantIds.first, ({ snapshots }) =>
      snapshots.publish({
        ...{ connection_id, as_of: samples.now, published_at: samples.later(n) },
        transactions: [{ ...row, description }],
      }),
    );
  await publish("Fee", 0);
  await publish("Fee, corrected", 1);
  const transaction_id = row.transaction_id.toUpperCase();
  const { status, body } = await read("show-transaction", { credentials_token: connection_id, transaction_id });
  expect([status, body]).toMatchObject([
    200,
    {
      id: row.transaction_id,
      credentials_token: connection_id,
      versions: [
        { description: "Fee, corrected", ended_at: null },
        { description: "Fee", ended_by: "replaced" },
      ],
    },
  ]);
  const fields = ["description", "former_versions"];
  const { items } = (await read("list-transactions", { credentials_token: connection_id, fields })).body;
  expect(items).toEqual([{ description: "Fee, corrected", former_versions: 1 }]);
  for (const [field, id] of [
    ["transaction_id", "no-uuid"],
    ["transaction_id", connection_id],
    ["credentials_token", row.transaction_id],
  ] as const) {
    const own = { credentials_token: connection_id, transaction_id };
    const refused = await read("show-transaction", { ...own, [field]: id });
    expect([refused.status, refused.body.error.details]).toMatchObject([404, [{ field }]]);
  }
  await read("delete-connection", { credentials_token: connection_id, confirm: true });
});

describe("[C-9.90] connections", () => {
  it("are listed and shown, one with its status and whether a login is needed", async () => {
    const { body } = await read("list-connections", { include_status: true });
    expect(body).toMatchObject({ total: 1, items: [{ credentials_token: connectionId, status: { blocked: false } }] });
    const { body: one } = await read("show-connection", { credentials_token: connectionId });
    const { accounts, ...listed } = body.items[0];
    expect(accounts).toEqual([0, 1, 2].map((number) => ({ name: `Account ${number}`, last_four: "2100" })));
    expect(one).toEqual({ ...listed, needs_relogin: false, reasons: [], consent_renewal: null });
    expect((await read("list-connections", {}, api.tokens.second)).body.total).toBe(0);
  });

  it.each([undefined, null, false, "true", 1])("are not deleted with confirm %j", async (confirm) => {
    const { status, body } = await read("delete-connection", { credentials_token: connectionId, confirm });
    expect([status, body.error.code]).toEqual([400, "CONFIRMATION_REQUIRED"]);
    expect((await read("list-connections")).body.total).toBe(1);
  });

  it("are deleted once", async () => {
    const deletion = { credentials_token: (await api.refreshable()).connection_id, confirm: true };
    expect((await read("delete-connection", deletion)).body).toEqual({
      message: expect.stringContaining("have been deleted"),
      credentials_token: deletion.credentials_token,
    });
    expect((await read("delete-connection", deletion)).status).toBe(404);
  });
});

it("[C-1.32] every example in the document fits its schema, and every endpoint of data has one", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "api", ...api.document });
  const shown: string[] = [];
  for (const [path, { post }] of Object.entries(api.document.paths)) {
    const { requestBody, responses } = post as Record<"requestBody" | "responses", Record<string, object>>;
    const media = [requestBody, responses[200]].map((part) => (part as WithContent).content["application/json"]);
    for (const { schema, example } of media.flatMap((found) => found ?? [])) {
      if (example === undefined) continue;
      shown.push(path);
      expect(ajv.compile({ $ref: `api${schema.$ref}` })(example), path).toBe(true);
    }
  }
  const ofData = Object.keys(api.document.paths).filter((path) => path.startsWith("/data/"));
  expect(shown.sort()).toEqual(expect.arrayContaining([...ofData, ...ofData].sort()));
});

interface WithContent {
  readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string }; readonly example?: object }>>;
}
