import { describeEventStore } from "./describe-event-store.js";
import { createMemoryEventStore } from "./memory-event-store.js";

describeEventStore("in memory", () => {
  const store = createMemoryEventStore(() => new Date("2026-03-01T12:00:00Z"));
  return { store, append: store.append };
});
