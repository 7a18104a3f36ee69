import { type Named, type NameReader, parseUuid } from "@org/core";
import { sql } from "kysely";
import { INSTALLATION_KEY, type Transactions } from "../transactions.js";

/** {@link NameReader}, through a function of the database, because the role that calls it can read few of its tables. */
export function createNameReader({ asUpkeep }: Pick<Transactions, "asUpkeep">): NameReader {
  return {
    find: (reader, asked) =>
      asUpkeep(
        async (db) => {
          // A person waits.
          await sql`set local statement_timeout = '10s'`.execute(db);
          const ids = asked.flatMap(({ tenant_id, id }) => {
            const uuid = parseUuid(id);
            return uuid === null ? [] : [{ tenant_id, uuid }];
          });
          const texts = asked.map(({ id }) => id).filter((id) => parseUuid(id) === null);
          const { rows } = await sql<Named>`
            select id, kind, name, of_name as "of" from names_of(
              ${reader}::uuid, ${ids.map(({ tenant_id }) => tenant_id)}::uuid[], ${ids.map(({ uuid }) => uuid)}::uuid[],
              ${[...new Set(texts)]}::text[])`.execute(db);
          return rows;
        },
        "lookups",
        reader ?? INSTALLATION_KEY,
      ),
  };
}
