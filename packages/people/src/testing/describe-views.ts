import { expect, it } from "vitest";
import { INSTALLATION } from "../installation.js";
import type { SavedView } from "../ports/people-store.js";
import { entryOf, later, ROOM, type Stage } from "./people-stage.js";

const viewOf = (name: string, screen = "/letters"): SavedView => ({
  screen,
  name,
  search: { status: "Signed", search: 'Z\u00fcrich \u{1f3e6} "*"' },
  columns: { "letters name,created": ["created"], "letters name": [] },
});

/** Cases for {@link SavedViewStore}. */
export function describeViews(stage: Stage): void {
  const views = () => stage.made().stores.views;

  it.each([
    ["a tenant", () => stage.tenant(), "member"],
    ["the installation", () => INSTALLATION, "operator:read"],
  ] as const)(
    "[C-14.958] keeps views of somebody of %s by list and name, for nobody else",
    async (_, tenantOf, role) => {
      const tenant_id = tenantOf();
      const [{ person }, { person: other }] = [
        await stage.joined({ tenant_id, role }),
        await stage.joined({ tenant_id, role }),
      ];
      const { person_id } = person;
      const list = (screen = "/letters", whose = person_id) => views().list(tenant_id, whose, screen);
      const save = (view: SavedView) => views().save(tenant_id, person_id, view, ROOM);
      const [signed, first, feeds] = [viewOf("Signed"), viewOf("A first"), viewOf("Signed", "/feeds")];
      for (const view of [signed, first, feeds]) expect(await save(view)).toBe("saved");
      expect([await list(), await list("/feeds")]).toEqual([[first, signed], [feeds]]);
      const changed = { ...signed, search: { order: "oldest" }, columns: {} };
      expect(await save(changed)).toBe("saved");
      expect(await list()).toEqual([first, changed]);
      expect(await list("/letters", other.person_id)).toEqual([]);
      expect(await views().remove(tenant_id, other.person_id, signed)).toBe(false);
      const elsewhere = await stage.made().newTenant();
      expect(await views().list(elsewhere, person_id, "/letters")).toEqual([]);
      expect(await views().save(elsewhere, person_id, signed, ROOM)).toBeNull();
      expect(await views().remove(elsewhere, person_id, signed)).toBe(false);
      expect([await views().remove(tenant_id, person_id, signed), await list()]).toEqual([true, [first]]);
      expect(await views().remove(tenant_id, person_id, signed)).toBe(false);
      expect(await list("/feeds")).toEqual([feeds]);
      for (const gone of [person_id, other.person_id])
        await stage.directory().end(tenant_id, gone, later(5), null, entryOf("person.end", gone));
    },
  );

  it("[C-14.959] keeps no more views of a person than they may have, however many come at once, and replaces at the limit", async () => {
    const { person } = await stage.joined();
    const save = (name: string) => views().save(stage.tenant(), person.person_id, viewOf(name), 3);
    const answers = await Promise.all(["a", "b", "c", "d", "e"].map(save));
    expect(answers.sort()).toEqual(["full", "full", "saved", "saved", "saved"]);
    const [kept] = await views().list(stage.tenant(), person.person_id, "/letters");
    expect([await save(kept?.name ?? ""), await save("f")]).toEqual(["saved", "full"]);
  });

  it("[C-14.959] deletes views with their person, and takes none of a person who was removed", async () => {
    const { person } = await stage.joined();
    const { person_id } = person;
    await views().save(stage.tenant(), person_id, viewOf("Signed"), ROOM);
    await stage.directory().end(stage.tenant(), person_id, later(5), null, entryOf("person.end", person_id));
    expect(await views().list(stage.tenant(), person_id, "/letters")).toEqual([]);
    expect(await views().save(stage.tenant(), person_id, viewOf("Signed"), ROOM)).toBeNull();
  });
}
