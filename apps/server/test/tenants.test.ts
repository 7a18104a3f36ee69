import { randomUUID } from "node:crypto";
import { operationsOf, propertyNames } from "@org/rest-api/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { joinConsole } from "./console-person.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { type Answer, send } from "./http-client.js";
import { backends } from "./installation.js";
import { signedPdf, submitLetter } from "./letters.js";
import { figures } from "./limited-clients.js";
import { toolCall } from "./mcp-clients.js";

/** What one tenant owns, with every kind of id that a tool or an endpoint takes. */
interface TenantData {
  readonly connection: string;
  readonly session: string;
  readonly letter: string;
  readonly portfolio: string;
  readonly investment: string;
  readonly transaction: string;
  readonly endpoint: string;
  /** The oldest live grant. */
  readonly grant: string;
  /** The first event. */
  readonly event: string;
  /** Somebody who was invited. */
  readonly person: string;
  /** All of them and everything below, except grants and people, which none of the lists contain, and events, whose number keeps growing. */
  readonly all: readonly string[];
}

type Kind = Exclude<keyof TenantData, "all">;

/** Arguments of a tool that take an id, with the kind of id. */
const toolArguments: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  "svc-create-connect-session": { connection_id: "connection" },
  "svc-session-status": { session_id: "session" },
  "svc-credential-status": { credentials_token: "connection", connection_id: "connection" },
  "svc-needs-relogin": { credentials_token: "connection", connection_id: "connection" },
  "svc-delete-credentials": { credentials_token: "connection" },
  "svc-portfolios": { credentials_token: "connection" },
  "svc-investments": { credentials_token: "connection", portfolio_id: "portfolio" },
  "svc-investment-transactions": { credentials_token: "connection", investment_id: "investment" },
};

/** Bodies of the tenants' endpoints that take an id. */
const bodies: readonly (readonly [
  path: string,
  field: string,
  kind: Kind,
  body: (id: string, own: TenantData) => object,
])[] = [
  ["/letters/v1/search-letters", "id_in", "letter", (id) => ({ query: { id_in: [id] } })],
  ...["discontinue-letter", "show-letter"].map(
    (name) => [`/letters/v1/${name}`, "letter_id", "letter", (id: string) => ({ letter_id: id })] as const,
  ),
  ["/clients/v1/assign", "letter_id", "letter", (id) => ({ client_ref: null, letter_id: id })],
  ["/clients/v1/preview-deletion", "letter_id", "letter", (id) => ({ letter_id: id })],
  ["/clients/v1/preview-deletion", "connection_id", "connection", (id) => ({ connection_id: id })],
  ["/clients/v1/assign", "connection_id", "connection", (id) => ({ client_ref: null, connection_id: id })],
  ["/connect/v2/connections/refresh", "connection_id", "connection", (id) => ({ connection_id: id })],
  ...["list-portfolios", "list-investments", "list-transactions", "show-connection"].map(
    (name) =>
      [`/data/v1/${name}`, "credentials_token", "connection", (id: string) => ({ credentials_token: id })] as const,
  ),
  [
    "/data/v1/show-transaction",
    "credentials_token",
    "connection",
    (id, { transaction }) => ({ credentials_token: id, transaction_id: transaction }),
  ],
  [
    "/data/v1/show-transaction",
    "transaction_id",
    "transaction",
    (id, { connection }) => ({ credentials_token: connection, transaction_id: id }),
  ],
  ...Object.entries(figures).flatMap(([name, args]) =>
    (["credentials_token", "portfolio_id"] as const).map(
      (field) =>
        [
          `/data/v1/${name}`,
          field,
          field === "portfolio_id" ? "portfolio" : "connection",
          (id: string) => ({ ...args, [field]: id }),
        ] as const,
    ),
  ),
  ["/data/v1/list-investments", "portfolio_id", "portfolio", (id) => ({ portfolio_id: id })],
  ["/data/v1/why", "id", "portfolio", (id) => ({ id })],
  ["/data/v1/why", "id", "investment", (id) => ({ id })],
  ["/data/v1/why", "id", "transaction", (id) => ({ id })],
  ["/data/v1/list-transactions", "investment_id", "investment", (id) => ({ investment_id: id })],
  ...["/connect/v2/sessions/create-session", "/v2/connect/sessions"].map(
    (path) =>
      [path, "connection_id", "connection", (id: string) => ({ configuration: { connection_id: id } })] as const,
  ),
  ...(["session_id_in", "connection_id_in"] as const).map(
    (field) =>
      [
        "/connect/v2/sessions/list-sessions",
        field,
        field === "session_id_in" ? "session" : "connection",
        (id: string) => ({ query: { [field]: [id] } }),
      ] as const,
  ),
  ["/data/v1/search-connections", "connection_id", "connection", (id) => ({ query: { connection_id: id } })],
  ["/events/v1/list-events", "object_id", "connection", (id) => ({ query: { object_id: id } })],
  ...["update-endpoint", "test-endpoint", "rotate-secret"].map(
    (name) => [`/events/v1/${name}`, "id", "endpoint", (id: string) => ({ id })] as const,
  ),
  ["/events/v1/replay", "endpoint_id", "endpoint", (id) => ({ endpoint_id: id })],
  ["/events/v1/list-deliveries", "endpoint_id", "endpoint", (id) => ({ query: { endpoint_id: id } })],
  [
    "/events/v1/list-deliveries",
    "event_id",
    "event",
    (id, { endpoint }) => ({ query: { endpoint_id: endpoint, event_id: id } }),
  ],
];

/**
 * Tried only with the other tenant's id, since with an own id they would succeed. Ending a grant needs a scope that these programs do not have;
 * at the console an admin may do it.
 */
const deletions: typeof bodies = [
  ["/data/v1/delete-connection", "credentials_token", "connection", (id) => ({ credentials_token: id, confirm: true })],
  ["/events/v1/delete-endpoint", "id", "endpoint", (id) => ({ id })],
  ["/data/v1/end-grant", "grant_id", "grant", (id) => ({ grant_id: id })],
  ["/connect/v2/sessions/end-session", "session_id", "session", (id) => ({ session_id: id })],
  ["/connect/v2/sessions/renew-link", "session_id", "session", (id) => ({ session_id: id })],
  ...["take", "hand-over", "snooze", "wake"].map(
    (name) =>
      [
        `/events/v1/${name}-work`,
        "id",
        "letter",
        (id: string) => ({
          lines: [{ kind: "letter_overdue", id, version: 0 }],
          ...(name === "hand-over" && { person_id: randomUUID() }),
          ...(name === "snooze" && { until: "2100-01-01T00:00:00Z", reason: "later" }),
        }),
      ] as const,
  ),
  [
    "/events/v1/hand-over-work",
    "person_id",
    "person",
    (id, { letter }) => ({ lines: [{ kind: "letter_overdue", id: letter, version: 0 }], person_id: id }),
  ],
];

/** Requests that list what a tenant has. */
const listings: readonly (readonly [string, object])[] = [
  ...["connections", "portfolios", "investments", "transactions"].map(
    (what) => [`/data/v1/list-${what}`, { page_size: 500 }] as const,
  ),
  ["/letters/v1/search-letters", { query: {} }],
  ["/connect/v2/sessions/list-sessions", {}],
  ["/events/v1/list-events", { page_size: 500 }],
  ["/events/v1/list-endpoints", {}],
];
const listingTools = ["svc-credentials", "svc-portfolios", "svc-investments", "svc-investment-transactions"];

describe.each(backends)("two tenants on %s", (backend) => {
  let server: TestServer;
  let one: TestTenant;
  let other: TestTenant;
  let own: TenantData;
  let foreign: TenantData;

  beforeAll(async () => {
    server = await startTestServer({ backend });
    one = await server.createTenant("One");
    other = await server.createTenant("Other");
    own = await furnish(server, one);
    foreign = await furnish(server, other);
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  it("[C-2.1] [C-9.24] connect the same bank as the same bank user and share no id", () => {
    expect(own.all.filter((id) => foreign.all.includes(id))).toEqual([]);
    expect(own.all.length).toBe(foreign.all.length);
  });

  it("[C-2.1] every parameter of every tool that takes an id is tried below", async () => {
    const { body } = await one.tools.request({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const found = body.result.tools.flatMap(({ name, inputSchema }: ListedTool) =>
      Object.keys(inputSchema.properties)
        .filter((property) => /_(id|token)$/.test(property) && !/^connector_id$|^include/.test(property))
        .map((property) => `${name} ${property}`),
    );
    const tried = Object.entries(toolArguments).flatMap(([name, args]) =>
      Object.keys(args).map((arg) => `${name} ${arg}`),
    );
    expect(found.sort()).toEqual(tried.sort());
  });

  it.each(Object.entries(toolArguments))(
    "[C-2.1] [C-4.12] [C-9.8] %s answers the other's ids like unknown ones",
    async (tool, args) => {
      for (const [name, kind] of Object.entries(args)) {
        const ask = async (id: string) => {
          const more = tool === "svc-delete-credentials" ? { confirm: true } : {};
          return blurred(await one.tools.request(toolCall(tool, { ...more, [name]: id })), id);
        };
        const answered = await ask(foreign[kind]);
        expect(answered).toEqual(await ask(randomUUID()));
        expect(JSON.stringify(answered)).toContain("NOT_FOUND");
      }
    },
  );

  it("[C-2.1] [C-4.12] one of the other's ids in a list of own ones hides the whole answer", async () => {
    for (const tool of ["svc-portfolios", "svc-investments", "svc-investment-transactions"])
      await expect(one.tools.call(tool, { credentials_token: [own.connection, foreign.connection] })).rejects.toThrow(
        "NOT_FOUND",
      );
  });

  it("[C-2.1] every field of every endpoint of theirs that takes an id is tried below", async () => {
    const { body } = await send(`${server.url}/openapi.json`);
    const found = operationsOf(body)
      .filter(({ path }) => !path.startsWith("/operator/"))
      .flatMap(({ path, schema }) => propertyNames(schema).map((name) => ({ path, name })))
      // Connectors and OAuth clients belong to no tenant.
      .filter(({ name }) => /(^|_)id(_in)?$|^credentials_token$/.test(name) && !/^(connector_id|client_id$)/.test(name))
      .map(({ path, name }) => `${path} ${name}`);
    // An id may be of several kinds, each of which is tried.
    const tried = new Set([...bodies, ...deletions].map(([path, field]) => `${path} ${field}`));
    expect(found.sort()).toEqual([...tried].sort());
  });

  it.each(bodies)(
    "[C-2.1] [C-5.4] %s answers the other's id in %s like an unknown one",
    async (path, _, kind, body) => {
      const ask = async (id: string) => blurred(await one.post(path, body(id, own)), id);
      const answered = await ask(foreign[kind]);
      expect(answered).toEqual(await ask(randomUUID()));
      expect(answered).not.toEqual(await ask(own[kind]));
    },
  );

  it.each(deletions)(
    "[C-2.1] [C-9.90] %s does no more with the other's than with an unknown one",
    async (path, _, kind, body) => {
      const ask = async (id: string) => blurred(await one.post(path, body(id, own)), id);
      expect(await ask(foreign[kind])).toEqual(await ask(randomUUID()));
    },
  );

  it("[C-2.1] what they list holds nothing of the other", async () => {
    for (const [tenant, mine, others] of [
      [one, own, foreign],
      [other, foreign, own],
    ] as const) {
      const answers = [
        ...(await Promise.all(listings.map(([path, body]) => tenant.post(path, body)))),
        ...(await Promise.all(listingTools.map((tool) => tenant.tools.request(toolCall(tool, { page_size: 500 }))))),
      ].map(({ text }) => text);
      expect(mine.all.filter((id) => !answers.some((text) => text.includes(id)))).toEqual([]);
      expect(others.all.filter((id) => answers.some((text) => text.includes(id)))).toEqual([]);
    }
  });

  it("[C-2.1] [C-7.7] the same Idempotency-Key of both makes two letters", async () => {
    const headers = { "idempotency-key": "the-same" };
    const body = { connector_id: sandboxBanks.datafeed, data: await signedPdf() };
    const [mine, theirs] = await Promise.all(
      [one, other].map((tenant) => tenant.post("/letters/v1/create-signed", body, { headers })),
    );
    expect([mine?.status, theirs?.status]).toEqual([200, 200]);
    expect(mine?.body.letter_id).not.toBe(theirs?.body.letter_id);
  });

  it("[C-4.5] an MCP session of the other is like an unknown one", async () => {
    const initialize = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const opened = await other.tools.request({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize });
    const session = String(opened.headers.get("mcp-session-id"));
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const within = (tenant: TestTenant, id: string) =>
      tenant.post("/mcp", list, { headers: { accept: "application/json, text/event-stream", "mcp-session-id": id } });
    expect((await within(other, session)).status).toBe(200);
    const [foreignAnswer, unknownAnswer] = [await within(one, session), await within(one, `${session}x`)];
    expect([foreignAnswer.status, foreignAnswer.text]).toEqual([404, unknownAnswer.text]);
  });

  it("[C-2.1] an operator who names one tenant does not reach the other's connection", async () => {
    const ask = async (id: string) =>
      blurred(
        await server.operator.post("/operator/v1/connections/status", { tenant_id: one.tenantId, connection_id: id }),
        id,
      );
    expect(await ask(foreign.connection)).toEqual(await ask(randomUUID()));
    expect((await ask(own.connection)).status).toBe(200);
  });

  it("[C-8.80] a logo is at an address of its own, for whoever knows it, and is not sent twice", async () => {
    const set = { display_name: "One & Co", logo: PICTURE };
    const { tenant } = await server.operate("/operator/v1/tenants/update", { tenant_id: one.tenantId, set });
    const address = `${server.url}/logos/${tenant.profile.logo.sha256}`;
    const shown = await fetch(address);
    expect(Buffer.from(await shown.arrayBuffer()).toString("base64")).toBe(PICTURE);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      "content-type": "image/png",
      "content-security-policy": "default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=86400, immutable",
      "x-trace-id": expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    // fetch would otherwise add no-cache.
    const known = { "if-none-match": String(shown.headers.get("etag")), "cache-control": "max-age=0" };
    const again = await fetch(address, { headers: known });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    for (const unknown of ["ab".repeat(32), "x"])
      expect((await fetch(`${server.url}/logos/${unknown}`)).status).toBe(404);
    const { tenant: theirs } = await server.operate("/operator/v1/tenants/show", { tenant_id: other.tenantId });
    expect(theirs.profile).toMatchObject({ display_name: null, logo: null });
  });

  it("[C-2.3] [C-9.7] an operator's token opens no tenant's API, a tenant's token not the operators'", async () => {
    for (const [path, body] of [...listings, ["/mcp", toolCall("svc-credentials", {})]] as const)
      expect((await server.operator.post(path, body)).status, path).toBe(403);
    expect((await one.post("/operator/v1/tenants/list", {})).status).toBe(403);
  });

  it("[C-14.77] a person of one is told of the other's ids at the console what they are told of unknown ones", async () => {
    const ada = await joinConsole(server, { tenant_id: one.tenantId, email: "ada@example.com", role: "admin" });
    const ben = await joinConsole(server, { tenant_id: other.tenantId, email: "ben@example.com", role: "admin" });
    const { body: portfolios } = await ada.post("/data/v1/list-portfolios", { credentials_token: own.connection });
    expect(portfolios.items.map(({ id }: { id: string }) => id)).toContain(own.portfolio);
    const asked = [
      ...[...bodies, ...deletions].map(
        ([path, , kind, body]) => [path, foreign[kind], (id: string) => body(id, own)] as const,
      ),
      ...["change", "reinvite", "end"].map(
        (what) => [`/people/${what}`, ben.personId, (person_id: string) => ({ person_id })] as const,
      ),
    ];
    for (const [path, theirs, body] of asked) {
      const ask = async (id: string) => blurred(await ada.post(path, body(id)), id);
      expect(await ask(theirs), path).toEqual(await ask(randomUUID()));
    }
    for (const path of ["/operator/v1/tenants/list", "/operator/v1/letters/search", "/operator/v1/people/list"])
      expect((await ada.post(path)).status, path).toBe(403);
    const emails = (await ada.post("/people/list")).body.items.map(({ email }: { email: string }) => email);
    expect(emails).toContain("ada@example.com");
    expect(emails).not.toContain("ben@example.com");
    expect((await ben.post("/session")).body.person.email).toBe("ben@example.com");
  });

  it("[C-14.78] a person's page is told what happens to their tenant alone, and that they were removed", async () => {
    const eve = await joinConsole(server, { tenant_id: one.tenantId, email: "eve@example.com", role: "read" });
    const leaving = new AbortController();
    const told: string[] = [];
    const stream = await eve.follow(leaving.signal);
    expect(stream.status).toBe(200);
    const reading = (async () => {
      for await (const bytes of stream.body ?? []) told.push(Buffer.from(bytes).toString());
    })();
    const theirs = await submitLetter(other, sandboxBanks.datafeed);
    const mine = await submitLetter(one, sandboxBanks.datafeed);
    await eventually(() => told.join("").includes(mine), "the page is told of the letter");
    expect(told.join("")).not.toContain(theirs);
    await server.operate("/operator/v1/people/end", { tenant_id: one.tenantId, person_id: eve.personId });
    await reading;
    expect(told.join("")).toContain("event: signed_out");
    expect((await eve.post("/letters/v1/search-letters", { query: {} })).status).toBe(401);
  });

  it("[C-2.1] after all that the other has everything it had", async () => {
    expect(await dataOfTenant(server, other, foreign)).toEqual(foreign);
    expect(server.faults()).toEqual([]);
  });
});

/** A PNG of 3 by 2 pixels. */
const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR4AWLijo/4D8NMDEgAAAAA//+lINpkAAAABklEQVQDAGLDBUix1EEYAAAAAElFTkSuQmCC";

interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties: object };
}

/** A connection to the same bank by the same bank user, and a letter with the same label. */
async function furnish(server: TestServer, tenant: TestTenant): Promise<TenantData> {
  // No server answers there, so its deliveries stay queued.
  await tenant.post("/events/v1/create-endpoint", { url: "https://receiver.invalid/hooks" });
  const { id, widgetUrl } = await tenant.openSession({ connector_id: sandboxBanks.eBanking });
  await connectBank(widgetUrl, { username: "the-same-user", password: "the same password" });
  expect(await tenant.tools.call("svc-session-status", { session_id: id })).toMatchObject({ status: "Finished:OK" });
  const letter = await submitLetter(tenant, sandboxBanks.datafeed, { labels: { client: "the same" } });
  const email = `${randomUUID()}@example.com`;
  const invited = await server.operate("/operator/v1/people/invite", {
    tenant_id: tenant.tenantId,
    email,
    role: "member",
  });
  return dataOfTenant(server, tenant, { session: id, letter, person: String(invited.person.person_id) });
}

async function dataOfTenant(
  server: TestServer,
  tenant: TestTenant,
  { session, letter, person }: Pick<TenantData, "session" | "letter" | "person">,
): Promise<TenantData> {
  const ids = async (tool: string): Promise<string[]> => {
    const { items } = await tenant.tools.call(tool, { page_size: 500 });
    return items.map((item: { id?: string; credentials_token?: string }) => item.id ?? item.credentials_token);
  };
  const [connections, portfolios, investments, transactions] = await Promise.all(listingTools.map(ids));
  const { body: endpoints } = await tenant.post("/events/v1/list-endpoints", {});
  const { body: events } = await tenant.post("/events/v1/list-events", { order: "asc", page_size: 1 });
  const endpoint = String(endpoints.items[0]?.id);
  const grants = await server.operate("/operator/v1/grants/list", { tenant_id: tenant.tenantId });
  const grant = String(grants.items[0]?.grant_id);
  return {
    connection: String(connections?.[0]),
    session,
    letter,
    portfolio: String(portfolios?.[0]),
    investment: String(investments?.[0]),
    transaction: String(transactions?.[0]),
    endpoint,
    grant,
    event: String(events.items[0]?.id),
    person,
    all: [session, letter, endpoint, connections, portfolios, investments, transactions]
      .flatMap((some) => some ?? [])
      .sort(),
  };
}

/** An answer without the parts that differ from request to request. */
function blurred({ status, text }: Answer, id: string) {
  const plain = text.replaceAll(id, "<the id>").replace(/[0-9a-f]{32}/g, "<trace id>");
  return { status, text: plain };
}
