import { randomUUID } from "node:crypto";
import { describeWebhookStores } from "./describe-webhook-stores.js";
import { createMemoryEventStore } from "./memory-event-store.js";
import { createMemoryWebhookStores } from "./memory-webhook-stores.js";

describeWebhookStores("in memory", () => {
  const log = createMemoryEventStore(() => new Date("2026-03-01T12:00:00Z"));
  const { endpoints, queue, entriesOf } = createMemoryWebhookStores(log);
  return {
    endpoints,
    queue,
    newTenant: async () => randomUUID(),
    append: log.append,
    number: async () => void (await log.number({ logs: 100, limit: 1_000 })),
    forgetEvents: async () => void (await log.reap(new Date("2099-01-01"), 100_000)),
    auditOf: async (tenantId) => entriesOf(tenantId),
  };
});
