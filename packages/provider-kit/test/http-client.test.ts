import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createHttpClient, type HttpCall } from "../src/http/index.js";
import { type BodyReading, HttpFailure, type HttpRequest } from "../src/index.js";
import { createPki, type Institution, type Pki, startInstitution, startProxy } from "./institution.js";

const now = new Date("2026-03-02T09:00:00.000Z");
const SECRETS = ["q-secret", "h-secret", "b-secret", "p-secret", "answer-secret"];
const never = new AbortController().signal;

/** Handles the institution's next request; each test sets it. */
let serve: (request: IncomingMessage, response: ServerResponse, body: string) => unknown;
let bank: Institution;
let calls: HttpCall[] = [];

beforeAll(async () => {
  bank = await startInstitution(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    await serve(request, response, body);
  });
});
afterAll(() => bank.stop());
beforeEach(() => {
  calls = [];
  serve = (_, response) => response.end("{}");
});

type Given = Partial<Parameters<typeof createHttpClient>[0]>;

function client(given: Given = {}) {
  const made = createHttpClient({ hosts: [bank.host], clock: () => now, onCall: (call) => calls.push(call), ...given });
  onTestFinished(() => made.close());
  return made;
}

function ask<Read extends BodyReading = "json">(request: Partial<HttpRequest<Read>> = {}, given: Given = {}) {
  return client(given).request({
    method: "GET",
    url: `${bank.url}/p-secret`,
    signal: never,
    read: "json" as Read,
    ...request,
  });
}

/** The error thrown, including everything that a log could show of it. */
async function failureOf(asked: Promise<unknown>): Promise<HttpFailure> {
  const failure = await asked.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof HttpFailure)) throw new Error(`no HttpFailure: ${failure}`);
  const shown = `${failure.stack} ${JSON.stringify(failure)} ${failure.cause}`;
  for (const secret of SECRETS) expect(shown).not.toContain(secret);
  expect(failure.message).toContain(`${failure.method} ${failure.host}: `);
  return failure;
}

const secretive = {
  method: "POST",
  query: { token: "q-secret" },
  headers: { authorization: "Bearer h-secret" },
  json: { password: "b-secret" },
} as const;

describe("a request", () => {
  it.each<[string, Partial<HttpRequest>, { method: string; url: string; body: string; headers: object }]>([
    [
      "has a query beside the address's own",
      { url: "/a?x=1", query: { y: "2 &", z: undefined } },
      { method: "GET", url: "/a?x=1&y=2+%26", body: "", headers: { accept: "application/json" } },
    ],
    [
      "sends JSON",
      { method: "POST", url: "/j", json: { a: "1" } },
      { method: "POST", url: "/j", body: '{"a":"1"}', headers: { "content-type": "application/json" } },
    ],
    [
      "sends a form",
      { method: "POST", url: "/f", form: { grant_type: "x y" } },
      {
        method: "POST",
        url: "/f",
        body: "grant_type=x+y",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      },
    ],
    [
      "sends a text under its own type, and headers in any case",
      {
        method: "PUT",
        url: "/t",
        text: "<a/>",
        headers: { "Content-Type": "text/xml", "User-Agent": "Bank 1", Accept: "x/y" },
      },
      {
        method: "PUT",
        url: "/t",
        body: "<a/>",
        headers: { "content-type": "text/xml", "user-agent": "Bank 1", accept: "x/y" },
      },
    ],
  ])("%s", async (_, request, expected) => {
    let seen = {};
    serve = ({ method, url, headers }, response, body) => {
      seen = { method, url, body, headers };
      response.end("{}");
    };
    await ask({ ...request, url: `${bank.url}${request.url}` } as HttpRequest<"json">);
    expect(seen).toMatchObject(expected);
  });

  it("answers status, headers and body of every status, and tells the observer", async () => {
    serve = (_, response) => response.writeHead(404, { "X-Code": ["a", "b"] }).end('{"code":"GONE"}');
    expect(await ask()).toMatchObject({
      status: 404,
      headers: { "x-code": "a, b" },
      body: { code: "GONE" },
      retry_after_seconds: null,
    });
    expect(calls).toEqual([{ method: "GET", host: bank.host, outcome: "4xx", seconds: 0 }]);
  });

  it.each<[BodyReading, Record<string, string>, string | Buffer, unknown]>([
    ["json", {}, '{"a":0.10}', { a: 0.1 }],
    ["json_exact", {}, '{"a":0.10}', { a: "0.10" }],
    ["json", {}, "", null],
    ["text", { "content-type": "text/plain; charset=ISO-8859-1" }, Buffer.from([0xfc]), "ü"],
    ["text", { "content-type": "text/plain; charset=martian" }, "ü", "ü"],
    ["bytes", {}, Buffer.from([0, 255]), new Uint8Array([0, 255])],
    ["json", { "content-encoding": "gzip" }, gzipSync('{"a":1}'), { a: 1 }],
  ])("reads a body as %s (%j)", async (read, headers, body, expected) => {
    serve = (_, response) => response.writeHead(200, headers).end(body);
    expect((await ask({ read })).body).toEqual(expected);
  });

  it("gives null for a page that came instead of JSON with another status than 2xx, and refuses one with 2xx", async () => {
    serve = (_, response) => response.writeHead(502).end("<html>answer-secret");
    expect(await ask()).toMatchObject({ status: 502, body: null });
    serve = (_, response) => response.end("<html>answer-secret");
    expect(await failureOf(ask())).toMatchObject({ code: "not_json", status: 200 });
  });

  it.each([
    ["120", 120],
    ["Mon, 02 Mar 2026 09:01:30 GMT", 90],
    ["Mon, 02 Mar 2026 08:00:00 GMT", 0],
    ["soon", null],
    ["-5", null],
  ])("reads Retry-After: %s", async (header, seconds) => {
    serve = (_, response) => response.writeHead(429, { "retry-after": header }).end();
    expect((await ask()).retry_after_seconds).toBe(seconds);
  });
});

describe("[C-10.15] hosts", () => {
  it.each([
    ["another host", "https://evil.example/"],
    ["another port", "http://localhost:1/"],
    ["a name that only looks like it", () => `http://${bank.host}.evil.example/`],
    ["a host in the credentials' place", () => `http://${bank.host}@evil.example/`],
    ["what is no address", "b-secret"],
    ["another scheme", () => `ftp://${bank.host}/`],
    ["credentials in the address", () => `http://user:p-secret@${bank.host}/`],
  ])("%s is refused, and not asked", async (_, url) => {
    let asked = 0;
    serve = () => (asked += 1);
    const failure = await failureOf(ask({ ...secretive, url: typeof url === "string" ? url : url() }));
    expect(failure.code).toBe("refused_host");
    expect(asked).toBe(0);
    expect(calls).toMatchObject([{ outcome: "refused_host" }]);
  });

  it("plain http leaves the machine for nobody, even where the settings name it", async () => {
    const failure = await failureOf(ask({ url: "http://bank.example/" }, { hosts: ["bank.example"] }));
    expect(failure).toMatchObject({ code: "refused_host", message: expect.stringContaining("this machine only") });
  });

  it("a redirect is an answer like any other", async () => {
    const asked: (string | undefined)[] = [];
    serve = ({ url }, response) => {
      asked.push(url);
      response.writeHead(302, { location: "/elsewhere" }).end();
    };
    expect(await ask()).toMatchObject({ status: 302, headers: { location: "/elsewhere" }, body: null });
    expect(asked).toEqual(["/p-secret"]);
  });
});

describe("[C-10.16] limits", () => {
  it.each(["declared", "chunked"])("64 MB over the limit are not read to their end (%s)", async (how) => {
    const chunk = Buffer.alloc(64 * 1024, "x");
    const whole = 64 * 1024 * 1024;
    let sent = 0;
    const ended = new Promise<void>((resolve) => {
      serve = async (_, response) => {
        if (how === "declared") response.setHeader("content-length", whole);
        let isOpen = true;
        const closed = once(response, "close").then(() => (isOpen = false));
        while (isOpen && sent < whole) {
          sent += chunk.length;
          if (!response.write(chunk)) await Promise.race([once(response, "drain"), closed]);
        }
        response.end();
        resolve();
      };
    });
    const failure = await failureOf(ask({ read: "bytes", max_bytes: 1024 * 1024 }));
    expect(failure).toMatchObject({
      code: "too_large",
      status: 200,
      message: expect.stringContaining("1048576 bytes"),
    });
    await ended;
    expect(sent).toBeLessThan(whole / 2);
  });

  it("a small body that unpacks into a large one is cut off too", async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(100_000);
    serve = (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    expect(await failureOf(ask({ read: "bytes", max_bytes: 1024 * 1024 }))).toMatchObject({ code: "too_large" });
  });

  it("a body of exactly the limit is read", async () => {
    serve = (_, response) => response.end(Buffer.alloc(1_000));
    const answer = await ask({ read: "bytes", max_bytes: 1_000 });
    expect([answer.body.length, answer.bytes]).toEqual([1_000, 1_000]);
  });

  it.each<[string, typeof serve]>([
    ["nothing at all", () => undefined],
    ["headers only", (_, response) => response.flushHeaders()],
    [
      "a body that never ends",
      (_, response) => {
        const timer = setInterval(() => response.write(" "), 5);
        response.on("close", () => clearInterval(timer));
      },
    ],
  ])("%s is waited for until the time is over", async (_, slow) => {
    serve = slow;
    expect(await failureOf(ask({ ...secretive, timeout_ms: 50 }))).toMatchObject({ code: "timed_out" });
    expect(calls).toMatchObject([{ outcome: "timed_out" }]);
  });

  it("the caller's signal ends it, with the caller's reason", async () => {
    const caller = new AbortController();
    serve = () => caller.abort(new Error("stopping"));
    await expect(ask({ signal: caller.signal })).rejects.toThrow("stopping");
    await expect(ask({ signal: caller.signal })).rejects.toThrow("stopping");
    expect(calls).toMatchObject([{ outcome: "given_up" }, { outcome: "given_up" }]);
  });

  it.each<[string, typeof serve]>([
    ["before the answer", (request) => request.socket.destroy()],
    [
      "in the middle of it",
      (_, response) => {
        response.writeHead(200, { "content-length": 1_000 }).write("answer-secret");
        setImmediate(() => response.destroy());
      },
    ],
    ["and what is no HTTP", (request) => request.socket.end("answer-secret\r\n\r\n")],
    [
      "and broken packing",
      (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("answer-secret"),
    ],
  ])("a connection that is cut %s is a failure of the network", async (_, cut) => {
    serve = cut;
    expect(await failureOf(ask(secretive))).toMatchObject({ code: "network" });
  });

  it("so is a port where nobody listens", async () => {
    const gone = await startInstitution(() => undefined);
    await gone.stop();
    const failure = await failureOf(ask({ url: gone.url }, { hosts: [gone.host] }));
    expect(failure).toMatchObject({ code: "network", message: expect.stringContaining("ECONNREFUSED") });
  });
});

describe("[C-10.17] errors", () => {
  const answering = (body: string) => {
    serve = (_, response) => response.writeHead(403, { "retry-after": "7", "x-h": "answer-secret" }).end(body);
  };
  const errorCode = (body: unknown) => (body as { error: { code: string } }).error.code;

  it("name method, host, status and the institution's code, and nothing that was sent or answered", async () => {
    answering('{"error":{"code":"CONSENT_OVER","detail":"answer-secret"}}');
    const failure = await failureOf(ask({ ...secretive, expect: "2xx", errorCode }));
    expect(failure.message).toBe(`POST ${bank.host}: answered 403 (CONSENT_OVER)`);
    expect(failure).toMatchObject({
      code: "status",
      status: 403,
      institution_code: "CONSENT_OVER",
      retry_after_seconds: 7,
    });
    expect(calls).toMatchObject([{ outcome: "4xx" }]);
  });

  it("name a status that is not among those that were expected", async () => {
    answering("{}");
    expect(await ask({ ...secretive, expect: [200, 403] })).toMatchObject({ status: 403 });
    const failure = await failureOf(ask({ ...secretive, expect: [200, 401] }));
    expect([failure.code, failure.message]).toEqual(["status", `POST ${bank.host}: answered 403`]);
  });

  it.each(['{"error":{"code":"answer-secret of somebody"}}', '{"error":{"code":{"a":1}}}', "{}", "<html>", ""])(
    "have no code where a body has none: %s",
    async (body) => {
      answering(body);
      const failure = await failureOf(ask({ ...secretive, expect: "2xx", errorCode }));
      expect(failure).toMatchObject({ institution_code: null, message: `POST ${bank.host}: answered 403` });
    },
  );

  it("a header that cannot be sent is not repeated in the error", async () => {
    await failureOf(ask({ headers: { "x-token": "h-secret\r\nx: y" } }));
  });
});

describe("[C-10.19] TLS", () => {
  let pki: Pki;
  let other: Pki;
  beforeAll(async () => {
    [pki, other] = await Promise.all([createPki(), createPki()]);
  });

  /** An institution with its own certificate, which asks for the client's. */
  async function secured(options: object = {}) {
    const seen: string[] = [];
    const institution = await startInstitution(
      (request, response) => {
        seen.push(request.headers.authorization ?? "");
        response.end("{}");
      },
      { ...pki.server, ca: pki.ca, ...options },
    );
    onTestFinished(() => institution.stop());
    const request = (tls?: HttpRequest["tls"], given: Given = {}) =>
      ask({ ...secretive, url: institution.url, ...(tls && { tls }) }, { hosts: [institution.host], ...given });
    return { institution, seen, request };
  }

  it("a server is trusted by the authority of the settings, and by no other", async () => {
    const { request, seen } = await secured();
    for (const tls of [undefined, { ca: other.ca }, pki.client])
      expect(await failureOf(request(tls))).toMatchObject({ code: "tls" });
    expect(seen).toEqual([]);
    expect(await request({ ca: pki.ca })).toMatchObject({ status: 200 });
    expect(calls.map(({ outcome }) => outcome)).toEqual(["tls", "tls", "tls", "2xx"]);
  });

  it("a certificate for another name is refused, and no request is sent", async () => {
    const { institution, seen } = await secured();
    const host = institution.host.replace("localhost", "127.0.0.1");
    const failure = await failureOf(
      ask({ ...secretive, url: `https://${host}`, tls: { ca: pki.ca } }, { hosts: [host] }),
    );
    expect(failure.code === "tls" || failure.code === "network").toBe(true);
    expect(seen).toEqual([]);
  });

  it("a client certificate lets in, another or none does not", async () => {
    const { request, seen } = await secured({ requestCert: true, rejectUnauthorized: true });
    expect(await request({ ...pki.client, ca: pki.ca })).toMatchObject({ status: 200 });
    for (const tls of [{ ca: pki.ca }, { ...other.client, ca: pki.ca }])
      expect(["tls", "network"]).toContain((await failureOf(request(tls))).code);
    expect(seen).toHaveLength(1);
  });

  it("a key that is none is a failure that does not show it", async () => {
    const { request } = await secured();
    await failureOf(request({ cert: pki.client.cert, key: "h-secret", ca: pki.ca }));
  });

  it("a proxy is asked for a tunnel, and sees no more than the host; where there is none, the host is asked itself", async () => {
    const proxy = await startProxy();
    onTestFinished(() => proxy.stop());
    const { request, institution, seen } = await secured({ requestCert: true, rejectUnauthorized: true });
    const tls = { ...pki.client, ca: pki.ca };
    expect(await request(tls, { proxyFor: () => proxy.url })).toMatchObject({ status: 200 });
    expect(proxy.opened).toEqual([institution.host]);
    expect(await request(tls, { proxyFor: () => null })).toMatchObject({ status: 200 });
    expect(proxy.opened).toEqual([institution.host]);
    expect(seen).toHaveLength(2);
    expect((await failureOf(request({ ca: other.ca }, { proxyFor: () => proxy.url }))).code).toBe("tls");
  });

  it("a proxy that is away is a failure of the network", async () => {
    const proxy = await startProxy();
    await proxy.stop();
    const { request } = await secured();
    expect(await failureOf(request({ ca: pki.ca }, { proxyFor: () => proxy.url }))).toMatchObject({ code: "network" });
  });
});
