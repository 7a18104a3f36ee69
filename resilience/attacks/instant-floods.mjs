import { requestBytes } from "@org/bench/measuring/load.mjs";
import { closedLoop, variantsOf } from "./closed-loop.mjs";
import { expectOk } from "./stage.mjs";

export { holdings, honest } from "./everyday.mjs";

export const title = "requests that are answered at once, on connections that stay open, each after the answer before";

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
const get = (path) => () => requestBytes("GET", path, {});
const mcp = (headers) => requestBytes("POST", "/mcp", { ...json, ...headers }, ping);

/** What is asked for, by name: the bytes of a request. */
const targets = {
  session: ({ origin }) => requestBytes("POST", "/console/api/session", { ...json, origin }, "{}"),
  openapi: get("/openapi.json"),
  "openapi-read-slowly": get("/openapi.json"),
  front: get("/"),
  ping: ({ attacker }) => mcp({ authorization: `Bearer ${attacker.token}` }),
  "no-token": () => mcp({}),
  "junk-token": () => mcp({ authorization: "Bearer anything" }),
  "forged-token": ({ honest }) => mcp({ authorization: `Bearer ${forged(honest.token)}` }),
  missing: get("/nothing-here"),
  "junk-form": () =>
    requestBytes("POST", "/token", { "content-type": "application/x-www-form-urlencoded" }, "grant_type=anything"),
  metadata: get("/.well-known/oauth-authorization-server"),
  widget: ({ assets }) => get(assets.widget)(),
  console: ({ assets }) => get(assets.console)(),
};

/** A client that reads slowly needs about two seconds for the API document. */
const PAUSE_MS = 200;

export const variants = variantsOf(Object.keys(targets), 200, 1_000);

/** Finds the names of scripts, which contain their hashes. */
export async function prepare({ attacker, post, send }) {
  const { widget_url } = JSON.parse(
    await expectOk(post(attacker, "/connect/v2/sessions/create-session", { configuration: {} })),
  );
  const scriptOn = async (path) => {
    const page = await expectOk(send({ method: "GET", path }));
    return /(?:src|href)="(\/[a-z]+\/assets\/[^"]+\.js)"/.exec(page)[1];
  };
  return { assets: { widget: await scriptOn(new URL(widget_url).pathname), console: await scriptOn("/console") } };
}

export function attack(stage) {
  const { target, connections, from } = variants[stage.variant];
  const bytes = targets[target](stage);
  const pauseMs = target === "openapi-read-slowly" ? PAUSE_MS : 0;
  return closedLoop(stage, { connections, from, pauseMs }, () => bytes);
}

/** The same claims with another signature. */
function forged(token) {
  const [head, claims] = token.split(".");
  return `${head}.${claims}.${Buffer.alloc(64, 1).toString("base64url")}`;
}
