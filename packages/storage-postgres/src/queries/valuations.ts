import { type StatedValuations, valuedHoldings } from "@org/core";
import { sql } from "kysely";
import type { Db } from "../transactions.js";

/** Accounts of one statement. */
const BATCH = 500;

/**
 * What a delivery states, as `store_valuations` takes it, some accounts a piece. The last accounts come first: only what comes with them says that
 * there are no others.
 */
export function valuationBatches(stated: StatedValuations | undefined): readonly string[] {
  if (!stated || (stated.accounts.length === 0 && stated.complete_on === null)) return [];
  const { read_at, arrival, complete_on } = stated;
  const accounts = [...new Map(stated.accounts.map((one) => [`${one.portfolio_id} ${one.day}`, one])).values()];
  const rows = accounts.map(({ holdings, as_of, places, ...account }, ordinal) => ({
    ...account,
    ...(places && { places: places.join("\n") }),
    ordinal,
    stated_at: read_at ?? as_of,
    ...(holdings === "shown" ? { is_shown: true } : { is_shown: false, ...(holdings && valuedHoldings(holdings)) }),
  }));
  const batches: string[] = [];
  for (let end = rows.length; end > 0 || batches.length === 0; end -= BATCH)
    batches.push(
      JSON.stringify({
        ...{ read_at, arrival, complete_on: batches.length === 0 ? complete_on : null },
        accounts: rows.slice(Math.max(0, end - BATCH), end),
      }),
    );
  return batches;
}

/** Stores pieces of {@link valuationBatches}. */
export async function storeValuations(
  db: Db,
  tenant_id: string,
  connection_id: string,
  batches: readonly string[],
): Promise<void> {
  for (const batch of batches) await sql`select store_valuations(${tenant_id}, ${connection_id}, ${batch})`.execute(db);
}
