import type { SavedView, SavedViewStore } from "@org/people";
import { sql } from "kysely";
import type { Within } from "./people-directory.js";

/** {@link SavedViewStore}. */
export function savedViewStore(within: Within): SavedViewStore {
  return {
    list: (tenantId, personId, screen) =>
      within(tenantId, async (db) => {
        const rows = await db
          .selectFrom("people_views")
          .select(["screen", "name", "view"])
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", personId)
          .where("screen", "=", screen)
          .orderBy("name")
          .execute();
        return rows.map(({ view, ...named }): SavedView => ({ ...named, ...view }));
      }),

    save: (tenantId, personId, { screen, name, search, columns }, most) =>
      within(tenantId, async (db) => {
        // Sequential for each person.
        const { rows: people } = await sql`
          select 1 from people where tenant_id = ${tenantId} and person_id = ${personId} and ended_at is null
          for update`.execute(db);
        if (people.length === 0) return null;
        const { rows } = await sql<{ others: number }>`
          select count(*)::integer as others from people_views
          where tenant_id = ${tenantId} and person_id = ${personId} and (screen, name) <> (${screen}, ${name})`.execute(
          db,
        );
        if ((rows[0]?.others ?? 0) >= most) return "full";
        const view = JSON.stringify({ search, columns });
        await sql`
          insert into people_views (tenant_id, person_id, screen, name, view)
          values (${tenantId}, ${personId}, ${screen}, ${name}, ${view}::jsonb)
          on conflict (tenant_id, person_id, screen, name) do update set view = excluded.view`.execute(db);
        return "saved";
      }),

    remove: (tenantId, personId, { screen, name }) =>
      within(tenantId, async (db) => {
        const { numDeletedRows } = await db
          .deleteFrom("people_views")
          .where("tenant_id", "=", tenantId)
          .where("person_id", "=", personId)
          .where("screen", "=", screen)
          .where("name", "=", name)
          .executeTakeFirst();
        return numDeletedRows === 1n;
      }),
  };
}
