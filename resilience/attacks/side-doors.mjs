import { requestBytes } from "@org/bench/measuring/load.mjs";
import { closedLoop, variantsOf } from "./closed-loop.mjs";

export { holdings, honest } from "./everyday.mjs";

export const title =
  "requests that might pass by what others wait for: expectations, health checks of many networks, odd targets";

/** Lets the attack choose its networks. */
export const environment = { TRUST_PROXY: "1" };

const fromNetwork = (address) => ({ "x-forwarded-for": address });

/** What is asked for, by name: the bytes of a request, given its number. */
const targets = {
  expecting: () => requestBytes("GET", "/nothing-here", { expect: "wonders" }),
  missing: () => requestBytes("GET", "/nothing-here", {}),
  slashes: () => requestBytes("GET", `/${"/".repeat(15_000)}`, {}),
  "health-of-64s": (index) =>
    requestBytes("GET", "/readyz", fromNetwork(`2001:db8:1:${(index % 65_536).toString(16)}::1`)),
  "health-of-48s": (index) =>
    requestBytes("GET", "/readyz", fromNetwork(`2001:db8:${(index % 65_536).toString(16)}::1`)),
  "posted-health": () => requestBytes("POST", "/healthz", {}),
};

export const variants = variantsOf(Object.keys(targets), 200, 1_000);

export function attack(stage) {
  const { target, connections, from } = variants[stage.variant];
  return closedLoop(stage, { connections, from }, targets[target]);
}
