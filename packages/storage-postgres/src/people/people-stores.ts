import type { Uuid } from "@org/core";
import {
  INSTALLATION,
  type Passkey,
  type PasskeyStore,
  type PeopleCount,
  type PeopleStores,
  type PersonSessionStore,
} from "@org/people";
import { type Selectable, sql } from "kysely";
import type { Transactions } from "../transactions.js";
import { passkeyRow, peopleDirectory, personOf, type Within, withinTenant } from "./people-directory.js";
import type { PeopleTables } from "./people-tables.js";
import { savedViewStore } from "./saved-views.js";

/**
 * {@link PeopleStores}.
 * @param ending for what changes people, whose grants may end with that
 */
export function createPeopleStores(
  transactions: Pick<Transactions, "asTenant" | "asUpkeep">,
  ending: Pick<Transactions, "asTenant" | "asUpkeep"> = transactions,
): PeopleStores {
  const within = withinTenant(transactions);
  return {
    directory: peopleDirectory(withinTenant(ending)),
    passkeys: passkeyStore(within, (hash, network) =>
      transactions.asUpkeep(
        async (db) => {
          const { rows } = await sql<{ tenant_id: Uuid | null }>`
          select tenant_of_recovery_code(${hash}) as tenant_id`.execute(db);
          return rows[0]?.tenant_id ?? null;
        },
        "lookups",
        network,
      ),
    ),
    sessions: sessionStore(within),
    views: savedViewStore(within),
    count: (at, seenAfter) =>
      transactions.asUpkeep(async (db) => {
        const { rows } = await sql<Record<keyof PeopleCount, string>>`
          select * from count_people(${at}, ${seenAfter})`.execute(db);
        return rows.map(({ role, state, people, with_one_passkey, sessions }) => ({
          role: role as PeopleCount["role"],
          state: state as PeopleCount["state"],
          people: Number(people),
          with_one_passkey: Number(with_one_passkey),
          sessions: Number(sessions),
        }));
      }),
    ceremonies: {
      spend: (ceremony_id, expires_at, network) =>
        within(
          INSTALLATION,
          async (db) => {
            const { numInsertedOrUpdatedRows } = await db
              .insertInto("people_ceremonies")
              .values({ ceremony_id, expires_at })
              .onConflict((conflict) => conflict.doNothing())
              .executeTakeFirst();
            return numInsertedOrUpdatedRows === 1n;
          },
          network,
        ),
      reap: (at, seenBefore, limit) =>
        transactions.asUpkeep(async (db) => {
          const { rows } = await sql<{ gone: string }>`
            select reap_people_sessions(${at}, ${seenBefore}, ${limit}) as gone`.execute(db);
          return Number(rows[0]?.gone ?? 0);
        }),
    },
  };
}

function passkeyStore(
  within: Within,
  tenantOfCode: (hash: string, network: string) => Promise<Uuid | null>,
): PasskeyStore {
  return {
    list: (tenantId, personId) =>
      within(tenantId, async (db) => {
        const rows = await db
          .selectFrom("people_passkeys")
          .selectAll()
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", personId)
          .orderBy("created_at")
          .orderBy("credential_id")
          .execute();
        return rows.map(passkeyOf);
      }),

    find: (tenantId, credentialId, network) =>
      within(
        tenantId,
        async (db) => {
          const row = await db
            .selectFrom("people_passkeys")
            .selectAll()
            .where("tenant_id", "=", tenantId)
            .where("credential_id", "=", credentialId)
            .executeTakeFirst();
          return row ? passkeyOf(row) : null;
        },
        network,
      ),

    add: (tenantId, passkey, most, entry) =>
      within(tenantId, async (db, note) => {
        // Sequential for each person.
        const person = await db
          .selectFrom("people")
          .select("person_id")
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", passkey.person_id)
          .forUpdate()
          .executeTakeFirst();
        const { rows } = await sql<{ passkeys: number }>`
          select count(*)::integer as passkeys from people_passkeys
          where tenant_id = ${tenantId} and person_id = ${passkey.person_id}`.execute(db);
        if (!person || (rows[0]?.passkeys ?? 0) >= most) return "full";
        const { numInsertedOrUpdatedRows } = await db
          .insertInto("people_passkeys")
          .values(passkeyRow(tenantId, passkey))
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows !== 1n) return "known";
        await note(entry);
        return "added";
      }),

    use: (tenantId, credentialId, { counter, is_backed_up, at }) =>
      within(tenantId, async (db) => {
        const { numUpdatedRows } = await db
          .updateTable("people_passkeys")
          .set({ counter: String(counter), is_backed_up, used_at: at })
          .where("tenant_id", "=", tenantId)
          .where("credential_id", "=", credentialId)
          .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`)
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }),

    remove: (tenantId, personId, credentialId, entry) =>
      within(tenantId, async (db, note) => {
        const person = await db
          .selectFrom("people")
          .select("issuer")
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", personId)
          .forUpdate()
          .executeTakeFirst();
        const keys = await db
          .selectFrom("people_passkeys")
          .select("credential_id")
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", personId)
          .execute();
        if (!keys.some(({ credential_id }) => credential_id === credentialId)) return null;
        if (keys.length === 1 && person?.issuer === null) return "last";
        await db
          .deleteFrom("people_passkeys")
          .where("tenant_id", "=", tenantId)
          .where("credential_id", "=", credentialId)
          .execute();
        await note(entry);
        return "removed";
      }),

    storeRecoveryCodes: (tenantId, personId, hashes, entry) =>
      within(tenantId, async (db, note) => {
        // If two sets are created concurrently, the second replaces the first.
        await sql`select 1 from people where tenant_id = ${tenantId} and person_id = ${personId} for update`.execute(
          db,
        );
        await db
          .deleteFrom("people_recovery_codes")
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", personId)
          .execute();
        await db
          .insertInto("people_recovery_codes")
          .values(hashes.map((code_hash) => ({ tenant_id: tenantId, person_id: personId, code_hash })))
          .execute();
        await note(entry);
      }),

    countRecoveryCodes: (tenantId, personId) =>
      within(tenantId, async (db) => {
        const { rows } = await sql<{ codes: number }>`
          select count(*)::integer as codes from people_recovery_codes
          where tenant_id = ${tenantId} and person_id = ${personId}`.execute(db);
        return rows[0]?.codes ?? 0;
      }),

    async spendRecoveryCode(email, hash, network) {
      const tenantId = await tenantOfCode(hash, network);
      if (tenantId === null) return null;
      return within(tenantId, async (db) => {
        const spent = await db
          .deleteFrom("people_recovery_codes")
          .where("tenant_id", "=", tenantId)
          .where("code_hash", "=", hash)
          .returning("person_id")
          .executeTakeFirst();
        if (!spent) return null;
        const person = await db
          .selectFrom("people")
          .selectAll()
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", spent.person_id)
          .where("email", "=", email)
          .where("ended_at", "is", null)
          .executeTakeFirst();
        return personOf(person);
      });
    },
  };
}

function sessionStore(within: Within): PersonSessionStore {
  return {
    begin: (session, entry, idTokenHint = null) =>
      within(session.tenant_id, async (db, note) => {
        const { numUpdatedRows } = await db
          .updateTable("people")
          .set({ seen_at: session.seen_at, joined_at: sql`coalesce(joined_at, ${session.created_at})` })
          .where("tenant_id", "=", session.tenant_id)
          .where("person_id", "=", session.person_id)
          .where("ended_at", "is", null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await db
          .insertInto("people_sessions")
          .values({ ...session, id_token_hint: idTokenHint })
          .execute();
        await note(entry);
        return true;
      }),

    find: (tenantId, sessionHash, at, seenAfter) =>
      within(tenantId, async (db) => {
        const session = await db
          .selectFrom("people_sessions")
          .select(sessionColumns)
          .where("tenant_id", "=", tenantId)
          .where("session_hash", "=", sessionHash)
          .where("expires_at", ">", at)
          .where("seen_at", ">", seenAfter)
          .executeTakeFirst();
        if (!session) return null;
        const row = await db
          .selectFrom("people")
          .selectAll()
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", session.person_id)
          .where("ended_at", "is", null)
          .executeTakeFirst();
        const person = personOf(row);
        return person && { session, person };
      }),

    see: (tenantId, sessionId, at) =>
      within(tenantId, async (db) => {
        await sql`
          with seen as (
            update people_sessions set seen_at = greatest(seen_at, ${at})
            where tenant_id = ${tenantId} and session_id = ${sessionId}
            returning person_id
          )
          update people p set seen_at = greatest(p.seen_at, ${at}) from seen
          where p.tenant_id = ${tenantId} and p.person_id = seen.person_id`.execute(db);
      }),

    confirm: (tenantId, sessionId, at, provider) =>
      within(tenantId, async (db) => {
        const its = provider && {
          ...(provider.sid !== null && { provider_sid: provider.sid }),
          ...(provider.id_token_hint !== null && { id_token_hint: provider.id_token_hint }),
        };
        const { numUpdatedRows } = await db
          .updateTable("people_sessions")
          .set({ confirmed_at: at, ...its })
          .where("tenant_id", "=", tenantId)
          .where("session_id", "=", sessionId)
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }),

    list: (tenantId, personId, at, seenAfter) =>
      within(tenantId, async (db) =>
        db
          .selectFrom("people_sessions")
          .select(sessionColumns)
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", personId)
          .where("expires_at", ">", at)
          .where("seen_at", ">", seenAfter)
          .orderBy("created_at", "desc")
          .orderBy("session_id", "desc")
          .execute(),
      ),

    end: (tenantId, personId, sessionId, entry) =>
      within(tenantId, async (db, note) => {
        const ended = await db
          .deleteFrom("people_sessions")
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", personId)
          .where("session_id", "=", sessionId)
          .returning("id_token_hint")
          .executeTakeFirst();
        if (!ended) return null;
        await note(entry);
        return ended;
      }),

    endOfProvider: (tenantId, { issuer, subject, sid }, entry) =>
      within(tenantId, async (db, note) => {
        if (subject === null && sid === null) return 0;
        let of = db
          .selectFrom("people")
          .select("person_id")
          .where("tenant_id", "=", tenantId)
          .where("issuer", "=", issuer);
        if (subject !== null) of = of.where("subject", "=", subject);
        let sessions = db.deleteFrom("people_sessions").where("tenant_id", "=", tenantId).where("person_id", "in", of);
        if (sid !== null) sessions = sessions.where("provider_sid", "=", sid);
        const { numDeletedRows } = await sessions.executeTakeFirst();
        if (numDeletedRows > 0n) await note(entry);
        return Number(numDeletedRows);
      }),
  };
}

/** All columns except the hint for the provider, which only sign-out needs. */
const sessionColumns = [
  ...(["session_id", "session_hash", "tenant_id", "person_id", "method", "created_at", "seen_at"] as const),
  ...(["confirmed_at", "expires_at", "provider_sid", "device"] as const),
] as const;

function passkeyOf({
  tenant_id: _,
  counter,
  public_key,
  ...passkey
}: Selectable<PeopleTables["people_passkeys"]> & { tenant_id: Uuid }): Passkey {
  return { ...passkey, public_key: new Uint8Array(public_key), counter: Number(counter) };
}
