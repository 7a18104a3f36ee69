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

    async decided() {
      const rows = await read<ConnectorRow>(null, {
        text: `select ${columns} from connectors c where c.metadata ? 'institution' order by c.connector_id`,
        rowMode: "array",
      });
      return rows.map(connectorOf);
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
      // Of several rows with the same id the last wins, as if they had been imported one after the other. In the order of their ids, so that two
      // imports at once wait for each other instead of for both.
      const connectors = [...new Map(added.map((connector) => [connector.id, connector])).values()].sort((a, b) =>
        a.id < b.id ? -1 : 1,
      );
      return asUpkeep(async (db) => {
        let [inserted, updated] = [0, 0];
        for (let start = 0; start < connectors.length; start += BATCH) {
          const written = await importBatch(db, connectors.slice(start, start + BATCH));
          inserted += written.filter(({ is_new }) => is_new).length;
          updated += written.filter(({ is_new }) => !is_new).length;
        }
        if (inserted + updated > 0) await db.updateTable("catalogue").set({ revision: sql`revision + 1` }).execute();
        return { inserted, updated, unchanged: connectors.length - inserted - updated };
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

/** Writes what differs from the stored rows, and returns a row for each one written. What is equal is not even locked. */
async function importBatch(db: Db, connectors: readonly CatalogueConnector[]): Promise<readonly { is_new: boolean }[]> {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into connectors as c (connector_id, name, type, countries, available, provider, provider_ref, metadata)
    select g.id, g.name, g.type, g.countries, g.available, g.provider, g.provider_ref, g.metadata
    from jsonb_to_recordset(${JSON.stringify(connectors)}::jsonb) as g (
      id text, name text, type text, countries text[], available boolean, provider text, provider_ref text, metadata jsonb
    )
    where not exists (
      select from connectors s where s.connector_id = g.id
      and (s.name, s.type, s.countries, s.available, s.provider, s.provider_ref, s.metadata)
        is not distinct from (g.name, g.type, g.countries, g.available, g.provider, g.provider_ref, g.metadata)
    )
    on conflict (connector_id) do update set
      name = excluded.name, type = excluded.type, countries = excluded.countries, available = excluded.available,
      provider = excluded.provider, provider_ref = excluded.provider_ref, metadata = excluded.metadata
    -- A row that no transaction has locked or replaced is new.
    returning c.xmax = 0 as is_new`.execute(db);
  return rows;
}
