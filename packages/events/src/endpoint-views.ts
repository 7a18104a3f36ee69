import { contentVersion } from "@org/core";
import type { DeliveryRecord, EndpointRecord, EndpointState, OwnedEndpoint } from "./ports/endpoint-store.js";

/** An endpoint as its tenant sees it; times are RFC 3339. A secret is returned only when it is created. */
export function endpointView(record: EndpointRecord) {
  const { endpoint_id, is_enabled, ...endpoint } = record;
  const { url, types, labels, description, disabled_reason, created_at, changed_at } = endpoint;
  return {
    id: endpoint_id,
    url,
    types: [...types],
    labels,
    description,
    enabled: is_enabled,
    disabled_reason,
    disabled_at: timeOf(endpoint.disabled_at),
    failing_since: timeOf(endpoint.failing_since),
    delivered_at: timeOf(endpoint.delivered_at),
    last_failure: endpoint.last_failure && { ...endpoint.last_failure, at: endpoint.last_failure.at.toISOString() },
    previous_secret_until: timeOf(endpoint.previous_until),
    created_at: created_at.toISOString(),
    updated_at: changed_at.toISOString(),
    version: endpointVersion(record),
  };
}

/** Covers only what the tenant sets: the results of deliveries and a new secret do not change it. */
export function endpointVersion({
  url,
  types,
  labels,
  description,
  is_enabled,
}: Pick<EndpointRecord, "url" | "types" | "labels" | "description" | "is_enabled">): number {
  return contentVersion(url, types, Object.entries(labels).sort(), description, is_enabled);
}

/** An endpoint as operators see it: with only the host of its URL, because the path may contain a secret. */
export function operatorEndpointView(endpoint: OwnedEndpoint) {
  const { url, labels: _, description: __, enabled: ___, version: ____, ...shown } = endpointView(endpoint);
  return { ...shown, tenant_id: endpoint.tenant_id, host: new URL(url).host, state: endpointState(endpoint) };
}

export function endpointState({ is_enabled, failing_since }: EndpointRecord): EndpointState {
  if (!is_enabled) return "disabled";
  return failing_since === null ? "enabled" : "failing";
}

/** A delivery as its tenant sees it. */
export function deliveryView({ delivery_id, created_at, attempts, attempted_at, due_at, ...delivery }: DeliveryRecord) {
  const { event_id, sequence, type, state, status, ms, error, answer } = delivery;
  return {
    id: delivery_id,
    event_id,
    sequence,
    type,
    created_at: created_at.toISOString(),
    state,
    attempt: attempts,
    at: timeOf(attempted_at),
    status,
    ms,
    error,
    answer,
    next_at: timeOf(due_at),
  };
}

function timeOf(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
