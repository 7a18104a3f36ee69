import type { Runtime } from "../ports/runtime.js";
import type { Storage } from "../ports/storage.js";
import type { Uuid } from "../schemas/identifier.js";
import { connectionConditionOf } from "./connection-changes.js";

const BATCH = 100;

/** Says in events that customers' consents run out, seven days before and one day before, once each. */
export interface ConsentNotices {
  /** Tells what is to be told now; whichever replica does. Returns how many. */
  tellEnding(): Promise<number>;
}

export function createConsentNotices({
  storage,
  runtime: { clock },
}: {
  storage: Storage;
  runtime: Pick<Runtime, "clock">;
}): ConsentNotices {
  return {
    async tellEnding() {
      let told = 0;
      for (let found = BATCH; found === BATCH; ) {
        const ending = await storage.refreshQueue.endingConsents(clock(), BATCH);
        const before = told;
        for (const one of ending) if (await tell(one)) told += 1;
        // What another replica tells at the same moment is found no more; none at all means to leave it to that one.
        found = told === before ? 0 : ending.length;
      }
      return told;
    },
  };

  function tell({ tenant_id, connection_id }: { tenant_id: string; connection_id: Uuid }): Promise<boolean> {
    return storage.inTenant(tenant_id, async ({ connections, refreshes, events }) => {
      const due = await refreshes.noteConsentEnd(connection_id, clock());
      const connection = due && (await connections.find(connection_id));
      if (!connection) return false;
      const { connector_id, labels } = connection;
      const status = connectionConditionOf(connection.status);
      const data = { connection_id, connector_id, status, consent_expires_at: due.end.toISOString(), days: due.days };
      await events.append([{ type: "connection.consent_expiring", object_id: connection_id, labels, data }]);
      return true;
    });
  }
}
