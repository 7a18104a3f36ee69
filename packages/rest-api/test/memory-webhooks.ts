import { CoreError } from "@org/core";
import { sampleIds } from "../src/testing/index.js";
import type { EndpointView, WebhookAdmin, Webhooks } from "../src/webhooks.js";

/** The only endpoint. */
const endpointId = sampleIds.endpoint;
const EVENT = "019b0000-0000-7000-8000-00000000000e";

const standing = {
  id: endpointId,
  types: ["*"],
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  delivered_at: null,
  last_failure: null,
  previous_secret_until: null,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};
const endpoint: EndpointView = {
  ...standing,
  url: "https://crm.example/hooks",
  labels: {},
  description: null,
  enabled: true,
  version: 1,
};
const delivery = {
  id: EVENT,
  event_id: EVENT,
  sequence: 1,
  type: "letter.moved",
  created_at: "2026-01-01T00:00:00.000Z",
  state: "pending" as const,
  attempt: 1,
  at: "2026-01-01T00:00:00.000Z",
  status: 500,
  ms: 12,
  error: "status",
  next_at: "2026-01-01T00:00:05.000Z",
};

function require(id: string): void {
  if (id !== endpointId) throw new CoreError("NOT_FOUND", "there is no endpoint with this id");
}

/** The same endpoint, for operators. */
export function memoryWebhookAdmin(tenant_id: string): WebhookAdmin {
  const shown = { ...standing, tenant_id, host: "crm.example", state: "enabled" as const };
  return {
    list: async () => ({ items: [shown], next_page_token: null }),
    async setEnabled(_operator, id, enabled) {
      require(id);
      return enabled ? shown : { ...shown, state: "disabled", disabled_reason: "request" };
    },
    async deliveries(_operator, { query }) {
      require(query.endpoint_id);
      return { items: [delivery], next_page_token: null };
    },
  };
}

/** Endpoints that give valid answers and store nothing: real endpoints are tested in `@org/events`. */
export function memoryWebhooks(): Webhooks {
  return {
    create: async (_who, { url, types = ["*"], labels = {}, description = null, enabled = true }) => ({
      endpoint: { ...endpoint, url, types: [...types], labels: { ...labels }, description, enabled },
      secret: "whsec_AAAA",
    }),
    list: async () => [endpoint],
    async update(_who, id) {
      require(id);
      return endpoint;
    },
    async remove(_who, id) {
      require(id);
    },
    async test(_who, id) {
      require(id);
      return { event_id: EVENT };
    },
    async rotateSecret(_who, id) {
      require(id);
      return { secret: "whsec_BBBB", previous_until: "2026-01-02T00:00:00.000Z" };
    },
    async deliveries(_who, { query }) {
      require(query.endpoint_id);
      return { items: [{ ...delivery, answer: "" }], next_page_token: null };
    },
    async replay(_who, { endpoint_id }) {
      require(endpoint_id);
      return { queued: 0, next_after: null };
    },
  };
}
