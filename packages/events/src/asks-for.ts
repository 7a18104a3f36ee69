import {
  EVENT_TYPES,
  type EventType,
  type Fault,
  invalidValue,
  type Labels,
  type NewEvent,
  OPERATOR_EVENT_TYPES,
} from "@org/core";
import type { EndpointSettings } from "./ports/endpoint-store.js";

/** Sent on request, and only to the endpoint it is for, whatever that endpoint's types are. */
export const TEST_EVENT = "webhook.test" satisfies EventType;

/**
 * Whether an endpoint gets an event. `webhook_asks_for` of storage-postgres implements the same rule in SQL; the events of a deleted
 * connection have the endpoints with its labels there, as the labels are deleted with it.
 */
export function asksFor(
  endpoint: Pick<EndpointSettings, "types" | "labels"> & { readonly endpoint_id: string },
  event: Pick<NewEvent, "type" | "object_id" | "labels">,
): boolean {
  if (event.type === TEST_EVENT) return event.object_id === endpoint.endpoint_id;
  return isOneOf(endpoint.types, event.type) && hasLabels(event.labels ?? {}, endpoint.labels);
}

/** @param types `*`, types, and families such as `letter.*` */
export function isOneOf(types: readonly string[], type: string): boolean {
  return types.some((asked) => asked === "*" || isOfPattern(type, asked));
}

/** @param asked a type, or a family such as `letter.*` */
export function isOfPattern(type: string, asked: string): boolean {
  const [family] = type.split(".", 1);
  return asked === type || asked === `${family}.*`;
}

function hasLabels(labels: Labels, asked: Labels): boolean {
  return Object.entries(asked).every(([key, value]) => labels[key] === value);
}

/** Types that an endpoint may subscribe to; operator events are in no tenant's log. */
const askable = EVENT_TYPES.filter(
  (type) => type !== TEST_EVENT && !(OPERATOR_EVENT_TYPES as readonly EventType[]).includes(type),
);

/** Faults of a list of types and type families, which must not be empty. */
export function typeFaults(types: readonly string[] | undefined, field: string): readonly Fault[] {
  if (types?.length === 0) return [invalidValue(field, "must name a type at least: * is all of them")];
  return (types ?? []).flatMap((asked, index) =>
    askable.some((type) => isOneOf([asked], type))
      ? []
      : [invalidValue(`${field}[${index}]`, "must be *, a type of event, or a family of types such as letter.*")],
  );
}
