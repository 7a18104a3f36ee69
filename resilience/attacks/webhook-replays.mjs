import { flood } from "./stage.mjs";
import { ENDPOINTS, honestEndpoint, newEndpoint, receive, storeEvents } from "./webhook-receivers.mjs";

export { environment } from "./webhook-receivers.mjs";

export const title = "replays of 5,000 events to twenty endpoints of one tenant, and test events, 16 at once";

const EVENTS = 5_000;
const PARALLEL = 16;

const served = honestEndpoint();

export async function prepare(stage) {
  await storeEvents(stage, stage.attacker.tenant, EVENTS);
  return { served: await served.serve(stage) };
}

export async function attack(stage) {
  let taken = 0;
  const url = await receive(() => {
    taken += 1;
  });
  const endpoints = [];
  for (let made = 0; made < ENDPOINTS; made += 1) endpoints.push(await newEndpoint(stage, stage.attacker, url));
  const outcomes = await flood(stage, PARALLEL, async (index) => {
    const id = endpoints[index % ENDPOINTS];
    const [path, body] = index % 2 ? ["test-endpoint", { id }] : ["replay", { endpoint_id: id }];
    const { status, headers } = await stage.post(stage.attacker, `/events/v1/${path}`, body);
    return `${path} ${status}${status === 429 && !headers["retry-after"] ? " without Retry-After" : ""}`;
  });
  return { ...outcomes, taken };
}

/** Measures the time from an event to its delivery. */
export const honest = served.delivery;
