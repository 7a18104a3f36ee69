import { afterAll, beforeAll, describe } from "vitest";
import { deliveryCases } from "./delivery-cases.js";
import { endpointCases } from "./endpoint-cases.js";
import { type WebhookStoresFixture, webhookSteps } from "./webhook-steps.js";

/**
 * Registers with vitest every case that a backend of `EndpointStore` and `DeliveryQueue` has to pass, races included. Some let go of what
 * is kept in all logs.
 */
export function describeWebhookStores(
  name: string,
  make: () => Promise<WebhookStoresFixture> | WebhookStoresFixture,
): void {
  describe(`webhook stores: ${name}`, () => {
    let fixture: WebhookStoresFixture;
    beforeAll(async () => {
      fixture = await make();
    });
    afterAll(() => fixture?.close?.());
    const steps = webhookSteps(() => fixture);
    endpointCases(steps);
    deliveryCases(steps);
  });
}
