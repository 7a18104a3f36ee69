import { EVENT_TYPES, type EventType, eventDataSchemas, eventSchemaOf, OPERATOR_EVENT_TYPES } from "@org/core";
import type { z } from "zod";

const forOperators: readonly EventType[] = OPERATOR_EVENT_TYPES;

/** Every event type that can be delivered, with the name and schema of its body. */
export const deliveredEvents: readonly {
  readonly type: EventType;
  readonly name: string;
  readonly schema: z.ZodType;
}[] = EVENT_TYPES.filter((type) => !forOperators.includes(type)).map((type) => ({
  type,
  name: `${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`,
  schema: eventSchemaOf(type),
}));

/** Parameters of every delivery, for the document's components (Standard Webhooks 1.0.0). */
export const deliveryParameters = {
  WebhookId: header("webhook-id", "The event's id, the same at every try.", { type: "string", format: "uuid" }),
  WebhookTimestamp: header("webhook-timestamp", "When this try was made, in seconds since 1970.", {
    type: "string",
    pattern: "^[0-9]+$",
  }),
  WebhookSignature: header(
    "webhook-signature",
    "Signatures of `<webhook-id>.<webhook-timestamp>.<body>`, a space between them: `v1,` and base64 of an HMAC-SHA256 with the endpoint's secret, `v1a,` and base64 of an Ed25519 signature with a key of `/.well-known/webhooks-keys.json`.",
    { type: "string" },
  ),
};

/** Returns the webhooks object: what the server posts to an endpoint, by event type. */
export function webhooksOf(
  references: (schema: z.ZodType) => { readonly $ref: string },
): Record<string, { readonly post: object }> {
  return Object.fromEntries(
    deliveredEvents.map(({ type, name, schema }) => [
      type,
      {
        post: {
          operationId: `on${name}`,
          summary: eventDataSchemas[type].description,
          description:
            "Delivered at least once, in any order: `webhook-id` tells what came before, `sequence` the order.",
          security: [],
          parameters: Object.keys(deliveryParameters).map((each) => ({ $ref: `#/components/parameters/${each}` })),
          requestBody: { required: true, content: { "application/json": { schema: references(schema) } } },
          responses: answers,
        },
      },
    ]),
  );
}

/** What a receiver may answer, and how the server reacts. */
const answers = {
  "2XX": { description: "Taken, within 15 seconds." },
  410: { description: "The endpoint is switched off at once." },
  429: { description: "Tried again when `Retry-After` says, within a day." },
  503: { description: "As 429." },
  default: { description: "Tried again, nine times in three days. Redirects are not followed." },
};

function header(name: string, description: string, schema: object) {
  return { name, in: "header", required: true, description, schema };
}
