import type { TrustedIssuer, TrustedIssuerStore } from "@org/oauth-server";
import { sql } from "kysely";
import type { Db, Transactions } from "../transactions.js";
import { endGrants } from "./grants.js";

/** Identity providers whose assertions are accepted. */
export function trustedIssuerQueries({ asAuth }: Pick<Transactions, "asAuth">): TrustedIssuerStore {
  return {
    listTrustedIssuers: () =>
      asAuth(async (db) => {
        const rows = await db.selectFrom("trusted_issuers").selectAll().orderBy("issuer").execute();
        return rows as unknown as TrustedIssuer[];
      }),
    storeTrustedIssuer: (trusted, atMost, replaces) =>
      asAuth(async (db) => {
        // One at a time, so that the existing ones can be counted.
        await sql`select pg_advisory_xact_lock(hashtextextended('trusted issuers', 0))`.execute(db);
        const before = await db
          .selectFrom("trusted_issuers")
          .select(["trust_id", "tenant_id", "created_at"])
          .where("issuer", "=", trusted.issuer)
          .forUpdate()
          .executeTakeFirst();
        if (before && before.tenant_id !== trusted.tenant_id) return { outcome: "other_owner" };
        if (replaces !== undefined && (before?.trust_id ?? null) !== replaces) return { outcome: "overtaken" };
        if (!before) {
          const { count } = await db
            .selectFrom("trusted_issuers")
            .select(({ fn }) => fn.countAll<string>().as("count"))
            .executeTakeFirstOrThrow();
          if (Number(count) >= atMost) return { outcome: "full" };
        }
        const kept = { ...trusted, created_at: before?.created_at ?? trusted.created_at };
        const { issuer, ...row } = {
          ...kept,
          jwks: kept.jwks && JSON.stringify(kept.jwks),
          rules: JSON.stringify(kept.rules),
          algorithms: [...kept.algorithms],
          client_ids: [...kept.client_ids],
        };
        if (before) await db.updateTable("trusted_issuers").set(row).where("issuer", "=", issuer).execute();
        else
          await db
            .insertInto("trusted_issuers")
            .values({ issuer, ...row })
            .execute();
        const ended = before ? await endGrantsUnder(db, before.trust_id, trusted.changed_at) : 0;
        return { outcome: "kept", trusted: kept, ended };
      }),
    removeTrustedIssuer: (issuer, at) =>
      asAuth(async (db) => {
        const removed = await db
          .deleteFrom("trusted_issuers")
          .where("issuer", "=", issuer)
          .returningAll()
          .executeTakeFirst();
        if (!removed) return null;
        return { trusted: removed as unknown as TrustedIssuer, ended: await endGrantsUnder(db, removed.trust_id, at) };
      }),
  };
}

/** The trust's row is already locked: a grant being issued under it is seen, and none is issued afterwards. */
async function endGrantsUnder(db: Db, trustId: string, at: Date): Promise<number> {
  const under = sql`g.flow = 'asserted' and g.secret_id = ${trustId}`;
  return endGrants(db, at, under, "trust_withdrawn");
}
