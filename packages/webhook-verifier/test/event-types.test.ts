import type { EventData, EventType, eventSchemaOf, OPERATOR_EVENT_TYPES } from "@org/core";
import { expectTypeOf, it } from "vitest";
import type { WebhookEventData, WebhookEventOf, WebhookEventType } from "../src/index.js";

type DeepReadonly<T> = T extends string | number | boolean | null | undefined
  ? T
  : { readonly [Key in keyof T]: DeepReadonly<T[Key]> };
type Flat<T> = { [Key in keyof T]: T[Key] };

it("[C-11.83] the types of events are those of the server's schemas; operators' own are never delivered", () => {
  type Delivered = Exclude<EventType, (typeof OPERATOR_EVENT_TYPES)[number]>;
  expectTypeOf<WebhookEventType>().toEqualTypeOf<Delivered>();
  // Compared type by type, so that a difference is named by its key.
  expectTypeOf<{ [Type in Delivered]: Flat<WebhookEventData[Type]> }>().toEqualTypeOf<{
    [Type in Delivered]: Flat<DeepReadonly<EventData<Type>>>;
  }>();
  type Test = ReturnType<ReturnType<typeof eventSchemaOf<"webhook.test">>["parse"]>;
  expectTypeOf<Flat<WebhookEventOf<"webhook.test">>>().toEqualTypeOf<DeepReadonly<Test>>();
});
