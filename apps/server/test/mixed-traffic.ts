import { Agent, request as httpRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { TestTenant } from "./harness.js";
import { signedPdf } from "./letters.js";
import { toolCall } from "./mcp-clients.js";

/** Requests of many kinds, each kind one after the other, over connections that are kept. */
export interface Traffic {
  /** Answered with 200 so far. */
  readonly answered: number;
  /** What was not: status and text, or what broke. */
  readonly failures: readonly string[];
  /** No more requests; what is under way is waited for. */
  stop(): Promise<void>;
}

interface Sent {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
}

const PAUSE_MS = 5;
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

/** Begins to send. A repeated request does not stay unnoticed: of the refresh tokens each is good once. */
export async function beginTraffic(
  url: string,
  { token, clientId, clientSecret }: TestTenant,
  connectorId: string,
): Promise<Traffic> {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  let answered = 0;
  let isOver = false;
  const letter = JSON.stringify({ connector_id: connectorId, data: await signedPdf() });
  const json = (path: string, body: string): Sent => ({ path, type: JSON_TYPE, body });
  const form = (path: string, fields: Record<string, string>): Sent => ({
    path,
    type: FORM,
    body: String(new URLSearchParams(fields)),
  });
  const who = { client_id: clientId, client_secret: clientSecret };

  let refreshToken = "";
  const kinds: readonly (() => Promise<unknown>)[] = [
    () => send(form("/token", { grant_type: "client_credentials", ...who })),
    async () => {
      const grant = refreshToken === "" ? "client_credentials" : "refresh_token";
      const fields = grant === "refresh_token" ? { refresh_token: refreshToken } : who;
      const text = await send(form("/token", { grant_type: grant, ...fields }));
      refreshToken = text === null ? "" : JSON.parse(text).refresh_token;
    },
    () => send(json("/mcp", JSON.stringify(toolCall("svc-connectors", { page_size: 5 })))),
    () => send(json("/letters/v1/search-letters", '{"query":{}}')),
    () => send(json("/letters/v1/create-signed", letter)),
    () => send({ method: "GET", path: "/.well-known/oauth-authorization-server" }),
    () => send({ method: "GET", path: "/openapi.json" }),
  ];
  const loops = kinds.map(async (kind) => {
    while (!isOver) {
      await kind();
      await delay(PAUSE_MS);
    }
  });
  return {
    get answered() {
      return answered;
    },
    failures,
    async stop() {
      isOver = true;
      await Promise.all(loops);
      agent.destroy();
    },
  };

  /** Returns the text of a 200; null after anything else, which is a failure. */
  async function send(sent: Sent): Promise<string | null> {
    const what = `${sent.method ?? "POST"} ${sent.path}`;
    try {
      const { status, text } = await exchange(sent);
      if (status === 200) {
        answered += 1;
        return text;
      }
      failures.push(`${what}: ${status} ${text.slice(0, 200)}`);
    } catch (error) {
      failures.push(`${what}: ${error}`);
    }
    return null;
  }

  function exchange({ method = "POST", path, type, body }: Sent): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = {
        ...(path === "/token" ? {} : { authorization: `Bearer ${token}` }),
        ...(type === undefined ? {} : { "content-type": type, accept: "application/json, text/event-stream" }),
        ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
      };
      const outgoing = httpRequest(url + path, { agent, method, headers }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        answer.once("end", () => resolve({ status: answer.statusCode ?? 0, text })).once("error", reject);
      });
      outgoing.once("error", reject).end(body);
    });
  }
}
