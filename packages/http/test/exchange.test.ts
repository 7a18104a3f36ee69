import { createByteBudget, createLoopScheduler } from "@org/admission";
import { describe, expect, it } from "vitest";
import {
  type AccessRecord,
  answerJson,
  createEdge,
  createRouteTable,
  type EdgeOptions,
  type Exchange,
  exchangeOf,
  type RouteFacts,
  readBytes,
  routeOf,
} from "../src/index.js";
import { deferred, sendRaw, serve } from "./server.js";

const sent = "4bf92f3577b34da6a3ce929d0e0e4736";
const other = "0123456789abcdef0123456789abcdef";
const traceparent = `00-${sent}-00f067aa0ba902b7-01`;
const thing: RouteFacts = {
  methods: ["GET"],
  path: "/things/:id",
  family: "things",
  scopes: [],
  maxBodyBytes: null,
  origins: "none",
  summary: "A thing",
};
const routes = createRouteTable([thing]);

/** Serves with an edge; returns the port and the first record of its log. */
async function stage(work: (exchange: Exchange) => unknown, options: EdgeOptions = {}) {
  const { promise, resolve } = deferred<AccessRecord>();
  const edge = createEdge({ routes, newTraceId: () => other, log: { info: resolve }, ...options });
  const port = await serve((request, response) => void work(edge.begin(request, response)));
  return { url: `http://127.0.0.1:${port}`, port, record: promise };
}

const answerOk = ({ response }: Exchange) => answerJson(response, 200, {});

describe("[C-7.20] every answer has the trace id of its request in X-Trace-Id", () => {
  it.each([
    ["that of traceparent", { traceparent }, sent],
    ["a new one without", {}, other],
    ["a new one when it is invalid", { traceparent: traceparent.toUpperCase() }, other],
  ])("%s", async (_name, headers, traceId) => {
    const { url, record } = await stage(({ response }) => response.writeHead(404, { "X-Other": "1" }).end());
    const answer = await fetch(url, { headers: headers as Record<string, string> });
    expect(answer.headers.get("x-trace-id")).toBe(traceId);
    expect((await record).trace_id).toBe(traceId);
  });

  it.each<[string, (response: Exchange["response"]) => unknown]>([
    ["headers as an object", (response) => response.writeHead(200, { "X-Other": "1" }).end()],
    ["a reason and headers", (response) => response.writeHead(200, "Fine", { "X-Other": "1" }).end()],
    ["headers as a list", (response) => response.writeHead(200, ["X-Other", "1"]).end()],
    ["headers set one by one", (response) => response.setHeader("X-Other", "1").end()],
    ["headers set and written", (response) => response.setHeader("X-A", "1").writeHead(200, { "X-Other": "1" }).end()],
    [
      "a head sent ahead of its body",
      (response) => {
        response.setHeader("X-Other", "1").flushHeaders();
        response.end();
      },
    ],
  ])("and the answerer's own headers: %s", async (_name, write) => {
    const { url } = await stage(({ response }) => write(response));
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get("x-trace-id"), answer.headers.get("x-other")]).toEqual([200, other, "1"]);
  });

  it.each<[string, (response: Exchange["response"]) => unknown]>([
    ["only a status", (response) => response.writeHead(200).end()],
    ["nothing", (response) => response.end()],
  ])("and where the answerer writes %s", async (_name, write) => {
    const { url } = await stage(({ response }) => write(response));
    expect((await fetch(url)).headers.get("x-trace-id")).toBe(other);
  });

  it("without a header being set when the request comes: Node would write every head more slowly", async () => {
    const { url } = await stage((exchange) => {
      expect(exchange.response.getHeaderNames()).toEqual([]);
      answerOk(exchange);
      expect(exchange.response.getHeaderNames()).toEqual([]);
    });
    expect((await fetch(url)).headers.get("x-trace-id")).toBe(other);
  });

  it("a repeated traceparent is none", async () => {
    const { port } = await stage(({ response }) => answerJson(response, 200, {}, { Connection: "close" }));
    const line = `traceparent: ${traceparent}\r\n`;
    expect(await sendRaw(port, `GET / HTTP/1.1\r\nHost: a\r\n${line}${line}\r\n`)).toContain(`X-Trace-Id: ${other}`);
  });

  it("one that was put on the answer before is kept", async () => {
    const edge = createEdge({ newTraceId: () => other });
    const port = await serve((request, response) => {
      response.setHeader("X-Trace-Id", "f".repeat(32));
      answerOk(edge.begin(request, response));
    });
    const answer = await fetch(`http://127.0.0.1:${port}`, { headers: { traceparent } });
    expect(answer.headers.get("x-trace-id")).toBe("f".repeat(32));
  });

  it.each([
    ["replaces a new one", {}, traceparent, sent],
    ["counts for nothing beside a header, good or bad", { traceparent: "bad" }, traceparent, other],
    ["counts for nothing when it is invalid", {}, "bad", other],
    ["counts for nothing when it is no text", {}, { traceparent }, other],
  ])("a traceparent inside the body %s", async (_name, headers, inBody, traceId) => {
    const { url, record } = await stage((exchange) => {
      exchange.continueTrace(inBody);
      answerOk(exchange);
      exchange.continueTrace(`00-${"e".repeat(32)}-00f067aa0ba902b7-01`);
    });
    const answer = await fetch(url, { headers: headers as Record<string, string> });
    expect(answer.headers.get("x-trace-id")).toBe(traceId);
    expect((await record).trace_id).toBe(traceId);
  });
});

describe("every request leaves one record", () => {
  it("says what, where, for whom and how long, and nothing that the client wrote", async () => {
    let now = 100;
    const messages: string[] = [];
    const told: AccessRecord[] = [];
    const { promise, resolve } = deferred<AccessRecord>();
    const { url } = await stage(
      (exchange) => {
        exchange.principal = { application_id: "a", tenant_id: "t" };
        exchange.note({ tool: "x", outcome: "ok" });
        exchange.note({ outcome: "late" });
        now += 12.34;
        answerJson(exchange.response, 201, {});
      },
      {
        stopwatch: () => now,
        log: {
          info(record, message) {
            messages.push(message);
            resolve(record);
          },
        },
        onAnswered: (record) => told.push(record),
      },
    );
    await fetch(`${url}/things/secret?query=secret`, { method: "PUT", body: "secret" });
    const record = await promise;
    expect(record).toEqual({
      method: "PUT",
      route: "/things/:id",
      status: 201,
      ms: 12.3,
      trace_id: other,
      application_id: "a",
      tenant_id: "t",
      tool: "x",
      outcome: "late",
    });
    expect(messages).toEqual(["request"]);
    expect(told).toEqual([record]);
  });

  it("a path without a route has none, and nobody is nobody", async () => {
    const { url, record } = await stage(answerOk);
    await fetch(`${url}/elsewhere`);
    expect(await record).toMatchObject({ route: null, application_id: null, tenant_id: null });
  });

  it("a route that a handler names counts, and so does the address before a router cuts it", async () => {
    const named = await stage((exchange) => {
      exchange.route = { ...thing, path: "/named" };
      answerOk(exchange);
    });
    await fetch(named.url);
    expect((await named.record).route).toBe("/named");
    const cut = await stage((exchange) => {
      exchange.request.url = "/7";
      answerOk(exchange);
    });
    await fetch(`${cut.url}/things/7`);
    expect((await cut.record).route).toBe("/things/:id");
  });

  it("a handler finds the route of a request in its own table, and none where the edge has found another's", async () => {
    const own = createRouteTable([thing, { ...thing, path: "/elsewhere" }]);
    const others = createRouteTable([{ ...thing, path: "/things/7" }]);
    const found: (string | undefined)[] = [];
    for (const path of ["/things/7", "/elsewhere"])
      await fetch(
        (
          await stage((exchange) => {
            for (const table of [own, others]) found.push(routeOf(exchange.request, table)?.path);
            answerOk(exchange);
          })
        ).url + path,
      );
    expect(found).toEqual(["/things/:id", undefined, "/elsewhere", undefined]);
  });

  it("a client that leaves before an answer is a 499", async () => {
    const { port, record } = await stage(() => {});
    await sendRaw(port, "GET /things/7 HTTP/1.1\r\nHost: a\r\n\r\n", { leave: true });
    expect(await record).toMatchObject({ route: "/things/:id", status: 499 });
  });
});

it("a client that leaves in the middle of its body is a 499, whatever the handler would have answered", async () => {
  const { port, record } = await stage(async ({ request, response }) => {
    await Promise.resolve(readBytes(request, { maxBytes: 10 })).catch(() => answerJson(response, 400, {}));
  });
  await sendRaw(port, "POST /things/7 HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc", { leave: true });
  expect(await record).toMatchObject({ status: 499 });
});

it("[C-9.490] one listener writes the record and gives back what a request held; what comes after the close is given back at once", async () => {
  const given: string[] = [];
  const bodies = createByteBudget({ maxBytes: 100_000 });
  const { promise, resolve } = deferred<Exchange>();
  const { url, record } = await stage(
    async (exchange) => {
      const { request, response } = exchange;
      for (const name of ["first", "second"]) exchange.atClose(() => given.push(name));
      await readBytes(request, { maxBytes: 50_000 });
      expect([bodies.held, response.listenerCount("close")]).toEqual([40_000, 1]);
      answerOk(exchange);
      resolve(exchange);
    },
    { bodies },
  );
  expect((await fetch(url, { method: "POST", body: "x".repeat(40_000) })).status).toBe(200);
  expect(await record).toMatchObject({ status: 200 });
  expect([bodies.held, given]).toEqual([0, ["first", "second"]]);
  (await promise).atClose(() => given.push("late"));
  expect(given).toEqual(["first", "second", "late"]);
});

describe("a handler finds the exchange of its request", () => {
  it("the one that the edge began", async () => {
    const { url } = await stage((exchange) => {
      expect(exchangeOf(exchange.request)).toBe(exchange);
      expect(exchangeOf(exchange.request, exchange.response)).toBe(exchange);
      answerOk(exchange);
    });
    expect((await fetch(url)).status).toBe(200);
  });

  it("one of its own when it stands alone, with the socket's address", async () => {
    const port = await serve((request, response) => {
      expect(() => exchangeOf(request)).toThrow("no exchange");
      answerJson(response, 200, { address: exchangeOf(request, response).address });
    });
    const answer = await fetch(`http://127.0.0.1:${port}`, {
      headers: { "X-Forwarded-For": "203.0.113.9", traceparent },
    });
    expect(answer.headers.get("x-trace-id")).toBe(sent);
    expect(await answer.json()).toEqual({ address: "127.0.0.1" });
  });

  it("with the client's address behind a trusted proxy", async () => {
    const { url } = await stage(({ address, response }) => answerJson(response, 200, { address }), { trustProxy: 1 });
    const answer = await fetch(url, { headers: { "X-Forwarded-For": "203.0.113.9" } });
    expect(await answer.json()).toEqual({ address: "203.0.113.9" });
  });
});

it("[C-9.462] requests that waited for the same go on by share, each caller's in its part of a slice", async () => {
  let now = 0;
  const scheduler = createLoopScheduler({ stopwatch: () => now });
  const ended = deferred<string>();
  const order: string[] = [];
  let arrived = 0;
  const { url } = await stage(
    (exchange) => {
      arrived += 1;
      const caller = String(exchange.request.headers.authorization);
      void exchange.andThen(ended.promise, () => {
        // Each takes as long as a slice.
        now += 2.5;
        order.push(caller);
        answerOk(exchange);
      });
    },
    { scheduler, shareOf: ({ request }) => ({ name: String(request.headers.authorization), isKnown: true }) },
  );
  const ask = (authorization: string) => fetch(url, { headers: { authorization } });
  const asked = ["many", "many", "many"].map(ask);
  await expect.poll(() => arrived).toBe(3);
  asked.push(ask("one"));
  await expect.poll(() => arrived).toBe(4);
  ended.resolve("known");
  await Promise.all(asked);
  expect(order).toEqual(["many", "many", "one", "many"]);
});
