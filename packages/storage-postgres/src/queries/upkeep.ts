import type { ReapCutoffs, Upkeep, Uuid } from "@org/core";
import { type RawBuilder, sql } from "kysely";
import type { Db, Transactions } from "../transactions.js";

/** Clean-ups of all replicas follow each other: two at once would do the same work and wait for each other's rows. */
const LOCK = 7_304_551_904;

/** Rows of one tenant's counts that are left as they are. */
const COUNT_PARTS = 100;

/** {@link Upkeep}. What has run out is looked for tenant by tenant, since every index has the tenant first. */
export function upkeep({ asUpkeep }: Transactions): Upkeep {
  const alone = <T>(work: (db: Db) => Promise<T>) =>
    asUpkeep(async (db) => {
      await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db);
      return work(db);
    });

  return {
    expireSessions: (now, limit) =>
      alone((db) =>
        affected(
          db,
          sql`
            update sessions s
            set status = 'Finished:Expired', error_code = 'SessionExpired', challenge = null, sealed_link = null,
              sealed_state = null, updated_at = ${now}, version = s.version + 1
            from (${ofEveryTenant(
              sql`
                select c.session_id from sessions c
                where c.tenant_id = t.tenant_id and not c.finished and c.expires_at <= ${now}
                for update skip locked`,
              limit,
            )}) late
            where s.tenant_id = late.tenant_id and s.session_id = late.session_id`,
        ),
      ),

    silentLetters: (since, limit) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ tenant_id: string; letter_id: Uuid }>`
          select tenant_id, letter_id from silent_letters(${since}, ${limit})`.execute(db);
        return rows;
      }),

    cutOffLogins: (now, limit) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ tenant_id: string; session_id: Uuid }>`
          select tenant_id, session_id from cut_off_logins(${now}, ${limit})`.execute(db);
        return rows;
      }),

    reap: (cutoffs, limit) =>
      alone(async (db) => ({
        idempotency_keys: await reapIdempotencyKeys(db, cutoffs, limit),
        sessions: await reapSessions(db, cutoffs, limit),
        mails: await reapMails(db, cutoffs, limit),
        ...(await reapSnapshots(db, cutoffs, limit)),
        letter_counts: await joinLetterCounts(db, limit),
      })),
  };
}

function reapIdempotencyKeys(db: Db, { now }: ReapCutoffs, limit: number): Promise<number> {
  const old = ofEveryTenant(
    sql`select c.application_id, c.key from idempotency_keys c where c.tenant_id = t.tenant_id and c.expires_at < ${now}`,
    limit,
  );
  // The condition is repeated outside: a key may have been claimed again since.
  return affected(
    db,
    sql`
      delete from idempotency_keys k using (${old}) old
      where k.tenant_id = old.tenant_id and k.application_id = old.application_id and k.key = old.key
        and k.expires_at < ${now}`,
  );
}

function reapSessions(db: Db, { finished_sessions_before: before }: ReapCutoffs, limit: number): Promise<number> {
  const old = ofEveryTenant(
    sql`
      select c.session_id from sessions c
      where c.tenant_id = t.tenant_id and c.finished and c.updated_at < ${before}
      for update skip locked`,
    limit,
  );
  return affected(
    db,
    sql`
      with gone as (
        delete from sessions s using (${old}) old
        where s.tenant_id = old.tenant_id and s.session_id = old.session_id
        returning s.link_hash
      ), links as (
        delete from session_links l using gone where l.link_hash = gone.link_hash
      )
      select from gone`,
  );
}

function reapMails(db: Db, { settled_mails_before: before }: ReapCutoffs, limit: number): Promise<number> {
  const old = ofEveryTenant(
    sql`
      select c.mail_id from mails c
      where c.tenant_id = t.tenant_id and c.state in ('sent', 'withdrawn') and c.settled_at < ${before}
      for update skip locked`,
    limit,
  );
  return affected(
    db,
    sql`delete from mails m using (${old}) old where m.tenant_id = old.tenant_id and m.mail_id = old.mail_id`,
  );
}

/**
 * Puts the parts of counts together where there are many; returns how many rows that saved. Who reads meanwhile sees all parts
 * before, or the sums after.
 */
function joinLetterCounts(db: Db, limit: number): Promise<number> {
  return affected(
    db,
    sql`
      with parts as (
        delete from letter_counts c using (
          select tenant_id from letter_counts group by tenant_id having count(*) > ${COUNT_PARTS} limit ${limit}
        ) many
        where c.tenant_id = many.tenant_id
        returning c.tenant_id, c.status, c.letters
      ), sums as (
        insert into letter_counts (tenant_id, status, letters)
        select tenant_id, status, sum(letters) from parts group by tenant_id, status
        returning tenant_id
      )
      select from parts offset (select count(*) from sums)`,
  );
}

/** Makes the revisions unreadable first; a large snapshot then goes in several rounds, rows before the snapshot itself. */
async function reapSnapshots(db: Db, { replaced_snapshots_before: before }: ReapCutoffs, limit: number) {
  const { rows: found } = await ofEveryTenant(
    sql<OldSnapshot>`
      select c.connection_id, c.product, c.revision, c.until_revision from snapshots c
      where c.tenant_id = t.tenant_id and c.replaced_at < ${before}`,
    limit,
  ).execute(db);
  if (found.length === 0) return { portfolios: 0, holdings: 0, snapshots: 0 };
  const old = sql`
    json_to_recordset(${JSON.stringify(found)})
      as old (tenant_id uuid, connection_id uuid, product text, revision bigint, until_revision bigint)`;
  // The lock of publications and removals; tenants in one order, so that they cannot deadlock.
  await sql`
    select from tenant_revisions where tenant_id in (select tenant_id from ${old}) order by tenant_id for update
  `.execute(db);
  await sql`
    update tenant_revisions r set pruned_revision = greatest(r.pruned_revision, pruned.until_revision)
    from (select tenant_id, max(until_revision) as until_revision from ${old} group by tenant_id) pruned
    where r.tenant_id = pruned.tenant_id
  `.execute(db);

  const deleteRows = (table: string, product: string) => {
    const rows = sql.raw(table);
    return affected(
      db,
      sql`
        delete from ${rows} r using (
          select c.tenant_id, c.connection_id, c.revision, c.ordinal
          from ${old} join ${rows} c using (tenant_id, connection_id, revision)
          where old.product = ${product}
          limit ${limit}
        ) batch
        where r.tenant_id = batch.tenant_id and r.connection_id = batch.connection_id
          and r.revision = batch.revision and r.ordinal = batch.ordinal`,
    );
  };
  const portfolios = await deleteRows("portfolios", "portfolio");
  const holdings = await deleteRows("holdings", "investment");
  const snapshots = await affected(
    db,
    sql`
      delete from snapshots s using ${old}
      where s.tenant_id = old.tenant_id and s.connection_id = old.connection_id
        and s.product = old.product and s.revision = old.revision
        and not (s.product = 'portfolio' and exists (
          select from portfolios r
          where r.tenant_id = s.tenant_id and r.connection_id = s.connection_id and r.revision = s.revision
        ))
        and not (s.product = 'investment' and exists (
          select from holdings r
          where r.tenant_id = s.tenant_id and r.connection_id = s.connection_id and r.revision = s.revision
        ))`,
  );
  return { portfolios, holdings, snapshots };
}

interface OldSnapshot {
  readonly tenant_id: string;
  readonly connection_id: string;
  readonly product: string;
  readonly revision: string;
  readonly until_revision: string;
}

/** At most `limit` rows over all tenants of a query that selects from `c` for tenant `t`. */
function ofEveryTenant<Row>(query: RawBuilder<Row>, limit: number): RawBuilder<Row> {
  return sql<Row>`
    select t.tenant_id, found.* from tenants t cross join lateral (${query} limit ${limit}) found limit ${limit}`;
}

async function affected(db: Db, query: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows, rows } = await query.execute(db);
  return Number(numAffectedRows ?? rows.length);
}
