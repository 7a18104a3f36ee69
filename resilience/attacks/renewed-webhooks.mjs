import { setTimeout as delay } from "node:timers/promises";
import { expectOk, flood } from "./stage.mjs";
import { ENDPOINTS, hangingEndpoints, newEndpoint, receive } from "./webhook-receivers.mjs";

export { environment } from "./webhook-receivers.mjs";

export const title = "webhook endpoints of two tenants that never answer, made anew each time, twenty of each at once";

/** How long an endpoint is kept: long enough for its test event to be under way. */
const KEPT_MS = 2_000;

export const { prepare, honest } = hangingEndpoints(null);

export async function attack(stage) {
  let requests = 0;
  const url = await receive(() => {
    requests += 1;
  }, null);
  const outcomes = await flood(stage, 2 * ENDPOINTS, async (index) => {
    const who = stage.attackers[index % 2];
    const id = await newEndpoint(stage, who, url);
    const { status } = await stage.post(who, "/events/v1/test-endpoint", { id });
    await delay(KEPT_MS);
    await expectOk(stage.post(who, "/events/v1/delete-endpoint", { id }));
    return `test-endpoint ${status}`;
  });
  return { ...outcomes, requests };
}
