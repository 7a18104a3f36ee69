import type { AuditChain, ChainedEntry, OwnedAuditEntry } from "@org/core";
import { sql } from "kysely";
import type { Db, Transactions } from "../transactions.js";
import { auditColumns } from "./audit.js";

/** Lines without a place are counted up to this number. */
const MAX_WAITING = 10_000;
/** Lines examined around a point in time to find its place: clocks differ, and a line written later may carry an earlier time. */
const NEAREST = 1_000;

/** {@link AuditChain}: the function `seal_audit_log` chains, since no role may change a line. */
export function auditChain({ asUpkeep }: Pick<Transactions, "asUpkeep">): AuditChain {
  return {
    seal: (limit) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ sealed: string }>`select seal_audit_log(${limit}) as sealed`.execute(db);
        return Number(rows[0]?.sealed ?? 0);
      }),

    head: () =>
      asUpkeep(async (db) => {
        const last = await lastPlace(db);
        const { rows } = await sql<{ waiting: number }>`
          select count(*)::integer as waiting from (select from ${unplaced(last)} limit ${MAX_WAITING}) w`.execute(db);
        return {
          last: last && { sequence: Number(last.sequence), hash: hexOf(last.hash), sealed_at: last.sealed_at },
          waiting: rows[0]?.waiting ?? 0,
        };
      }),

    page: ({ after, limit }) =>
      asUpkeep(async (db) => {
        const before = await db
          .selectFrom("audit_chain")
          .select(["sequence", "hash", "line_number"])
          .where("sequence", "=", String(after))
          .executeTakeFirst();
        const { rows } = await sql<ChainRow>`
          select c.sequence, c.hash, c.audit_id, c.refused_at, c.content_hash, c.line_number,
            to_jsonb(l) - 'line_number' - 'at' as line, l.at
          from (select * from audit_chain where sequence > ${after} order by sequence limit ${limit}) c
          left join audit_log l on l.line_number = c.line_number and l.audit_id = c.audit_id
          order by c.sequence`.execute(db);
        const last = rows.at(-1);
        const from = before?.line_number ?? "0";
        const strangers = last
          ? await sql<OwnedAuditEntry>`
              select ${sql.join(auditColumns.map((column) => sql.ref(`l.${column}`)))} from audit_log l
              where l.line_number > ${from} and l.line_number <= ${last.line_number} and not exists (
                select from audit_chain c where c.line_number = l.line_number and c.audit_id = l.audit_id
              )
              limit ${limit}`.execute(db)
          : { rows: [] };
        return {
          after: before ? { sequence: Number(before.sequence), hash: hexOf(before.hash) } : null,
          items: rows.map(itemOf),
          strangers: strangers.rows,
        };
      }),

    eraseRefusals: (before, limit) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ erased: string }>`select erase_refusals(${before}, ${limit}) as erased`.execute(
          db,
        );
        return Number(rows[0]?.erased ?? 0);
      }),

    waiting: (limit) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<OwnedAuditEntry>`
          select ${sql.join(auditColumns.map((column) => sql.ref(`l.${column}`)))} from ${unplaced(await lastPlace(db))}
          order by l.at, l.audit_id limit ${limit}`.execute(db);
        return rows;
      }),

    placesOf: ({ from, before }) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ after: string | null; through: string | null }>`
          select
            (select c.sequence - 1 from audit_chain c where c.line_number >= (
              select min(l.line_number) from (
                select line_number from audit_log where at >= ${from} order by at, audit_id limit ${NEAREST}
              ) l
            ) order by c.line_number limit 1) as after,
            (select c.sequence from audit_chain c where c.line_number <= (
              select max(l.line_number) from (
                select line_number from audit_log where at < ${before} order by at desc, audit_id desc limit ${NEAREST}
              ) l
            ) order by c.line_number desc limit 1) as through`.execute(db);
        const [{ after, through } = { after: null, through: null }] = rows;
        return { after: after === null ? null : Number(after), through: through === null ? null : Number(through) };
      }),
  };
}

interface ChainRow {
  readonly sequence: string;
  readonly hash: Buffer;
  readonly audit_id: string;
  readonly refused_at: Date | null;
  readonly content_hash: Buffer | null;
  readonly line_number: string;
  readonly line: Omit<OwnedAuditEntry, "at"> | null;
  readonly at: Date | null;
}

function itemOf({ sequence, hash, audit_id, refused_at, content_hash, line, at }: ChainRow): ChainedEntry {
  return {
    sequence: Number(sequence),
    hash: hexOf(hash),
    audit_id,
    refused_at,
    content_hash: content_hash && hexOf(content_hash),
    entry: line && at ? { ...line, at } : null,
  };
}

function lastPlace(db: Db) {
  return db.selectFrom("audit_chain").selectAll().orderBy("sequence", "desc").limit(1).executeTakeFirst().then(orNull);
}

function orNull<T>(row: T | undefined): T | null {
  return row ?? null;
}

/** Lines after the last place, and lines without a number; an index serves each part. */
function unplaced(last: { line_number: string } | null) {
  return sql`(
    select * from audit_log where line_number > ${last?.line_number ?? "0"}
    union all select * from audit_log where line_number is null
  ) l`;
}

function hexOf(bytes: Buffer): string {
  return bytes.toString("hex");
}
