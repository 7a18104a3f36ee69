import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { InstitutionMode } from "@org/provider-kit/testing";
import { startPrism as startJudge } from "../../provider-kit/test/stand-in/prism.js";

const file = fileURLToPath(new URL("./description/trading-api.json", import.meta.url));
const { schemas } = (JSON.parse(readFileSync(file, "utf8")) as { components: { schemas: Record<string, Described> } })
  .components;
interface Described {
  readonly "x-examples"?: Readonly<Record<string, object>>;
}

export interface Activity {
  readonly id: string;
  readonly activity_type: string;
}

/** The examples of a schema of the published description. */
const examplesOf = (schema: string) => Object.values(schemas[schema]?.["x-examples"] ?? {});

/** Prism, which serves Alpaca's published description and refuses requests that do not keep to it. */
export function startPrism() {
  return startJudge(import.meta.url, ["mock", file]);
}

/** The key that the gate accepts; Prism only wants one to be there. */
export const KNOWN_KEY = "PK-OF-LARKSPUR";

/**
 * A gate in front of Prism, which judges every request. Its answers are the description's own examples: Prism draws arbitrary texts where it should
 * have figures. `more` are activities after the examples.
 */
export async function openGate(prismUrl: string, more: readonly Activity[] = []) {
  const asked: string[] = [];
  /** How many times a page of what is no execution is refused for a second. */
  const limits = { left: 0 };
  let mode: InstitutionMode = "well";
  const all = [...examplesOf("TradingActivities"), ...examplesOf("NonTradeActivities"), ...more] as Activity[];
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? "";
    const say = (status: number, body: unknown = {}, headers = {}) =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    asked.push(path);
    if (mode === "hangs") return;
    if (mode === "down") return say(503);
    if (mode === "nonsense") return say(200, { you_sent: request.headers });
    if (mode === "throttles") return say(429, {}, { "x-ratelimit-reset": "1764576030" });
    if (mode === "withdrawn" || request.headers["apca-api-key-id"] !== KNOWN_KEY) return say(401);
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === "string" && name !== "host" && name !== "connection" ? [[name, value] as [string, string]] : [],
    );
    const judged = await fetch(`${prismUrl}${path}`, { headers });
    if (judged.status !== 200 || judged.headers.has("sl-violations")) return say(judged.status, await judged.json());
    const { pathname, searchParams } = new URL(path, prismUrl);
    if (pathname === "/v2/positions") return say(200, examplesOf("Position"));
    if (pathname !== "/v2/account/activities") return say(200, await judged.json());
    const isOther = searchParams.get("category") === "non_trade_activity";
    if (isOther && limits.left > 0) {
      limits.left -= 1;
      return say(429, {}, { "retry-after": "1" });
    }
    const rows = all.filter(({ activity_type }) => (activity_type === "FILL") !== isOther);
    const after = rows.findIndex(({ id }) => id === searchParams.get("page_token")) + 1;
    return say(200, rows.slice(after, after + 100));
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    limits,
    institution: {
      modes: ["well", "hangs", "down", "nonsense", "throttles", "withdrawn"] as const,
      asked: () => asked.length,
      set(wanted: InstitutionMode) {
        mode = wanted;
      },
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
