import type { Pool } from "pg";

/** Prints a database's tables, indexes, policies, rights and functions in a form that every version of PostgreSQL produces alike. */
export async function printSchema(pool: Pool): Promise<string> {
  const lines = async (sql: string) => (await pool.query<{ line: string }>(sql)).rows.map(({ line }) => line);
  const tables = await lines(
    "select relname as line from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  );
  const printed: string[] = [];
  for (const table of tables) {
    const parts = [...(await lines(columnsOf(table))), ...(await lines(constraintsOf(table)))];
    printed.push(
      `table ${table} (\n${parts.map((part) => `  ${part}`).join(",\n")}\n)`,
      ...(await lines(indexesOf(table))),
      ...(await lines(policiesOf(table))),
      ...(await lines(rightsOn(table))),
      "",
    );
  }
  return [...printed, ...(await lines(types)), ...(await lines(functions)), ""].join("\n");
}

function columnsOf(table: string): string {
  return `
    select a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || coalesce((select ' collate "' || c.collname || '"' from pg_collation c where c.oid = a.attcollation and c.collname <> 'default'), '')
      || case when a.attnotnull then ' not null' else '' end
      || coalesce(case a.attgenerated when 's' then ' generated as (' else ' default (' end || pg_get_expr(d.adbin, d.adrelid) || ')', '')
      as line
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = '${table}'::regclass and a.attnum > 0 and not a.attisdropped
    order by a.attnum`;
}

/** Later versions also list "not null" as a constraint. */
function constraintsOf(table: string): string {
  return `
    select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) as line
    from pg_constraint where conrelid = '${table}'::regclass and contype <> 'n' order by contype desc, conname`;
}

function indexesOf(table: string): string {
  return `
    select replace(indexdef, ' public.', ' ') as line from pg_indexes
    where schemaname = 'public' and tablename = '${table}'
      and indexname not in (select conname from pg_constraint) order by indexname`;
}

function policiesOf(table: string): string {
  return `
    select 'row-level security' || case when relforcerowsecurity then ', forced' else '' end as line
    from pg_class where oid = '${table}'::regclass and relrowsecurity
    union all
    select * from (select 'policy ' || policyname || ' for ' || case cmd when 'INSERT' then 'inserts of ' else '' end
      || array_to_string(roles, ', ') || coalesce(' using ' || qual, '') || coalesce(' with check ' || with_check, '') as line
    from pg_policies where tablename = '${table}' order by policyname) policies`;
}

function rightsOn(table: string): string {
  return `
    select 'rights of ' || coalesce(r.rolname, 'everybody') || ': ' || string_agg(lower(acl.privilege_type), ', ' order by acl.privilege_type) as line
    from pg_class c cross join aclexplode(c.relacl) acl left join pg_roles r on r.oid = acl.grantee
    where c.oid = '${table}'::regclass and acl.grantee <> c.relowner
    group by r.rolname order by r.rolname`;
}

const types = `
  select format(E'type %s (\\n  %s\\n)\\n', t.typname,
    (select string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), E',\\n  ' order by a.attnum)
     from pg_attribute a where a.attrelid = t.typrelid)) as line
  from pg_type t join pg_class c on c.oid = t.typrelid
  where c.relkind = 'c' and t.typnamespace = 'public'::regnamespace order by t.typname`;

const functions = `
  select replace(pg_get_functiondef(oid), ' public.', ' ')
    || case when prosecdef then '-- owner: ' || replace(pg_get_userbyid(proowner), current_user, 'of the tables') || E'\\n' else '' end as line
  from pg_proc where pronamespace = 'public'::regnamespace order by proname, pg_get_function_identity_arguments(oid)`;
