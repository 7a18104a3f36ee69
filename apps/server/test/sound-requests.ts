import type { SampleThings } from "@org/rest-api/testing";
import { sandboxBanks, type TestServer, type TestTenant } from "./harness.js";
import { signedPdf, waitingLetter } from "./letters.js";

/** Arguments that each tool accepts; one of them is broken at a time. */
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

/** The objects that bodies refer to: one of each kind for all of them, since none is sent unchanged. */
export async function soundThings(server: TestServer, tenant: TestTenant, credential: string): Promise<SampleThings> {
  const { tenantId } = tenant;
  const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
  const { tenant: spare } = await server.operate("/operator/v1/tenants/create", { name: "Spare" });
  const named = { tenant_id: tenantId, name: "App" };
  const { application } = await server.operate("/operator/v1/applications/create", named);
  const page = await tenant.post("/data/v1/list-transactions", { credentials_token: credential, page_size: 1 });
  const { session } = await server.operate("/operator/v1/sessions/create", { tenant_id: tenantId });
  return {
    tenantId,
    connectorId: sandboxBanks.datafeed,
    provider: "sandbox",
    pdf: await signedPdf(),
    letter: async () => letterId,
    undoable: async () => letterId,
    connection: async () => credential,
    transaction: async () => ({ credentials_token: credential, transaction_id: String(page.body.items[0]?.id) }),
    valued: async () => credential,
    client: async () => "M-17",
    session: async () => session.session_id,
    tenant: async () => spare.tenant_id,
    application: async () => ({ client_id: application.client_id, secret_id: application.secrets[0].secret_id }),
    mail: async () => letterId,
  };
}
