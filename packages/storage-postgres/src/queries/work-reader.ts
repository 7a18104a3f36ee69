import {
  type StoredMark,
  type StoredWork,
  searchWords,
  type WorkFilter,
  type WorkKind,
  type WorkReader,
} from "@org/core";
import { sql } from "kysely";
import { askedFor, type Transactions } from "../transactions.js";

/** {@link WorkReader}, through a function of the database, because the role that calls it can read few of its tables. */
export function createWorkReader({ asUpkeep }: Pick<Transactions, "asUpkeep">): WorkReader {
  return {
    find: ({ tenant_id, marks_of, filter, kinds, listed, overdue_days, now, max_counted, after, limit }) =>
      asUpkeep(
        async (db) => {
          // Lower than the limit of jobs: a person waits.
          await sql`set local statement_timeout = '10s'`.execute(db);
          const { rows } = await sql<Row>`
          select * from work_lines(
            ${tenant_id}::uuid, ${[...kinds]}::text[], ${[...listed]}::text[], ${JSON.stringify(overdue_days)}::jsonb, ${now}::timestamptz,
            ${max_counted}::integer, ${after?.kind ?? null}::text, ${after?.since ?? null}::timestamptz, ${after?.id ?? null}::text,
            ${limit}::integer, ${marks_of}::uuid, ${JSON.stringify(askedOf(filter))}::jsonb)`.execute(db);
          const counts: Partial<Record<WorkKind, number>> = {};
          const lines: StoredWork[] = [];
          for (const {
            kind,
            lines: counted,
            since,
            subject_id,
            tenant_id: owner,
            tenant_name,
            facts,
            cause,
            mark,
          } of rows)
            if (counted !== null) counts[kind] = Number(counted);
            else if (since && subject_id !== null)
              lines.push({
                kind,
                since,
                id: subject_id,
                tenant_id: owner,
                tenant: tenant_name,
                details: facts ?? {},
                cause: cause ?? "",
                mark: mark && {
                  ...mark,
                  snoozed_until: mark.snoozed_until === null ? null : new Date(mark.snoozed_until),
                },
              });
          return { lines, counts };
        },
        ...askedFor(marks_of),
      ),
  };
}

interface Row {
  readonly kind: WorkKind;
  /** Set in a row with a count; null in a line. */
  readonly lines: string | null;
  readonly since: Date | null;
  readonly subject_id: string | null;
  readonly tenant_id: string | null;
  readonly tenant_name: string | null;
  readonly facts: StoredWork["details"] | null;
  readonly cause: string | null;
  readonly mark: (Omit<StoredMark, "snoozed_until"> & { readonly snoozed_until: string | null }) | null;
}

/** What is asked of the lines, as the function takes it. */
function askedOf({ owner, snoozed, ...filter }: WorkFilter): object {
  const given = Object.entries(filter).filter(([, value]) => value !== null);
  const words = searchWords(filter.words ?? "").map((word) => `'${word}':*`);
  const query = words.length > 0 && { query: words.join(" & ") };
  return { ...Object.fromEntries(given), ...query, ...owner, ...(snoozed !== null && { is_snoozed: snoozed }) };
}
