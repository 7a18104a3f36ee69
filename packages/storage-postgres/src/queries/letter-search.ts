import type { LetterFinder, LetterRecord } from "@org/core";
import type { Transactions } from "../transactions.js";

/**
 * {@link LetterFinder}: each search is one prepared statement that calls the function `search_letters`. docs/explanation/letter-search.md has the plans.
 */
export function letterFinder({ read }: Transactions): LetterFinder {
  return {
    search(tenantId, query) {
      const values = [
        tenantId,
        query.connector_id_in,
        query.status_in,
        query.id_in,
        Object.keys(query.labels),
        Object.values(query.labels),
        query.created_from,
        query.created_before,
        query.updated_from,
        query.updated_before,
        (query.page - 1) * query.page_size,
        query.page_size,
        query.client_ref_in,
      ];
      return read<FoundRow>(tenantId, { name: "search_letters", text: SEARCH, values, rowMode: "array" }).then(
        (rows) => {
          // Beyond the last page the function returns one row with the total and no letter.
          const found = rows.filter((row): row is FoundLetter => row[1] !== null);
          return { items: found.map(letterOf), total: Number(rows[0]?.[0]) };
        },
      );
    },
  };
}

const SEARCH = `select total, letter_id, connector_id, status, previous_status, ever_connected, labels, contact_info, connection_id, observations,
  created_at, updated_at, status_since, version, client_ref, client_name
  from search_letters($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;

type FoundLetter = [
  total: string,
  letter_id: LetterRecord["letter_id"],
  connector_id: string,
  status: LetterRecord["status"],
  previous_status: LetterRecord["previous_status"],
  ever_connected: boolean,
  labels: LetterRecord["labels"],
  contact_info: LetterRecord["contact_info"],
  connection_id: LetterRecord["connection_id"],
  observations: string | null,
  created_at: Date,
  updated_at: Date,
  status_since: Date,
  version: number,
  client_ref: string | null,
  client_name: string | null,
];
type FoundRow = FoundLetter | [total: string, ...nothing: null[]];

function letterOf([
  ,
  letter_id,
  connector_id,
  status,
  previous_status,
  ever_connected,
  labels,
  contact_info,
  connection_id,
  observations,
  created_at,
  updated_at,
  status_since,
  version,
  client_ref,
  client_name,
]: FoundLetter): Awaited<ReturnType<LetterFinder["search"]>>["items"][number] {
  return {
    letter_id,
    connector_id,
    status,
    previous_status,
    ever_connected,
    labels,
    contact_info,
    connection_id,
    observations,
    created_at,
    updated_at,
    status_since,
    version,
    client_ref,
    client_name,
  };
}
