import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fixture, pdf, startFixture } from "./fixture.js";

let api: Fixture;
beforeAll(async () => {
  api = await startFixture();
});
afterAll(() => api.close());

const submit = async (more: object = {}, token = api.tokens.first) =>
  (await api.post("/letters/v1/create-signed", { connector_id: "esp:bank-000", data: pdf(), ...more }, { token })).body
    .letter_id as string;
const clients = (path: string, body: object, token = api.tokens.first) =>
  api.post(`/clients/v1/${path}`, body, { token });

describe("/clients/v1", () => {
  it("[C-14.802] a letter makes its client, whose label stands in where it can be a reference", async () => {
    await submit({ client_ref: "Given", labels: { client: "Label" } });
    await submit({ labels: { client: "Label" } });
    await submit({ labels: { client: " no reference" } });
    expect((await clients("show", { client_ref: "Given" })).body).toEqual({
      client_ref: "Given",
      name: null,
      connections: 0,
      letters: 1,
      created_at: expect.any(String),
    });
    const { body } = await clients("list", { page_size: 1 });
    expect(body).toMatchObject({ items: [{ client_ref: "Given" }], page: 1, page_size: 1, pages: 2, total: 2 });
    const { body: last } = await clients("list", { order: "-name", page: 2, page_size: 1 });
    expect(last).toMatchObject({ items: [{ client_ref: "Given" }], page: 2, pages: 2, total: 2 });
    expect((await clients("list", { order: "newest" })).body.error.details).toMatchObject([{ field: "order" }]);
    expect((await clients("list", { name: "LAB" })).body.items).toMatchObject([{ client_ref: "Label", letters: 1 }]);
    for (const path of ["show", "update", "delete"])
      expect([
        path,
        (await clients(path, { client_ref: "Given", ...(path === "delete" && { confirm: true }) }, api.tokens.second))
          .status,
      ]).toEqual([path, 404]);
    expect((await clients("list", {}, api.tokens.second)).body.total).toBe(0);
  });

  it.each([
    ["", "must not be empty"],
    ["a".repeat(81), "at most 80"],
    ["a\u202eb", "not shown"],
    [" a", "space"],
  ])("[C-14.802] %j is no reference", async (client_ref, words) => {
    const { status, body } = await api.post("/letters/v1/create-signed", {
      ...{ connector_id: "esp:bank-000", data: pdf(), client_ref },
    });
    expect(status).toBe(400);
    expect(JSON.stringify(body.error)).toContain("client_ref");
    expect(JSON.stringify(body.error)).toContain(words);
  });

  it("[C-14.803] a new reference is everywhere, and one that is taken is refused", async () => {
    const id = await submit({ client_ref: "Old" });
    await submit({ client_ref: "Taken" });
    const { status, body } = await clients("update", { client_ref: "Old", new_client_ref: "Taken" });
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([{ field: "new_client_ref" }]);
    const renamed = await clients("update", { client_ref: "Old", new_client_ref: "New", name: "Zoë" });
    expect(renamed.body).toMatchObject({ client_ref: "New", name: "Zoë", letters: 1 });
    const search = async (client_ref_in: string[]) =>
      (await api.post("/letters/v1/search-letters", { query: { client_ref_in } })).body.items;
    expect(await search(["Old"])).toEqual([]);
    expect(await search(["New"])).toMatchObject([{ id, client_ref: "New" }]);
    expect((await clients("update", { client_ref: "New", name: null })).body.name).toBeNull();
    expect((await clients("update", { client_ref: "Old", name: "x" })).status).toBe(404);
  });

  it("[C-14.1018] a client is made before it has anything, once; operators find it in its tenant only", async () => {
    const made = { client_ref: "Fresh", name: "Änne", connections: 0, letters: 0 };
    expect((await clients("create", { client_ref: "Fresh", name: "Änne" })).body).toMatchObject(made);
    const again = await clients("create", { client_ref: "Fresh", name: "Other" });
    expect([again.status, again.body.error.details]).toMatchObject([400, [{ field: "client_ref" }]]);
    expect((await clients("show", { client_ref: "Fresh" })).body).toMatchObject(made);
    expect((await clients("create", { client_ref: "Plain" }, api.tokens.second)).body.name).toBeNull();
    const ofTenant = (tenant_id: string) =>
      api.post("/operator/v1/clients/list", { tenant_id, name: "anne" }, { token: api.tokens.operator });
    expect((await ofTenant(api.tenantIds.first)).body.items).toMatchObject([made]);
    expect((await ofTenant(api.tenantIds.second)).body.total).toBe(0);
    expect((await ofTenant("019b0000-0000-7000-8000-0000000000ff")).status).toBe(404);
  });

  it("[C-14.803] letters are given to a client all or none, and can be nobody's", async () => {
    const ids = [await submit(), await submit(), await submit()];
    expect((await clients("assign", { client_ref: "Wide", letter_id: ids })).body).toEqual({ assigned: 3 });
    expect((await clients("show", { client_ref: "Wide" })).body.letters).toBe(3);
    const stranger = await submit({}, api.tokens.second);
    expect((await clients("assign", { client_ref: null, letter_id: [ids[0], stranger] })).status).toBe(404);
    expect((await clients("show", { client_ref: "Wide" })).body.letters).toBe(3);
    expect((await clients("assign", { client_ref: null, letter_id: ids[0] })).body).toEqual({ assigned: 1 });
    expect((await clients("show", { client_ref: "Wide" })).body.letters).toBe(2);
    for (const body of [{ client_ref: "Wide" }, { client_ref: "Wide", letter_id: ids, connection_id: ids }])
      expect((await clients("assign", body)).status).toBe(400);
    expect((await clients("assign", { client_ref: "W", connection_id: ids[0] })).status).toBe(404);
  });

  it("[C-14.996] letters are assigned by their ids with letters:write only, connections without", async () => {
    const letter_id = await submit();
    const refused = await clients("assign", { client_ref: "Other", letter_id }, api.tokens.withoutLetters);
    expect([refused.status, refused.body.error.code]).toEqual([403, "UNAUTHORIZED"]);
    expect((await clients("show", { client_ref: "Other" })).status).toBe(404);
    const { connection_id } = await api.refreshable();
    expect((await clients("assign", { client_ref: null, connection_id }, api.tokens.withoutLetters)).status).toBe(200);
  });

  it("[C-14.804] a deleted client's letters are discontinued, and need letters:write", async () => {
    const id = await submit({ client_ref: "Gone" });
    const without = await clients("delete", { client_ref: "Gone", confirm: true }, api.tokens.withoutLetters);
    expect([without.status, without.body.error.code]).toEqual([403, "UNAUTHORIZED"]);
    const refused = await clients("delete", { client_ref: "Gone" });
    expect([refused.status, refused.body.error.code]).toEqual([400, "CONFIRMATION_REQUIRED"]);
    expect((await clients("delete", { client_ref: "Gone", confirm: true })).body).toMatchObject({ letters: 1 });
    expect((await clients("delete", { client_ref: "Gone", confirm: true })).status).toBe(404);
    const { items } = (await api.post("/letters/v1/search-letters", { query: { id_in: [id] } })).body;
    expect(items).toMatchObject([{ status: "Cancelled", client_ref: null }]);
  });

  it("[C-7.205] a deleted client's ended letters no longer have the label that names the client, and keep the others", async () => {
    const id = await submit({ labels: { client: "Labelled", desk: "Labelled" } });
    expect((await clients("delete", { client_ref: "Labelled", confirm: true })).status).toBe(200);
    const search = (query: object) => api.post("/letters/v1/search-letters", { query });
    expect((await search({ id_in: [id] })).body.items).toMatchObject([{ client_ref: null }]);
    expect((await search({ id_in: [id] })).body.items[0].labels).toEqual({ desk: "Labelled" });
    expect((await search({ labels: { client: "Labelled" } })).body.total).toBe(0);
  });

  it("[C-14.802] a session of a repair is of its connection's client, and of no other", async () => {
    const session = (configuration: object) => api.post("/connect/v2/sessions/create-session", { configuration });
    expect((await session({ client_ref: "Visitor" })).status).toBe(200);
    expect((await clients("show", { client_ref: "Visitor" })).body).toMatchObject({ connections: 0, letters: 0 });
    const { connection_id } = await api.refreshable();
    const other = await session({ connection_id, client_ref: "Visitor" });
    expect(other.status).toBe(400);
    expect(JSON.stringify(other.body)).toContain("client_ref");
    await clients("assign", { client_ref: "Visitor", connection_id });
    expect((await session({ connection_id, client_ref: "Visitor" })).status).toBe(200);
    expect((await session({ connection_id })).status).toBe(200);
    expect((await clients("delete", { client_ref: "Visitor", confirm: true })).body).toMatchObject({ connections: 1 });
    expect((await session({ connection_id })).status).toBe(400);
  });
});
