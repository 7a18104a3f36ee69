import { randomUUID } from "node:crypto";
import type { Uuid } from "@org/core";
import { describePeopleStores } from "./describe-people-stores.js";
import { createMemoryPeopleStores } from "./memory-people-stores.js";

describePeopleStores("memory", () => {
  const stores = createMemoryPeopleStores();
  return {
    stores,
    newTenant: async () => randomUUID() as Uuid,
    actionsOf: async (objectId) =>
      stores.entries.filter(({ object_id }) => object_id === objectId).map(({ action }) => action),
  };
});
