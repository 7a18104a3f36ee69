import { type Fixture, pdf } from "./fixture.js";

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
    "/operator/v1/tenants/list": {},
    "/operator/v1/tenants/create": { name: "Another" },
    "/operator/v1/tenants/disable": { tenant_id: await tenant("Disabled") },
    "/operator/v1/tenants/enable": { tenant_id: await tenant("Enabled") },
    "/operator/v1/tenants/delete": { tenant_id: await tenant("Deleted"), confirm: true },
    "/operator/v1/audit/list": {},
    "/operator/v1/datafeeds/list-quarantine": { limit: 5 },
    "/operator/v1/keys/list": {},
    "/operator/v1/keys/rotate": {},
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
    "/operator/v1/applications/update": {
      client_id: (await application()).client_id,
      redirect_urls: ["https://app.example/done"],
    },
    "/operator/v1/connectors/list": {},
    "/operator/v1/letters/search": { tenant_id: tenantIds.first, query: {} },
    "/operator/v1/letters/show": { letter_id: await letter() },
    "/operator/v1/letters/advance": { letter_id: await letter() },
    "/operator/v1/letters/block": { letter_id: await advanced(4) },
    "/operator/v1/letters/resolve": { letter_id: blocked },
    "/operator/v1/letters/observe": { letter_id: await letter(), observations: "waiting for the custodian" },
    "/operator/v1/connections/list": { tenant_id: tenantIds.first },
    "/connect/v2/connections/refresh": { connection_id: (await refreshable()).connection_id },
    "/operator/v1/connections/refresh": { connection_id: (await refreshable()).connection_id },
    "/operator/v1/connections/status": { tenant_id: tenantIds.first, connection_id: connected.connection_id },
  };
}

/** The token that may call a path. */
export function tokenOf(path: string): string {
  return path.startsWith("/operator/") ? "operator" : "first";
}
