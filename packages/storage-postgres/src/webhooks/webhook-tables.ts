import type { Uuid } from "@org/core";
import type { DeliveryState, DisabledReason } from "@org/events";
import type { Generated } from "kysely";

interface WebhookEndpoints {
  tenant_id: string;
  endpoint_id: Uuid;
  url: string;
  types: readonly string[];
  /** `key=value` each. */
  labels: readonly string[];
  description: string | null;
  is_enabled: boolean;
  disabled_reason: Generated<DisabledReason | null>;
  disabled_at: Generated<Date | null>;
  /** Null once the endpoint is removed. */
  sealed_secret: string | null;
  sealed_previous_secret: Generated<string | null>;
  previous_until: Generated<Date | null>;
  /** The one before that, when both were replaced within a day. */
  sealed_earlier_secret: Generated<string | null>;
  earlier_until: Generated<Date | null>;
  created_at: Date;
  changed_at: Date;
  removed_at: Generated<Date | null>;
  failing_since: Generated<Date | null>;
  delivered_at: Generated<Date | null>;
  last_failed_at: Generated<Date | null>;
  last_failed_status: Generated<number | null>;
  last_failed_error: Generated<string | null>;
  is_proven: Generated<boolean>;
  due_at: Generated<Date | null>;
  not_before: Generated<Date | null>;
  lease: Generated<string | null>;
  lease_until: Generated<Date | null>;
}

interface WebhookDeliveries {
  tenant_id: string;
  endpoint_id: Uuid;
  sequence: string;
  delivery_id: Generated<Uuid>;
  state: DeliveryState;
  attempts: Generated<number>;
  due_at: Date | null;
  attempted_at: Generated<Date | null>;
  status: Generated<number | null>;
  ms: Generated<number | null>;
  error: Generated<string | null>;
  answer: Generated<string | null>;
}

/** Endpoints of tenants, and their deliveries. */
export interface WebhookTables {
  webhook_endpoints: WebhookEndpoints;
  webhook_deliveries: WebhookDeliveries;
}
