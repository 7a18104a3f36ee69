import { findUnprotected, type OpenedStorage } from "@org/storage-postgres";
import { type Finding, fail, ok, warn } from "./finding.js";

const roles = ["wealth_connect_app", "wealth_connect_upkeep", "wealth_connect_auth"];

/** Roles that no server may assume: the first can do everything, the second read everything. */
const beyond = ["wealth_connect_cleanup", "wealth_connect_backup"];

/** Checks that the login can assume the three roles and no others, inherits none, and does not bypass row-level security itself. */
export async function checkRoles({ pool, kind }: OpenedStorage): Promise<Finding[]> {
  const { rows } = await pool.query<{
    login: string;
    exempt: boolean;
    inherits: boolean;
    missing: string[];
    excess: string[];
  }>(
    `select current_user as login, r.rolsuper or r.rolbypassrls as exempt, r.rolinherit as inherits,
       array(select p.rolname::text from pg_roles p
             where p.rolname = any ($2) and pg_has_role(current_user, p.oid, 'member') order by 1) as excess,
       array(select role from unnest($1::text[]) as role
             where not exists (select from pg_roles p where p.rolname = role and pg_has_role(current_user, p.oid, 'member'))) as missing
     from pg_roles r where r.rolname = current_user`,
    [roles, beyond],
  );
  const unknown = { login: "?", exempt: false, inherits: false, missing: roles, excess: [] };
  const [{ login, exempt, inherits, missing, excess } = unknown] = rows;
  const membership =
    missing.length === 0
      ? ok("roles", `${login} may take all three`)
      : fail(
          "roles",
          `${login} may not take ${missing.join(", ")}`,
          `as an administrator: grant ${missing.join(", ")} to ${login}`,
        );
  // The embedded database has one login, a superuser; each transaction assumes a role that is not.
  if (kind === "embedded") return [membership];
  const weak = `${login} bypasses row-level security outside the roles that transactions take`;
  if (exempt)
    return [
      membership,
      warn("login", weak, "let the server log in as a role without SUPERUSER and BYPASSRLS; migrate as the owner"),
    ];
  const found = [membership];
  if (inherits)
    found.push(
      warn(
        "login",
        `${login} inherits the rights of its roles: a statement outside a transaction's role sees what they see`,
        `as an administrator: alter role "${login}" noinherit`,
      ),
    );
  if (excess.length > 0)
    found.push(
      warn(
        "roles",
        `${login} may take ${excess.join(" and ")}, which is for who migrates and for backups`,
        `let the server log in as another role than the owner, or: revoke ${excess.join(", ")} from "${login}"`,
      ),
    );
  return found;
}

/**
 * Checks that only the product's logins have access: PUBLIC may not connect, the roles cannot log in or bypass row-level
 * security, and no other login can assume one of them. Logins for backups are not checked. Only the owner of the database knows
 * which logins other servers use, so the check for other logins is skipped when it runs as the owner.
 * @param nodeLogins whether the nodes of a cluster log in as the roles, for which PUBLIC may connect (docs/how-to/cluster.md)
 */
export async function checkAccess({ pool, kind }: OpenedStorage, nodeLogins: boolean): Promise<Finding[]> {
  if (kind === "embedded") return [];
  const check = "access";
  const { rows } = await pool.query<{ database: string; open: boolean; strong: string[]; strangers: string[] }>(
    `select d.datname as database,
       exists (select from aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
               where a.grantee = 0 and a.privilege_type = 'CONNECT') as open,
       array(select r.rolname::text from pg_roles r where r.rolname = any ($1)
             and (r.rolsuper or r.rolbypassrls or (r.rolcanlogin and not $2)) order by 1) as strong,
       array(select r.rolname::text from pg_roles r
             where r.rolcanlogin and not r.rolsuper and r.rolname <> all ($1) and r.oid <> d.datdba and r.rolname <> current_user
               and not pg_has_role(current_user, d.datdba, 'member')
               and exists (select from pg_roles p where p.rolname = any ($3) and pg_has_role(r.oid, p.oid, 'member'))
             order by 1) as strangers
     from pg_database d where d.datname = current_database()`,
    [[...roles, ...beyond], nodeLogins, [...roles, "wealth_connect_cleanup"]],
  );
  const [row] = rows;
  if (!row) throw new Error("the database did not answer a select");
  const { database, open, strong, strangers } = row;
  const found: Finding[] = [];
  if (open && !nodeLogins)
    found.push(
      warn(
        check,
        "every login of this PostgreSQL may connect, and could hold the locks by which servers agree",
        `as an administrator: revoke connect on database "${database}" from public, and grant it to the server's login and that of backups`,
      ),
    );
  if (strong.length > 0)
    found.push(
      warn(
        check,
        `${strong.join(", ")} may log in, or bypass row-level security`,
        "as an administrator, for each: alter role … nologin nosuperuser nobypassrls",
      ),
    );
  if (strangers.length > 0)
    found.push(
      warn(
        check,
        `${strangers.join(", ")} may take roles of the server: all right if they are logins of other servers, or of who migrates`,
        "as an administrator, for each that is none: revoke wealth_connect_app, wealth_connect_upkeep, wealth_connect_auth, wealth_connect_cleanup from …",
      ),
    );
  return found.length > 0 ? found : [ok(check, "only logins of this installation may connect and take its roles")];
}

/**
 * Checks that row-level security is on and forced for every table with tenants' rows that the tenant role can access.
 * @param spread tables distributed over a cluster, which have none (docs/decisions/citus.md)
 */
export async function checkRowSecurity({ pool }: OpenedStorage, spread: readonly string[]): Promise<Finding> {
  const check = "row-level security";
  const { rows } = await pool.query<{ name: string; secured: boolean }>(
    `select c.relname as name, c.relrowsecurity as secured
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relkind in ('r', 'p')
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped)
       and has_table_privilege('wealth_connect_app', c.oid, 'select, insert, update, delete')
     order by 1`,
  );
  const open = rows.flatMap(({ name, secured }) => (secured || spread.includes(name) ? [] : [name]));
  if (open.length > 0)
    return fail(check, `off for ${open.join(", ")}`, `as the owner: alter table … enable row level security`);
  const { tables, sequences, functions } = await findUnprotected(pool);
  const loose = [...tables, ...sequences, ...functions];
  if (loose.length > 0)
    return fail(
      check,
      `not as it has to be for ${loose.join(", ")}: clean-up and counts may do nothing`,
      "wealth-connect migrate, as the owner",
    );
  const off = spread.length > 0 ? `; off for ${spread.join(", ")}, which are spread over a cluster` : "";
  return ok(check, `on and forced for all ${rows.length - spread.length} tables of tenants${off}`);
}
