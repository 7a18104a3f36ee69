/**
 * The objects that bodies refer to. A suite that sends valid bodies creates a new object each time; one that only sends broken ones may
 * return the same id again.
 */
export interface SampleThings {
  readonly tenantId: string;
  /** A custodian's connector. */
  readonly connectorId: string;
  /** Name of a provider whose settings can be set. */
  readonly provider: string;
  /** A signed letter's PDF in Base64. */
  readonly pdf: string;
  letter(status: "NewRequest" | "SentToUser" | "Signed" | "WaitingForData" | "Blocked"): Promise<string>;
  /** A letter whose last move can be undone, since its mail waits. */
  undoable(): Promise<string>;
  /** A connection that can be refreshed. */
  connection(): Promise<string>;
  /** A transaction, and its connection. */
  transaction(): Promise<{ readonly credentials_token: string; readonly transaction_id: string }>;
  /** A connection with one portfolio, valued on 2025-12-31 or before. */
  valued(): Promise<string>;
  /** The reference of a client that may be changed and deleted. */
  client(): Promise<string>;
  /** An open Connect session. */
  session(): Promise<string>;
  /** A tenant that may be changed and deleted. */
  tenant(): Promise<string>;
  /** An application, and its secret. */
  application(): Promise<{ readonly client_id: string; readonly secret_id: string }>;
  /** A mail to a custodian. */
  mail(state: "queued" | "failed"): Promise<string>;
}

/** Ids of objects that never change; stand-ins for services use them. */
export const sampleIds = {
  endpoint: "019b0000-0000-7000-8000-0000000000e1",
  grant: "019b0000-0000-7000-8000-00000000006a",
  sourcePart: "019b0000-0000-7000-8000-000000000001",
  letter: "019b0000-0000-7000-8000-000000000000",
  fingerprint: "0123456789ABCDEF0123456789ABCDEF01234567",
} as const;

/**
 * Returns a valid body for every endpoint that takes JSON, by path, referring to existing objects. Endpoints without an entry here take
 * an empty object.
 * @param paths of all endpoints that take JSON @throws RangeError for an entry that is none of them
 */
export async function sampleBodies(
  paths: readonly string[],
  things: SampleThings,
): Promise<Readonly<Record<string, object>>> {
  const stray = Object.keys(bodies).filter((path) => !paths.includes(path));
  if (stray.length > 0)
    throw new RangeError(`sample-bodies.ts has a body for what is no endpoint: ${stray.join(", ")}`);
  const made: Record<string, object> = {};
  for (const path of paths) {
    const body = bodies[path] ?? {};
    made[path] = typeof body === "function" ? await (body as Made)(things) : body;
  }
  return made;
}

const { fingerprint, letter } = sampleIds;
const pendingFile = { file_id: sampleIds.sourcePart };
const source = { source: "custodian" };
const endpoint = { id: sampleIds.endpoint };
const deliveriesOfEndpoint = { query: { endpoint_id: sampleIds.endpoint } };
const details = { full_name: "Ana Ejemplo", address: ["Calle Mayor 1", "28013 Madrid"] };
const mapping = { name: "other", title: "Other" };
const configuration = { connector_filter: { rules: [] } };

type Made = (things: SampleThings) => object | Promise<object>;
const ofLetter =
  (status: Parameters<SampleThings["letter"]>[0], more: object = {}): Made =>
  async (things) => ({ letter_id: await things.letter(status), ...more });
const ofConnection: Made = async ({ connection }) => ({ connection_id: await connection() });
const ofClient =
  (more: object = {}): Made =>
  async ({ client }) => ({ client_ref: await client(), ...more });
const ofAccounts =
  (more: object = {}): Made =>
  async ({ connection }) => ({ connection_or_letter_id: await connection(), ...more });
const ofSession: Made = async ({ session }) => ({ session_id: await session() });
const ofTenant: Made = async ({ tenant }) => ({ tenant_id: await tenant() });
const inTenant =
  (more: object = {}): Made =>
  ({ tenantId }) => ({ tenant_id: tenantId, ...more });
const workLines = { lines: [{ kind: "letter_overdue", id: "019b0000-0000-7000-8000-00000000001e" }] };
const ofApplication =
  (more: object = {}): Made =>
  async ({ application }) => ({ client_id: (await application()).client_id, ...more });

const ofProvider =
  (more: object = {}): Made =>
  ({ provider }) => ({ name: provider, ...more });

/** In the order of the API document. Optional fields are omitted where their values could conflict. */
const bodies: Readonly<Record<string, object | Made>> = {
  "/letters/v1/create-signed": ({ connectorId, pdf }) => ({
    connector_id: connectorId,
    data: pdf,
    labels: { client: "42" },
    contact_info: { banker_email: "a@bank.example" },
  }),
  "/letters/v1/search-letters": { query: {} },
  "/letters/v1/show-letter": ofLetter("Signed"),
  "/letters/v1/discontinue-letter": ofLetter("Signed"),

  "/operator/v1/connectors/match": ({ connectorId }) => ({ connector_ids: [connectorId], as: "identifiers" }),
  "/connect/v2/connectors/list-connectors": ({ connectorId }) => ({ query: { connector_id_in: [connectorId] } }),
  "/connect/v2/connectors/preview-connector-filter": {
    connector_filter: { rules: [{ action: "exclude", field: "connector_id", value: "*" }] },
  },
  "/connect/v2/sessions/create-session": { configuration },
  "/v2/connect/sessions": { configuration },
  "/connect/v2/sessions/list-sessions": { query: {} },
  "/connect/v2/sessions/end-session": ofSession,
  "/connect/v2/sessions/renew-link": ofSession,
  "/connect/v2/connections/refresh": ofConnection,

  "/clients/v1/list": { name: "mei" },
  "/clients/v1/show": ofClient(),
  "/clients/v1/create": { client_ref: "M-99", name: "Meier" },
  "/clients/v1/update": ofClient({ name: "Meier" }),
  "/clients/v1/assign": async ({ connection }) => ({ client_ref: "M-17", connection_id: await connection() }),
  "/clients/v1/preview-deletion": ofClient(),
  "/clients/v1/delete": ofClient({ confirm: true }),

  "/data/v1/list-portfolios": { currency: ["EUR"] },
  "/data/v1/list-investments": { min_balance: 5, page: null },
  "/data/v1/list-transactions": { start_date: "2026-01-01" },
  "/data/v1/show-transaction": ({ transaction }) => transaction(),
  "/data/v1/list-history": { from: "2026-01-01", to: "2026-01-01" },
  "/data/v1/summary": { by: "type" },
  "/data/v1/performance": async ({ valued }) => ({
    credentials_token: await valued(),
    from: "2026-01-01",
    to: "2026-01-01",
    allow_gaps: true,
  }),
  "/data/v1/income": { from: "2026-01-01", by: "month" },
  "/data/v1/why": async ({ transaction }) => ({ id: (await transaction()).transaction_id }),
  "/data/v1/list-connections": { bank: null },
  "/data/v1/show-connection": async ({ connection }) => ({ credentials_token: await connection() }),
  "/data/v1/delete-connection": async ({ connection }) => ({ credentials_token: await connection(), confirm: true }),
  "/data/v1/end-grant": { grant_id: sampleIds.grant },

  "/events/v1/list-events": { query: { type_in: ["letter.*"] }, order: "asc", page_size: 10, wait_seconds: 0 },
  "/events/v1/create-endpoint": { url: "https://crm.example/hooks", types: ["letter.*"], labels: { desk: "a" } },
  "/events/v1/update-endpoint": { ...endpoint, description: "for the desk", enabled: false },
  "/events/v1/delete-endpoint": endpoint,
  "/events/v1/test-endpoint": endpoint,
  "/events/v1/rotate-secret": endpoint,
  "/events/v1/list-deliveries": {
    query: { ...deliveriesOfEndpoint.query, state_in: ["failed"], type_in: ["letter.*"] },
    page_size: 10,
  },
  "/events/v1/replay": { endpoint_id: sampleIds.endpoint, since: "2026-11-22", types: ["letter.*"] },

  "/operator/v1/tenants/create": { name: "Another" },
  "/operator/v1/tenants/show": inTenant(),
  "/operator/v1/tenants/update": inTenant({ set: { display_name: "First & Co" }, reset: ["logo"] }),
  "/operator/v1/tenants/disable": ofTenant,
  "/operator/v1/tenants/enable": ofTenant,
  "/operator/v1/tenants/limits": inTenant(),
  "/operator/v1/tenants/change-limits": { tenant_id: null, set: { letters: 1_000 }, reset: ["grants"] },
  "/operator/v1/tenants/delete": async ({ tenant }) => ({ tenant_id: await tenant(), confirm: true }),
  "/operator/v1/applications/create": inTenant({ name: "App" }),
  "/operator/v1/applications/roll-secret": ofApplication(),
  "/operator/v1/applications/remove-secret": ({ application }) => application(),
  "/operator/v1/applications/disable": ofApplication(),
  "/operator/v1/applications/enable": ofApplication(),
  "/operator/v1/applications/add-scopes": ofApplication({ scopes: ["events:read"] }),
  "/operator/v1/applications/update": ofApplication({ redirect_urls: ["https://app.example/done"] }),
  "/operator/v1/registration-tokens/create": { name: "Laptops" },
  "/operator/v1/registration-tokens/revoke": { token_id: "one" },
  "/operator/v1/trusted-issuers/trust": {
    issuer: "https://idp.example",
    tenant_id: null,
    client_ids: ["wcd_a"],
    rules: [{ claims: { groups: "Desk" }, client_id: "wca_a", scopes: ["letters:read"] }],
  },
  "/operator/v1/trusted-issuers/test": { issuer: "https://idp.example" },
  "/operator/v1/trusted-issuers/withdraw": { issuer: "https://idp.example" },
  "/operator/v1/people/invite": { email: "bob@example.com", role: "operator:read" },
  "/operator/v1/people/reinvite": { person_id: "one" },
  "/operator/v1/people/change": { person_id: "one", name: "Ada B" },
  "/operator/v1/people/end": { person_id: "one" },

  "/operator/v1/providers/show": ofProvider(),
  "/operator/v1/providers/set": ofProvider({ settings: { key: "the key of a lighthouse" } }),
  "/operator/v1/providers/test": ofProvider({ settings: { key: "another key" } }),
  "/operator/v1/providers/sync": ofProvider(),
  "/operator/v1/providers/remove": ({ provider, tenantId }) => ({ name: provider, tenant_id: tenantId }),
  "/operator/v1/datafeed-mappings/show": ({ connectorId }) => ({ name: "fernbank", connector_id: connectorId }),
  "/operator/v1/datafeed-mappings/set": ({ connectorId }) => ({ connector_id: connectorId, mapping }),
  "/operator/v1/datafeed-mappings/test": { mapping, file: "RGF5" },
  "/operator/v1/datafeed-mappings/draft": { file: "RGF5" },
  "/operator/v1/datafeed-mappings/remove": ({ connectorId }) => ({ name: "harbour", connector_id: connectorId }),

  "/operator/v1/letters/search": inTenant({ query: {} }),
  "/operator/v1/letters/counts": inTenant(),
  "/operator/v1/letters/show": ofLetter("Signed"),
  "/operator/v1/letters/document": ofLetter("Signed"),
  "/operator/v1/letters/advance": ofLetter("Signed"),
  "/operator/v1/letters/move-many": async (things) => ({
    letter_ids: [await things.letter("Signed"), await things.letter("Signed")],
    note: "as agreed",
  }),
  "/operator/v1/letters/preview-moves": async (things) => ({
    letter_ids: [await things.letter("Signed")],
    to: "SentToCustodian",
  }),
  "/operator/v1/letters/preview-matching": { query: { status_in: ["Signed"] } },
  "/operator/v1/letters/contacts": ofLetter("Signed", { contact_info: { phone: "1" } }),
  "/operator/v1/letters/block": ofLetter("WaitingForData"),
  "/operator/v1/letters/resolve": ofLetter("Blocked"),
  "/operator/v1/letters/cancel": ofLetter("Signed"),
  "/operator/v1/letters/undo": async ({ undoable }) => ({ letter_id: await undoable() }),
  "/operator/v1/letters/observe": ofLetter("Signed", { observations: "waiting for the custodian" }),
  "/operator/v1/letters/request": ({ tenantId, connectorId }) => ({ tenant_id: tenantId, connector_id: connectorId }),
  "/operator/v1/letters/submit": ({ tenantId, connectorId, pdf }) => ({
    tenant_id: tenantId,
    connector_id: connectorId,
    data: pdf,
  }),
  "/operator/v1/letters/details": ofLetter("NewRequest", { details }),
  "/operator/v1/letters/sign": async (things) => ({ letter_id: await things.letter("SentToUser"), data: things.pdf }),
  "/operator/v1/mails/retry": async ({ mail }) => ({ mail_id: await mail("queued") }),
  "/operator/v1/mails/confirm": async ({ mail }) => ({ mail_id: await mail("failed") }),
  "/operator/v1/mails/withdraw": async ({ mail }) => ({ mail_id: await mail("failed") }),

  "/operator/v1/datafeeds/list-pending": { limit: 5 },
  "/operator/v1/datafeeds/show-pending": pendingFile,
  "/operator/v1/datafeeds/show-pending-text": pendingFile,
  "/operator/v1/datafeeds/retry-pending": pendingFile,
  "/operator/v1/datafeeds/route-pending": { ...pendingFile, letter_id: letter },
  "/operator/v1/datafeeds/drop-pending": pendingFile,
  "/operator/v1/datafeeds/accounts": ofAccounts(),
  "/operator/v1/datafeeds/reconcile": ofAccounts(),
  "/operator/v1/datafeeds/link-account": ofAccounts({ account: "0207-123456.01", portfolio: "0207-123456.S1" }),
  "/operator/v1/datafeeds/unlink-account": ofAccounts({ account: "0207-123456.01" }),
  "/operator/v1/sources/show": source,
  "/operator/v1/sources/set": { ...source, settings: { kind: "push" } },
  "/operator/v1/sources/test": { ...source, settings: { kind: "push" } },
  "/operator/v1/sources/remove": source,
  "/operator/v1/sources/run": source,
  "/operator/v1/sources/list-routes": source,
  "/operator/v1/sources/add-route": { ...source, when: { account: "12" }, to: { letter_id: letter } },
  "/operator/v1/sources/remove-route": { route_id: sampleIds.sourcePart },
  "/operator/v1/sources/create-token": { ...source, name: "Bank" },
  "/operator/v1/sources/list-tokens": source,
  "/operator/v1/sources/end-token": { token_id: sampleIds.sourcePart },
  "/operator/v1/feed-keys/show": { fingerprint },
  "/operator/v1/feed-keys/examine": { public_key: "armoured" },
  "/operator/v1/feed-keys/generate": { name: "Wealth Connect" },
  "/operator/v1/feed-keys/import": { private_key: "armoured" },
  "/operator/v1/feed-keys/trust": { ...source, public_key: "armoured" },
  "/operator/v1/feed-keys/expire": { fingerprint },
  "/operator/v1/feed-keys/revoke": { fingerprint },
  "/operator/v1/feed-keys/require": { ...source, must_be_signed: true },
  "/operator/v1/feed-keys/remove": { fingerprint },

  "/operator/v1/rates/list": { date: "2026-03-02" },
  "/operator/v1/connections/list": inTenant(),
  "/operator/v1/connections/delete": async ({ connection }) => ({ connection_id: await connection(), confirm: true }),
  "/operator/v1/connections/preview-deletion": ofConnection,
  "/operator/v1/connections/refresh": ofConnection,
  "/operator/v1/connections/status": async ({ tenantId, connection }) => ({
    tenant_id: tenantId,
    connection_id: await connection(),
  }),
  "/operator/v1/sessions/create": inTenant(),
  "/operator/v1/sessions/list": inTenant(),
  "/operator/v1/clients/list": inTenant({ name: "mei" }),
  "/operator/v1/sessions/end": async ({ session, tenantId }) => ({ tenant_id: tenantId, session_id: await session() }),
  "/operator/v1/sessions/renew-link": async ({ session, tenantId }) => ({
    tenant_id: tenantId,
    session_id: await session(),
  }),
  "/operator/v1/grants/list": { tenant_id: null },
  "/operator/v1/grants/end": { tenant_id: null, grant_id: sampleIds.grant },
  "/operator/v1/list-events": ({ tenantId }) => ({ query: { tenant_id: tenantId } }),
  "/operator/v1/webhooks/list": { state_in: ["failing", "disabled"] },
  "/operator/v1/webhooks/list-deliveries": deliveriesOfEndpoint,
  "/operator/v1/webhooks/enable": endpoint,
  "/operator/v1/webhooks/disable": endpoint,
  "/operator/v1/keys/rotate-server": { name: "secret-hash" },
  "/operator/v1/keys/revoke": { kid: "one" },
  "/operator/v1/work/list": inTenant({ kinds: ["letter_overdue"] }),
  "/operator/v1/work/take": workLines,
  "/operator/v1/work/hand-over": { ...workLines, person_id: null },
  "/operator/v1/work/snooze": { ...workLines, until: "2026-12-24T08:00:00Z", reason: "The bank is closed." },
  "/operator/v1/work/wake": workLines,
  "/events/v1/take-work": workLines,
  "/events/v1/hand-over-work": { ...workLines, person_id: null },
  "/events/v1/snooze-work": { ...workLines, until: "2026-12-24T08:00:00Z", reason: "The bank is closed." },
  "/events/v1/wake-work": workLines,
};
