import { existsSync } from "node:fs";
import { type Storage, systemActor, type Tenants } from "@org/core";
import { credentialsFile, storeAddresses, storeInvitation, writeCredentials } from "@org/installation";
import type { Applications } from "@org/oauth-server";
import type { PeopleOperations } from "@org/people";

/**
 * Gives an empty installation an operator application and a demo tenant with one application, and writes their credentials. Returns the file, or
 * null if there already were tenants; the file of an earlier start is then told where the server is now.
 */
export async function seedDemo(deps: {
  storage: Storage;
  tenants: Tenants;
  oauthApplications: Applications;
  dataDir: string;
  publicUrl: string;
  /** The operator API's address if it is a separate one. */
  operatorUrl: string | undefined;
  /** Called with the file if the addresses in it were changed. */
  onMoved: (file: string) => void;
}): Promise<string | null> {
  const { tenants, oauthApplications, dataDir, publicUrl, operatorUrl } = deps;
  const addresses = { url: publicUrl, ...(operatorUrl !== undefined && { operator_url: operatorUrl }) };
  if ((await deps.storage.tenants.list()).length > 0) {
    const moved = storeAddresses(dataDir, addresses);
    if (moved !== null) deps.onMoved(moved);
    return null;
  }
  const by = { actor: "system", address: null, trace_id: null };
  const operator = await oauthApplications.create({ tenant_id: null, name: "Operator" }, by);
  const tenant = await tenants.create(systemActor, "Demo");
  const demo = await oauthApplications.create({ tenant_id: tenant.tenant_id, name: "Demo" }, by);
  return writeCredentials(dataDir, {
    ...addresses,
    operator: { client_id: operator.application.client_id, client_secret: operator.client_secret },
    demo: { tenant: tenant.tenant_id, client_id: demo.application.client_id, client_secret: demo.client_secret },
  });
}

/**
 * Invites the first operator to the console if there is a file for the link and nobody who could sign in, and stores the link there. Returns the
 * file, or null if nobody was invited.
 */
export async function inviteFirstOperator(deps: {
  operations: Pick<PeopleOperations, "inviteFirst">;
  dataDir: string;
  /** Null = the operator enters it when joining. */
  email: string | null;
}): Promise<string | null> {
  const { operations, dataDir, email } = deps;
  if (!existsSync(credentialsFile(dataDir))) return null;
  const invited = await operations.inviteFirst(systemActor, email);
  return invited && storeInvitation(dataDir, invited);
}
