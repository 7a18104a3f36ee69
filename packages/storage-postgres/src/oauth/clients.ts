import type { AssertionStore, ClientStore, RegisteredClient, RegistrationTokenStore } from "@org/oauth-server";
import { sql } from "kysely";
import type { Transactions } from "../transactions.js";

/** Clients that registered themselves, registration tokens, and the assertions with which clients were accepted. */
export function clientQueries({
  asAuth,
  statement,
}: Pick<Transactions, "asAuth" | "statement">): ClientStore & AssertionStore & RegistrationTokenStore {
  return {
    registerClient: (client, network) =>
      asAuth(async (db) => {
        await db
          .insertInto("registered_clients")
          .values({
            ...client,
            redirect_uris: [...client.redirect_uris],
            jwks: client.jwks && JSON.stringify(client.jwks),
            metadata: JSON.stringify(client.metadata),
          })
          .execute();
      }, network),
    async findClient(clientId, network) {
      const find = { name: "find_client", text: "select find_client($1)", values: [clientId] };
      const [row] = await statement<[ClientJson | null]>(
        { ...find, rowMode: "array" },
        { isRepeatable: true, key: network },
      );
      const found = row?.[0] ?? null;
      return found && { ...found, created_at: new Date(found.created_at), last_used_at: new Date(found.last_used_at) };
    },
    rehashClient: (clientId, { from, to }) =>
      asAuth(async (db) => {
        await db
          .updateTable("registered_clients")
          .set({ secret_hash: to })
          .where("client_id", "=", clientId)
          .where("secret_hash", "=", from)
          .execute();
      }),
    markClientUsed: (clientId, at) =>
      asAuth(async (db) => {
        await db
          .updateTable("registered_clients")
          .set({ last_used_at: at })
          .where("client_id", "=", clientId)
          .where("last_used_at", "<", at)
          .execute();
      }),
    reapClients: ({ at, usedBefore, createdBefore }, limit) =>
      asAuth(async (db) => {
        const { numAffectedRows } = await sql`
          delete from registered_clients where client_id in (
            select c.client_id from registered_clients c
            where c.last_used_at < ${createdBefore} and (c.last_used_at < ${usedBefore} or c.last_used_at = c.created_at)
              and not exists (
                select from grants g where g.client_id = c.client_id and g.ended_at is null and g.refresh_expires_at > ${at}
              )
            limit ${limit} for update skip locked
          )`.execute(db);
        return Number(numAffectedRows ?? 0n);
      }),
    addRegistrationToken: (token) =>
      asAuth(async (db) => {
        await db.insertInto("registration_tokens").values(token).execute();
      }),
    findRegistrationToken: (hashes, at, network) =>
      asAuth(async (db) => {
        const found = await db
          .selectFrom("registration_tokens")
          .selectAll()
          .where("token_hash", "in", [...hashes])
          .where("expires_at", ">", at)
          .executeTakeFirst();
        return found ?? null;
      }, network),
    listRegistrationTokens: (at) =>
      asAuth((db) =>
        db.selectFrom("registration_tokens").selectAll().where("expires_at", ">", at).orderBy("token_id").execute(),
      ),
    removeRegistrationToken: (tokenId) =>
      asAuth(async (db) => {
        const result = await db.deleteFrom("registration_tokens").where("token_id", "=", tokenId).executeTakeFirst();
        return result.numDeletedRows > 0n;
      }),
    reapRegistrationTokens: (at, limit) =>
      asAuth(async (db) => {
        const { numAffectedRows } = await sql`
          delete from registration_tokens where token_id in
            (select token_id from registration_tokens where expires_at < ${at} limit ${limit} for update skip locked)`.execute(
          db,
        );
        return Number(numAffectedRows ?? 0n);
      }),
    async useAssertion(client_id, jti, expires_at) {
      const text = "select use_assertion($1, $2, $3)";
      const values = [client_id, jti, expires_at];
      const [row] = await statement<[boolean]>({ name: "use_assertion", text, values, rowMode: "array" });
      return row?.[0] === true;
    },
    reapAssertions: (at, limit) =>
      asAuth(async (db) => {
        const { numAffectedRows } = await sql`
          delete from used_assertions where (client_id, jti) in
            (select client_id, jti from used_assertions where expires_at < ${at} limit ${limit} for update skip locked)`.execute(
          db,
        );
        return Number(numAffectedRows ?? 0n);
      }),
  };
}

/** A row as JSON, where times are text. */
type ClientJson = Omit<RegisteredClient, "created_at" | "last_used_at"> & {
  readonly created_at: string;
  readonly last_used_at: string;
};
