import type { Pool, PoolClient } from "pg";

/**
 * The rules for every table and function, whichever migration created it:
 * - row-level security is forced where it is enabled, so that not even the owner sees tenants' rows by accident
 * - functions that work across tenants (`security definer`) belong to wealth_connect_cleanup, which nobody switches to; it has rights on all
 *   tables, and only these functions use them
 * - wealth_connect_backup reads everything, for pg_dump
 */
export interface Unprotected {
  /** Tables whose row-level security is not forced, or on which the two roles lack rights. */
  readonly tables: readonly string[];
  readonly sequences: readonly string[];
  /** `security definer` functions with another owner, with their arguments. */
  readonly functions: readonly string[];
}

/** The lock for migrating this database, and for distributing it over a cluster. */
export const MIGRATION_LOCK = 7_304_551_902;

/**
 * On a cluster (Citus) functions stay on the coordinator, where they are called; sql/cluster.sql lists what the nodes need. Otherwise a change
 * of a function's owner would be locked on the nodes by both sides. Without Citus the setting has no effect.
 */
export const FUNCTIONS_STAY = "set local citus.create_object_propagation = 'deferred'";

/** Several processes may migrate concurrently. */
const begin = `begin; ${FUNCTIONS_STAY}; select pg_advisory_xact_lock(7304551906)`;

/** Finds what is not protected in a migrated database. */
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

/** Protects what {@link findUnprotected} finds, one table at a time, so that each is locked only briefly. */
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
  // The new owner of a function needs this right during the change and never otherwise. Another process may have dropped a function meanwhile.
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

/** Lets migrations change tenants' rows and replace functions, which the tables' owner otherwise may not do; {@link protect} reverts it. */
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
  // A role cannot hand a function to a role it is not a member of. So it drops the function, and the owner recreates it in the same transaction;
  // likewise the triggers that call it.
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
