import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Storage, systemActor, type Tenants } from "@org/core";
import type { Applications } from "@org/oauth-server";

/** What a first start writes to `DATA_DIR/credentials.json` (contract §1), mode 0600. */
export interface Credentials {
  readonly url: string;
  readonly operator: { readonly client_id: string; readonly client_secret: string };
  readonly demo: { readonly tenant: string; readonly client_id: string; readonly client_secret: string };
}

/**
 * Gives an empty installation an operator application and a demo tenant with one application, and writes their credentials.
 * Answers the file, or null when there were tenants already.
 */
export async function seedDemo(deps: {
  storage: Storage;
  tenants: Tenants;
  applications: Applications;
  dataDir: string;
  publicUrl: string;
}): Promise<string | null> {
  const { tenants, applications, dataDir } = deps;
  if ((await deps.storage.tenants.list()).length > 0) return null;
  const by = { actor: "system", address: null, trace_id: null };
  const operator = await applications.create({ tenant_id: null, name: "Operator" }, by);
  const tenant = await tenants.create(systemActor, "Demo");
  const demo = await applications.create({ tenant_id: tenant.tenant_id, name: "Demo" }, by);
  return writeCredentials(dataDir, {
    url: deps.publicUrl,
    operator: { client_id: operator.application.client_id, client_secret: operator.client_secret },
    demo: { tenant: tenant.tenant_id, client_id: demo.application.client_id, client_secret: demo.client_secret },
  });
}

function writeCredentials(dataDir: string, credentials: Credentials): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "credentials.json");
  if (existsSync(file)) renameSync(file, `${file}.old`);
  writeFileSync(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return file;
}
