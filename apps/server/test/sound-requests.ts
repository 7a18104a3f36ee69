import { sandboxBanks, type TestServer, type TestTenant } from "./harness.js";
import { signedPdf, submitLetter, waitingLetter } from "./letters.js";

/** Arguments that each tool takes without complaint; one of them is broken at a time. */
export function soundArguments(credential: string, sessionId: string): Readonly<Record<string, object>> {
  return {
    "svc-connectors": {},
    "svc-create-connect-session": { connector_id: sandboxBanks.eBanking },
    "svc-session-status": { session_id: sessionId },
    "svc-credentials": {},
    "svc-credential-status": { credentials_token: credential },
    "svc-needs-relogin": { credentials_token: credential },
    "svc-delete-credentials": { credentials_token: credential, confirm: true },
    "svc-portfolios": {},
    "svc-investments": {},
    "svc-investment-transactions": {},
  };
}

/** A body that each endpoint with a JSON body takes, by path. Makes what the bodies name. */
export async function soundBodies(
  server: TestServer,
  tenant: TestTenant,
  credential: string,
): Promise<Readonly<Record<string, object>>> {
  const { tenantId } = tenant;
  const letter = await submitLetter(tenant, sandboxBanks.datafeed);
  const waiting = await waitingLetter(server, tenant, sandboxBanks.datafeed);
  const blocked = await waitingLetter(server, tenant, sandboxBanks.datafeed);
  await server.operate("/operator/v1/letters/block", { letter_id: blocked });
  const request = { tenant_id: tenantId, connector_id: sandboxBanks.datafeed };
  const { letter: requested } = await server.operate("/operator/v1/letters/request", request);
  const details = { full_name: "Ana Ejemplo", address: ["Calle Mayor 1", "28013 Madrid"] };
  const toSign = (await server.operate("/operator/v1/letters/request", request)).letter.id;
  await server.operate("/operator/v1/letters/details", { letter_id: toSign, details });
  for (const to of ["Generated", "SentToUser"])
    await server.operate("/operator/v1/letters/advance", { letter_id: toSign, to });
  const mailed = await submitLetter(tenant, sandboxBanks.datafeed, {
    contact_info: { banker_email: "a@bank.example" },
  });
  const { mails } = (await server.operate("/operator/v1/letters/advance", { letter_id: mailed })).letter;
  const { mail_id } = mails[0];
  const { application } = await server.operate("/operator/v1/applications/create", {
    tenant_id: tenantId,
    name: "App",
  });
  const { client_id } = application;
  const { tenant: spare } = await server.operate("/operator/v1/tenants/create", { name: "Spare" });
  const { registration_token } = await server.operate("/operator/v1/registration-tokens/create", { name: "Spare" });
  await server.operate("/operator/v1/sources/set", { source: "custodian", settings: { kind: "push" } });
  const { signing_keys } = await server.operate("/operator/v1/keys/list", {});
  const waitingKey = signing_keys.find(({ state }: { state: string }) => state === "next");
  const fingerprint = "0123456789ABCDEF0123456789ABCDEF01234567";
  const createEndpoint = async () =>
    (await tenant.post("/events/v1/create-endpoint", { url: "https://crm.example/hooks" })).body.endpoint;
  const [endpoint, spareEndpoint] = [await createEndpoint(), await createEndpoint()];
  const jwk = { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", kid: "one" };
  const trustedIssuer = {
    ...{ issuer: "https://idp.example", tenant_id: null, jwks: { keys: [jwk] }, client_ids: [client_id] },
    rules: [{ claims: {}, client_id, scopes: ["letters:read"] }],
  };
  await server.operate("/operator/v1/trusted-issuers/trust", trustedIssuer);
  const { person } = await server.operate("/operator/v1/people/invite", { email: "ada@example.com", role: "operator" });
  const configuration = { connector_filter: { rules: [{ action: "include", field: "type", value: "psd2" }] } };

  return {
    "/letters/v1/list-connectors": {},
    "/letters/v1/create-signed": {
      connector_id: sandboxBanks.datafeed,
      data: await signedPdf(),
      labels: { client: "42" },
      contact_info: { banker_email: "banker@bank.example" },
    },
    "/letters/v1/search-letters": { query: {} },
    "/letters/v1/discontinue-letter": { letter_id: letter },
    "/connect/v2/connectors/preview-connector-filter": configuration,
    "/connect/v2/connectors/list-connectors": { query: { connector_id_in: [sandboxBanks.eBanking] } },
    "/connect/v2/sessions/create-session": { configuration },
    "/v2/connect/sessions": { configuration },
    "/connect/v2/sessions/list-sessions": { query: {} },
    "/data/v1/list-portfolios": { currency: "EUR" },
    "/data/v1/list-investments": { inv_type: ["F"] },
    "/data/v1/list-transactions": { start_date: "2026-01-01" },
    "/data/v1/list-connections": { include_status: true },
    "/data/v1/show-connection": { credentials_token: credential },
    "/data/v1/delete-connection": { credentials_token: credential, confirm: true },
    "/events/v1/list-events": { query: { type_in: ["letter.*"], created_at: { start: "2026-01-01" } }, order: "asc" },
    "/events/v1/create-endpoint": { url: "https://crm.example/hooks", types: ["letter.*"], labels: { desk: "a" } },
    "/events/v1/list-endpoints": {},
    "/events/v1/update-endpoint": { id: endpoint.id, types: ["*"], description: "for the desk" },
    "/events/v1/test-endpoint": { id: endpoint.id },
    "/events/v1/rotate-secret": { id: endpoint.id },
    "/events/v1/list-deliveries": { query: { endpoint_id: endpoint.id, state_in: ["failed"] }, page_size: 10 },
    "/events/v1/replay": { endpoint_id: endpoint.id, since: "2026-11-22", types: ["letter.*"] },
    "/events/v1/delete-endpoint": { id: spareEndpoint.id },
    "/operator/v1/list-events": { query: {} },
    "/operator/v1/tenants/list": {},
    "/operator/v1/tenants/create": { name: "Another" },
    "/operator/v1/tenants/show": { tenant_id: spare.tenant_id },
    "/operator/v1/tenants/update": { tenant_id: spare.tenant_id, set: { legal_name: "Spare AG" }, reset: ["logo"] },
    "/operator/v1/tenants/disable": { tenant_id: spare.tenant_id },
    "/operator/v1/tenants/enable": { tenant_id: spare.tenant_id },
    "/operator/v1/tenants/limits": { tenant_id: null },
    "/operator/v1/tenants/change-limits": { tenant_id: spare.tenant_id, set: { letters: 9 }, reset: ["grants"] },
    "/operator/v1/tenants/delete": { tenant_id: spare.tenant_id, confirm: true },
    "/operator/v1/audit/list": {},
    "/operator/v1/audit/head": {},
    "/operator/v1/audit/chain": {},
    "/operator/v1/datafeeds/accounts": { connection_or_letter_id: credential },
    "/operator/v1/datafeeds/reconcile": { connection_or_letter_id: credential },
    "/operator/v1/datafeeds/link-account": { connection_or_letter_id: credential, account: "1", portfolio: "2" },
    "/operator/v1/datafeeds/unlink-account": { connection_or_letter_id: credential, account: "1" },
    "/operator/v1/feed-keys/list": {},
    "/operator/v1/feed-keys/show": { fingerprint },
    "/operator/v1/feed-keys/generate": { name: "Wealth Connect" },
    "/operator/v1/feed-keys/import": { private_key: "armoured" },
    "/operator/v1/feed-keys/trust": { public_key: "armoured", source: "custodian" },
    "/operator/v1/feed-keys/expire": { fingerprint },
    "/operator/v1/feed-keys/revoke": { fingerprint },
    "/operator/v1/feed-keys/require": { source: "custodian", must_be_signed: false },
    "/operator/v1/feed-keys/remove": { fingerprint },
    "/operator/v1/webhooks/list": { state_in: ["failing", "disabled"] },
    "/operator/v1/webhooks/list-deliveries": { query: { endpoint_id: endpoint.id } },
    "/operator/v1/webhooks/enable": { id: endpoint.id },
    "/operator/v1/webhooks/disable": { id: endpoint.id },
    "/operator/v1/sources/list": {},
    "/operator/v1/sources/show": { source: "custodian" },
    "/operator/v1/sources/set": { source: "custodian", settings: { kind: "push" } },
    "/operator/v1/sources/test": { source: "custodian" },
    "/operator/v1/sources/run": { source: "custodian" },
    "/operator/v1/sources/list-files": {},
    "/operator/v1/sources/list-routes": { source: "custodian" },
    "/operator/v1/sources/add-route": { source: "custodian", when: { account: "12" }, to: { letter_id: letter } },
    "/operator/v1/sources/remove-route": { route_id: letter },
    "/operator/v1/datafeeds/list-pending": {},
    "/operator/v1/datafeeds/show-pending": { file_id: letter },
    "/operator/v1/datafeeds/retry-pending": { file_id: letter },
    "/operator/v1/datafeeds/route-pending": { file_id: letter, letter_id: letter },
    "/operator/v1/datafeeds/drop-pending": { file_id: letter },
    "/operator/v1/sources/create-token": { source: "custodian", name: "Bank" },
    "/operator/v1/sources/list-tokens": { source: "custodian" },
    "/operator/v1/sources/end-token": { token_id: letter },
    "/operator/v1/sources/remove": { source: "custodian" },
    "/operator/v1/datafeed-mappings/list": {},
    "/operator/v1/datafeed-mappings/show": { name: "swissquote" },
    "/operator/v1/datafeed-mappings/set": { connection_id: credential, mapping: feedMapping },
    "/operator/v1/datafeed-mappings/test": { mapping: feedMapping, file: "RGF0ZSxBbW91bnQKMjAyNi0wMS0zMSwxLjUwCg==" },
    "/operator/v1/datafeed-mappings/draft": { file: "RGF0ZSxBbW91bnQKMjAyNi0wMS0zMSwxLjUwCg==" },
    "/operator/v1/datafeed-mappings/remove": { connection_id: credential, name: "harbour" },
    "/operator/v1/registration-tokens/create": { name: "Laptops" },
    "/operator/v1/registration-tokens/list": {},
    "/operator/v1/registration-tokens/revoke": { token_id: registration_token.token_id },
    "/operator/v1/trusted-issuers/list": {},
    "/operator/v1/trusted-issuers/trust": trustedIssuer,
    "/operator/v1/trusted-issuers/test": { issuer: trustedIssuer.issuer },
    "/operator/v1/trusted-issuers/withdraw": { issuer: trustedIssuer.issuer },
    "/operator/v1/people/list": {},
    "/operator/v1/people/invite": { email: "bob@example.com", role: "operator:read" },
    "/operator/v1/people/reinvite": { person_id: person.person_id },
    "/operator/v1/people/change": { person_id: person.person_id, name: "Ada" },
    "/operator/v1/people/end": { person_id: person.person_id },
    "/operator/v1/doctor/examine": {},
    "/operator/v1/work/list": { tenant_id: tenantId },
    "/operator/v1/providers/figures": {},
    "/events/v1/list-work": {},
    "/operator/v1/keys/list": {},
    "/operator/v1/keys/rotate": {},
    "/operator/v1/keys/rotate-server": { name: "mcp-session" },
    "/operator/v1/keys/revoke": { kid: waitingKey.kid },
    "/operator/v1/keys/rewrap": {},
    "/operator/v1/applications/list": {},
    "/operator/v1/applications/create": { tenant_id: tenantId, name: "App" },
    "/operator/v1/applications/roll-secret": { client_id },
    "/operator/v1/applications/remove-secret": { client_id, secret_id: application.secrets[0].secret_id },
    "/operator/v1/applications/disable": { client_id },
    "/operator/v1/applications/enable": { client_id },
    "/operator/v1/applications/add-scopes": { client_id, scopes: ["events:read"] },
    "/operator/v1/applications/update": { client_id, redirect_urls: ["https://app.example/done"] },
    "/operator/v1/connectors/list": {},
    "/operator/v1/providers/list": {},
    "/operator/v1/providers/show": { name: "sandbox" },
    "/operator/v1/providers/set": { name: "sandbox", settings: {} },
    "/operator/v1/providers/test": { name: "sandbox" },
    "/operator/v1/providers/sync": { name: "sandbox" },
    "/operator/v1/providers/remove": { name: "sandbox", tenant_id: tenantId },
    "/operator/v1/letters/search": { tenant_id: tenantId, query: {} },
    "/operator/v1/letters/counts": { tenant_id: tenantId },
    "/operator/v1/letters/show": { letter_id: letter },
    "/operator/v1/letters/advance": { letter_id: letter },
    "/operator/v1/letters/move-many": { letter_ids: [letter], note: "as agreed" },
    "/operator/v1/letters/preview-moves": { letter_ids: [letter], move: "cancel" },
    "/operator/v1/letters/contacts": { letter_id: letter, contact_info: { phone: "1" } },
    "/operator/v1/letters/submit": { ...request, data: await signedPdf() },
    "/operator/v1/letters/block": { letter_id: waiting },
    "/operator/v1/letters/resolve": { letter_id: blocked },
    "/operator/v1/letters/cancel": { letter_id: mailed },
    "/operator/v1/letters/document": { letter_id: letter },
    "/operator/v1/letters/request": request,
    "/operator/v1/letters/details": { letter_id: requested.id, details },
    "/operator/v1/letters/sign": { letter_id: toSign, data: await signedPdf() },
    "/operator/v1/mails/list": {},
    "/operator/v1/mails/retry": { mail_id },
    "/operator/v1/mails/confirm": { mail_id },
    "/operator/v1/letters/observe": { letter_id: letter, observations: "waiting" },
    "/data/v1/search-connections": { query: { state_in: ["ready"], is_failing: false } },
    "/data/v1/list-grants": {},
    "/data/v1/end-grant": { grant_id: credential },
    "/operator/v1/grants/list": { tenant_id: tenantId },
    "/operator/v1/grants/end": { tenant_id: tenantId, grant_id: credential },
    "/operator/v1/sessions/create": { tenant_id: tenantId, configuration },
    "/operator/v1/sessions/list": { tenant_id: tenantId, query: {} },
    "/operator/v1/connections/search": { query: { tenant_id: tenantId, consent_ends_before: "2026-12-31" } },
    "/operator/v1/connections/delete": { connection_id: credential },
    "/operator/v1/connections/list": { tenant_id: tenantId },
    "/connect/v2/connections/refresh": { connection_id: credential },
    "/operator/v1/connections/refresh": { connection_id: credential },
    "/operator/v1/connections/status": { tenant_id: tenantId, connection_id: credential },
  };
}

const feedMapping = {
  language: 1,
  name: "fernbank",
  title: "Fern Bank",
  recognise: { line: "Date" },
  delimiter: ",",
  values: { date: { column: "Date" }, cash: { column: "Amount" }, currency: { constant: "CHF" } },
  tables: [{ rows: [{ is: "transaction" }] }],
};
