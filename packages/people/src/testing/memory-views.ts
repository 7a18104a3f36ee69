import type { Uuid } from "@org/core";
import type { SavedView, SavedViewStore } from "../ports/people-store.js";

/** Views in memory. */
export function createMemoryViews(isThere: (tenantId: Uuid, personId: Uuid) => boolean) {
  const views = new Map<Uuid, readonly SavedView[]>();
  const of = (tenantId: Uuid, personId: Uuid) => (isThere(tenantId, personId) ? (views.get(personId) ?? []) : []);
  const besides = (all: readonly SavedView[], { screen, name }: Pick<SavedView, "screen" | "name">) =>
    all.filter((view) => view.screen !== screen || view.name !== name);
  const store: SavedViewStore = {
    list: async (tenantId, personId, screen) =>
      of(tenantId, personId)
        .filter((view) => view.screen === screen)
        .sort((one, other) => (one.name < other.name ? -1 : 1)),
    async save(tenantId, personId, view, most) {
      if (!isThere(tenantId, personId)) return null;
      const others = besides(of(tenantId, personId), view);
      if (others.length >= most) return "full";
      views.set(personId, [...others, view]);
      return "saved";
    },
    async remove(tenantId, personId, view) {
      const all = of(tenantId, personId);
      const others = besides(all, view);
      if (others.length === all.length) return false;
      views.set(personId, others);
      return true;
    },
  };
  return { store, forget: (personId: Uuid) => void views.delete(personId) };
}
