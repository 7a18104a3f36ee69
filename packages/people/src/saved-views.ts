import { CoreError } from "@org/core";
import { PeopleError } from "./people-error.js";
import type { Person, SavedView, SavedViewStore } from "./ports/people-store.js";

/** Maximum number of views of one person, over all lists. */
const MAX_VIEWS = 50;

type Whose = Pick<Person, "tenant_id" | "person_id">;

/**
 * Views of lists that people have named, each person for themselves. They change nothing that others see and reveal nothing, so the audit trail has
 * no lines on them.
 */
export function createSavedViews({ store }: { store: SavedViewStore }) {
  return {
    /** The person's views of one list, ordered by name. */
    list: ({ tenant_id, person_id }: Whose, screen: string): Promise<readonly SavedView[]> =>
      store.list(tenant_id, person_id, screen),

    /**
     * Saves a view in place of the one of its list and name.
     * @throws CoreError RATE_LIMITED when there are too many
     */
    async save({ tenant_id, person_id }: Whose, view: SavedView): Promise<void> {
      const saved = await store.save(tenant_id, person_id, view, MAX_VIEWS);
      if (saved === "full")
        throw new CoreError("RATE_LIMITED", `a person has ${MAX_VIEWS} views at most: remove one first`, {
          limit: { name: "views", value: MAX_VIEWS },
        });
      if (saved === null) throw new PeopleError("not_signed_in", "the person was removed");
    },

    /** Removes a view; one that is gone already is fine. */
    async remove({ tenant_id, person_id }: Whose, view: Pick<SavedView, "screen" | "name">): Promise<void> {
      await store.remove(tenant_id, person_id, view);
    },
  };
}

export type SavedViews = ReturnType<typeof createSavedViews>;
