import type { DeliveryRecord, EndpointRecord } from "./ports/endpoint-store.js";

/** An endpoint as its tenant sees it; times are RFC 3339. Its secrets are shown once, where they are made. */
export function endpointView({ endpoint_id, is_enabled, ...endpoint }: EndpointRecord) {
  const { url, types, labels, description, disabled_reason, created_at, changed_at } = endpoint;
  return {
    ...{ id: endpoint_id, url, types: [...types], labels, description, enabled: is_enabled, disabled_reason },
    disabled_at: timeOf(endpoint.disabled_at),
    failing_since: timeOf(endpoint.failing_since),
    delivered_at: timeOf(endpoint.delivered_at),
    previous_secret_until: timeOf(endpoint.previous_until),
    created_at: created_at.toISOString(),
    updated_at: changed_at.toISOString(),
  };
}

/** A delivery as its tenant sees it. */
export function deliveryView({ delivery_id, attempts, attempted_at, due_at, ...delivery }: DeliveryRecord) {
  const { event_id, sequence, type, state, status, ms, error, answer } = delivery;
  return {
    ...{ id: delivery_id, event_id, sequence, type, state, attempt: attempts, at: timeOf(attempted_at) },
    ...{ status, ms, error, answer, next_at: timeOf(due_at) },
  };
}

function timeOf(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
