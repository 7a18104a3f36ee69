import { describeStorage } from "./describe-storage.js";
import { createMemoryStorage } from "./memory-storage.js";

describeStorage("in memory", () => {
  const storage = createMemoryStorage();
  return { storage, eventsOf: storage.eventsOf };
});
