import { expect, it } from "vitest";
import { createConnectionAccess } from "./connection-access.js";
import { createConnectionQuota } from "./connection-quota.js";
import { createEmbeddedMonitor } from "./database-monitor.js";

const deadlock = Object.assign(new Error("deadlock detected"), { code: "40P01" });

function leases() {
  const quota = createConnectionQuota({ connections: 10, perTenant: 2, waitingPerTenant: 10, waitMs: 10_000 });
  return createConnectionAccess({ quota, monitor: createEmbeddedMonitor(async () => undefined), waitMs: 0 });
}

/** Work that fails this many times, and how often it was begun. */
function colliding(times: number) {
  let begun = 0;
  const work = async () => {
    begun += 1;
    if (begun <= times) throw deadlock;
    return begun;
  };
  return { work, begun: () => begun };
}

it("[C-8.5] what meets all writers of a tenant at once, as its removal does, collides with more of them than a request may", async () => {
  expect(await leases().withConnection("upkeep", "", colliding(40).work)).toBe(41);

  const request = colliding(40);
  await expect(leases().withConnection("tenants", "tenant", request.work)).rejects.toMatchObject({
    code: "unavailable",
    message: "other transactions were in the way: deadlock detected",
  });
  expect(request.begun()).toBe(10);
});
