import type { OpenedStorage } from "@org/storage-postgres";
import { type Finding, fail, ok, warn } from "./finding.js";

const roles = ["wealth_connect_app", "wealth_connect_upkeep", "wealth_connect_auth"];

/** The login may take the three roles, and is itself nothing that row-level security does not hold. */
export async function checkRoles({ pool, kind }: OpenedStorage): Promise<Finding[]> {
  const { rows } = await pool.query<{ login: string; exempt: boolean; missing: string[] }>(
    `select current_user as login, r.rolsuper or r.rolbypassrls as exempt,
       array(select role from unnest($1::text[]) as role
             where not exists (select from pg_roles p where p.rolname = role and pg_has_role(current_user, p.oid, 'member'))) as missing
     from pg_roles r where r.rolname = current_user`,
    [roles],
  );
  const [{ login, exempt, missing } = { login: "?", exempt: false, missing: roles }] = rows;
  const membership =
    missing.length === 0
      ? ok("roles", `${login} may take all three`)
      : fail(
          "roles",
          `${login} may not take ${missing.join(", ")}`,
          `as an administrator: grant ${missing.join(", ")} to ${login}`,
        );
  // The embedded database has one login, a superuser; each transaction takes a role that is none.
  if (!exempt || kind === "embedded") return [membership];
  const weak = `${login} bypasses row-level security outside the roles that transactions take`;
  return [
    membership,
    warn("login", weak, "let the server log in as a role without SUPERUSER and BYPASSRLS; migrate as the owner"),
  ];
}

/** Every table of tenants' rows that the tenant role may touch is under row-level security. */
export async function checkRowSecurity({ pool }: OpenedStorage): Promise<Finding> {
  const { rows } = await pool.query<{ name: string; secured: boolean }>(
    `select c.relname as name, c.relrowsecurity as secured
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relkind in ('r', 'p')
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped)
       and has_table_privilege('wealth_connect_app', c.oid, 'select, insert, update, delete')
     order by 1`,
  );
  const open = rows.filter(({ secured }) => !secured).map(({ name }) => name);
  if (open.length === 0) return ok("row-level security", `on for all ${rows.length} tables of tenants`);
  return fail(
    "row-level security",
    `off for ${open.join(", ")}`,
    `as the owner: alter table … enable row level security`,
  );
}
