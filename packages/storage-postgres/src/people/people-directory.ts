import type { AuditEntry, Uuid } from "@org/core";
import { INSTALLATION, type Passkey, type PeopleDirectory, type Person, type Role } from "@org/people";
import { type Selectable, sql } from "kysely";
import { note } from "../feed-sources/audit-note.js";
import { auditLog } from "../queries/audit.js";
import { type Db, INSTALLATION_KEY, type Transactions } from "../transactions.js";
import type { PeopleTables } from "./people-tables.js";

/**
 * Runs a transaction on the people of one tenant, or of the installation; `note` adds a line to their audit trail. `network` as in
 * `Transactions.asTenant`.
 */
export type Within = <T>(
  tenantId: Uuid,
  work: (db: Db, note: (entry: AuditEntry) => Promise<unknown>) => Promise<T>,
  network?: string,
) => Promise<T>;

/** The upkeep role sees only the installation's people. */
export function withinTenant({ asTenant, asUpkeep }: Pick<Transactions, "asTenant" | "asUpkeep">): Within {
  return (tenantId, work, network) =>
    tenantId === INSTALLATION
      ? asUpkeep((db) => work(db, (entry) => note(db, entry)), "lookups", network ?? INSTALLATION_KEY)
      : asTenant(tenantId, (db) => work(db, (entry) => auditLog(db, tenantId).append(entry)), network);
}

/** {@link PeopleDirectory}. */
export function peopleDirectory(within: Within): PeopleDirectory {
  return {
    add: ({ tenant_id, identity, ...person }, invitation, most, entry) =>
      within(tenant_id, async (db, note) => {
        await oneAtATime(db, tenant_id);
        const { rows } = await sql<{ people: number; taken: boolean }>`
          select count(*)::integer as people,
            coalesce(bool_or(email = ${person.email} or (issuer = ${identity?.issuer ?? null} and subject = ${identity?.subject ?? null})), false) as taken
          from people where tenant_id = ${tenant_id} and ended_at is null`.execute(db);
        if (rows[0]?.taken) return "taken";
        if ((rows[0]?.people ?? 0) >= most) return "full";
        await db
          .insertInto("people")
          .values({
            tenant_id,
            ...person,
            issuer: identity?.issuer ?? null,
            subject: identity?.subject ?? null,
            invitation_hash: invitation?.invitation_hash ?? null,
            invitation_expires_at: invitation?.expires_at ?? null,
          })
          .execute();
        await note(entry);
        return "added";
      }),

    invite: (tenantId, personId, { invitation_hash, expires_at }, entry) =>
      within(tenantId, async (db, note) => {
        const { numUpdatedRows } = await db
          .updateTable("people")
          .set({ invitation_hash, invitation_expires_at: expires_at })
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", personId)
          .where("ended_at", "is", null)
          .where("issuer", "is", null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await note(entry);
        return true;
      }),

    findInvited: (tenantId, invitationHash, at) =>
      within(tenantId, async (db) =>
        personOf(await invited(db, tenantId, invitationHash, at).selectAll().executeTakeFirst()),
      ),

    join: (tenantId, { invitation_hash, at, name, email, passkey, recovery_hashes }, entry) =>
      within(tenantId, async (db, note) => {
        if (email !== null) await oneAtATime(db, tenantId);
        const found = await invited(db, tenantId, invitation_hash, at).selectAll().forUpdate().executeTakeFirst();
        if (!found) return null;
        const { person_id } = found;
        if (email !== null && (await isTaken(db, found, email))) return "taken";
        // Everything from before the new invitation becomes invalid: keys, codes, sessions, and what was approved with them.
        await forgetAccess(db, tenantId, person_id);
        await db
          .insertInto("people_passkeys")
          .values(passkeyRow(tenantId, { ...passkey, person_id }))
          .execute();
        await db
          .insertInto("people_recovery_codes")
          .values(recovery_hashes.map((code_hash) => ({ tenant_id: tenantId, person_id, code_hash })))
          .execute();
        const joined = await db
          .updateTable("people")
          .set({
            name,
            email: email ?? found.email,
            invitation_hash: null,
            invitation_expires_at: null,
            seen_at: at,
            joined_at: found.joined_at ?? at,
            let_go_at: found.joined_at ? at : found.let_go_at,
          })
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", person_id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await note(entry);
        return personOf(joined);
      }),

    find: (tenantId, personId) =>
      within(tenantId, async (db) => personOf(await selectPerson(db, tenantId, personId).executeTakeFirst())),

    findByIdentity: (tenantId, { issuer, subject }) =>
      within(tenantId, async (db) =>
        personOf(
          await db
            .selectFrom("people")
            .selectAll()
            .where("tenant_id", "=", tenantId)
            .where("issuer", "=", issuer)
            .where("subject", "=", subject)
            .where("ended_at", "is", null)
            .executeTakeFirst(),
        ),
      ),

    wasRemoved: (tenantId, { issuer, subject }) =>
      within(tenantId, async (db) => {
        const removed = await db
          .selectFrom("people")
          .select("person_id")
          .where("tenant_id", "=", tenantId)
          .where("issuer", "=", issuer)
          .where("subject", "=", subject)
          .where("ended_at", "is not", null)
          .limit(1)
          .executeTakeFirst();
        return removed !== undefined;
      }),

    list: ({ tenant_id, after, limit, ended }) =>
      within(tenant_id, async (db) => {
        let people = db.selectFrom("people").selectAll().where("tenant_id", "=", tenant_id);
        if (!ended) people = people.where("ended_at", "is", null);
        if (after) people = people.where("person_id", ">", after);
        const rows = await people.orderBy("person_id").limit(limit).execute();
        return rows.map((row) => personOf(row) as Person);
      }),

    change: (tenantId, personId, change, keep, entry) =>
      within(tenantId, async (db, note) => {
        await oneAtATime(db, tenantId);
        const before = await selectPerson(db, tenantId, personId).where("ended_at", "is", null).executeTakeFirst();
        if (!before) return null;
        const isAnother = change.role !== undefined && change.role !== before.role;
        if (isAnother && (await isLast(db, before, keep))) return "last_administrator";
        const changed = await db
          .updateTable("people")
          .set({ name: change.name ?? before.name, role: change.role ?? before.role })
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", personId)
          .returningAll()
          .executeTakeFirstOrThrow();
        await note(entry);
        return personOf(changed);
      }),

    end: (tenantId, personId, at, keep, entry) =>
      within(tenantId, async (db, note) => {
        await oneAtATime(db, tenantId);
        const before = await selectPerson(db, tenantId, personId).where("ended_at", "is", null).executeTakeFirst();
        if (!before) return null;
        if (await isLast(db, before, keep)) return "last_administrator";
        await db
          .updateTable("people")
          .set({ ended_at: at, invitation_hash: null, invitation_expires_at: null })
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", personId)
          .execute();
        await forgetAccess(db, tenantId, personId);
        await db
          .deleteFrom("people_views")
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", personId)
          .execute();
        await note(entry);
        return "ended";
      }),

    endAccess: (tenantId, { issuer, subject }, entry) =>
      within(tenantId, async (db, note) => {
        await oneAtATime(db, tenantId);
        const person = await db
          .selectFrom("people")
          .selectAll()
          .where("tenant_id", "=", tenantId)
          .where("issuer", "=", issuer)
          .where("subject", "=", subject)
          .where("ended_at", "is", null)
          .executeTakeFirst();
        // A person who has not been here since has nothing to lose.
        if (!person?.seen_at || (person.let_go_at && person.let_go_at > person.seen_at)) return false;
        const { person_id } = person;
        await db
          .updateTable("people")
          .set({ let_go_at: entry.at })
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", person_id)
          .execute();
        await db
          .deleteFrom("people_sessions")
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", person_id)
          .execute();
        await note(entry);
        return true;
      }),
  };
}

/** Whether another person has an address. */
async function isTaken(db: Db, { tenant_id, person_id }: Selectable<PeopleTables["people"]>, email: string) {
  const other = await db
    .selectFrom("people")
    .select("person_id")
    .where("tenant_id", "=", tenant_id)
    .where("person_id", "<>", person_id)
    .where("email", "=", email)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return other !== undefined;
}

/** Serialises changes of who belongs to a tenant, so that two cannot take the last place, or remove the last two operators. */
async function oneAtATime(db: Db, tenantId: Uuid): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('people'), hashtext(${tenantId}))`.execute(db);
}

/** Whether a person is the last who has joined with the role `keep`. An invited person who has not joined cannot administer anything. */
async function isLast(
  db: Db,
  { tenant_id, person_id, role, joined_at }: Selectable<PeopleTables["people"]>,
  keep: Role | null,
): Promise<boolean> {
  if (role !== keep || joined_at === null) return false;
  const other = await db
    .selectFrom("people")
    .select("person_id")
    .where("tenant_id", "=", tenant_id)
    .where("person_id", "<>", person_id)
    .where("role", "=", keep)
    .where("joined_at", "is not", null)
    .where("ended_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

function selectPerson(db: Db, tenantId: Uuid, personId: Uuid) {
  return db.selectFrom("people").selectAll().where("tenant_id", "=", tenantId).where("person_id", "=", personId);
}

function invited(db: Db, tenantId: Uuid, invitationHash: string, at: Date) {
  return db
    .selectFrom("people")
    .where("tenant_id", "=", tenantId)
    .where("invitation_hash", "=", invitationHash)
    .where("invitation_expires_at", ">", at)
    .where("ended_at", "is", null);
}

/** Deletes everything that a person can sign in with. */
async function forgetAccess(db: Db, tenantId: Uuid, personId: Uuid): Promise<void> {
  for (const table of ["people_passkeys", "people_recovery_codes", "people_sessions"] as const)
    await db.deleteFrom(table).where("tenant_id", "=", tenantId).where("person_id", "=", personId).execute();
}

/** A passkey as a row of its table. */
export function passkeyRow(tenant_id: Uuid, passkey: Passkey) {
  return { tenant_id, ...passkey, counter: String(passkey.counter), transports: [...passkey.transports] };
}

/** Converts a row to the port's type. */
export function personOf(row: Selectable<PeopleTables["people"]> | undefined): Person | null {
  if (!row) return null;
  const { issuer, subject, invitation_hash: _, let_go_at: __, invitation_expires_at: invited_until, ...person } = row;
  return { ...person, invited_until, identity: issuer !== null && subject !== null ? { issuer, subject } : null };
}
