import { EVENT_TYPES, OPERATOR_EVENT_TYPES, type Steps } from "@org/core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { families } from "../src/families.js";
import { referencePage, restRoutes } from "../src/index.js";
import { buildDocument } from "../src/openapi/document.js";
import { renderReference } from "../src/reference/reference-page.js";
import { type Fixture, letterMaxBytes, startFixture } from "./fixture.js";

let api: Fixture;
beforeAll(async () => {
  api = await startFixture();
});
afterAll(() => api.close());

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly object[];
  readonly parameters: readonly object[];
  readonly requestBody: { readonly content: Readonly<Record<string, object>> };
  readonly responses: Readonly<Record<string, object>>;
}
const operations = () =>
  Object.entries(api.document.paths).map(([path, item]) => [path, item.post as Operation] as const);
const deliveries = () =>
  Object.entries(api.document.webhooks).map(([type, { post }]) => [type, post as Operation] as const);

it("[C-1.32] GET /openapi.json answers the document to everyone", async () => {
  const response = await fetch(`${api.url}/openapi.json`, { headers: { origin: "https://anywhere.example" } });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  expect(response.headers.get("x-trace-id")).toMatch(/^[0-9a-f]{32}$/);
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(api.document)));
});

it("[C-9.521] the document is made in steps, one for each schema and each endpoint", () => {
  const [taken, made] = stepsOf(buildDocument({ publicUrl: "https://wealth.example", letterMaxBytes }));
  const endpoints = families.flatMap((family) => family.endpoints);
  expect(taken).toBe(Object.keys(made.components.schemas).length + endpoints.length + 1);
  expect(made.components).toEqual(api.document.components);
});

it("[C-9.521] the reference is made in steps, one for each path and each shared schema", async () => {
  const { document } = api;
  const [taken, page] = stepsOf(renderReference("de", document));
  const sharedOnes = Object.keys(document.components.schemas).filter((name) => !/(Request|Response)$/.test(name));
  expect(taken).toBe(Object.keys(document.paths).length + sharedOnes.length + 1);
  expect(page).toBe(await referencePage("de", document));
});

/** How often the work let others run, and what it made. */
function stepsOf<T>(steps: Steps<T>): readonly [taken: number, made: T] {
  for (let taken = 0; ; taken += 1) {
    const { done, value } = steps.next();
    if (done) return [taken, value];
  }
}

it("[C-1.32] the document is valid OpenAPI 3.1", async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(api.document)));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

it("[C-1.32] every schema in it is valid JSON Schema, and every reference leads somewhere", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "api", ...api.document });
  for (const name of Object.keys(api.document.components.schemas))
    ajv.compile({ $ref: `api#/components/schemas/${name}` });
  const references = [...JSON.stringify(api.document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, reference = ""]) => reference,
  );
  expect(references.length).toBeGreaterThan(100);
  for (const reference of references) {
    const found = reference
      .split("/")
      .reduce<unknown>((part, step) => (part as Record<string, unknown>)?.[step], api.document);
    expect(found, reference).toBeDefined();
  }
});

it("[C-1.32] every mounted route is in the document, and the other way round", () => {
  const mounted = restRoutes({ letterMaxBytes })
    .filter(({ methods }) => methods.includes("POST"))
    .map(({ path }) => path);
  expect([...mounted].sort()).toEqual(Object.keys(api.document.paths).sort());
});

it("every name of an operation stands once", () => {
  const all = [...operations().map(([, operation]) => operation), ...deliveries().map(([, operation]) => operation)];
  const names = all.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
});

describe("[C-11.85] webhooks", () => {
  it("has every event that a tenant is told, with its body and the headers of Standard Webhooks", () => {
    expect(deliveries().map(([type]) => type)).toEqual(
      EVENT_TYPES.filter((type) => !(OPERATOR_EVENT_TYPES as readonly string[]).includes(type)),
    );
    for (const [type, { summary, parameters, requestBody, responses }] of deliveries()) {
      expect(summary, type).toMatch(/^[A-Z].+\.$/);
      expect(parameters, type).toHaveLength(3);
      const name = /schemas\/(\w+)"/.exec(JSON.stringify(requestBody))?.[1] ?? "";
      const schema = api.document.components.schemas[name];
      expect(schema?.required, type).toEqual(["id", "type", "created_at", "tenant_id", "sequence", "data"]);
      expect(schema?.properties, type).toMatchObject({ type: { const: type }, data: { type: "object" } });
      expect(Object.keys(responses), type).toEqual(["410", "429", "503", "2XX", "default"]);
    }
  });

  it("describes events as they are delivered", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "api", ...api.document });
    const validate = ajv.compile({ $ref: "api#/components/schemas/WebhookTestEvent" });
    const event = {
      id: "019abcde-0000-7000-8000-000000000001",
      type: "webhook.test",
      created_at: "2026-11-22T12:00:00.000Z",
      tenant_id: "019abcde-0000-7000-8000-0000000000aa",
      sequence: 1,
      data: { endpoint_id: "019abcde-0000-7000-8000-0000000000ee" },
    };
    expect([validate(event), validate({ ...event, type: "data.changed" }), validate({ ...event, data: {} })]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("every operation", () => {
  it("says who may call it, what it takes, and what it refuses", () => {
    for (const [path, operation] of operations()) {
      expect(operation.summary, path).not.toBe("");
      expect(operation.security.length, path).toBeGreaterThan(0);
      expect(Object.keys(operation.requestBody.content), path).toHaveLength(1);
      for (const status of [200, 400, 401, 403, 413, 415, 429, 500])
        expect(operation.responses, path).toHaveProperty(String(status));
    }
  });

  it("[C-4.64] that answers a list says in which order", () => {
    const { schemas } = api.document.components;
    const isList = ({ responses }: Operation) => {
      const answer = JSON.stringify(responses[200]);
      const name = /"#\/components\/schemas\/([^"]+)"/.exec(answer)?.[1] ?? "";
      const properties: Record<string, { type?: string }> = Object(schemas[name]?.properties);
      return Object.values(properties).some(({ type }) => type === "array");
    };
    const lists = operations().filter(([, operation]) => isList(operation));
    expect(lists.length).toBeGreaterThanOrEqual(15);
    const silent = lists.filter(([, { description = "" }]) => !/Order: .{4,}\.$/.test(description));
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  it("[S2-7.9][S2-7.10][C-5.4] of the connect API has the error bodies of S2 §7", () => {
    for (const [path, { responses }] of operations()) {
      const family = path.includes("connect/") || path.startsWith("/v2") ? "Connect" : "Letters";
      expect(responses[401], path).toEqual({ $ref: `#/components/responses/${family}401` });
    }
    const { schemas } = api.document.components;
    expect(schemas.ConnectUnauthenticated).toMatchObject({ properties: { error: { const: "Invalid credentials" } } });
    expect(schemas.ConnectInternalError).toMatchObject({ properties: { error: { const: "Internal Error" } } });
  });
});

it("[S2-9.1] letters endpoints are under /letters/v1, connect endpoints under /connect/v2, clients under /clients/v1, reads of data under /data/v1, events under /events/v1, and nowhere else", async () => {
  const served = {
    "/letters/v1": ["list-connectors", "create-signed", "search-letters", "show-letter", "discontinue-letter"],
    "/clients/v1": ["list", "show", "create", "update", "assign", "preview-deletion", "delete"],
    "/connect/v2": [
      "connectors/list-connectors",
      "connectors/preview-connector-filter",
      "sessions/create-session",
      "sessions/end-session",
      "sessions/list-sessions",
      "sessions/renew-link",
      "connections/refresh",
    ],
    "/data/v1": [
      "list-portfolios",
      "list-investments",
      "list-transactions",
      "show-transaction",
      "list-history",
      "holdings-at",
      "summary",
      "performance",
      "income",
      "gains",
      "why",
      "list-connections",
      "search-connections",
      "show-connection",
      "delete-connection",
      "list-grants",
      "end-grant",
    ],
    "/events/v1": [
      "list-events",
      "list-work",
      "take-work",
      "hand-over-work",
      "snooze-work",
      "wake-work",
      "create-endpoint",
      "list-endpoints",
      "update-endpoint",
      "delete-endpoint",
      "test-endpoint",
      "rotate-secret",
      "list-deliveries",
      "replay",
    ],
    // The specification itself writes this path of create-session in the other order (S2 §4).
    "/v2/connect": ["sessions"],
  };
  const paths = Object.entries(served).flatMap(([family, names]) => names.map((name) => `${family}/${name}`));
  const documented = operations().map(([path]) => path);
  expect(documented.filter((path) => !path.startsWith("/operator/v1/")).sort()).toEqual(paths.sort());
  for (const path of paths) {
    expect((await api.post(path, {}, { token: "nobody's" })).status, path).toBe(401);
    const bare = path.replace(/^\/(letters\/v1|connect\/v2|v2\/connect|clients\/v1|data\/v1|events\/v1)/, "");
    for (const elsewhere of [bare, `/letters${bare}`, `/connect${bare}`, `/letters/v2${bare}`, `/connect/v1${bare}`])
      expect((await fetch(api.url + elsewhere, { method: "POST" })).status, elsewhere).toBe(404);
  }
});

it("[S2-9.2] the connector filter is labelled BETA", () => {
  const preview = api.document.paths["/connect/v2/connectors/preview-connector-filter"]?.post as Operation;
  expect(preview.summary).toContain("BETA");
  expect(api.document.components.schemas.ConnectorFilter?.description).toContain("BETA");
});

describe("[C-1.82] a generated client", () => {
  type Shape = Readonly<Record<string, unknown>> & {
    readonly properties?: Readonly<Record<string, Shape>>;
    readonly anyOf?: readonly Shape[];
    readonly items?: Shape;
  };
  const shape = (name: string) => api.document.components.schemas[name] as Shape;
  const field = (name: string, property: string) => shape(name).properties?.[property];

  it("[S2-4.9][S2-4.11] is told that data and annex are PDF files in Base64, and how large they may be", () => {
    const pdf = { type: "string", contentEncoding: "base64", contentMediaType: "application/pdf" };
    const description = expect.stringContaining("PDF in Base64");
    const takingDocuments = Object.keys(api.document.components.schemas).filter((name) => field(name, "annex"));
    expect(takingDocuments).toHaveLength(3);
    for (const name of takingDocuments) {
      expect([name, field(name, "data")]).toMatchObject([name, { ...pdf, description }]);
      expect([name, field(name, "annex")]).toMatchObject([name, { anyOf: [pdf, { type: "null" }], description }]);
    }
    expect(api.document.paths["/letters/v1/create-signed"]?.post).toMatchObject({
      requestBody: { description: expect.stringContaining(`at most ${letterMaxBytes} bytes each`) },
    });
  });

  it("[S2-4.15][S2-4.16] is told the default of each page and the bounds of its size, in every list", () => {
    expect(field("SearchLettersRequest", "page")).toMatchObject({ default: 1, description: expect.any(String) });
    expect(field("SearchLettersRequest", "page_size")).toMatchObject({
      default: 20,
      description: "Rows of a page: 1 to 100, 20 when left out.",
    });
    const sizes = Object.entries(api.document.components.schemas)
      .filter(([name]) => name.endsWith("Request"))
      .flatMap(([name, { properties = {} }]) => (properties.page_size ? [[name, properties.page_size] as const] : []));
    expect(sizes.length).toBeGreaterThan(20);
    for (const [name, size] of sizes)
      expect([name, size]).toEqual([
        name,
        {
          default: expect.any(Number),
          description: expect.stringContaining("1 to"),
          anyOf: [{ type: "integer", minimum: 1, maximum: expect.any(Number) }, { type: "null" }],
        },
      ]);
  });

  it("[S2-2.3][S2-3.1][C-7.63] is told what each status means, and that labels have a case", () => {
    const { enum: statuses = [], description = "" } = shape("LetterStatus") as {
      enum?: string[];
      description?: string;
    };
    expect(statuses).toHaveLength(14);
    expect(description.split("\n").map((line) => /^- (\w+): .+\.$/.exec(line)?.[1])).toEqual(statuses);
    expect(field("Letter", "status")).toEqual({ $ref: "#/components/schemas/LetterStatus" });
    expect(shape("Labels")).toMatchObject({
      maxProperties: 50,
      description: expect.stringContaining("case-sensitive"),
    });
  });

  it("[S2-7.6][C-2.7] is told of LetterNotFound, and which scopes list connectors", () => {
    const discontinue = api.document.paths["/letters/v1/discontinue-letter"]?.post;
    expect(discontinue).toMatchObject({ description: expect.stringContaining("`LetterNotFound`") });
    expect(JSON.stringify(api.document.components.securitySchemes)).toMatch(/"letters:read":"[^"]*connections:read/);
  });

  it("[C-14.80] gets every known name of a record as a property, such as the kinds of work", () => {
    expect(Object.keys(field("ListTenantWorkResponse", "counts")?.properties ?? {})).toEqual([
      "letter_blocked",
      "feed_silent",
      "webhook_disabled",
      "letter_overdue",
      "connection_relogin",
      "consent_ending",
    ]);
    expect(JSON.stringify(api.document)).not.toMatch(/"propertyNames":\{[^}]*"enum"/);
  });
});

it("[C-7.7] create-signed names its Idempotency-Key, ingest its query too", () => {
  const parameters = (path: string) => (api.document.paths[path]?.post as Operation | undefined)?.parameters;
  expect(parameters("/letters/v1/create-signed")).toContainEqual(
    expect.objectContaining({ name: "Idempotency-Key", in: "header", required: false }),
  );
  expect(parameters("/operator/v1/datafeeds/ingest")).toEqual([
    { $ref: "#/components/parameters/Traceparent" },
    expect.objectContaining({ name: "Idempotency-Key", in: "header", required: false }),
    expect.objectContaining({ name: "connection_id", in: "query", required: false }),
    expect.objectContaining({ name: "letter_id", in: "query", required: false }),
    expect.objectContaining({ name: "name", in: "query", required: true }),
  ]);
});
