import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { type AccessRecord, createRouteTable } from "@org/http";
import { readConfig } from "@org/installation";
import { afterEach, describe, expect, it } from "vitest";
import type { Feature } from "./feature.js";
import { createHttpServer } from "./http-server.js";
import type { Logger } from "./log.js";

const TRACE_ID = /^[0-9a-f]{32}$/;
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A server with these features; answers where it listens, and what it logs. */
async function serve(features: readonly Feature[], { complete = true } = {}) {
  const records: AccessRecord[] = [];
  const errors: Record<string, unknown>[] = [];
  const log = {
    info: (record: AccessRecord) => records.push(record),
    error: (fields: Record<string, unknown>) => errors.push(fields),
  };
  const answered: AccessRecord[] = [];
  const http = createHttpServer({
    config: readConfig({}),
    log: log as unknown as Logger,
    routes: createRouteTable([
      {
        methods: ["GET"],
        path: "/thing/:id",
        family: "test",
        scopes: [],
        maxBodyBytes: null,
        origins: "none",
        summary: "",
      },
    ]),
    onAnswered: (record) => answered.push(record),
  });
  for (const feature of features) http.mount(feature);
  if (complete) http.complete();
  http.server.listen(0, "127.0.0.1");
  await once(http.server, "listening");
  stops.push(() => {
    http.server.closeAllConnections();
    return new Promise((resolve) => http.server.close(resolve));
  });
  const { port } = http.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, records, errors, answered };
}

/** Sends bytes as they are; returns what comes back until the connection ends. */
async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    answer += chunk;
  });
  socket.write(text);
  await once(socket, "close");
  return answer;
}

const thing: Feature = {
  routes: {
    handle(request, response, next) {
      if (request.path === "/thing/1") response.json({ is: "there" });
      else if (request.path === "/thing/broken") throw new Error("a defect");
      else next();
    },
    direct: {
      "/direct": async (_request, response) => {
        response.end("at once");
      },
    },
  },
};

describe("[C-7.20] every answer has a trace id, and its record in the access log", () => {
  it.each([
    ["a feature's", "/thing/1?secret=1", 200, "/thing/:id"],
    ["a direct one", "/direct?x=1", 200, null],
    ["nobody's", "/nothing", 404, null],
    ["a defect's", "/thing/broken", 500, "/thing/:id"],
    ["an address that cannot be decoded", "/%E0%A4%A", 404, null],
  ])("%s", async (_name, path, status, route) => {
    const { url, records, answered } = await serve([thing]);
    const response = await fetch(url + path);
    await response.text();
    const trace_id = response.headers.get("x-trace-id");
    expect(response.status).toBe(status);
    expect(trace_id).toMatch(TRACE_ID);
    await expect.poll(() => records).toHaveLength(1);
    expect(records[0]).toMatchObject({ method: "GET", route, status, trace_id });
    expect(JSON.stringify(records)).not.toContain("secret");
    expect(answered).toEqual(records);
  });

  it("continues the caller's trace, and names it where a defect is logged", async () => {
    const { url, errors } = await serve([thing]);
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const response = await fetch(`${url}/thing/broken`, {
      headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    });
    expect(response.headers.get("x-trace-id")).toBe(trace);
    expect(await response.json()).toEqual({ error: "Internal Error" });
    expect(errors).toMatchObject([{ trace_id: trace }]);
  });

  it("while the server is starting: 503, and when to come again", async () => {
    const { url } = await serve([], { complete: false });
    const response = await fetch(`${url}/mcp`, { method: "POST", body: "{}" });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(response.headers.get("x-trace-id")).toMatch(TRACE_ID);
  });

  it.each([
    ["that is none", "hello\r\n\r\n", 400],
    ["with headers without end", `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(40_000)}\r\n\r\n`, 431],
    ["without a host", "GET /direct HTTP/1.1\r\n\r\n", 400],
    ["behind one that was answered", "GET /direct HTTP/1.1\r\nHost: localhost\r\n\r\nhello\r\n\r\n", 400],
    [
      "that expects what nobody gives",
      "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nConnection: close\r\n\r\n",
      417,
    ],
  ])("a request %s", async (_name, bytes, status) => {
    const { port, records } = await serve([thing]);
    const answer = await sendRaw(port, bytes);
    const [, trace_id] = [...answer.matchAll(/^X-Trace-Id: ([0-9a-f]{32})\r$/gm)].at(-1) ?? [];
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    await expect.poll(() => records.map((record) => record.trace_id)).toContain(trace_id);
    expect(records.find((record) => record.trace_id === trace_id)).toMatchObject({ status, route: null });
  });
});
