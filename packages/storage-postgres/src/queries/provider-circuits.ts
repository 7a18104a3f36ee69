import { INSTALLATION_LOG, type ProviderCircuit, type ProviderCircuits, providerEvent } from "@org/core";
import { type RawBuilder, sql } from "kysely";
import { appendEvents } from "../events/event-log.js";
import type { Db, Transactions } from "../transactions.js";

/** {@link ProviderCircuits}. */
export function providerCircuits({ asUpkeep }: Pick<Transactions, "asUpkeep">): ProviderCircuits {
  return {
    opened: (circuit, at) =>
      asUpkeep(async (db) => {
        const { connector_id, provider, tenant_id } = circuit;
        // A row that is updated was written by an earlier transaction.
        const { rows } = await sql<{ is_first: boolean }>`
          insert into provider_circuits (connector_id, tenant_id, provider, seen_at, opened_at)
          values (${connector_id}, ${tenant_id ?? INSTALLATION_LOG}, ${provider}, ${at}, ${at})
          on conflict (tenant_id, connector_id) do update set seen_at = excluded.seen_at
          returning xmax = 0 as is_first`.execute(db);
        const isFirst = rows[0]?.is_first === true;
        if (isFirst) appendEvents(db, INSTALLATION_LOG, [providerEvent("provider.degraded", circuit)]);
        return isFirst;
      }),
    closed: ({ connector_id, tenant_id }) =>
      asUpkeep(async (db) => {
        const of = sql`connector_id = ${connector_id} and tenant_id = ${tenant_id ?? INSTALLATION_LOG}`;
        return (await recover(db, of)) > 0;
      }),
    forget: (before) => asUpkeep((db) => recover(db, sql`seen_at < ${before}`)),
  };
}

async function recover(db: Db, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<ProviderCircuit & { tenant_id: string }>`
    delete from provider_circuits where ${which} returning connector_id, tenant_id, provider`.execute(db);
  const circuits = rows.map((row) => ({
    ...row,
    tenant_id: row.tenant_id === INSTALLATION_LOG ? null : row.tenant_id,
  }));
  appendEvents(
    db,
    INSTALLATION_LOG,
    circuits.map((circuit) => providerEvent("provider.recovered", circuit)),
  );
  return rows.length;
}
