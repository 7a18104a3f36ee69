import { samples } from "@org/core/testing";
import { operationsOf, type SampleThings, sampleBodies } from "../src/testing/index.js";
import { type Fixture, pdf } from "./fixture.js";

const connectorId = "esp:bank-000";
const provider = "lighthouse";

/** Returns a valid body for every endpoint that takes JSON, by path, and fills the fixture with the objects that the bodies name. */
export async function validBodies(fixture: Fixture): Promise<Readonly<Record<string, object>>> {
  const { document, post, tokens, tenantIds } = fixture;
  const operate = (path: string, body: object) => post(`/operator/v1${path}`, body, { token: tokens.operator });
  for (const tenant_id of [null, tenantIds.first])
    await operate("/providers/set", { name: provider, tenant_id, settings: { key: "a key" } });
  for (const name of ["fernbank", "harbour"])
    await operate("/datafeed-mappings/set", { connector_id: connectorId, mapping: { name, title: name } });
  const paths = operationsOf(document).flatMap(({ path, mediaType }) =>
    mediaType === "application/json" ? [path] : [],
  );
  return sampleBodies(paths, thingsIn(fixture, operate));
}

function thingsIn(
  { post, services, refreshable, tenantIds, storage }: Fixture,
  operate: (path: string, body: object) => ReturnType<Fixture["post"]>,
): SampleThings {
  const tenant_id = tenantIds.first;
  const signed = async (more: object = {}) =>
    (await post("/letters/v1/create-signed", { connector_id: connectorId, data: pdf(), ...more })).body
      .letter_id as string;
  const requested = async () =>
    (await operate("/letters/request", { tenant_id, connector_id: connectorId })).body.letter.id as string;
  const advance = async (letter_id: string, steps: number) => {
    for (let step = 0; step < steps; step += 1) await operate("/letters/advance", { letter_id });
  };
  const connection = async () => (await refreshable()).connection_id;
  let tenants = 0;
  let clients = 0;

  return {
    tenantId: tenant_id,
    connectorId,
    provider,
    pdf: pdf(),
    connection,
    async transaction() {
      const { now, transaction } = samples;
      const [credentials_token, row] = [(await refreshable()).connection_id, transaction()];
      const read = { connection_id: credentials_token, as_of: now, published_at: now, transactions: [row] };
      await storage.inTenant(tenant_id, ({ snapshots }) => snapshots.publish(read));
      return { credentials_token, transaction_id: row.transaction_id };
    },
    async valued() {
      const [{ connection_id }, row, day] = [await refreshable(), samples.portfolio({ balance: "100" }), "2025-12-31"];
      const as_of = new Date(`${day}T12:00:00.000Z`);
      const valuation = {
        ...{ ...row, is_cash: false, day, as_of, holdings: "shown" as const },
        source: { kind: "provider" as const, provider: "sandbox" },
      };
      const valuations = { read_at: as_of, arrival: 0, complete_on: day, accounts: [valuation] };
      const read = { connection_id, as_of, published_at: as_of, portfolios: [row], holdings: [], transactions: [] };
      await storage.inTenant(tenant_id, ({ snapshots }) => snapshots.publish({ ...read, valuations }));
      return connection_id;
    },
    async client() {
      clients += 1;
      await signed({ client_ref: `M-${clients}` });
      return `M-${clients}`;
    },
    async letter(status) {
      const isSigned = status !== "NewRequest" && status !== "SentToUser";
      const letter_id = isSigned ? await signed() : await requested();
      if (status === "SentToUser") {
        const details = { full_name: "Ana Ejemplo", address: ["Calle Mayor 1", "28013 Madrid"] };
        await operate("/letters/details", { letter_id, details });
        await advance(letter_id, 2);
      }
      if (status === "WaitingForData" || status === "Blocked") await advance(letter_id, 4);
      if (status === "Blocked") await operate("/letters/block", { letter_id });
      return letter_id;
    },
    async undoable() {
      const letter_id = await signed({ contact_info: { banker_email: "a@bank.example" } });
      await advance(letter_id, 1);
      return letter_id;
    },
    async session() {
      return (await operate("/sessions/create", { tenant_id })).body.session.session_id;
    },
    async tenant() {
      tenants += 1;
      return (await operate("/tenants/create", { name: `Tenant ${tenants}` })).body.tenant.tenant_id;
    },
    async application() {
      const who = { application_id: "operator", trace_id: null, address: null };
      const { application } = await services.applications.create(who, { tenant_id, name: "App" });
      return { client_id: application.client_id, secret_id: application.secrets[0]?.secret_id as string };
    },
    async mail(state) {
      const letter_id = await signed({ contact_info: { banker_email: "a@bank.example" } });
      const { letter } = (await operate("/letters/advance", { letter_id })).body;
      const { mail_id, recipient } = letter.mails[0];
      const now = new Date(letter.updated_at);
      const settlement = { state, recipient, due_at: now, last_error: null, settled_at: null };
      await storage.inTenant(tenant_id, ({ mails }) => mails.change(mail_id, ["queued"], settlement));
      return mail_id;
    },
  };
}

/** The token that may call a path. */
export function tokenOf(path: string): string {
  return path.startsWith("/operator/") ? "operator" : "first";
}
