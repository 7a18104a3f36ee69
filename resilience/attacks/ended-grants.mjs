import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

export { holdings, honest } from "./everyday.mjs";

export const title = "50,000 grants of one tenant that end together, as an application's do at /grants";

const GRANTS = 50_000;

/** Stores the grants, which would take minutes at /token. */
export async function prepare(stage) {
  await withDatabase(stage, (database) =>
    database.query(
      `insert into grants (grant_id, tenant_id, application_id, client_id, secret_id, flow, scopes, audience, created_at,
          refresh_seconds, refresh_expires_at, last_issued_at, token_hash)
        select gen_random_uuid(), $1, $1::uuid, 'wca_attack', $1::uuid, 'machine', '{}', '{}', now(), 86400,
          now() + interval '1 day', now(), gen_random_uuid()::text from generate_series(1, $2)`,
      [stage.attacker.tenant, GRANTS],
    ),
  );
}

export async function attack(stage) {
  const { rowCount } = await withDatabase(stage, (database) =>
    database.query(
      "update grants set ended_at = now(), ended_by = pg_current_xact_id() where client_id = 'wca_attack'",
    ),
  );
  while (!stage.signal.aborted) await delay(100);
  return { ended: rowCount };
}

async function withDatabase({ databaseUrl }, work) {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}
