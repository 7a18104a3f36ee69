import { randomUUID } from "node:crypto";
import { pendingStatus } from "@org/core";

const BATCH = 250;

/**
 * Connections of a tenant as logins leave them, due at `dueAt`.
 * @param accessOf the access of each, by its number, as its provider understands it
 */
export async function addConnections({
  storage,
  keyring,
  tenantId,
  connections,
  connector,
  provider,
  accessOf,
  dueAt,
}) {
  const now = new Date();
  const ids = [];
  for (let made = 0; made < connections; made += BATCH) {
    const batch = await Promise.all(
      Array.from({ length: Math.min(BATCH, connections - made) }, async (_, index) => {
        const connection_id = randomUUID();
        const context = { purpose: "connection-access", row: connection_id };
        const access = JSON.stringify(accessOf(made + index));
        return { connection_id, sealed_access: await keyring.seal(access, context) };
      }),
    );
    await storage.inTenant(tenantId, async (stores) => {
      for (const { connection_id, sealed_access } of batch) {
        await stores.connections.create({
          connection_id,
          connector_id: connector,
          bank: "Bank of Benchmarks",
          provider,
          labels: {},
          status: { ...pendingStatus(now.toISOString()), pending: false },
          identity_hash: connection_id,
          sealed_access,
          created_at: now,
        });
        await stores.refreshes.plan(connection_id, {
          due_at: dueAt,
          pending: null,
          user_hash: null,
          reference_hash: null,
          consent_expires_at: null,
        });
      }
    });
    ids.push(...batch.map(({ connection_id }) => connection_id));
  }
  return ids;
}
