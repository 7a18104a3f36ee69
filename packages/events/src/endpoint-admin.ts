import { type Actor, createPager, parseUuid, type Runtime, type Uuid } from "@org/core";
import { type DeliverySearch, type EndpointOperations, unknownEndpoint } from "./endpoint-operations.js";
import { operatorEndpointView } from "./endpoint-views.js";
import type { EndpointState, EndpointStore } from "./ports/endpoint-store.js";

/** An operator's filter for endpoints. */
export interface EndpointSearch {
  readonly tenant_id?: string | undefined;
  readonly state_in?: readonly EndpointState[] | undefined;
  readonly page_token?: string | undefined;
  readonly page_size: number;
}

/**
 * Endpoints of all tenants for operators: whether they accept deliveries, but not their full URLs, which may contain secrets.
 * Every method throws CoreError NOT_FOUND for an unknown id.
 */
export type EndpointAdmin = ReturnType<typeof createEndpointAdmin>;

export function createEndpointAdmin(deps: {
  readonly store: EndpointStore;
  readonly runtime: Pick<Runtime, "mac">;
  readonly endpoints: Pick<EndpointOperations, "update" | "deliveries">;
}) {
  const { store, endpoints } = deps;
  const page = createPager(deps.runtime.mac);

  return {
    /** Ordered by tenant id and endpoint id. @throws CoreError VALIDATION_ERROR on `page_token` */
    async list({ tenant_id, state_in, page_token, page_size }: EndpointSearch) {
      const wanted = { tenant_id: tenant_id ?? null, state_in: state_in ?? null };
      const { rows, next_page_token } = await page({
        query: ["webhook-endpoints", wanted],
        token: page_token,
        size: page_size,
        rows: (after: Place | null, limit) => store.listOfAll({ ...wanted, after, limit }),
        keyOf: (endpoint) => `${endpoint.tenant_id} ${endpoint.endpoint_id}`,
        readKey: placeOf,
      });
      return { items: rows.map(operatorEndpointView), next_page_token };
    },
    /**
     * Disabling withdraws waiting deliveries; after enabling only new events are sent. The tenant's audit trail names the
     * operator's application.
     */
    async setEnabled(operator: Actor, endpointId: Uuid, enabled: boolean) {
      const tenant_id = await tenantOf(endpointId);
      await endpoints.update({ ...operator, tenant_id }, endpointId, { enabled });
      const found = await store.find(tenant_id, endpointId);
      if (!found) throw unknownEndpoint();
      return operatorEndpointView({ ...found, tenant_id });
    },
    /** By the sequence of the event, newest first by default; without the answers of receivers. */
    async deliveries(operator: Actor, search: DeliverySearch) {
      const tenant_id = await tenantOf(search.query.endpoint_id);
      const { items, next_page_token } = await endpoints.deliveries({ ...operator, tenant_id }, search);
      return { items: items.map(({ answer: _, ...delivery }) => delivery), next_page_token };
    },
  };

  async function tenantOf(endpointId: Uuid): Promise<string> {
    const tenantId = await store.tenantOf(endpointId);
    if (tenantId === null) throw unknownEndpoint();
    return tenantId;
  }
}

type Place = { readonly tenant_id: Uuid; readonly endpoint_id: Uuid };

function placeOf(text: string): Place | null {
  const [tenant_id, endpoint_id] = text.split(" ").map(parseUuid);
  return tenant_id && endpoint_id ? { tenant_id, endpoint_id } : null;
}
