import { type Application, type ApplicationStore, MAX_LIVE_SECRETS, type SecretStore } from "@org/oauth-server";
import { sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { clientKey } from "../queries/clients.js";
import { anyOf, keysetPage } from "../queries/lists.js";
import type { Db, Transactions } from "../transactions.js";
import { endGrants } from "./grants.js";

/** Applications and their secrets. */
export function applicationQueries({
  asAuth,
  statement,
}: Pick<Transactions, "asAuth" | "statement">): ApplicationStore & SecretStore {
  return {
    create: ({ secret, client_refs = null, ...application }) =>
      asAuth(async (db) => {
        if (application.tenant_id !== null) await lockApplicationsOf(db, application.tenant_id, "with others");
        await db
          .insertInto("applications")
          .values({ ...application, scopes: [...application.scopes], redirect_urls: [...application.redirect_urls] })
          .execute();
        await db
          .insertInto("application_secrets")
          .values({ application_id: application.application_id, ...secret })
          .execute();
        if (client_refs !== null) await limit(db, application.application_id, client_refs, application.created_at);
      }),
    ofPeople: (application) =>
      asAuth(async (db) => {
        await lockApplicationsOf(db, application.tenant_id, "with others");
        await db
          .insertInto("applications")
          .values({
            ...application,
            of_people: true,
            scopes: [...application.scopes],
            redirect_urls: [...application.redirect_urls],
          })
          .onConflict((conflict) => conflict.column("tenant_id").where("of_people", "=", true).doNothing())
          .execute();
        return applicationOf(
          await selectApplications(db)
            .where("tenant_id", "=", application.tenant_id)
            .where("of_people", "=", true)
            .executeTakeFirstOrThrow(),
        );
      }),
    async findByClientId(clientId, network) {
      const find = { name: "find_application", text: "select find_application($1)", values: [clientId] };
      const [row] = await statement<[ApplicationJson | null]>(
        { ...find, rowMode: "array" },
        { isRepeatable: true, key: network },
      );
      const found = row?.[0] ?? null;
      return found && applicationOf({ ...found, created_at: new Date(found.created_at) });
    },
    list: ({ tenant_id, after, limit }) =>
      asAuth(async (db) => {
        let query = selectApplications(db);
        if (tenant_id !== undefined)
          query = tenant_id === null ? query.where("tenant_id", "is", null) : query.where("tenant_id", "=", tenant_id);
        const page = { by: ["application_id"], direction: "asc", after: after ? [after] : null, limit } as const;
        return (await keysetPage(query, page)).map(applicationOf);
      }),
    setEnabled: (applicationId, enabled, at) =>
      asAuth(async (db) => {
        const changed = await db
          .updateTable("applications")
          .set({ enabled })
          .where("application_id", "=", applicationId)
          .returning(["application_id", "client_id"])
          .execute();
        if (!enabled) await endGrantsOf(db, at, changed, "application_disabled");
        return changed.length > 0;
      }),
    setTenantEnabled: (tenantId, enabled, at) =>
      asAuth(async (db) => {
        if (enabled) {
          await db.deleteFrom("disabled_tenants").where("tenant_id", "=", tenantId).execute();
          return;
        }
        await lockApplicationsOf(db, tenantId, "alone");
        await db
          .insertInto("disabled_tenants")
          .values({ tenant_id: tenantId, disabled_at: at })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        // Taking the rows' locks waits for grants that are being issued, which the next statement then sees.
        const applications = await db
          .selectFrom("applications")
          .select(["application_id", "client_id"])
          .where("tenant_id", "=", tenantId)
          .orderBy("application_id")
          .forUpdate()
          .execute();
        await endGrantsOf(db, at, applications, "tenant_disabled");
      }),
    disabledTenants: () =>
      asAuth(async (db) => {
        const rows = await db.selectFrom("disabled_tenants").select("tenant_id").execute();
        return rows.map(({ tenant_id }) => tenant_id);
      }),
    ownersOf: (clientIds) =>
      asAuth(async (db) => {
        const rows = await db
          .selectFrom("applications")
          .select(["client_id", "application_id", "tenant_id"])
          .where("client_id", "=", anyOf(clientIds, "text"))
          .execute();
        return new Map(rows.map(({ client_id, ...owner }) => [client_id, owner]));
      }),
    setRedirectUrls: (applicationId, urls) =>
      asAuth(async (db) => {
        const result = await db
          .updateTable("applications")
          .set({ redirect_urls: [...urls] })
          .where("application_id", "=", applicationId)
          .executeTakeFirst();
        return result.numUpdatedRows > 0n;
      }),
    limitToClients: (applicationId, clientRefs, at) => asAuth((db) => limit(db, applicationId, clientRefs, at)),
    async clientRefsOf(applicationId) {
      const read = {
        name: "clients_of_application",
        text: "select clients_of_application($1)",
        values: [applicationId],
      };
      const [row] = await statement<[string[] | null]>({ ...read, rowMode: "array" }, { isRepeatable: true });
      return row === undefined ? [] : row[0];
    },
    setDpopBound: (applicationId, isBound, at) =>
      asAuth(async (db) => {
        // The row's lock waits for grants that are being issued, and later ones see the change.
        const application = await db
          .selectFrom("applications")
          .select(["client_id", "dpop_bound_access_tokens"])
          .where("application_id", "=", applicationId)
          .forUpdate()
          .executeTakeFirst();
        if (!application) return false;
        await db
          .updateTable("applications")
          .set({ dpop_bound_access_tokens: isBound })
          .where("application_id", "=", applicationId)
          .execute();
        if (isBound && !application.dpop_bound_access_tokens)
          await endGrants(db, at, sql`g.client_id = ${application.client_id}`);
        return true;
      }),
    addScopes: (applicationId, scopes) =>
      asAuth(async (db) => {
        const added = sql<string[]>`
          scopes || array(select s from unnest(${[...scopes]}::text[]) with ordinality a (s, place)
            where not s = any (scopes) order by place)`;
        const result = await db
          .updateTable("applications")
          .set({ scopes: added })
          .where("application_id", "=", applicationId)
          .executeTakeFirst();
        return result.numUpdatedRows > 0n;
      }),
    addSecret: (applicationId, secret) =>
      asAuth(async (db) => {
        // The lock on the application makes concurrent calls run one after the other.
        const application = await db
          .selectFrom("applications")
          .select("of_people")
          .where("application_id", "=", applicationId)
          .forUpdate()
          .executeTakeFirst();
        if (!application) return "unknown_application";
        if (application.of_people) return "of_people";
        const secrets = await db
          .selectFrom("application_secrets")
          .select("secret_id")
          .where("application_id", "=", applicationId)
          .execute();
        if (secrets.length >= MAX_LIVE_SECRETS) return "full";
        await db
          .insertInto("application_secrets")
          .values({ application_id: applicationId, ...secret })
          .execute();
        return "added";
      }),
    rehashSecret: (secretId, { from, to }) =>
      asAuth(async (db) => {
        await db
          .updateTable("application_secrets")
          .set({ secret_hash: to })
          .where("secret_id", "=", secretId)
          .where("secret_hash", "=", from)
          .execute();
      }),
    removeSecret: (applicationId, secretId, at) =>
      asAuth(async (db) => {
        const result = await db
          .deleteFrom("application_secrets")
          .where("application_id", "=", applicationId)
          .where("secret_id", "=", secretId)
          .executeTakeFirst();
        await endGrants(
          db,
          at,
          sql`g.application_id = ${applicationId} and g.secret_id = ${secretId}`,
          "secret_removed",
        );
        return result.numDeletedRows > 0n;
      }),
  };
}

/**
 * Creating an application waits while its tenant is being disabled: an application that appeared after the others were locked could be issued a
 * grant that is never ended.
 */
async function lockApplicationsOf(db: Db, tenantId: string, how: "alone" | "with others"): Promise<void> {
  const key = sql`hashtextextended(${tenantId}, ${APPLICATIONS_LOCK})`;
  await (how === "alone"
    ? sql`select pg_advisory_xact_lock(${key})`
    : sql`select pg_advisory_xact_lock_shared(${key})`
  ).execute(db);
}

const APPLICATIONS_LOCK = 7_304_551_905;

/** Ends the grants for the data of applications, and those that they hold as OAuth clients. */
async function endGrantsOf(
  db: Db,
  at: Date,
  applications: readonly { application_id: string; client_id: string }[],
  reason: "application_disabled" | "tenant_disabled",
): Promise<void> {
  const ids = anyOf(
    applications.map(({ application_id }) => application_id),
    "uuid",
  );
  const clients = anyOf(
    applications.map(({ client_id }) => client_id),
    "text",
  );
  await endGrants(db, at, sql`g.application_id = ${ids} or g.client_id = ${clients}`, reason);
}

/** Returns false if there is no such application. */
async function limit(db: Db, applicationId: string, clientRefs: readonly string[] | null, at: Date): Promise<boolean> {
  const keys = clientRefs?.map((clientRef) => clientKey(clientRef, null)) ?? null;
  // It makes clients of the tenant, which the role of the authorization server cannot.
  await sql`select set_config('role', 'wealth_connect_upkeep', true)`.execute(db);
  const { rows } = await sql<{ found: boolean }>`
    select limit_application(${applicationId}, ${clientRefs && [...clientRefs]}::text[], ${keys}::text[], ${at}) as found`.execute(
    db,
  );
  return rows[0]?.found ?? false;
}

function selectApplications(db: Db) {
  return db
    .selectFrom("applications")
    .selectAll("applications")
    .select((builder) => [
      sql<boolean>`not exists (select from disabled_tenants d where d.tenant_id = applications.tenant_id)`.as(
        "tenant_enabled",
      ),
      sql<string[] | null>`case when limited then clients_in_limit(tenant_id, application_id) end`.as("client_refs"),
      jsonArrayFrom(
        builder
          .selectFrom("application_secrets")
          .select(["secret_id", "secret_hash", "application_secrets.created_at"])
          .whereRef("application_secrets.application_id", "=", "applications.application_id")
          .orderBy("application_secrets.created_at")
          .orderBy("secret_id"),
      ).as("secrets"),
    ]);
}

type ApplicationRow = Awaited<ReturnType<ReturnType<typeof selectApplications>["execute"]>>[number];

/** A row of `find_application`. */
type ApplicationJson = Omit<ApplicationRow, "of_people" | "limited" | "created_at"> & { readonly created_at: string };

/** Dates inside JSON arrive as text. */
function applicationOf({
  secrets,
  of_people: _,
  limited: __,
  ...row
}: Omit<ApplicationRow, "of_people" | "limited"> & { of_people?: boolean; limited?: boolean }): Application {
  return { ...row, secrets: secrets.map((secret) => ({ ...secret, created_at: new Date(secret.created_at) })) };
}
