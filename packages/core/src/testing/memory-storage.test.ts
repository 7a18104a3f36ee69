import { describeStorage } from "./describe-storage.js";
import { createMemoryStorage } from "./memory-storage.js";

describeStorage("in memory", () => ({ storage: createMemoryStorage() }));
