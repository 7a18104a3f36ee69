import type { LetterQuery, LetterRecord } from "@org/core";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Database } from "../schema.js";
import type { Db } from "../transactions.js";
import { anyOf } from "./lists.js";

type Status = LetterRecord["status"];

/** Far more than the clocks of two servers may differ. */
const CLOCK_SKEW_MS = 60 * 60 * 1000;

/** What both tables of a search can be filtered and sorted by. */
interface Index {
  tenant_id: string;
  letter_id: string;
  created_at: Date;
  status: Status;
}
/** A condition on a table of this name. */
type Criterion = (table: string) => RawBuilder<boolean>;
type Matching = SelectQueryBuilder<Database & { hit: Index }, "hit", object>;

/**
 * One page of letters and the exact total in one statement, each computed on its own: cheaper than counting over the page's
 * window. Both run over an index only as far as the query allows: that of the labels when it names one, else one of the letters.
 * docs/letter-search.md has the plans.
 */
export async function searchLetters(
  db: Db,
  tenant_id: string,
  query: LetterQuery,
): Promise<{ items: readonly LetterRecord[]; total: number }> {
  const matching = matchingLetters(db, tenant_id, query);
  const page = matching
    .select(["hit.letter_id", "hit.created_at"])
    .orderBy("hit.created_at", "desc")
    .orderBy("hit.letter_id", "desc")
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size);
  // Wide rows are fetched for the page alone.
  const letters = db
    .selectFrom(page.as("page"))
    .innerJoin("letters", (join) =>
      join.onRef("letters.letter_id", "=", "page.letter_id").on("letters.tenant_id", "=", tenant_id),
    )
    .select([
      "letters.letter_id",
      "letters.connector_id",
      "letters.status",
      "letters.previous_status",
      "letters.ever_connected",
      "letters.labels",
      "letters.contact_info",
      "letters.connection_id",
      "letters.observations",
      "letters.created_at",
      "letters.updated_at",
      "letters.status_since",
      "letters.version",
    ]);
  const rows = await db
    .selectFrom(sql<{ total: string }>`${totalOf(db, tenant_id, query, matching)}`.as("counted"))
    .leftJoin(letters.as("letter"), (join) => join.onTrue())
    .selectAll()
    .orderBy("letter.created_at", "desc")
    .orderBy("letter.letter_id", "desc")
    .execute();
  return {
    // Beyond the last page there is one row with the total and no letter.
    items: rows.flatMap(({ total: _, ...letter }) => (letter.letter_id === null ? [] : [letter as LetterRecord])),
    total: Number(rows[0]?.total),
  };
}

/** The number of all letters, or of those of some statuses, is kept; any other is counted. */
function totalOf(db: Db, tenant_id: string, query: LetterQuery, matching: Matching) {
  const { page: _, page_size: __, labels, status_in: ___, ...others } = query;
  if (Object.keys(labels).length > 0 || Object.values(others).some((criterion) => criterion !== null))
    return matching.select(sql<string>`count(*)`.as("total"));
  const counts = db
    .selectFrom("letter_counts")
    .select(sql<string>`coalesce(sum(letters), 0)`.as("total"))
    .where("tenant_id", "=", tenant_id);
  return query.status_in ? counts.where("status", "=", anyOf<Status>(query.status_in, "text")) : counts;
}

function matchingLetters(db: Db, tenant_id: string, query: LetterQuery): Matching {
  const [first, ...others] = Object.entries(query.labels);
  let matching = (first
    ? db.selectFrom("letter_labels as hit")
    : db.selectFrom("letters as hit")) as unknown as Matching;
  matching = matching.where("hit.tenant_id", "=", tenant_id);
  if (first) matching = matching.where(sql<boolean>`(hit.key, hit.value) = (${first[0]}, ${first[1]})`);
  for (const [key, value] of others) {
    matching = matching.where(({ exists, selectFrom }) =>
      exists(
        selectFrom("letter_labels as other")
          .where("other.tenant_id", "=", tenant_id)
          .whereRef("other.letter_id", "=", "hit.letter_id")
          .where("other.key", "=", key)
          .where("other.value", "=", value),
      ),
    );
  }
  if (query.status_in) matching = matching.where("hit.status", "=", anyOf<Status>(query.status_in, "text"));
  if (query.id_in) matching = matching.where("hit.letter_id", "=", anyOf(query.id_in, "uuid"));
  if (query.created_from) matching = matching.where("hit.created_at", ">=", query.created_from);
  if (query.created_before) matching = matching.where("hit.created_at", "<", query.created_before);
  // No letter was changed before it was made: without this, a page would be looked for among all that were made since.
  if (query.updated_before)
    matching = matching.where("hit.created_at", "<", new Date(query.updated_before.getTime() + CLOCK_SKEW_MS));
  const onLetter = letterCriteria(query);
  if (onLetter.length === 0) return matching;
  if (!first) return matching.where(allOf(onLetter, "hit"));
  return matching.where(({ exists, selectFrom }) =>
    exists(
      selectFrom("letters as letter")
        .where("letter.tenant_id", "=", tenant_id)
        .whereRef("letter.letter_id", "=", "hit.letter_id")
        .where(allOf(onLetter, "letter")),
    ),
  );
}

function allOf(criteria: readonly Criterion[], table: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.join(
    criteria.map((criterion) => criterion(table)),
    sql` and `,
  )}`;
}

/** Criteria that only the letters' own table has, for that table under any name. */
function letterCriteria({ connector_id_in, updated_from, updated_before }: LetterQuery) {
  const criteria: Criterion[] = [];
  const column = (table: string, name: string) => sql.ref(`${table}.${name}`);
  if (connector_id_in)
    criteria.push((table) => sql`${column(table, "connector_id")} = ${anyOf(connector_id_in, "text")}`);
  if (updated_from) criteria.push((table) => sql`${column(table, "updated_at")} >= ${updated_from}`);
  if (updated_before) criteria.push((table) => sql`${column(table, "updated_at")} < ${updated_before}`);
  return criteria;
}
