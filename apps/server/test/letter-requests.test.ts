import { gzipSync } from "node:zlib";
import { plainPdf } from "@org/letter-documents/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { post, send } from "./http-client.js";
import { oneBackend } from "./installation.js";

const MAX_BYTES = 100_000;
/** Contract §9: 2 × 4/3 × LETTER_MAX_BYTES + 64 KiB. */
const MAX_BODY = Math.ceil((8 * MAX_BYTES) / 3) + 65_536;
/** Placeholder for a sound document in tables. */
const DATA = "a sound PDF";
const CREATE = "/letters/v1/create-signed";
const SEARCH = "/letters/v1/search-letters";

const DATABASE = oneBackend(
  "most is refused before anything is stored; letters and their keys are in the stores' conformance suite",
);

describe.each([DATABASE])("requests of the letters API on %s", (backend) => {
  let server: TestServer;
  let data: string;
  beforeAll(async () => {
    server = await startTestServer({ backend, environment: { LETTER_MAX_BYTES: String(MAX_BYTES) } });
    data = (await plainPdf()).toString("base64");
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  const submission = (more: object = {}) => ({ connector_id: sandboxBanks.datafeed, data, ...more });
  const total = async () => (await server.demo.post(SEARCH, { query: {} })).body.total as number;
  const sized = async (bytes: number) => {
    const pdf = await plainPdf();
    const end = pdf.lastIndexOf("startxref");
    const filler = `%${"x".repeat(bytes - pdf.length - 2)}\n`;
    return Buffer.concat([pdf.subarray(0, end), Buffer.from(filler), pdf.subarray(end)]).toString("base64");
  };

  it.each<[string, object, string[]]>([
    ["nothing", {}, ["connector_id RequiredField", "data RequiredField"]],
    ["a connector that is none", { connector_id: "esp:nobody", data: "" }, ["connector_id", "data"]],
    ["a connector of another type", { connector_id: 5, data: null }, ["connector_id", "data"]],
    ["fields nobody knows", submissionOf({ surplus: 1, Data: "x" }), ["Data UnknownField", "surplus UnknownField"]],
    ["labels that are a list", submissionOf({ labels: ["a"] }), ["labels"]],
    ["51 labels", submissionOf({ labels: pairs(51) }), ["labels"]],
    [
      "52 labels, one of them wrong",
      submissionOf({ labels: { ...pairs(51), "no spaces": "x" } }),
      ["labels", "labels.no spaces"],
    ],
    [
      "a label with a key of 41 characters",
      submissionOf({ labels: { [`k${"x".repeat(40)}`]: "v" } }),
      [`labels.k${"x".repeat(40)}`],
    ],
    ["a label with an empty key", submissionOf({ labels: { "": "v" } }), ["labels."]],
    [
      "labels that are no texts",
      submissionOf({ labels: { a: 1, b: null, c: {} } }),
      ["labels.a", "labels.b", "labels.c"],
    ],
    ["a label of 501 characters", submissionOf({ labels: { a: "x".repeat(501) } }), ["labels.a"]],
    [
      "an address that is none",
      submissionOf({ contact_info: { banker_email: "nobody", desk: 7 } }),
      ["contact_info.banker_email", "contact_info.desk"],
    ],
    ["contacts that are a text", submissionOf({ contact_info: "call me" }), ["contact_info"]],
    [
      "51 contacts, one of them too long",
      submissionOf({ contact_info: { ...pairs(50), long: "x".repeat(2_001) } }),
      ["contact_info", "contact_info.long"],
    ],
    ["an annex that is no PDF", submissionOf({ annex: Buffer.from("hello").toString("base64") }), ["annex"]],
    ["Base64 with line ends", submissionOf({ annex: "JVBE\nRi0x" }), ["annex"]],
    ["Base64 for URLs", submissionOf({ annex: "JVBERi0-_w==" }), ["annex"]],
    ["Base64 without padding", submissionOf({ annex: "JVBERi0xLg" }), ["annex"]],
    [
      "everything at once",
      {
        connector_id: "esp:nobody",
        data: "%",
        annex: "%",
        labels: { " ": 1 },
        contact_info: { banker_email: "" },
        x: 1,
      },
      ["annex", "connector_id", "contact_info.banker_email", "data", "labels. ", "x UnknownField"],
    ],
  ])(
    "[C-7.22] [C-7.4] [C-7.5] [S2-7.4] create-signed with %s: every fault, and nothing kept",
    async (_name, body, faults) => {
      const before = await total();
      const given = "data" in body && body.data === DATA ? { ...body, data } : body;
      const { status, body: refusal } = await server.demo.post(CREATE, given);
      expect([status, refusal.error.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(listed(refusal)).toEqual(faults.toSorted());
      expect(await total()).toBe(before);
    },
  );

  it.each<[string, object, string[]]>([
    ["no query", {}, ["query RequiredField"]],
    ["unknown fields", { query: { colour: 1 }, sort: "asc" }, ["query.colour UnknownField", "sort UnknownField"]],
    ["pages out of bounds", { query: {}, page: 0, page_size: 101 }, ["page", "page_size"]],
    ["pages that are no numbers", { query: {}, page: "1", page_size: 2.5 }, ["page", "page_size"]],
    [
      "lists that are none",
      { query: { id_in: "x", status_in: {}, connector_id_in: 1 } },
      ["query.connector_id_in", "query.id_in", "query.status_in"],
    ],
    [
      "ids that are none",
      { query: { id_in: ["x", "01900000-0000-7000-8000-000000000001", 5] } },
      ["query.id_in[0]", "query.id_in[2]"],
    ],
    ["a status that is none", { query: { status_in: ["Signed", "signed"] } }, ["query.status_in[1]"]],
    [
      "1,001 ids",
      { query: { id_in: Array.from({ length: 1_001 }, () => "01900000-0000-7000-8000-000000000001") } },
      ["query.id_in"],
    ],
    [
      "labels that are wrong",
      { query: { labels: { "no spaces": "x", a: 1 } } },
      ["query.labels.a", "query.labels.no spaces"],
    ],
    [
      "days that do not exist",
      { query: { creation_date: { start: "2026-02-29", end: "2026-13-01" } } },
      ["query.creation_date.end", "query.creation_date.start"],
    ],
    [
      "times that do not exist",
      { query: { last_update: { start: "2026-01-01T25:00:00Z", end: "noon" } } },
      ["query.last_update.end", "query.last_update.start"],
    ],
    [
      "periods the wrong way round",
      {
        query: {
          creation_date: { start: "2026-02-02", end: "2026-02-01" },
          last_update: { start: "2026-02-02T10:00:00Z", end: "2026-02-02T09:00:00Z" },
        },
      },
      ["query.creation_date.start", "query.last_update.start"],
    ],
    [
      "periods with other fields",
      { query: { creation_date: { from: "2026-02-02" } } },
      ["query.creation_date.from UnknownField"],
    ],
  ])("[C-7.9] [C-7.10] [C-7.22] search-letters with %s: every fault", async (_name, body, faults) => {
    const { status, body: refusal } = await server.demo.post(SEARCH, body);
    expect([status, refusal.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(listed(refusal)).toEqual(faults.toSorted());
  });

  it("[C-7.7] ten submissions under one key at once make one letter, and all are told its id", async () => {
    const before = await total();
    const headers = { "idempotency-key": "ten-at-once" };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        server.demo.post(CREATE, submission({ labels: { a: "1", b: "2" } }), { headers }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.letter_id)).size).toBe(1);
    expect(await total()).toBe(before + 1);
    const reordered = `{"labels":{"b":"2","a":"1"},"data":"${data.replaceAll("/", "\\/")}","connector_id":"${sandboxBanks.datafeed}"}`;
    expect((await server.demo.post(CREATE, reordered, { headers })).body).toEqual(answers[0]?.body);
  });

  it("[C-7.7] another body under the same key is 422; a refused body does not take the key; keys are an application's own", async () => {
    const headers = { "idempotency-key": "once" };
    expect((await server.demo.post(CREATE, { data }, { headers })).status).toBe(400);
    const first = await server.demo.post(CREATE, submission(), { headers });
    expect(first.status).toBe(200);
    const other = await server.demo.post(CREATE, submission({ annex: data }), { headers });
    expect([other.status, other.body.error]).toEqual([
      422,
      {
        code: "VALIDATION_ERROR",
        details: [{ field: "Idempotency-Key", error_type: "InvalidValue", rule: expect.any(String) }],
      },
    ]);
    const made = await server.operate("/operator/v1/applications/create", {
      tenant_id: server.demo.tenantId,
      name: `Second on ${backend}`,
    });
    const token = (await server.token(made.application.client_id, made.client_secret)).body.access_token;
    const theirs = await post(server.url + CREATE, submission(), { token, headers });
    expect([theirs.status, theirs.body.letter_id === first.body.letter_id]).toEqual([200, false]);
  });

  it.each([
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["application/json; charset=iso-8859-1", 415],
    ["application/json; charset=utf-8", 200],
    ['Application/JSON; Charset="UTF-8"', 200],
    ["application/json", 200],
  ])("[S2-4.1] Content-Type %s: %i", async (type, expected) => {
    const { status } = await server.demo.post(CREATE, JSON.stringify(submission()), {
      headers: { "content-type": type },
    });
    expect(status).toBe(expected);
  });

  it.each(["gzip", "deflate", "br"])(
    "a body said to be packed with %s is refused, whatever it unfolds to",
    async (encoding) => {
      const headers = { "content-type": "application/json", "content-encoding": encoding };
      const { status, body } = await server.demo.post(CREATE, gzipSync(JSON.stringify(submission())), { headers });
      expect([status, body.error.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    },
  );

  it("[C-7.3] [C-1.18] a document of LETTER_MAX_BYTES is taken, twice in one letter; of one byte more it is 413 on its field", async () => {
    const [largest, larger] = [await sized(MAX_BYTES), await sized(MAX_BYTES + 1)];
    expect((await server.demo.post(CREATE, submission({ data: largest, annex: largest }))).status).toBe(200);
    for (const field of ["data", "annex"]) {
      const { status, body } = await server.demo.post(CREATE, submission({ [field]: larger, labels: { " ": "x" } }));
      expect([status, body.error.code]).toEqual([413, "VALIDATION_ERROR"]);
      expect(listed(body)).toEqual([field, "labels. "].toSorted());
      expect(body.error.details.find((fault: { field: string }) => fault.field === field).rule).toContain(
        String(MAX_BYTES),
      );
    }
  });

  it.each([
    ["with its length declared", false],
    ["in chunks", true],
  ])("[C-9.14] [C-7.3] a body over the limit, %s, is 413 on body", async (_name, isChunked) => {
    const text = JSON.stringify(submission());
    const filled = (bytes: number) => Buffer.from(text.replace(/}$/, `${" ".repeat(bytes - text.length)}}`));
    const submit = (bytes: Buffer) =>
      send(server.url + CREATE, {
        method: "POST",
        headers: { authorization: `Bearer ${server.demo.token}`, "content-type": "application/json" },
        ...(isChunked ? { body: new Blob([bytes]).stream(), duplex: "half" } : { body: bytes }),
      } as RequestInit);
    expect((await submit(filled(MAX_BODY))).status).toBe(200);
    const { status, body } = await submit(filled(MAX_BODY + 1));
    expect([status, body.error]).toEqual([
      413,
      {
        code: "VALIDATION_ERROR",
        details: [{ field: "body", error_type: "InvalidValue", rule: expect.stringContaining(String(MAX_BODY)) }],
      },
    ]);
  });
});

function submissionOf(more: object): object {
  return { connector_id: sandboxBanks.datafeed, data: DATA, ...more };
}

function pairs(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));
}

/** Fields with their kind of fault if that is not InvalidValue. */
function listed(refusal: { error: { details: { field: string; error_type: string }[] } }): string[] {
  return refusal.error.details
    .map(({ field, error_type }) => (error_type === "InvalidValue" ? field : `${field} ${error_type}`))
    .toSorted();
}
