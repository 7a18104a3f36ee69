import type { Uuid } from "@org/core";
import { samples } from "@org/core/testing";
import { describePeopleStores } from "@org/people/testing";
import { createPostgresStorage } from "../postgres-storage.js";
import { testBackends } from "../testing/index.js";
import { createTransactions } from "../transactions.js";
import { createPeopleStores } from "./people-stores.js";

for (const { name, create } of testBackends)
  describePeopleStores(name, async () => {
    const { pool, close } = await create();
    const transactions = createTransactions(pool);
    const storage = createPostgresStorage(transactions);
    return {
      stores: createPeopleStores(transactions),
      newTenant: async () => (await samples.newTenant(storage)).tenant_id as Uuid,
      async actionsOf(objectId: string) {
        const { rows } = await pool.query<{ action: string }>(
          "select action from audit_log where object_id = $1 order by line_number",
          [objectId],
        );
        return rows.map(({ action }) => action);
      },
      close,
    };
  });
