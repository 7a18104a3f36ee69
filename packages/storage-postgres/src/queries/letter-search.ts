import type { LetterQuery, LetterRecord } from "@org/core";
import { type SelectQueryBuilder, sql } from "kysely";
import { isUuid } from "../identifiers.js";
import type { Database } from "../schema.js";
import type { Db } from "../transactions.js";
import { anyOf } from "./any-of.js";

type Status = LetterRecord["status"];

/** What both tables of a search can be filtered and sorted by. */
interface Index {
  tenant_id: string;
  letter_id: string;
  created_at: Date;
  status: Status;
}
type Matching = SelectQueryBuilder<Database & { hit: Index }, "hit", object>;

/**
 * One page of letters and the exact total, in two statements: cheaper than counting over the page's window. Both run over an
 * index only as far as the query allows: that of the labels when it names one, else that of the letters.
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
  const items = await db
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
    ])
    .orderBy("page.created_at", "desc")
    .orderBy("page.letter_id", "desc")
    .execute();
  const { total } = await matching.select(sql<string>`count(*)`.as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
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
  if (query.id_in) matching = matching.where("hit.letter_id", "=", anyOf(query.id_in.filter(isUuid), "uuid"));
  if (query.created_from) matching = matching.where("hit.created_at", ">=", query.created_from);
  if (query.created_before) matching = matching.where("hit.created_at", "<", query.created_before);
  return whereLetter(matching, tenant_id, query);
}

/** Criteria that only the letters' own table has. */
function whereLetter(matching: Matching, tenant_id: string, query: LetterQuery): Matching {
  const { connector_id_in, updated_from, updated_before, in_status_before } = query;
  if (!connector_id_in && !updated_from && !updated_before && !in_status_before) return matching;
  return matching.where(({ exists, selectFrom }) => {
    let letter = selectFrom("letters as letter")
      .where("letter.tenant_id", "=", tenant_id)
      .whereRef("letter.letter_id", "=", "hit.letter_id");
    if (connector_id_in) letter = letter.where("letter.connector_id", "=", anyOf(connector_id_in, "text"));
    if (updated_from) letter = letter.where("letter.updated_at", ">=", updated_from);
    if (updated_before) letter = letter.where("letter.updated_at", "<", updated_before);
    if (in_status_before) letter = letter.where("letter.status_since", "<", in_status_before);
    return exists(letter);
  });
}
