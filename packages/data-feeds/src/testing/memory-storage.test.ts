import { createMemoryStorage } from "@org/core/testing";
import { describeDataFeeds } from "./describe-data-feeds.js";

describeDataFeeds("in memory", () => ({ storage: createMemoryStorage() }));
