import { randomBytes, randomUUID } from "node:crypto";
import { migrate, openStorage } from "@org/storage-postgres";
import pg from "pg";

/** The number of letters; the large tenant has four fifths of them, ten others the rest. */
export const LETTERS = 1_000_000;
const OTHER_TENANTS = 10;

/** A migrated database of its own with letters. @param databaseUrl a superuser's URL of any database of the PostgreSQL server */
export async function installLetters(databaseUrl, count = LETTERS) {
  const name = `letters_${randomBytes(6).toString("hex")}`;
  await withClient(databaseUrl, (client) => client.query(`create database ${name}`));
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  const opened = await openStorage({ databaseUrl: url.href }, () => new Date());
  await migrate(opened.pool);
  await opened.close();
  const tenantId = randomUUID();
  await withClient(url.href, async (client) => {
    await client.query(
      "insert into tenants (tenant_id, name, name_key, created_at) values ($1, 'Large tenant', 'large tenant', now())",
      [tenantId],
    );
    await seedLetters(client, tenantId, count);
    await client.query("vacuum analyze");
  });
  return { databaseUrl: url.href, tenantId };
}

/** Runs `work` with its own connection. */
export async function withClient(databaseUrl, work) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Fills `letters` and `letter_labels` with SQL, in order of time, as an installation does over three years: four fifths of `count` belong to
 * `tenantId`, the rest to ten small tenants. Each letter has four labels: `client` (five letters each), `desk` (38 values, some 21,000 letters each
 * at a million), `advisor` (400 values) and `source` (two). Takes some minutes. @param client a client of `pg`, as the owner of the tables
 */
export async function seedLetters(client, tenantId, count = LETTERS) {
  await client.query(
    `insert into tenants (tenant_id, name, name_key, created_at)
     select ${otherTenant("n")}, 'Small tenant ' || n, 'small tenant ' || n, now() from generate_series(1, ${OTHER_TENANTS}) n`,
  );
  // A statement may take longer than the server allows a request.
  await client.query("set statement_timeout = 0");
  await client.query("set work_mem = '256MB'");
  await client.query("select setseed(0.5)");
  await client.query(
    `insert into letters (tenant_id, letter_id, connector_id, status, previous_status, ever_connected, labels, contact_info,
       connection_id, observations, created_at, updated_at, status_since)
     select case when i % 5 < 4 then $1::uuid else ${otherTenant(`1 + i % ${OTHER_TENANTS}`)} end,
       (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(hash, 1, 3) || '8' || substr(hash, 4, 15))::uuid,
       'esp:custodian-' || floor(200 * r1 * r1),
       status, case when status = 'Blocked' then 'Connected' end, status in ('Connected', 'Blocked', 'Discontinued', 'Revoked'),
       jsonb_build_object('client', 'c' || i / 6, 'desk', 'desk-' || floor(38 * r2),
         'advisor', 'a' || floor(400 * r3), 'source', case when r4 < 0.5 then 'api' else 'import' end),
       '{"banker_email": "desk@custodian.example"}', null, null, at, at + r1 * interval '90 days', at + r1 * interval '90 days'
     from (
       select i, r1, r2, r3, r4, md5(i::text) as hash, timestamptz '2023-11-01' + i * (interval '3 years' / ${count}) as at,
         (array['Connected','Connected','Connected','ConnectionSetup','Cancelled','Discontinued','Revoked','Signed','SentToCustodian',
           'AcceptedByCustodian','WaitingForData','Blocked'])[1 + floor(12 * r5)::integer] as status
       from (select i, random() as r1, random() as r2, random() as r3, random() as r4, random() as r5 from generate_series(0, ${count - 1}) i) drawn
     ) made`,
    [tenantId],
  );
  await client.query(
    `insert into letter_labels (tenant_id, letter_id, key, value, created_at, status)
     select tenant_id, letter_id, label.key, label.value, created_at, status
     from letters, jsonb_each_text(labels) label`,
  );
  await client.query("reset statement_timeout");
  await client.query("reset work_mem");
}

/** Ids that can be distinguished from generated ones. */
function otherTenant(number) {
  return `('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;
}
