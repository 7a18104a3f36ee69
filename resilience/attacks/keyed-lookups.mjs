import { randomUUID } from "node:crypto";
import { requestBytes } from "@org/bench/measuring/load.mjs";
import { closedLoop } from "./closed-loop.mjs";
import { expectOk } from "./stage.mjs";

export const title = "changes with an Idempotency-Key of one tenant, of which each takes three look-ups";
export const holdings = 2_000;
export const variants = Object.fromEntries(
  ["keyed", "unkeyed"].flatMap((kind) =>
    [60, 200, 1000].map((connections) => [`${kind}-${connections}`, { kind, connections, from: "127.1.1.1" }]),
  ),
);

const PATH = "/connect/v2/sessions/create-session";
const BODY = { configuration: {} };

export const honest = {
  keyed: ({ honest: tenant, post, agent }) =>
    expectOk(post(tenant, PATH, BODY, { "idempotency-key": randomUUID() }, agent)),
  unkeyed: ({ honest: tenant, post, agent }) => expectOk(post(tenant, PATH, BODY, {}, agent)),
  rest: ({ honest: tenant, post, agent }) =>
    expectOk(post(tenant, "/data/v1/list-investments", { page_size: 20 }, {}, agent)),
  readyz: ({ send, agent }) => expectOk(send({ method: "GET", path: "/readyz", agent })),
};

export async function attack(stage) {
  const { kind, ...loop } = variants[stage.variant];
  const headers = { authorization: `Bearer ${stage.attacker.token}`, "content-type": "application/json" };
  return closedLoop(stage, loop, () =>
    requestBytes(
      "POST",
      PATH,
      { ...headers, ...(kind === "keyed" && { "idempotency-key": randomUUID() }) },
      JSON.stringify(BODY),
    ),
  );
}
