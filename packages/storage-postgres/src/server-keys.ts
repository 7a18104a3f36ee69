import { sql } from "kysely";
import type { Transactions } from "./transactions.js";

/** The server's own keys by name, each sealed under the installation's encryption keys. */
export interface ServerKeys {
  /** The sealed key of that name; made and kept on first use. Of replicas that start together all get the same one. */
  loadOrCreate(name: string, create: () => Promise<string>): Promise<string>;
}

export function serverKeys({ asAuth }: Pick<Transactions, "asAuth">): ServerKeys {
  return {
    async loadOrCreate(name, create) {
      const known = await find(name);
      if (known !== null) return known;
      const sealed = await create();
      await asAuth((db) => sql`insert into server_keys values (${name}, ${sealed}) on conflict do nothing`.execute(db));
      return (await find(name)) as string;
    },
  };

  function find(name: string): Promise<string | null> {
    return asAuth(async (db) => {
      const row = await db.selectFrom("server_keys").select("sealed").where("name", "=", name).executeTakeFirst();
      return row?.sealed ?? null;
    });
  }
}
