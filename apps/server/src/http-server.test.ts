import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type AccessRecord, createRouteTable, readBytes } from "@org/http";
import { type Config, readConfig } from "@org/installation";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Feature } from "./feature.js";
import { createHttpServer } from "./http-server.js";
import type { Logger } from "./log.js";

const TRACE_ID = /^[0-9a-f]{32}$/;
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A server with these features; returns its address and its log. */
async function serve(
  features: readonly Feature[],
  {
    complete = true,
    config = {},
    family: [path, family] = ["/thing/:id", "test"],
    standing,
    clock,
  }: {
    standing?: () => number;
    clock?: () => Date;
    complete?: boolean;
    config?: Partial<Config>;
    family?: readonly [path: string, family: string];
  } = {},
) {
  const records: AccessRecord[] = [];
  const errors: Record<string, unknown>[] = [];
  const log = {
    info: (record: AccessRecord) => records.push(record),
    error: (fields: Record<string, unknown>) => errors.push(fields),
  };
  const answered: AccessRecord[] = [];
  const http = createHttpServer({
    config: { ...readConfig({}), ...config },
    log: log as unknown as Logger,
    routes: createRouteTable(
      [path, ...features.flatMap(({ routes }) => Object.keys({ ...routes?.direct, ...routes?.byRoute }))].map(
        (each) => ({
          methods: ["GET"],
          path: each,
          family,
          scopes: [],
          maxBodyBytes: null,
          origins: "none",
          summary: "",
        }),
      ),
    ),
    onAnswered: (record) => answered.push(record),
    ...(standing && { standing }),
    ...(clock && { clock }),
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
  return { url: `http://127.0.0.1:${port}`, port, records, errors, answered, http };
}

/** Opens a connection that stays open; returns a function that sends requests on it, and how it ended. */
async function connected(port: number) {
  const socket = connect(port, "127.0.0.1");
  const closed = once(socket, "close");
  let received = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    received += chunk;
  });
  socket.on("error", () => {});
  await once(socket, "connect");
  return {
    closed,
    async ask(path: string): Promise<string> {
      received = "";
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await expect.poll(() => received, { timeout: 60_000 }).toMatch(/\r\n\r\n./);
      return received;
    },
  };
}

/**
 * Sends bytes unchanged; returns what comes back until the connection ends.
 * @param texts further ones are sent each after an answer
 * @param leaves whether to half-close the connection
 */
async function sendRaw(port: number, texts: string | readonly string[], { leaves = false } = {}): Promise<string> {
  const [text = "", ...further] = [texts].flat();
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: leaves });
  let answer = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    answer += chunk;
    const next = further.shift();
    if (next !== undefined) socket.write(next);
  });
  if (leaves) socket.end(text);
  else socket.write(text);
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
      "/direct/broken": async () => {
        throw new Error("a defect");
      },
      "/direct/late": async (_request, response) => {
        response.write("begun");
        throw new Error("a defect");
      },
    },
    byRoute: {
      "/found/*": (request, response, next) => {
        if (request.url === "/found/it") response.end("by its route");
        else if (request.url === "/found/broken") throw new Error("a defect");
        else next();
      },
    },
  },
};

const healthy: Feature = {
  routes: {
    direct: {
      "/healthz": async (_request, response) => {
        response.end("alive");
      },
    },
  },
};

describe("[C-7.20] every answer has a trace id, and its record in the access log", () => {
  it.each([
    ["a feature's", "/thing/1?secret=1", 200, "/thing/:id"],
    ["a direct one", "/direct?x=1", 200, "/direct"],
    ["one's by its route", "/found/it", 200, "/found/*"],
    ["nobody's", "/nothing", 404, null],
    ["a defect's", "/thing/broken", 500, "/thing/:id"],
    ["a direct one's defect", "/direct/broken", 500, "/direct/broken"],
    ["a defect's by its route", "/found/broken", 500, "/found/*"],
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

  it("what is answered by its route has the headers of express, and express answers what that is not", async () => {
    const { url } = await serve([thing]);
    const headersOf = async (path: string) => {
      const { status, headers } = await fetch(url + path);
      return [status, headers.get("x-content-type-options"), headers.get("x-frame-options")];
    };
    expect(await headersOf("/found/it")).toEqual([200, "nosniff", "SAMEORIGIN"]);
    expect(await headersOf("/found/other")).toEqual([404, "nosniff", "SAMEORIGIN"]);
    expect(await headersOf("/direct")).toEqual([200, null, null]);
  });

  it.each([
    ["whose body has no end", "Content-Length: 9\r\n\r\na"],
    ["whose body is none", "Transfer-Encoding: chunked\r\n\r\n1\r\naZZ\r\n"],
  ])("a request %s is answered, and nobody waits for the rest", async (_name, rest) => {
    const read = vi.fn();
    const reading: Feature = {
      routes: {
        direct: {
          "/direct": async (request) =>
            read(await Promise.resolve(readBytes(request, { maxBytes: 9 })).catch(({ code }) => code)),
        },
      },
    };
    const { port } = await serve([reading]);
    const request = `POST /direct HTTP/1.1\r\nHost: localhost\r\n${rest}`;
    expect(await sendRaw(port, request, { leaves: true })).toMatch(/^HTTP\/1\.1 400 /);
    await expect.poll(() => read.mock.calls, { timeout: 5_000 }).toEqual([["broken_off"]]);
  });

  it("whoever was at work on a request that broke off is too late, which is no defect", async () => {
    const works: Feature = {
      routes: {
        handle: (request, response, next) =>
          request.path === "/thing/1" ? delay(50).then(() => void response.json({})) : next(),
        direct: {
          "/direct": async (_request, response) => {
            await delay(50);
            response.writeHead(200).end();
          },
        },
      },
    };
    const { port, errors } = await serve([works]);
    const said = vi.spyOn(console, "error");
    for (const path of ["/thing/1", "/direct"]) {
      const request = `POST ${path} HTTP/1.1\r\nHost: localhost\r\n`;
      expect(await sendRaw(port, `${request}Content-Length: 9\r\n\r\na`, { leaves: true })).toMatch(/^HTTP\/1\.1 400 /);
      expect(await sendRaw(port, `${request}\r\nhello\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close/);
    }
    await delay(100);
    expect([errors, said.mock.calls]).toEqual([[], []]);
    said.mockRestore();
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

  it("a defect behind the beginning of an answer ends its connection, and nothing else", async () => {
    const { url, errors } = await serve([thing]);
    await expect(fetch(`${url}/direct/late`).then((response) => response.text())).rejects.toThrow();
    expect(errors).toMatchObject([{ err: new Error("a defect"), trace_id: expect.stringMatching(TRACE_ID) }]);
    expect((await fetch(`${url}/direct`)).status).toBe(200);
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
    ["[C-9.463] with too many fields", `GET / HTTP/1.1\r\nHost: localhost\r\n${"X: 1\r\n".repeat(200)}\r\n`, 431],
    ["without a host", "GET /nothing HTTP/1.1\r\n\r\n", 400],
    ["with a fragment", "GET /nothing#x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400],
    ["for two hosts", "GET /nothing HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n", 400],
    ["for nobody's address", "GET http:///thing/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400],
    [
      "that expects what nobody gives",
      "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nConnection: close\r\n\r\n",
      417,
    ],
    ["behind one that was answered", ["GET /direct HTTP/1.1\r\nHost: localhost\r\n\r\n", "hello\r\n\r\n"], 400],
  ])("a request %s", async (_name, bytes, status) => {
    const { port, records } = await serve([thing]);
    const answer = await sendRaw(port, bytes);
    const [, trace_id] = [...answer.matchAll(/^X-Trace-Id: ([0-9a-f]{32})\r$/gm)].at(-1) ?? [];
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    await expect.poll(() => records.map((record) => record.trace_id)).toContain(trace_id);
    expect(records.find((record) => record.trace_id === trace_id)).toMatchObject({ status, route: null });
  });
});

describe("[scale.md §1] nobody takes more than their share of the door", () => {
  it.each([
    ["of an address", { connectionsPerAddress: 2 }, 429, "connections_per_address"],
    ["in all, of which one network has half", { connections: 4 }, 503, "connections"],
  ])(
    "connections %s: one too many is told so and closed, and health is answered on it",
    async (_name, config, status, limit) => {
      const { port, records } = await serve([thing, healthy], { config });
      const within = [await connected(port), await connected(port)];
      const [one, other] = [await connected(port), await connected(port)];
      expect(await one.ask("/healthz")).toMatch(/^HTTP\/1.1 200 [\s\S]*Connection: close/);
      const refused = await other.ask("/thing/1");
      expect(refused).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(refused).toMatch(/^Retry-After: 10\r$/m);
      await Promise.all([one.closed, other.closed]);
      expect(await within[0]?.ask("/thing/1")).toMatch(/^HTTP\/1.1 200 /);
      const [, trace_id] = /^X-Trace-Id: ([0-9a-f]{32})\r$/m.exec(refused) ?? [];
      const facts = { method: "GET", route: "/thing/:id", status, limit, ms: expect.any(Number) };
      await expect.poll(() => records.find((record) => record.trace_id === trace_id)).toMatchObject(facts);
      expect(await (await connected(port)).ask("/thing/1")).toMatch(/^HTTP\/1.1 (200|429|503) /);
    },
  );

  it("connections far beyond the limit are closed without an answer, and counted", async () => {
    const { port, answered } = await serve([thing], { config: { connectionsPerAddress: 1 } });
    const all = await Promise.all(Array.from({ length: 67 }, () => connected(port)));
    await Promise.race(all.map(({ closed }) => closed));
    await expect.poll(() => answered.map(({ limit }) => limit)).toContain("connections_per_address");
  });

  it("[C-9.75] who does not wait for answers has a few requests on a connection; it is closed behind one more", async () => {
    const { port, answered } = await serve([thing]);
    const answer = await sendRaw(port, "GET /thing/1 HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(38));
    const statuses = [...answer.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual([...Array<string>(5).fill("200"), "429"]);
    await expect.poll(() => answered.map(({ limit }) => limit)).toContain("requests_of_connection");
    expect(answered).toHaveLength(6);
  });

  it("[C-9.491] what waits for the event loop is counted, and its record says how long it waited", async () => {
    const waiting: number[] = [];
    const busy: Feature = {
      routes: {
        direct: {
          async "/busy"(_request, response) {
            const end = performance.now() + 5;
            while (performance.now() < end);
            waiting.push(http.load.waiting);
            response.end("done");
          },
        },
      },
    };
    const { port, answered, http } = await serve([busy]);
    await sendRaw(port, "GET /busy HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3), { leaves: true });
    await expect.poll(() => answered).toHaveLength(3);
    expect(waiting).toEqual([0, 1, 0]);
    expect(answered.filter(({ waited_ms = 0 }) => waited_ms >= 4)).toHaveLength(2);
    for (const { ms, waited_ms = 0 } of answered) expect(ms).toBeGreaterThan(waited_ms + 4);
    expect([http.load.running, http.load.waiting]).toEqual([0, 0]);
  });

  it("[C-9.75] with some more behind that one the connection ends at once, and whoever expects what nobody gives has no more", async () => {
    const { port } = await serve([{ routes: { direct: { "/silent": async () => {} } } }]);
    const unanswered = (count: number) => "GET /silent HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(count);
    expect(await sendRaw(port, unanswered(39))).toBe("");
    const expecting = "GET / HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\n\r\n".repeat(8);
    const statuses = [...(await sendRaw(port, expecting)).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual([...Array<string>(5).fill("417"), "429"]);
  });

  it("[C-9.463] a request that expects what nobody gives is refused as often as any other that fails", async () => {
    const { port } = await serve([thing]);
    const statusOf = async () => {
      const answer = await sendRaw(port, "GET /nothing HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n");
      return answer.slice(9, 12);
    };
    // The count drops by twenty a second.
    const statuses = new Set<string>();
    for (let index = 0; index < 2_000 && !statuses.has("429"); index += 40)
      for (const status of await Promise.all(Array.from({ length: 40 }, statusOf))) statuses.add(status);
    expect(statuses).toEqual(new Set(["417", "429"]));
  });

  it("[C-9.75] [C-9.80] who leaves before the answers gives back what was taken for all of the requests on a connection", async () => {
    let begun = 0;
    const silent: Feature = {
      routes: {
        direct: {
          "/silent": async () => {
            begun += 1;
          },
        },
      },
    };
    // On a busy machine, load shedding would refuse many.
    const { port, answered } = await serve([silent], { config: { shedDelayMs: 0 } });
    const request = "GET /silent HTTP/1.1\r\nHost: localhost\r\n\r\n";
    // Each round sends nearly as many as one network may have in flight.
    for (const inAll of [1_020, 2_040]) {
      const sockets = Array.from({ length: 204 }, () => connect(port, "127.0.0.1").on("error", () => {}));
      for (const socket of sockets) socket.write(request.repeat(5));
      await expect.poll(() => begun, { timeout: 60_000 }).toBe(inAll);
      for (const socket of sockets) socket.destroy();
      await expect.poll(() => answered.length, { timeout: 60_000 }).toBe(inAll);
    }
    expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([499]));
  });

  it("whatever a proxy says of where a request comes from is an address or none", async () => {
    const { url } = await serve([thing], { config: { trustProxy: true } });
    for (const address of ["fe80::1%br-1", "fe80::1%", "::ffff:1.2.3.4%x y", "1.2.3.4:5:6", "[", "%", ""])
      expect((await fetch(`${url}/thing/1`, { headers: { "x-forwarded-for": address } })).status, address).toBe(200);
  });

  it("behind a proxy its connections are everybody's", async () => {
    const { port } = await serve([thing], { config: { connectionsPerAddress: 1, trustProxy: 1 } });
    const both = [await connected(port), await connected(port)];
    for (const each of both) expect(await each.ask("/thing/1")).toMatch(/^HTTP\/1.1 200 /);
  });

  it("refusals of callers that nobody knows have few records of their own, and a number at the end of the minute", async () => {
    const { url, records, answered, http } = await serve([thing]);
    for (let sent = 0; sent < 30; sent += 1) await (await fetch(`${url}/nothing`)).text();
    await (await fetch(`${url}/thing/1`)).text();
    await expect.poll(() => answered).toHaveLength(31);
    expect(records.filter(({ status }) => status === 404)).toHaveLength(20);
    expect(records.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(http.takeCounted(true)).toMatchObject([{ network: "127.0.0.0/24", kind: "404 other", count: 10 }]);
  });

  it("a network that is refused all the time is refused what proves nothing; whoever brings credentials is heard", async () => {
    // With the clock stopped, the bucket does not refill.
    vi.useFakeTimers({ toFake: ["Date"] });
    stops.push(async () => vi.useRealTimers());
    const { url, answered } = await serve([thing, healthy]);
    const ask = async (path: string, init?: RequestInit) => {
      const answer = await fetch(url + path, init);
      await answer.text();
      return answer;
    };
    for (let sent = 0; sent < 1_250; sent += 50) await Promise.all(Array.from({ length: 50 }, () => ask("/nothing")));
    const refused = await ask("/thing/1");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect((await ask("/thing/1", { headers: { authorization: "Bearer x" } })).status).toBe(200);
    expect((await ask("/thing/1", { method: "POST", body: "secret=x" })).status).toBe(200);
    expect((await ask("/healthz")).status).toBe(200);
    expect(answered.some(({ limit }) => limit === "refusals_per_minute")).toBe(true);
  });

  const details = [{ limit: "connections", value: 0, ends_at: "2026-01-01T00:00:10.000Z" }];
  const words = "the server is at its capacity (connections: 0); try again in 10 s";
  it.each([
    ["/mcp", "mcp", { jsonrpc: "2.0", id: null, error: { code: -32000, data: { details } } }],
    ["/token", "oauth", { error: "temporarily_unavailable", error_description: words }],
    ["/letters/v1/search", "letters", { success: false, error: { code: "UNAVAILABLE", details, message: words } }],
    ["/v2/connect/sessions", "connect", { success: false, error: { code: "Unavailable", details } }],
  ])(
    "%s is refused in the words of its family, with which limit, its value and when it ends",
    async (path, family, body) => {
      const { port } = await serve([thing], {
        config: { connections: 0 },
        family: [path, family],
        clock: () => new Date("2026-01-01T00:00:00Z"),
      });
      const answer = await (await connected(port)).ask(path);
      expect(answer).toMatch(/^HTTP\/1.1 503 /);
      expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject(body);
    },
  );
});

describe("[scale.md §1] above capacity", () => {
  it("requests are refused while all wait for the database, and whoever is refused is held back a little", async () => {
    let standing = 0;
    const open: ServerResponse[] = [];
    const waits: Feature = {
      routes: {
        handle(_request, response) {
          open.push(response);
        },
      },
    };
    let judged = 0;
    const { url, records } = await serve([healthy, waits], {
      standing() {
        judged += 1;
        return standing;
      },
    });
    const ask = (count: number) => Array.from({ length: count }, () => fetch(`${url}/thing/1`));
    const first = ask(60);
    await expect.poll(() => open.length).toBe(60);
    standing = 1_000;
    judged = 0;
    // After every tenth of a second of overload, only two thirds of the previous number may be in flight, but always 32.
    await expect.poll(() => judged).toBeGreaterThan(5);
    const second = ask(80);
    const refused = () => records.filter(({ limit }) => limit === "requests_in_flight");
    await expect.poll(() => refused().length).toBeGreaterThan(0);
    expect(refused().every(({ status, ms }) => status === 503 && ms >= 249)).toBe(true);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    for (const response of open) response.end("done");
    for (const answer of await Promise.all(first)) expect(answer.status).toBe(200);
    const answers = await Promise.all(second);
    const busy = answers.filter(({ status }) => status === 503);
    expect(busy.length).toBeGreaterThanOrEqual(80 - 40);
    for (const { headers } of busy) expect(headers.get("retry-after")).toBe("1");
    const traces = busy.map(({ headers }) => headers.get("x-trace-id"));
    for (const { trace_id } of refused()) expect(traces).toContain(trace_id);
  });
});
