import type { Pool, PoolClient } from "pg";

/**
 * What holds for every table and function, whichever migration made it:
 *   - row-level security is forced where it is on, so that not even the owner sees tenants' rows by accident
 *   - functions that work over all tenants (`security definer`) belong to wealth_connect_cleanup, which nobody takes on; it has
 *     rights on all tables, and what it does is what these functions do
 *   - wealth_connect_backup reads everything, for pg_dump
 */
export interface Unprotected {
  /** Tables with row-level security that is not forced, or without the rights of the two roles. */
  readonly tables: readonly string[];
  readonly sequences: readonly string[];
  /** `security definer` functions of another owner, with their arguments. */
  readonly functions: readonly string[];
}

/** The lock for migrating this database, and for distributing it over a cluster. */
export const MIGRATION_LOCK = 7_304_551_902;

/**
 * On a cluster (Citus) functions stay on the coordinator, where all calls of them are; what the nodes need of them, sql/cluster.sql says.
 * Otherwise a function that changes its owner would be locked on the nodes by both. Elsewhere the setting means nothing.
 */
export const FUNCTIONS_STAY = "set local citus.create_object_propagation = 'deferred'";

/** Several processes may migrate at once. */
const begin = `begin; ${FUNCTIONS_STAY}; select pg_advisory_xact_lock(7304551906)`;

/** What is not protected in a migrated database. */
export async function findUnprotected(client: Pool | PoolClient): Promise<Unprotected> {
  const names = async (sql: string) =>
    (await client.query<[string]>({ text: sql, rowMode: "array" })).rows.map(([name]) => name);
  const of = "c.relnamespace = 'public'::regnamespace and c.relkind";
  return {
    tables: await names(`
      select c.relname::text from pg_class c
      where ${of} in ('r', 'p') and c.relname <> 'schema_migrations' and (
        (c.relrowsecurity and not c.relforcerowsecurity)
        or not has_table_privilege('wealth_connect_cleanup', c.oid, 'delete')
        or not has_table_privilege('wealth_connect_backup', c.oid, 'select')
      ) order by 1`),
    sequences: await names(`
      select c.relname::text from pg_class c
      where ${of} = 'S' and not (
        has_sequence_privilege('wealth_connect_cleanup', c.oid, 'usage') and has_sequence_privilege('wealth_connect_backup', c.oid, 'select')
      ) order by 1`),
    functions: await names(`
      select p.oid::regprocedure::text from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prosecdef and p.proowner <> 'wealth_connect_cleanup'::regrole order by 1`),
  };
}

/** Mends what is {@link findUnprotected}, a table at a time: each is locked for a moment only. */
export async function protect(pool: Pool): Promise<void> {
  const found = await findUnprotected(pool);
  for (const table of found.tables)
    await pool.query(`
      ${begin};
      grant select on ${quoted(table)} to wealth_connect_backup;
      grant select, insert, update, delete on ${quoted(table)} to wealth_connect_cleanup;
      do $$ begin
        if (select relrowsecurity from pg_class where oid = 'public.${quoted(table)}'::regclass) then
          drop policy if exists clean_up on ${quoted(table)};
          drop policy if exists backup on ${quoted(table)};
          create policy clean_up on ${quoted(table)} to wealth_connect_cleanup using (true);
          create policy backup on ${quoted(table)} for select to wealth_connect_backup using (true);
          alter table ${quoted(table)} force row level security;
        end if;
      end $$;
      commit`);
  for (const sequence of found.sequences)
    await pool.query(`
      ${begin};
      grant select on sequence ${quoted(sequence)} to wealth_connect_backup;
      grant usage, select on sequence ${quoted(sequence)} to wealth_connect_cleanup;
      commit`);
  if (found.functions.length === 0) return;
  // Whom a function is given to needs this right at that moment, and never otherwise.
  // Another process may have dropped one meanwhile.
  const given = found.functions.map(
    (name) => `do $$ begin
      if to_regprocedure('${name}') is not null then alter function ${name} owner to wealth_connect_cleanup; end if;
    end $$;`,
  );
  await pool.query(`
    ${begin};
    grant create on schema public to wealth_connect_cleanup;
    ${given.join("\n")}
    revoke create on schema public from wealth_connect_cleanup;
    commit`);
}

/**
 * Lets migrations change rows of tenants and replace functions again, which whoever owns the tables may not do meanwhile;
 * {@link settle} takes it back.
 */
export async function unprotect(pool: Pool): Promise<void> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity",
  );
  for (const { name } of tables)
    await pool.query(`${begin}; alter table ${quoted(name)} no force row level security; commit`);
  const { rows: functions } = await pool.query<{ name: string; definition: string; triggers: Trigger[] }>(`
    select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition, array(
      select json_build_object('name', t.tgname, 'on', t.tgrelid::regclass::text, 'definition', pg_get_triggerdef(t.oid))
      from pg_trigger t where t.tgfoid = p.oid order by t.tgname
    ) as triggers
    from pg_proc p join pg_roles r on r.oid = p.proowner
    where p.pronamespace = 'public'::regnamespace and p.prosecdef and r.rolname = 'wealth_connect_cleanup'`);
  // A role cannot give a function back to whom it is no member of: it drops it, and the owner makes it anew at the same moment.
  // So are triggers that call it.
  for (const { name, definition, triggers } of functions)
    await pool.query(`
      ${begin};
      ${triggers.map((trigger) => `drop trigger ${quoted(trigger.name)} on ${trigger.on};`).join("\n")}
      set local role wealth_connect_cleanup;
      drop function if exists ${name};
      reset role;
      ${definition};
      revoke all on function ${name} from public;
      grant execute on function ${name} to wealth_connect_upkeep;
      ${triggers.map((trigger) => `${trigger.definition};`).join("\n")}
      commit`);
}

interface Trigger {
  readonly name: string;
  /** Its table. */
  readonly on: string;
  readonly definition: string;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
