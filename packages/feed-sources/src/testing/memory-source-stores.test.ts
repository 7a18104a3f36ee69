import { describeSourceStores } from "./describe-source-stores.js";
import { createMemorySourceStores } from "./memory-source-stores.js";

describeSourceStores("memory", () => ({ stores: createMemorySourceStores() }));
