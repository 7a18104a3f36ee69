/** Tables with a tenant's data, parents first; `copyTenants` copies them and `tenants`. */
const OF_TENANT = [
  ...["tenants", "applications", "grants", "connections", "object_owners", "connection_refreshes", "tenant_revisions"],
  ...["snapshots", "portfolios", "holdings", "transactions", "sessions", "session_links", "letters", "letter_labels"],
  ...["letter_counts", "events"],
];
const OF_CONNECTION = [
  ...["connections", "connection_refreshes", "snapshots", "portfolios", "holdings", "transactions"],
  ...["valued_accounts", "valuations", "valued_holdings"],
];

/** Text columns whose values must be unique. */
const UNIQUE_TEXTS = new Set([
  ...["tenants.name", "tenants.name_key", "applications.client_id", "grants.token_hash", "sessions.link_hash"],
  ...["session_links.link_hash"],
]);

/** Copies all data of a tenant, as tenants number `from` to `to`. @param client a superuser's client of `pg` */
export function copyTenants(client, tenantId, from, to) {
  return copy(client, { tables: OF_TENANT, where: `tenant_id = '${tenantId}'`, same: [], from, to });
}

/** Copies a connection with its data, within its tenant; the next publication counts them. */
export async function copyConnections(client, tenantId, connectionId, from, to) {
  const where = `tenant_id = '${tenantId}' and connection_id = '${connectionId}'`;
  await copy(client, { tables: OF_CONNECTION, where, same: ["tenant_id"], from, to });
  await client.query("update tenant_revisions set counts = null, counted_revision = null where tenant_id = $1", [
    tenantId,
  ]);
}

/** Copies a tenant's letters within the tenant and updates the counts. */
export async function copyLetters(client, tenantId, from, to) {
  const where = `tenant_id = '${tenantId}' and letter_id in (select letter_id from letters where tenant_id = '${tenantId}' order by letter_id limit 1)`;
  await copy(client, { tables: ["letters", "letter_labels"], where, same: ["tenant_id", "connection_id"], from, to });
  await client.query(
    `update letter_counts c set letters = (select count(*) from letters l where l.tenant_id = c.tenant_id and l.status = c.status)
     where tenant_id = $1 and part = (select min(part) from letter_counts where tenant_id = c.tenant_id and status = c.status)`,
    [tenantId],
  );
}

export function copySessions(client, tenantId, from, to) {
  const where = `tenant_id = '${tenantId}' and session_id in (select session_id from sessions where tenant_id = '${tenantId}' order by session_id limit 1)`;
  return copy(client, { tables: ["sessions", "session_links"], where, same: ["tenant_id"], from, to });
}

/**
 * Copies rows with new ids: an id and a number give the same new id in every table, so that copies belong together as the originals do. Triggers do
 * not run.
 */
async function copy(client, { tables, where, same, from, to }) {
  await client.query("set session_replication_role = replica");
  await client.query("set statement_timeout = 0");
  for (const table of tables) {
    const columns = await columnsOf(client, table);
    const values = columns.map(({ name, type }) => copiedValue(table, name, type, same));
    await client.query(
      `insert into ${table} (${columns.map(({ name }) => name).join(", ")}) overriding system value
       select ${values.join(", ")} from (select * from ${table} where ${where}) o, generate_series(${from}, ${to}) n`,
    );
  }
  await client.query("reset session_replication_role");
  await client.query("reset statement_timeout");
}

async function columnsOf(client, table) {
  const { rows } = await client.query(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  return rows;
}

function copiedValue(table, name, type, same) {
  if (same.includes(name)) return `o.${name}`;
  if (type === "uuid") return `md5(o.${name}::text || n)::uuid`;
  return UNIQUE_TEXTS.has(`${table}.${name}`) ? `o.${name} || n` : `o.${name}`;
}
