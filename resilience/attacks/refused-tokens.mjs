import { readFileSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { expectOk, flood } from "./stage.mjs";

export const title = "/token with client ids and secrets that nobody has, as fast as they are refused";

const PARALLEL = 32;
/** Refusals are counted for a minute before their log line is written. */
const WRITTEN_SECONDS = 75;

/** Tokens issued to the honest tenant; the audit trail must contain all of them. */
let issued = 0;

/** Returns how many rows and lines the refusals produced, and whether any honest line is missing. */
export async function attack(stage) {
  const logged = statSync(stage.logFile).size;
  const outcomes = await flood(stage, PARALLEL, async (index) => (await tryToken(stage, index)).status);
  const requests = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const refused = (outcomes[401] ?? 0) + (outcomes[429] ?? 0);
  const database = new pg.Client({ connectionString: stage.databaseUrl });
  await database.connect();
  try {
    const trail = await untilWritten(database, refused, stage.honest.tenant);
    const log = readFileSync(stage.logFile).subarray(logged).toString().split("\n");
    return {
      outcomes,
      requests,
      audit_rows: trail.rows,
      refusals_in_them: trail.counted,
      log_records: log.length,
      honest_tokens: issued,
      honest_lines: trail.honest,
    };
  } finally {
    await database.end();
  }
}

/** Requests a token with the right secret while others on the same network guess. */
export async function honest(stage) {
  const { client_id, client_secret } = stage.honest;
  await expectOk(tokenRequest(stage, { client_id, client_secret }));
  issued += 1;
}

function tryToken(stage, index) {
  const client_id = index % 2 ? stage.attacker.client_id : `wca_${String(index).padStart(22, "0")}`;
  return tokenRequest(stage, { client_id, client_secret: "a guess" });
}

function tokenRequest({ send }, form) {
  return send({
    method: "POST",
    path: "/token",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: "client_credentials", ...form }).toString(),
  });
}

async function untilWritten(database, refused, tenant) {
  for (let second = 0; ; second += 1) {
    const { rows } = await database.query(
      `select count(*) filter (where action = 'grant.refused')::integer as rows,
        coalesce(sum(coalesce((facts ->> 'count')::integer, 1)) filter (where action = 'grant.refused'), 0)::integer as counted,
        count(*) filter (where action = 'grant.issued' and tenant_id::text = $1)::integer as honest
      from audit_log`,
      [tenant],
    );
    if (rows[0].counted >= refused || second >= WRITTEN_SECONDS) return rows[0];
    await delay(1_000);
  }
}
