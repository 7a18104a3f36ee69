import { afterAll, beforeAll, describe } from "vitest";
import { deliveryCases } from "./delivery-cases.js";
import { endpointCases } from "./endpoint-cases.js";
import { type WebhookStoresFixture, webhookSteps } from "./webhook-steps.js";

/**
 * Registers every vitest case that a backend of `EndpointStore` and `DeliveryQueue` must pass, including races. Some cases
 * delete the events of all logs.
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
