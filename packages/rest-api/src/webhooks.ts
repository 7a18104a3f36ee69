import type { Actor, Labels, ListOrder, TenantActor, Uuid } from "@org/core";
import { labelsSchema } from "@org/core";
import { z } from "zod";
import { versionField } from "./versions.js";

const timeOrNull = z.string().nullable();

/** An endpoint as its tenant sees it. Times are RFC 3339. */
export const endpointSchema = z.object({
  id: z.guid(),
  url: z.string(),
  types: z.array(z.string()).describe("Types of events, families such as letter.*, or * for all."),
  labels: labelsSchema.describe("Only events of objects that have all of these labels."),
  description: z.string().nullable(),
  enabled: z.boolean(),
  disabled_reason: z
    .enum(["request", "gone", "failing"])
    .nullable()
    .describe(
      "Why it is disabled: somebody asked for it, it answered 410, or nothing but failures came for five days.",
    ),
  disabled_at: timeOrNull,
  failing_since: timeOrNull.describe("Since when every try has failed; null while the last one went well."),
  delivered_at: timeOrNull.describe("When something was delivered last."),
  last_failure: z
    .object({
      at: z.string().describe("When the try began."),
      status: z.int().nullable().describe("HTTP status of the answer; null where none came."),
      error: z.string().describe("A code word such as timeout; status where the status is what was wrong."),
    })
    .nullable()
    .describe("The last try that failed, though others went well since; null when none did."),
  previous_secret_until: timeOrNull.describe("Until when the secret before this one signs too."),
  created_at: z.string(),
  updated_at: z.string(),
  version: versionField,
});
export type EndpointView = z.infer<typeof endpointSchema>;

export const shownDeliveryStates = ["pending", "delivered", "failed", "withdrawn"] as const;

/** The delivery of an event to an endpoint, with its last attempt. */
export const deliverySchema = z.object({
  id: z.guid(),
  event_id: z.guid().describe("The webhook-id of every try."),
  sequence: z.int().min(1).describe("Of the event."),
  type: z.string(),
  created_at: z.string().describe("When the event happened (RFC 3339)."),
  state: z
    .enum(shownDeliveryStates)
    .describe("pending: it is tried, or tried again; failed: given up; withdrawn: the endpoint was disabled before."),
  attempt: z.int().min(0).describe("Tries since it was queued, or queued again."),
  at: timeOrNull.describe("When the last try began; null before the first."),
  status: z.int().nullable().describe("HTTP status of the answer; null where none came."),
  ms: z.int().nullable().describe("How long the last try took."),
  error: z.string().nullable(),
  answer: z.string().nullable().describe("What the receiver answered, at most 1 kB."),
  next_at: timeOrNull.describe("When it is tried next."),
});
export type DeliveryView = z.infer<typeof deliverySchema>;

export const endpointStates = ["enabled", "failing", "disabled"] as const;

/** An endpoint as operators see it: by host only, since paths may contain secrets. Times are RFC 3339. */
export const operatorEndpointSchema = endpointSchema
  .omit({ url: true, labels: true, description: true, enabled: true, version: true })
  .extend({
    tenant_id: z.guid(),
    host: z.string().describe("Of its address, with the port. What follows may be a secret, and is its tenant's."),
    state: z.enum(endpointStates).describe("failing: the last try failed; it is tried again."),
  });
export type OperatorEndpointView = z.infer<typeof operatorEndpointSchema>;

/** A delivery as operators see it, without the receiver's answer. */
export const operatorDeliverySchema = deliverySchema.omit({ answer: true });

/** Settings of an endpoint that an application chooses. */
export interface EndpointRequest {
  readonly url: string;
  readonly types?: readonly string[] | undefined;
  readonly labels?: Labels | undefined;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | undefined;
}

/** Omitted fields stay unchanged. */
type EndpointChange = { readonly [Field in keyof EndpointRequest]?: EndpointRequest[Field] | undefined };

/** Selects the deliveries to list. */
export interface DeliveryFilter {
  query: {
    endpoint_id: Uuid;
    event_id?: Uuid | undefined;
    state_in?: readonly (typeof shownDeliveryStates)[number][] | undefined;
    type_in?: readonly string[] | undefined;
  };
  order: ListOrder;
  page_token?: string | undefined;
  page_size: number;
}

/** Endpoints of all tenants, for operators. An unknown id is NOT_FOUND. */
export interface WebhookAdmin {
  /** Sorted by tenant id and endpoint id. */
  list(search: {
    tenant_id?: string | undefined;
    state_in?: readonly (typeof endpointStates)[number][] | undefined;
    page_token?: string | undefined;
    page_size: number;
  }): Promise<{ items: readonly OperatorEndpointView[]; next_page_token: string | null }>;
  setEnabled(operator: Actor, id: Uuid, enabled: boolean): Promise<OperatorEndpointView>;
  deliveries(
    operator: Actor,
    search: DeliveryFilter,
  ): Promise<{ items: readonly Omit<DeliveryView, "answer">[]; next_page_token: string | null }>;
}

/** A tenant's endpoints and deliveries. An id that is not the tenant's is NOT_FOUND. */
export interface Webhooks {
  create(who: TenantActor, settings: EndpointRequest): Promise<{ endpoint: EndpointView; secret: string }>;
  /** Oldest first. */
  list(who: TenantActor): Promise<readonly EndpointView[]>;
  update(who: TenantActor, id: Uuid, change: EndpointChange, version?: number): Promise<EndpointView>;
  remove(who: TenantActor, id: Uuid): Promise<void>;
  test(who: TenantActor, id: Uuid): Promise<{ event_id: string }>;
  rotateSecret(who: TenantActor, id: Uuid): Promise<{ secret: string; previous_until: string }>;
  deliveries(
    who: TenantActor,
    search: DeliveryFilter,
  ): Promise<{ items: readonly DeliveryView[]; next_page_token: string | null }>;
  replay(
    who: TenantActor,
    replay: {
      endpoint_id: Uuid;
      since?: string | undefined;
      until?: string | undefined;
      event_ids?: readonly Uuid[] | undefined;
      types?: readonly string[] | undefined;
      after?: Uuid | undefined;
    },
  ): Promise<{ queued: number; next_after: string | null }>;
}
