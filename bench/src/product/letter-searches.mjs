/**
 * Kinds of letter searches over the letters of `seedLetters`. `query` is part of a LetterQuery, without the members that are not searched for. `is`
 * explains what it represents.
 */
export function searchShapes(samples) {
  const labelled = { desk: "desk-7" };
  const month = { created_from: new Date("2025-03-01"), created_before: new Date("2025-04-01") };
  return [
    { name: "no criteria", query: {} },
    { name: "no criteria, page 500", query: { page: 500 } },
    { name: "no criteria, the last page", query: { page: 40_000 } },
    { name: "rare label (6 letters)", query: { labels: { client: samples.client } } },
    { name: "frequent label (21,000 letters)", query: { labels: labelled } },
    { name: "frequent label, page 500", query: { labels: labelled, page: 500 } },
    { name: "frequent label, the last page", query: { labels: labelled, page: 1_050 } },
    { name: "very frequent label (400,000 letters)", query: { labels: { source: "api" } } },
    { name: "label that no letter has", query: { labels: { desk: "nobody" } } },
    { name: "two labels: very frequent and rare", query: { labels: { source: "api", client: samples.client } } },
    { name: "two labels: rare and very frequent", query: { labels: { client: samples.client, source: "api" } } },
    { name: "two labels: frequent and very frequent", query: { labels: { desk: "desk-7", source: "api" } } },
    { name: "three labels: frequent ones", query: { labels: { desk: "desk-7", source: "api", advisor: "a7" } } },
    { name: "two labels that never meet", query: { labels: { desk: "desk-7", source: "fax" } } },
    { name: "status (a quarter of the letters)", query: { status_in: ["Connected"] } },
    { name: "status, page 500", query: { status_in: ["Connected"], page: 500 } },
    { name: "statuses that are less frequent", query: { status_in: ["Blocked", "Signed"] } },
    { name: "status that no letter has", query: { status_in: ["NewRequest"] } },
    { name: "frequent label and status", query: { labels: labelled, status_in: ["Blocked"] } },
    { name: "frequent connector", query: { connector_id_in: ["esp:custodian-0"] } },
    { name: "rare connector", query: { connector_id_in: ["esp:custodian-199"] } },
    { name: "rare connector and status", query: { connector_id_in: ["esp:custodian-199"], status_in: ["Blocked"] } },
    {
      name: "twenty connectors",
      query: { connector_id_in: Array.from({ length: 20 }, (_, n) => `esp:custodian-${n + 100}`) },
    },
    { name: "connector that no letter has", query: { connector_id_in: ["esp:nobody"] } },
    { name: "frequent label and connector", query: { labels: labelled, connector_id_in: ["esp:custodian-150"] } },
    { name: "1,000 ids", query: { id_in: samples.ids } },
    { name: "ids and a label", query: { id_in: samples.ids.slice(0, 100), labels: { source: "api" } } },
    { name: "created within a month", query: month },
    { name: "created within a month, frequent label", query: { ...month, labels: labelled } },
    { name: "created within a month, status", query: { ...month, status_in: ["Blocked"] } },
    { name: "changed since yesterday", query: { updated_from: samples.recently } },
    {
      name: "changed within a month, long ago",
      query: { updated_from: month.created_from, updated_before: month.created_before },
    },
    { name: "changed since yesterday, frequent label", query: { updated_from: samples.recently, labels: labelled } },
    {
      name: "everything at once",
      query: {
        ...month,
        labels: labelled,
        status_in: ["Connected"],
        connector_id_in: ["esp:custodian-3"],
        updated_from: month.created_from,
      },
    },
  ];
}

/** Completes the query of a search to a LetterQuery. */
export function letterQuery(query) {
  return {
    connector_id_in: null,
    status_in: null,
    id_in: null,
    labels: {},
    created_from: null,
    created_before: null,
    updated_from: null,
    updated_before: null,
    page: 1,
    page_size: 20,
    ...query,
  };
}

/** Values that occur in a tenant's seeded letters. @param client a client of `pg`, as the owner of the tables */
export async function searchSamples(client, tenantId) {
  const { rows } = await client.query(
    "select letter_id, labels ->> 'client' as client from letters where tenant_id = $1 and mod(hashtext(letter_id::text), 700) = 1 limit 1000",
    [tenantId],
  );
  const { rows: latest } = await client.query("select max(updated_at) as at from letters where tenant_id = $1", [
    tenantId,
  ]);
  return {
    client: rows[0].client,
    ids: rows.map((row) => row.letter_id),
    recently: new Date(latest[0].at.getTime() - 24 * 60 * 60 * 1000),
  };
}
