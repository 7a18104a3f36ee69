import type { RouteStore, SourceStore, SourceStores, TokenStore } from "@org/feed-sources";
import { sql } from "kysely";
import { oneAtATime } from "../queries/one-at-a-time.js";
import { type Db, INSTALLATION_KEY, type Transactions } from "../transactions.js";
import { note } from "./audit-note.js";
import { feedKeyStore } from "./feed-keys.js";
import { heldFiles, sourceFileStore } from "./source-files.js";

/** The stores of custodians' file sources; all of it belongs to the installation. */
export function createSourceStores(transactions: Pick<Transactions, "asUpkeep">): SourceStores {
  return {
    sources: sourceStore(transactions),
    routes: routeStore(transactions),
    tokens: tokenStore(transactions),
    files: sourceFileStore(transactions),
    keys: feedKeyStore(transactions),
  };
}

const columns = [
  ...(["source", "kind", "sealed_settings", "is_enabled", "created_at", "changed_at", "due_at"] as const),
  ...(["attempted_at", "succeeded_at", "failures", "last_error"] as const),
] as const;

function sourceStore({ asUpkeep }: Pick<Transactions, "asUpkeep">): SourceStore {
  return {
    list: () =>
      asUpkeep(
        (db) => db.selectFrom("feed_sources").select(columns).orderBy("source").execute(),
        "lookups",
        INSTALLATION_KEY,
      ),
    find: (source) =>
      asUpkeep(async (db) => (await sourceRow(db, source).executeTakeFirst()) ?? null, "lookups", source),
    keep: ({ source, ...settings }, entry, precondition) =>
      asUpkeep(async (db) => {
        await oneAtATime(db, "feed_sources", source);
        if (precondition && !precondition((await sourceRow(db, source).forUpdate().executeTakeFirst()) ?? null))
          return false;
        await db
          .insertInto("feed_sources")
          .values({ source, ...settings, created_at: settings.changed_at })
          .onConflict((conflict) => conflict.column("source").doUpdateSet(settings))
          .execute();
        return note(db, entry);
      }),
    remove: (source, entry) =>
      asUpkeep(async (db) => {
        const held = await db
          .selectFrom("feed_held")
          .innerJoin("feed_source_files", "feed_source_files.file_id", "feed_held.file_id")
          .select("feed_held.file_id")
          .where("feed_source_files.source", "=", source)
          .limit(1)
          .executeTakeFirst();
        if (held) return "holds_files";
        const { numDeletedRows } = await db.deleteFrom("feed_sources").where("source", "=", source).executeTakeFirst();
        if (numDeletedRows === 0n) return "unknown";
        for (const table of ["feed_keys", "feed_signing_rules"] as const)
          await db.deleteFrom(table).where("kind", "=", "source").where("owner", "=", source).execute();
        await note(db, entry);
        return "removed";
      }),
    claim: ({ lease, now, until, limit }) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ source: string }>`
          update feed_sources set lease = ${lease}, lease_until = ${until} where source in (
            select source from feed_sources
            where is_enabled and due_at <= ${now} and (lease_until is null or lease_until <= ${now})
            order by due_at limit ${limit} for update skip locked
          ) returning source`.execute(db);
        return rows.map(({ source }) => ({ source, lease }));
      }),
    renew: ({ source, lease }, until) =>
      asUpkeep(async (db) => {
        const { numUpdatedRows } = await db
          .updateTable("feed_sources")
          .set({ lease_until: until })
          .where("source", "=", source)
          .where("lease", "=", lease)
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }),
    settle: (source, lease, { at, error, next_at }) =>
      asUpkeep(async (db) => {
        await sql`
          update feed_sources set attempted_at = ${at}, last_error = ${error},
            succeeded_at = case when ${error}::text is null then ${at} else succeeded_at end,
            failures = case when ${error}::text is null then 0 else failures + 1 end
            ${lease === null ? sql`` : sql`, due_at = ${next_at}, lease = null, lease_until = null`}
          where source = ${source} ${lease === null ? sql`` : sql`and lease = ${lease}`}`.execute(db);
      }),
  };
}

function sourceRow(db: Db, source: string) {
  return db.selectFrom("feed_sources").select(columns).where("source", "=", source);
}

function routeStore({ asUpkeep }: Pick<Transactions, "asUpkeep">): RouteStore {
  return {
    list: (source) =>
      asUpkeep(
        (db) =>
          db
            .selectFrom("feed_routes")
            .selectAll()
            .where("source", "=", source)
            .orderBy("created_at")
            .orderBy("route_id")
            .execute(),
        "lookups",
        source,
      ),
    whereHeld: () =>
      asUpkeep(
        (db) =>
          db.selectFrom("feed_routes").selectAll().where("source", "in", heldFiles(db).select("f.source")).execute(),
        "lookups",
        INSTALLATION_KEY,
      ),
    add: (route, entry) =>
      asUpkeep(async (db) => {
        if (!(await exists(db, route.source))) return false;
        await db
          .insertInto("feed_routes")
          .values({ ...route, rule: JSON.stringify(route.rule) })
          .execute();
        return note(db, entry);
      }),
    remove: (routeId, entry) =>
      asUpkeep(async (db) => {
        const { numDeletedRows } = await db
          .deleteFrom("feed_routes")
          .where("route_id", "=", routeId)
          .executeTakeFirst();
        return numDeletedRows > 0n && note(db, entry);
      }),
  };
}

function tokenStore({ asUpkeep }: Pick<Transactions, "asUpkeep">): TokenStore {
  return {
    add: (token, entry) =>
      asUpkeep(async (db) => {
        if (!(await exists(db, token.source))) return false;
        await db.insertInto("feed_tokens").values(token).execute();
        return note(db, entry);
      }),
    find: (tokenHash, now, network) =>
      asUpkeep(
        async (db) => {
          const found = await db
            .selectFrom("feed_tokens")
            .innerJoin("feed_sources", "feed_sources.source", "feed_tokens.source")
            .selectAll("feed_tokens")
            .where("token_hash", "=", tokenHash)
            .where("is_enabled", "=", true)
            .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", now)]))
            .executeTakeFirst();
          return found ?? null;
        },
        "lookups",
        network,
      ),
    list: (source) =>
      asUpkeep(
        (db) =>
          db
            .selectFrom("feed_tokens")
            .selectAll()
            .where("source", "=", source)
            .orderBy("created_at")
            .orderBy("token_id")
            .execute(),
        "lookups",
        source,
      ),
    end: (tokenId, entry) =>
      asUpkeep(async (db) => {
        const { numDeletedRows } = await db
          .deleteFrom("feed_tokens")
          .where("token_id", "=", tokenId)
          .executeTakeFirst();
        return numDeletedRows > 0n && note(db, entry);
      }),
  };
}

/** Whether the source exists; it cannot be removed until the transaction ends. */
async function exists(db: Db, source: string): Promise<boolean> {
  const found = db.selectFrom("feed_sources").select("source").where("source", "=", source).forKeyShare();
  return (await found.executeTakeFirst()) !== undefined;
}
