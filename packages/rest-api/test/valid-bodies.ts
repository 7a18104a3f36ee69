import { type Fixture, pdf } from "./fixture.js";
import { sourcePartId } from "./memory-feed-sources.js";
import { grantId } from "./memory-grants.js";
import { endpointId } from "./memory-webhooks.js";

const fingerprint = "0123456789ABCDEF0123456789ABCDEF01234567";

/**
 * A good body for every endpoint that takes JSON, by path, over a fixture that this fills with what the bodies name. Optional
 * fields are left out where their values could clash.
 */
export async function validBodies({
  post,
  services,
  refreshable,
  tokens,
  tenantIds,
  storage,
}: Fixture): Promise<Readonly<Record<string, object>>> {
  const operator = { token: tokens.operator };
  const letter = async () => {
    const { body } = await post("/letters/v1/create-signed", { connector_id: "esp:bank-000", data: pdf() });
    return body.letter_id as string;
  };
  const advanced = async (steps: number) => {
    const letter_id = await letter();
    for (let step = 0; step < steps; step++) await post("/operator/v1/letters/advance", { letter_id }, operator);
    return letter_id;
  };
  const blocked = await advanced(4);
  await post("/operator/v1/letters/block", { letter_id: blocked }, operator);
  const connected = (await post("/operator/v1/letters/show", { letter_id: await advanced(5) }, operator)).body.letter;
  const tenant = async (name: string) =>
    (await post("/operator/v1/tenants/create", { name }, operator)).body.tenant.tenant_id as string;
  const application = async (secrets = 1) => {
    const who = { application_id: "operator", trace_id: null, address: null };
    const created = await services.applications.create(who, { tenant_id: tenantIds.first, name: "App" });
    return secrets === 1
      ? created.application
      : (await services.applications.rollSecret(who, created.application.client_id)).application;
  };
  const removable = await application(2);
  const requested = async () => {
    const request = { tenant_id: tenantIds.first, connector_id: "esp:bank-000" };
    return (await post("/operator/v1/letters/request", request, operator)).body.letter.id as string;
  };
  const toSign = await requested();
  await post("/operator/v1/letters/details", { letter_id: toSign, details }, operator);
  for (const letter_id of [toSign, toSign]) await post("/operator/v1/letters/advance", { letter_id }, operator);
  const mailed = async (state: "queued" | "failed") => {
    const contact_info = { banker_email: "a@bank.example" };
    const submitted = { connector_id: "esp:bank-000", data: pdf(), contact_info };
    const { letter_id } = (await post("/letters/v1/create-signed", submitted)).body;
    const { letter } = (await post("/operator/v1/letters/advance", { letter_id }, operator)).body;
    const { mail_id, recipient } = letter.mails[0];
    const now = new Date(letter.updated_at);
    const settlement = { state, recipient, due_at: now, last_error: null, settled_at: null };
    await storage.inTenant(tenantIds.first, ({ mails }) => mails.change(mail_id, ["queued"], settlement));
    return mail_id as string;
  };

  for (const tenant_id of [null, tenantIds.first])
    await post("/operator/v1/providers/set", { name: "lighthouse", tenant_id, settings: { key: "a key" } }, operator);

  for (const name of ["fernbank", "harbour"]) {
    const mapping = { name, title: name };
    await post("/operator/v1/datafeed-mappings/set", { connector_id: "esp:bank-000", mapping }, operator);
  }

  return {
    "/letters/v1/list-connectors": {},
    "/letters/v1/create-signed": {
      connector_id: "esp:bank-000",
      data: pdf(),
      labels: { client: "42" },
      contact_info: { banker_email: "a@bank.example" },
    },
    "/letters/v1/search-letters": { query: {} },
    "/letters/v1/discontinue-letter": { letter_id: await letter() },
    "/connect/v2/connectors/preview-connector-filter": {
      connector_filter: { rules: [{ action: "exclude", field: "connector_id", value: "*" }] },
    },
    "/connect/v2/connectors/list-connectors": { query: { connector_id_in: ["esp:bank-000"] } },
    "/connect/v2/sessions/create-session": { configuration: { connector_filter: { rules: [] } } },
    "/v2/connect/sessions": { configuration: { connector_filter: { rules: [] } } },
    "/connect/v2/sessions/list-sessions": { query: {} },
    "/data/v1/list-portfolios": { currency: ["EUR"] },
    "/data/v1/list-investments": { min_balance: 5, page: null },
    "/data/v1/list-transactions": { start_date: "2026-01-01" },
    "/data/v1/list-connections": { bank: null },
    "/data/v1/show-connection": { credentials_token: (await refreshable()).connection_id },
    "/data/v1/delete-connection": { credentials_token: (await refreshable()).connection_id, confirm: true },
    "/operator/v1/tenants/list": {},
    "/operator/v1/tenants/create": { name: "Another" },
    "/operator/v1/tenants/show": { tenant_id: tenantIds.first },
    "/operator/v1/tenants/update": { tenant_id: tenantIds.first, set: { display_name: "First & Co" }, reset: ["logo"] },
    "/operator/v1/tenants/disable": { tenant_id: await tenant("Disabled") },
    "/operator/v1/tenants/enable": { tenant_id: await tenant("Enabled") },
    "/operator/v1/tenants/limits": { tenant_id: tenantIds.first },
    "/operator/v1/tenants/change-limits": { tenant_id: null, set: { letters: 1_000 }, reset: ["grants"] },
    "/operator/v1/tenants/delete": { tenant_id: await tenant("Deleted"), confirm: true },
    "/events/v1/list-events": { query: { type_in: ["letter.*"] }, order: "asc", page_size: 10, wait_seconds: 0 },
    "/events/v1/create-endpoint": { url: "https://crm.example/hooks", types: ["letter.*"], labels: { desk: "a" } },
    "/events/v1/list-endpoints": {},
    "/events/v1/update-endpoint": { id: endpointId, description: "for the desk", enabled: false },
    "/events/v1/delete-endpoint": { id: endpointId },
    "/events/v1/test-endpoint": { id: endpointId },
    "/events/v1/rotate-secret": { id: endpointId },
    "/events/v1/list-deliveries": { query: { endpoint_id: endpointId, state_in: ["failed"] }, page_size: 10 },
    "/events/v1/replay": { endpoint_id: endpointId, since: "2026-11-22", types: ["letter.*"] },
    "/operator/v1/list-events": { query: { tenant_id: tenantIds.first } },
    "/operator/v1/audit/list": {},
    "/operator/v1/audit/head": {},
    "/operator/v1/audit/chain": {},
    "/operator/v1/datafeeds/accounts": { connection_or_letter_id: (await refreshable()).connection_id },
    "/operator/v1/datafeeds/reconcile": { connection_or_letter_id: (await refreshable()).connection_id },
    "/operator/v1/datafeeds/link-account": {
      connection_or_letter_id: (await refreshable()).connection_id,
      account: "0207-123456.01",
      portfolio: "0207-123456.S1",
    },
    "/operator/v1/datafeeds/unlink-account": {
      connection_or_letter_id: (await refreshable()).connection_id,
      account: "0207-123456.01",
    },
    "/operator/v1/feed-keys/list": {},
    "/operator/v1/feed-keys/show": { fingerprint },
    "/operator/v1/feed-keys/generate": { name: "Wealth Connect" },
    "/operator/v1/feed-keys/import": { private_key: "armoured" },
    "/operator/v1/feed-keys/trust": { public_key: "armoured", source: "custodian" },
    "/operator/v1/feed-keys/expire": { fingerprint },
    "/operator/v1/feed-keys/revoke": { fingerprint },
    "/operator/v1/feed-keys/require": { source: "custodian", must_be_signed: true },
    "/operator/v1/feed-keys/remove": { fingerprint },
    "/operator/v1/webhooks/list": { state_in: ["failing", "disabled"] },
    "/operator/v1/webhooks/list-deliveries": { query: { endpoint_id: endpointId } },
    "/operator/v1/webhooks/enable": { id: endpointId },
    "/operator/v1/webhooks/disable": { id: endpointId },
    "/operator/v1/sources/list": {},
    "/operator/v1/sources/show": { source: "custodian" },
    "/operator/v1/sources/set": { source: "custodian", settings: { kind: "push" } },
    "/operator/v1/sources/test": { source: "custodian" },
    "/operator/v1/sources/run": { source: "custodian" },
    "/operator/v1/sources/list-files": {},
    "/operator/v1/sources/list-routes": { source: "custodian" },
    "/operator/v1/sources/add-route": {
      source: "custodian",
      when: { account: "12" },
      to: { letter_id: "019b0000-0000-7000-8000-000000000000" },
    },
    "/operator/v1/sources/remove-route": { route_id: sourcePartId },
    "/operator/v1/datafeeds/list-pending": {},
    "/operator/v1/datafeeds/show-pending": { file_id: sourcePartId },
    "/operator/v1/datafeeds/retry-pending": { file_id: sourcePartId },
    "/operator/v1/datafeeds/route-pending": {
      file_id: sourcePartId,
      letter_id: "019b0000-0000-7000-8000-000000000000",
    },
    "/operator/v1/datafeeds/drop-pending": { file_id: sourcePartId },
    "/operator/v1/sources/create-token": { source: "custodian", name: "Bank" },
    "/operator/v1/sources/list-tokens": { source: "custodian" },
    "/operator/v1/sources/end-token": { token_id: sourcePartId },
    "/operator/v1/sources/remove": { source: "custodian" },
    "/operator/v1/datafeed-mappings/list": {},
    "/operator/v1/datafeed-mappings/show": { name: "fernbank", connector_id: "esp:bank-000" },
    "/operator/v1/datafeed-mappings/set": { connector_id: "esp:bank-000", mapping: { name: "other", title: "Other" } },
    "/operator/v1/datafeed-mappings/test": { mapping: { name: "other", title: "Other" }, file: "RGF5" },
    "/operator/v1/datafeed-mappings/draft": { file: "RGF5" },
    "/operator/v1/datafeed-mappings/remove": { name: "harbour", connector_id: "esp:bank-000" },
    "/operator/v1/registration-tokens/create": { name: "Laptops" },
    "/operator/v1/registration-tokens/list": {},
    "/operator/v1/registration-tokens/revoke": { token_id: "one" },
    "/operator/v1/trusted-issuers/list": {},
    "/operator/v1/trusted-issuers/trust": {
      ...{ issuer: "https://idp.example", tenant_id: null, client_ids: ["wcd_a"] },
      rules: [{ claims: { groups: "Desk" }, client_id: "wca_a", scopes: ["letters:read"] }],
    },
    "/operator/v1/trusted-issuers/test": { issuer: "https://idp.example" },
    "/operator/v1/trusted-issuers/withdraw": { issuer: "https://idp.example" },
    "/operator/v1/people/list": {},
    "/operator/v1/people/invite": { email: "bob@example.com", role: "operator:read" },
    "/operator/v1/people/reinvite": { person_id: "one" },
    "/operator/v1/people/change": { person_id: "one", name: "Ada B" },
    "/operator/v1/people/end": { person_id: "one" },
    "/operator/v1/doctor/examine": {},
    "/operator/v1/work/list": { tenant_id: tenantIds.first, kinds: ["letter_overdue"] },
    "/operator/v1/providers/figures": {},
    "/events/v1/list-work": {},
    "/operator/v1/keys/list": {},
    "/operator/v1/keys/rotate": {},
    "/operator/v1/keys/rotate-server": { name: "secret-hash" },
    "/operator/v1/keys/revoke": { kid: "one" },
    "/operator/v1/keys/rewrap": {},
    "/operator/v1/applications/list": {},
    "/operator/v1/applications/create": { tenant_id: tenantIds.first, name: "App" },
    "/operator/v1/applications/roll-secret": { client_id: (await application()).client_id },
    "/operator/v1/applications/remove-secret": {
      client_id: removable.client_id,
      secret_id: removable.secrets[0]?.secret_id,
    },
    "/operator/v1/applications/disable": { client_id: (await application()).client_id },
    "/operator/v1/applications/enable": { client_id: (await application()).client_id },
    "/operator/v1/applications/add-scopes": { client_id: (await application()).client_id, scopes: ["events:read"] },
    "/operator/v1/applications/update": {
      client_id: (await application()).client_id,
      redirect_urls: ["https://app.example/done"],
    },
    "/operator/v1/connectors/list": {},
    "/operator/v1/providers/list": {},
    "/operator/v1/providers/show": { name: "lighthouse" },
    "/operator/v1/providers/set": { name: "lighthouse", settings: { key: "the key of a lighthouse" } },
    "/operator/v1/providers/test": { name: "lighthouse", settings: { key: "another key" } },
    "/operator/v1/providers/sync": { name: "lighthouse" },
    "/operator/v1/providers/remove": { name: "lighthouse", tenant_id: tenantIds.first },
    "/operator/v1/letters/search": { tenant_id: tenantIds.first, query: {} },
    "/operator/v1/letters/counts": { tenant_id: tenantIds.first },
    "/operator/v1/letters/show": { letter_id: await letter() },
    "/operator/v1/letters/advance": { letter_id: await letter() },
    "/operator/v1/letters/move-many": { letter_ids: [await letter(), await letter()], note: "as agreed" },
    "/operator/v1/letters/preview-moves": { letter_ids: [await letter()], to: "SentToCustodian" },
    "/operator/v1/letters/contacts": { letter_id: await letter(), contact_info: { phone: "1" } },
    "/operator/v1/letters/submit": { tenant_id: tenantIds.first, connector_id: "esp:bank-000", data: pdf() },
    "/operator/v1/letters/block": { letter_id: await advanced(4) },
    "/operator/v1/letters/resolve": { letter_id: blocked },
    "/operator/v1/letters/cancel": { letter_id: await letter() },
    "/operator/v1/letters/document": { letter_id: await letter() },
    "/operator/v1/letters/request": { tenant_id: tenantIds.first, connector_id: "esp:bank-000" },
    "/operator/v1/letters/details": { letter_id: await requested(), details },
    "/operator/v1/letters/sign": { letter_id: toSign, data: pdf() },
    "/operator/v1/mails/list": {},
    "/operator/v1/mails/retry": { mail_id: await mailed("queued") },
    "/operator/v1/mails/confirm": { mail_id: await mailed("failed") },
    "/operator/v1/letters/observe": { letter_id: await letter(), observations: "waiting for the custodian" },
    "/data/v1/search-connections": {},
    "/data/v1/list-grants": {},
    "/data/v1/end-grant": { grant_id: grantId },
    "/operator/v1/grants/list": { tenant_id: null },
    "/operator/v1/grants/end": { tenant_id: null, grant_id: grantId },
    "/operator/v1/sessions/create": { tenant_id: tenantIds.first },
    "/operator/v1/sessions/list": { tenant_id: tenantIds.first },
    "/operator/v1/connections/search": {},
    "/operator/v1/connections/delete": { connection_id: (await refreshable()).connection_id, confirm: true },
    "/operator/v1/connections/list": { tenant_id: tenantIds.first },
    "/connect/v2/connections/refresh": { connection_id: (await refreshable()).connection_id },
    "/operator/v1/connections/refresh": { connection_id: (await refreshable()).connection_id },
    "/operator/v1/connections/status": { tenant_id: tenantIds.first, connection_id: connected.connection_id },
  };
}

const details = { full_name: "Ana Ejemplo", address: ["Calle Mayor 1", "28013 Madrid"] };

/** The token that may call a path. */
export function tokenOf(path: string): string {
  return path.startsWith("/operator/") ? "operator" : "first";
}
