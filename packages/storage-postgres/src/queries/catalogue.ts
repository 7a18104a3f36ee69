import type { CatalogueConnector, CatalogueStore } from "@org/core";
import { sql } from "kysely";
import type { Db, Transactions } from "../transactions.js";

/** Rows in one statement of an import: writing one takes a few milliseconds of the event loop. */
const BATCH = 200;
/** Rows in one statement of a read: parsing them takes a few milliseconds of the event loop. */
const PAGE = 1_000;

/** {@link CatalogueStore}; the catalogue is the same for all tenants and not secret. */
export function catalogueStore({ asUpkeep, read }: Transactions): CatalogueStore {
  return {
    revision: () =>
      read<[string]>(null, { text: "select revision from catalogue", rowMode: "array" }).then(([row]) =>
        String(row?.[0]),
      ),

    /** Rows that are imported meanwhile may be among them; their revision is a later one than the one that is told. */
    async all() {
      const connectors: CatalogueConnector[] = [];
      let revision: string | undefined;
      let page: readonly ([string, ...ConnectorRow] | [string, null])[];
      do {
        page = await read(null, {
          text: `select k.revision, ${columns} from catalogue k
                 left join (select * from connectors where connector_id > $1 order by connector_id limit ${PAGE}) c on true
                 order by c.connector_id`,
          values: [connectors.at(-1)?.id ?? ""],
          rowMode: "array",
        });
        revision ??= String(page[0]?.[0]);
        for (const [, ...row] of page) if (row[0] !== null) connectors.push(connectorOf(row as ConnectorRow));
      } while (page.length === PAGE);
      return { revision, connectors };
    },

    async find(connectorId) {
      const [row] = await read<ConnectorRow>(null, {
        text: `select ${columns} from connectors c where c.connector_id = $1`,
        values: [connectorId],
        rowMode: "array",
      });
      return row ? connectorOf(row) : null;
    },

    async importAll(added) {
      // Of several rows with the same id the last wins, as if they had been imported one after the other.
      const connectors = [...new Map(added.map((connector) => [connector.id, connector])).values()];
      if (connectors.length === 0) return { inserted: 0, updated: 0 };
      return asUpkeep(async (db) => {
        // Locks the one row, so that imports run one after the other and revisions keep their order.
        await db.updateTable("catalogue").set({ revision: sql`revision + 1` }).execute();
        let inserted = 0;
        for (let start = 0; start < connectors.length; start += BATCH) {
          inserted += await importBatch(db, connectors.slice(start, start + BATCH));
        }
        return { inserted, updated: added.length - inserted };
      });
    },
  };
}

const columns = "c.connector_id, c.name, c.type, c.countries, c.available, c.provider, c.provider_ref, c.metadata";
type ConnectorRow = [string, string, string, string[], boolean, string, string | null, CatalogueConnector["metadata"]];

function connectorOf([
  id,
  name,
  type,
  countries,
  available,
  provider,
  provider_ref,
  metadata,
]: ConnectorRow): CatalogueConnector {
  return { id, name, type, countries, available, provider, provider_ref, metadata };
}

/** Returns how many were new. */
async function importBatch(db: Db, connectors: readonly CatalogueConnector[]): Promise<number> {
  const rows = await db
    .insertInto("connectors")
    .values(
      connectors.map(({ id, name, type, countries, available, provider, provider_ref, metadata }) => ({
        connector_id: id,
        name,
        type,
        countries: [...countries],
        available,
        provider,
        provider_ref,
        metadata,
      })),
    )
    .onConflict((conflict) =>
      conflict.column("connector_id").doUpdateSet(({ ref }) => ({
        name: ref("excluded.name"),
        type: ref("excluded.type"),
        countries: ref("excluded.countries"),
        available: ref("excluded.available"),
        provider: ref("excluded.provider"),
        provider_ref: ref("excluded.provider_ref"),
        metadata: ref("excluded.metadata"),
      })),
    )
    // A row that no transaction has locked or replaced is new.
    .returning(sql<boolean>`xmax = 0`.as("is_new"))
    .execute();
  return rows.filter((row) => row.is_new).length;
}
