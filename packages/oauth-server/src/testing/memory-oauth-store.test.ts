import { randomUUID } from "node:crypto";
import { describeOAuthStore } from "./describe-oauth-store.js";
import { createMemoryOAuthStore } from "./memory-oauth-store.js";

describeOAuthStore("memory", () => ({ store: createMemoryOAuthStore(), createTenant: async () => randomUUID() }));
