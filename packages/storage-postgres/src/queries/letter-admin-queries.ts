import {
  type AdminLetter,
  type LetterAdminQueries,
  LOOKED_THROUGH,
  type LookedUpLetter,
  type MailRecord,
  type StatusCount,
  searchWords,
  statusesWithFiles,
  type Uuid,
} from "@org/core";
import { sql } from "kysely";
import { askedFor, type Transactions } from "../transactions.js";

/** {@link LetterAdminQueries}, through functions of the database, because the role that calls them cannot read tables of letters. */
export function letterAdmin({ asUpkeep }: Transactions): LetterAdminQueries {
  return {
    search: (query) =>
      asUpkeep(
        async (db) => {
          // Lower than the limit of jobs: a person waits.
          await sql`set local statement_timeout = '10s'`.execute(db);
          const words = query.words.map((word) => `'${word}':*`).join(" & ");
          const { rows } = await sql<FoundRow>`
          select * from search_letters_of_all(
            ${query.tenant_id}::uuid, ${query.connector_id_in}::text[], ${query.status_in}::text[], ${query.id_in}::uuid[],
            ${JSON.stringify(query.labels)}::jsonb, ${query.created_from}::timestamptz, ${query.created_before}::timestamptz,
            ${query.updated_from}::timestamptz, ${query.updated_before}::timestamptz, ${query.in_status_before}::timestamptz,
            ${words === "" ? null : words}::text, ${query.without_mail && JSON.stringify(query.without_mail)}::jsonb,
            ${query.order}::text, ${query.offset}::bigint,
            ${query.page_size}::integer, ${query.after?.at ?? null}::timestamptz, ${query.after?.letter_id ?? null}::uuid,
            ${query.client_ref_in}::text[])`.execute(db);
          // Beyond the last page the function returns one row with the total and no letter.
          const items = rows.filter(({ letter_id }) => letter_id !== null).map(letterOf);
          return { items, total: Number(rows[0]?.total ?? 0) };
        },
        ...askedFor(null),
      ),

    lookUp: ({ tenant_id, words, connector_ids, limit }) =>
      asUpkeep(
        async (db) => {
          await sql`set local statement_timeout = '10s'`.execute(db);
          // A connector is found by the words of its id, so that one index serves both.
          const ofConnectors = connector_ids.map((id) => searchWords(id).map((word) => `'${word}'`));
          const sought = [words.map((word) => `'${word}':*`), ...ofConnectors.filter((found) => found.length > 0)];
          const query = sought.map((all) => `(${all.join(" & ")})`).join(" | ");
          const { rows } = await sql<Omit<LookedUpLetter, "tenant"> & { readonly tenant_name: string }>`
          select * from look_up_letters_of_all(${tenant_id}::uuid, ${query}::text, ${LOOKED_THROUGH}::integer, ${limit}::integer)`.execute(
            db,
          );
          return rows.map(({ tenant_name, ...letter }) => ({ ...letter, tenant: tenant_name }));
        },
        ...askedFor(tenant_id),
      ),

    forFiles: ({ connector_id, tenant_id, limit }, known) =>
      asUpkeep(async (db) => {
        await sql`set local statement_timeout = '10s'`.execute(db);
        const { rows } = await sql<{ digest: string; letters: readonly LetterInJson[] | null }>`
          select digest, letters from letters_for_files(${connector_id}::text, ${tenant_id}::uuid, ${[...statusesWithFiles]}::text[],
            ${limit}::integer, ${known}::text)`.execute(db);
        const digest = rows[0]?.digest ?? "";
        if (digest === known) return { digest, letters: null };
        const letters = rows.flatMap((row) => row.letters ?? []);
        return {
          digest,
          letters: letters.map(([owner, letter_id, connection_id, version]) => ({
            tenant_id: owner,
            letter_id,
            connection_id,
            version,
          })),
        };
      }),

    counts: (tenantId) =>
      asUpkeep(
        async (db) => {
          await sql`set local statement_timeout = '10s'`.execute(db);
          const { rows } = await sql<{ status: StatusCount["status"]; letters: string; oldest_since: Date }>`
          select * from count_letters_of_all(${tenantId}::uuid)`.execute(db);
          return rows.map((row) => ({ ...row, letters: Number(row.letters) }));
        },
        ...askedFor(null),
      ),
  };
}

type LetterInJson = readonly [tenant_id: string, letter_id: Uuid, connection_id: Uuid | null, version: number];

type FoundRow = Omit<AdminLetter, "tenant" | "mails"> & {
  readonly total: string;
  readonly tenant_name: string;
  readonly mails: readonly MailInJson[];
};

/** Dates inside JSON arrive as text. */
type MailInJson = {
  readonly [key in keyof MailRecord]: Date extends MailRecord[key] ? string | null : MailRecord[key];
};

function letterOf({ total: _, tenant_name, mails, ...letter }: FoundRow): AdminLetter {
  return { ...letter, tenant: tenant_name, mails: mails.map(mailOf) };
}

function mailOf(mail: MailInJson): MailRecord {
  const { created_at, due_at, settled_at } = mail;
  return {
    ...mail,
    created_at: new Date(created_at as string),
    due_at: new Date(due_at as string),
    settled_at: settled_at === null ? null : new Date(settled_at),
  };
}
