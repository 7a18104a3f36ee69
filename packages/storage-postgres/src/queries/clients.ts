import { type ClientRecord, type CountedClient, searchKey, type TenantClientStore, type Uuid } from "@org/core";
import { sql } from "kysely";
import type { Db } from "../transactions.js";
import { anyOf } from "./lists.js";

/** {@link TenantClientStore} of `tenant_id` inside its transaction. */
export function clientStore(db: Db, tenant_id: string): TenantClientStore {
  const rowOf = (clientRef: string) =>
    db
      .selectFrom("clients")
      .select(["client_ref", "name", "created_at"])
      .where("tenant_id", "=", tenant_id)
      .where("client_ref", "=", clientRef);

  async function counted(rows: readonly ClientRecord[]): Promise<readonly CountedClient[]> {
    if (rows.length === 0) return [];
    const found = await sql<{ client_ref: string; connections: string; letters: string }>`
      select r.client_ref,
        (select count(*) from connections c where c.tenant_id = ${tenant_id} and c.client_ref = r.client_ref) as connections,
        (select count(*) from letters l where l.tenant_id = ${tenant_id} and l.client_ref = r.client_ref) as letters
      from unnest(${rows.map(({ client_ref }) => client_ref)}::text[] collate "C") r (client_ref)`.execute(db);
    const counts = new Map(found.rows.map((row) => [row.client_ref, row]));
    return rows.map(({ client_ref, name, created_at }) => {
      const count = counts.get(client_ref);
      return { client_ref, name, created_at, connections: Number(count?.connections), letters: Number(count?.letters) };
    });
  }

  async function used(): Promise<number> {
    const row = await db
      .selectFrom("tenant_usage")
      .select("clients")
      .where("tenant_id", "=", tenant_id)
      .executeTakeFirst();
    return Number(row?.clients ?? 0);
  }

  return {
    async note(client_ref, created_at) {
      // Setting the name to itself locks the row, so that a renaming or removal waits for this transaction.
      const row = await db
        .insertInto("clients")
        .values({ tenant_id, client_ref, name: null, search_key: clientKey(client_ref, null), created_at })
        .onConflict((conflict) =>
          conflict.columns(["tenant_id", "client_ref"]).doUpdateSet(({ ref }) => ({ name: ref("clients.name") })),
        )
        // A row that this statement inserted was never updated.
        .returning(sql<boolean>`xmax = 0`.as("is_new"))
        .executeTakeFirstOrThrow();
      return row.is_new;
    },

    used,

    async find(clientRef) {
      return (await counted(await rowOf(clientRef).execute()))[0] ?? null;
    },

    async list({ name, client_refs, order, page, page_size }) {
      const key = name === null ? "" : searchKey(name);
      const matching = db
        .selectFrom("clients")
        .where("tenant_id", "=", tenant_id)
        .$if(client_refs !== null, (query) => query.where("client_ref", "=", anyOf<string>(client_refs ?? [], "text")))
        .$if(key !== "", (query) => query.where(sql<boolean>`position(${key} in search_key) > 0`));
      const direction = order.startsWith("-") ? "desc" : "asc";
      const rows = await matching
        .select(["client_ref", "name", "created_at"])
        .$if(order.endsWith("name"), (query) => query.orderBy("name_key", direction))
        .orderBy("client_ref", direction)
        .offset((page - 1) * page_size)
        .limit(page_size)
        .execute();
      return { items: await counted(rows), total: await countOf(matching) };

      async function countOf(found: typeof matching): Promise<number> {
        if (client_refs === null && key === "") return used();
        const { total } = await found.select(({ fn }) => fn.countAll<string>().as("total")).executeTakeFirstOrThrow();
        return Number(total);
      }
    },

    async update(clientRef, { name, client_ref = clientRef }) {
      const client = await rowOf(clientRef).forUpdate().executeTakeFirst();
      if (!client) return "unknown";
      const isTaking = client_ref !== clientRef;
      // Two that take one reference at the same time: the second waits for the first, and its row is then there.
      if (isTaking) {
        const taken = await db
          .insertInto("clients")
          .values({ tenant_id, client_ref, name: null, search_key: "", created_at: client.created_at })
          .onConflict((conflict) => conflict.columns(["tenant_id", "client_ref"]).doNothing())
          .executeTakeFirst();
        if (!taken.numInsertedOrUpdatedRows) return "taken";
        await db
          .deleteFrom("clients")
          .where("tenant_id", "=", tenant_id)
          .where("client_ref", "=", client_ref)
          .execute();
      }
      const next = name === undefined ? client.name : name;
      await db
        .updateTable("clients")
        .set({
          client_ref,
          name: next,
          search_key: clientKey(client_ref, next),
        })
        .where("tenant_id", "=", tenant_id)
        .where("client_ref", "=", clientRef)
        .execute();
      return "changed";
    },

    async connectionsOf(clientRef, after, limit) {
      const rows = await db
        .selectFrom("connections")
        .select("connection_id as id")
        .where("tenant_id", "=", tenant_id)
        .where("client_ref", "=", clientRef)
        .$if(after !== null, (query) => query.where("connection_id", ">", after as Uuid))
        .orderBy("connection_id")
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    async lettersOf(clientRef, after, limit) {
      const rows = await db
        .selectFrom("letters")
        .select("letter_id as id")
        .where("tenant_id", "=", tenant_id)
        .where("client_ref", "=", clientRef)
        .$if(after !== null, (query) => query.where("letter_id", ">", after as Uuid))
        .orderBy("letter_id")
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    async remove(clientRef) {
      await rowOf(clientRef).forUpdate().execute();
      for (const table of ["connections", "letters", "sessions"] as const)
        await db
          .updateTable(table)
          .set({ client_ref: null })
          .where("tenant_id", "=", tenant_id)
          .where("client_ref", "=", clientRef)
          .execute();
      const { numDeletedRows } = await db
        .deleteFrom("clients")
        .where("tenant_id", "=", tenant_id)
        .where("client_ref", "=", clientRef)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

/** What lists are searched by. No search text has a line break in it. */
export function clientKey(clientRef: string, name: string | null): string {
  return `${searchKey(clientRef)}\n${searchKey(name ?? "")}`;
}
