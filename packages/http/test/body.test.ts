import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { createByteBudget } from "@org/admission";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { discardBody } from "../src/discard-body.js";
import {
  afterHeaders,
  answerJson,
  BodyError,
  chunksOf,
  createEdge,
  holdBody,
  readBytes,
  releaseSpooled,
  requireFormat,
  spoolBody,
} from "../src/index.js";
import { deferred, sendRaw, serve } from "./server.js";

type Read = (request: IncomingMessage) => Promise<Buffer>;
const ways: readonly (readonly [string, (maxBytes: number, maxSeconds?: number) => Read])[] = [
  ["whole", (maxBytes, maxSeconds) => async (request) => readBytes(request, limits(maxBytes, maxSeconds))],
  [
    "in pieces",
    (maxBytes, maxSeconds) => async (request) => {
      const chunks: Buffer[] = [];
      for await (const chunk of chunksOf(request, limits(maxBytes, maxSeconds))) {
        await setImmediate();
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    },
  ],
];

/** Limits either the total time or, without `maxSeconds`, the default pace. */
function limits(maxBytes: number, maxSeconds: number | undefined) {
  return maxSeconds === undefined ? { maxBytes } : { maxBytes, maxSeconds, minBytesPerSecond: 0 };
}

/** Serves one way of reading; returns the port and the outcome of reading. */
async function stage(read: Read) {
  const { promise, resolve } = deferred<Buffer | unknown>();
  const port = await serve(async (request, response) => {
    const outcome = await read(request).catch((error: unknown) => error);
    resolve(outcome);
    if (outcome instanceof Error) discardBody(request);
    answerJson(response, outcome instanceof Error ? 413 : 200, {});
  });
  return { port, url: `http://127.0.0.1:${port}`, outcome: promise };
}

describe.each(ways)("[security.md] a body that is read %s", (_way, reader) => {
  it.each([0, 1, 1000, 300_000])("of %i bytes comes out as it was sent", async (size) => {
    const { url, outcome } = await stage(reader(300_000));
    const body = Buffer.alloc(size, "abc");
    expect((await fetch(url, { method: "POST", body })).status).toBe(200);
    expect(body.equals((await outcome) as Buffer)).toBe(true);
  });

  it("over its limit is refused before it is read, when its length is declared", async () => {
    const { url, outcome } = await stage(reader(10));
    expect((await fetch(url, { method: "POST", body: "a".repeat(11) })).status).toBe(413);
    expect(await outcome).toMatchObject({ code: "too_large" });
  });

  it("over its limit is refused as it comes, and a client that sends on gets its answer", async () => {
    const { url, outcome } = await stage(reader(100_000));
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < 40; at += 1) controller.enqueue(Buffer.alloc(50_000));
        controller.close();
      },
    });
    const answer = await fetch(url, { method: "POST", body, duplex: "half" } as RequestInit);
    expect(answer.status).toBe(413);
    expect(await outcome).toMatchObject({ code: "too_large" });
  });

  it("that takes too long is refused", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { promise, resolve } = deferred<{ readonly reading: Promise<unknown> }>();
    const port = await serve((request) => {
      resolve({ reading: reader(10, 30)(request).catch((error: unknown) => error) });
    });
    void sendRaw(port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
    const { reading } = await promise;
    vi.advanceTimersByTime(29_999);
    expect(await Promise.race([reading, setImmediate("open")])).toBe("open");
    vi.advanceTimersByTime(1);
    expect(await reading).toMatchObject({ code: "too_slow" });
  });

  it("that stops coming is refused once two looks in a row find it too slow", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { promise, resolve } = deferred<{ readonly reading: Promise<unknown> }>();
    const port = await serve((request) => {
      resolve({ reading: reader(10)(request).catch((error: unknown) => error) });
    });
    void sendRaw(port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
    const { reading } = await promise;
    vi.advanceTimersByTime(5_000);
    expect(await Promise.race([reading, setImmediate("open")])).toBe("open");
    // Bytes that have arrived are read between two checks.
    for (let look = 0; look < 4; look += 1) {
      await setImmediate();
      vi.advanceTimersByTime(5_000);
    }
    expect(await reading).toMatchObject({ code: "too_slow" });
  });

  it("that the client breaks off is refused", async () => {
    const { port, outcome } = await stage(reader(10));
    await sendRaw(port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc", { leave: true });
    expect(await outcome).toMatchObject({ code: "broken_off" });
  });

  it("that the client broke off before anybody looked is refused", async () => {
    const { port, outcome } = await stage(async (request) => {
      await new Promise((gone) => request.once("close", gone).resume());
      return reader(10)(request);
    });
    await sendRaw(port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc", { leave: true });
    expect(await outcome).toMatchObject({ code: "broken_off" });
  });

  it("that somebody else has read is a defect", async () => {
    const { url, outcome } = await stage(async (request) => {
      await new Promise((end) => request.once("end", end).resume());
      return reader(10)(request);
    });
    await fetch(url, { method: "POST", body: "a" });
    expect(await outcome).not.toBeInstanceOf(BodyError);
    expect(await outcome).toBeInstanceOf(Error);
  });
});

describe("[security.md] a body of which something has come before it is read", () => {
  /** Bytes that were available when reading began. */
  let arrived = 0;
  const late = (maxBytes: number) =>
    stage(async (request) => {
      await setImmediate();
      arrived = request.readableLength;
      const bytes = await readBytes(request, { maxBytes });
      if (!request.readableEnded) await new Promise((end) => request.once("end", end));
      return bytes;
    });

  it.each([1, 1000, 16 * 1024, 16 * 1024 + 1])("of %i bytes comes out as it was sent, and ends", async (size) => {
    const { url, outcome } = await late(20_000);
    const body = Buffer.alloc(size, "abc");
    expect((await fetch(url, { method: "POST", body })).status).toBe(200);
    expect(body.equals((await outcome) as Buffer)).toBe(true);
  });

  it("[C-9.460] is there in the tick after its headers, and returned without a promise", async () => {
    const { promise, resolve } = deferred<{ readonly bytes: unknown }>();
    const port = await serve((request, response) =>
      afterHeaders(() => {
        resolve({ bytes: readBytes(request, { maxBytes: 10 }) });
        answerJson(response, 200, {});
      }),
    );
    await sendRaw(port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nConnection: close\r\n\r\nabcdef");
    expect((await promise).bytes).toEqual(Buffer.from("abcdef"));
  });

  it("is waited for when more of it follows", async () => {
    const { port, outcome } = await late(10);
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc");
    await expect.poll(() => arrived).toBe(3);
    socket.write("def");
    expect(String(await outcome)).toBe("abcdef");
  });
});

it("[C-9.461] a small body that came with its headers is read without a timer where the server begins requests with afterHeaders", async () => {
  const { port, outcome } = await stage(async (request) => {
    await new Promise<void>((begin) => afterHeaders(begin));
    const timers = [vi.spyOn(globalThis, "setTimeout"), vi.spyOn(globalThis, "setInterval")];
    const bytes = await readBytes(request, { maxBytes: 10, maxSeconds: 30 });
    const begun = timers.flatMap((timer) => timer.mock.calls);
    vi.restoreAllMocks();
    return Buffer.from(`${bytes} ${begun.length}`);
  });
  await sendRaw(port, "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc");
  expect(String(await outcome)).toBe("abc 0");
});

it("[security.md] in pieces, a client is not read on while one is being worked on", async () => {
  const { url, outcome } = await stage(async (request) => {
    const chunks = chunksOf(request, { maxBytes: 10_000_000 });
    await chunks.next();
    const waiting = request.isPaused();
    for await (const _ of chunks);
    return Buffer.from(String(waiting));
  });
  await fetch(url, { method: "POST", body: Buffer.alloc(2_000_000) });
  expect(String(await outcome)).toBe("true");
});

describe("[C-9.513] a body in tiny chunks", () => {
  const chunks = (count: number, size: number) => `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`.repeat(count);
  const head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

  /** Returns the answer, without waiting for the end of the connection. */
  const told = async (port: number, text: string) => {
    const socket = connect(port, "127.0.0.1");
    socket.write(text);
    const answer = await new Promise((resolve) => socket.once("data", (bytes) => resolve(String(bytes))));
    socket.destroy();
    return answer;
  };

  it.each(ways)(
    "that is read %s is refused, and the client told; a small one may come as it likes",
    async (_way, reader) => {
      const facts: unknown[] = [];
      const edge = createEdge({ log: { info: ({ status, limit }) => facts.push([status, limit]) } });
      const port = await serve(async (request, response) => {
        edge.begin(request, response);
        const outcome = await reader(1_000_000)(request).catch((error: unknown) => error);
        if (outcome instanceof BodyError) answerJson(response, 400, { code: outcome.code });
        else answerJson(response, 200, { size: (outcome as Buffer).length });
      });
      expect(await told(port, `${head}${chunks(5_000, 1)}`)).toMatch(/ 400 .*small_chunks/s);
      await expect.poll(() => facts).toEqual([[400, "chunks_of_body"]]);
      const closing = head.replace("Host", "Connection: close\r\nHost");
      for (const [count, size] of [
        [1_000, 1],
        [5_000, 32],
        [3_000, 100],
      ] as const)
        expect(await sendRaw(port, `${closing}${chunks(count, size)}0\r\n\r\n`)).toContain(`"size":${count * size}`);
    },
  );

  it("is kept in a few objects", async () => {
    const { port, outcome } = await stage(async (request) => {
      let received = 0;
      for await (const _ of chunksOf(request, { maxBytes: 100_000 })) received += 1;
      return Buffer.from(`${received}`);
    });
    await sendRaw(port, `${head.replace("Host", "Connection: close\r\nHost")}${chunks(1_000, 1)}0\r\n\r\n`);
    expect(Number(await outcome)).toBeLessThanOrEqual(4);
  });

  it.each([
    ["that is refused", async (request: IncomingMessage) => void (await readBytes(request, { maxBytes: 1_000_000 }))],
    ["that nobody reads", async () => {}],
  ])("%s is read from its connection no longer, which is closed", async (_name, read) => {
    const { promise, resolve } = deferred<IncomingMessage>();
    const edge = createEdge();
    const port = await serve(async (request, response) => {
      edge.begin(request, response);
      await read(request).catch(() => {});
      answerJson(response, 400, {});
      resolve(request);
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    socket.write(head);
    socket.write(chunks(200_000, 1));
    const request = await promise;
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    expect(request.destroyed).toBe(false);
    vi.advanceTimersByTime(5_000);
    expect(request.destroyed).toBe(true);
    // What the first read brought.
    expect(request.socket.bytesRead).toBeLessThanOrEqual(2 * 65_536);
  });

  it("is discarded whole when the chunks are larger, and the connection goes on", async () => {
    const edge = createEdge();
    const port = await serve((request, response) => {
      edge.begin(request, response);
      answerJson(response, 404, {});
    });
    const next = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    const answers = await sendRaw(port, `${head}${chunks(5_000, 100)}0\r\n\r\n${next}`);
    expect(answers.match(/HTTP\/1.1 404/g)).toHaveLength(2);
  });
});

describe("[security.md] a body has to be of its type, in UTF-8 and not compressed", () => {
  const refusalOf = (headers: Record<string, string>, anyCharset = false) => {
    try {
      requireFormat({ headers }, { mediaType: "application/json", anyCharset });
      return null;
    } catch (error) {
      return (error as BodyError).code;
    }
  };
  const length = { "content-length": "2" };
  it.each([
    ["the type", { ...length, "content-type": "application/json" }, null],
    ["in capitals with a charset", { ...length, "content-type": 'Application/JSON ; charset="UTF-8"' }, null],
    ["another type", { ...length, "content-type": "text/json" }, "wrong_type"],
    ["no type", length, "wrong_type"],
    ["no type, chunked", { "transfer-encoding": "chunked" }, "wrong_type"],
    ["no type and no body", {}, null],
    ["no type and a length of nothing", { "content-length": "0" }, null],
    ["another type and no body", { "content-type": "text/plain" }, "wrong_type"],
    ["another charset", { ...length, "content-type": "application/json; charset=latin1" }, "wrong_charset"],
    ["compressed", { ...length, "content-type": "application/json", "content-encoding": "gzip" }, "compressed"],
    ["identity", { ...length, "content-type": "application/json", "content-encoding": "Identity" }, null],
  ])("%s", (_name, headers, code) => expect(refusalOf(headers)).toBe(code));

  it("any charset passes where it may", () => {
    expect(refusalOf({ ...length, "content-type": "application/json; charset=latin1" }, true)).toBeNull();
  });
});

describe("[scale.md §1] bodies on their way have a budget", () => {
  const KIB = 1024;
  /** Holds what it has read until told to answer. */
  async function keep(maxBytes: number) {
    const budget = createByteBudget({ maxBytes });
    const { promise: told, resolve: tell } = deferred<void>();
    const limits: unknown[] = [];
    const edge = createEdge({ bodies: budget, log: { info: ({ limit }) => limits.push(limit) } });
    const port = await serve(async (request, response) => {
      edge.begin(request, response);
      const reading = Promise.resolve(readBytes(request, { maxBytes: 1024 * KIB }));
      const outcome = await reading.catch((error: unknown) => error);
      if (!(outcome instanceof BodyError)) await told;
      else discardBody(request);
      answerJson(response, outcome instanceof BodyError ? (outcome.limit?.isOwnShare ? 429 : 503) : 200, {});
    });
    const send = (bytes: number) => fetch(`http://127.0.0.1:${port}`, { method: "POST", body: Buffer.alloc(bytes) });
    return { budget, tell, send, limits };
  }

  it("a network's share is half of it, and what is answered is given back", async () => {
    const { budget, tell, send, limits } = await keep(200 * KIB);
    const kept = send(90 * KIB);
    await expect.poll(() => budget.held).toBe(90 * KIB);
    expect((await send(90 * KIB)).status).toBe(429);
    const small = send(16 * KIB);
    tell();
    expect([(await kept).status, (await small).status]).toEqual([200, 200]);
    await expect.poll(() => budget.held).toBe(0);
    await expect.poll(() => limits).toContain("body_bytes_of_network");
    expect((await send(90 * KIB)).status).toBe(200);
    await expect.poll(() => budget.held).toBe(0);
  });

  it("what a body becomes is counted too, for as long as its request is answered", async () => {
    const budget = createByteBudget({ maxBytes: 100 });
    const edge = createEdge({ bodies: budget });
    const port = await serve(async (request, response) => {
      edge.begin(request, response);
      await holdBody(request, 40);
      answerJson(response, 200, { held: budget.held });
    });
    expect(await (await fetch(`http://127.0.0.1:${port}`)).json()).toEqual({ held: 40 });
    await expect.poll(() => budget.held).toBe(0);
  });

  it("[C-9.511] whoever disconnects waits for room no longer", async () => {
    const budget = createByteBudget({ maxBytes: 100 });
    budget.take({ network: "127.0.0.0/24", tenant: null }, 50);
    const edge = createEdge({ bodies: budget });
    const { promise: outcome, resolve } = deferred<unknown>();
    const port = await serve((request, response) => {
      edge.begin(request, response);
      resolve(holdBody(request, 40).catch((error: unknown) => error));
    });
    await sendRaw(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", { leave: true });
    expect(await outcome).toMatchObject({ code: "broken_off" });
  });

  it("[C-9.510] an IPv6 /48 is one network, whatever /64 a body comes from", async () => {
    const budget = createByteBudget({ maxBytes: 100 });
    const edge = createEdge({ bodies: budget, trustProxy: 1 });
    const port = await serve(async (request, response) => {
      edge.begin(request, response);
      const outcome = await holdBody(request, 60).catch((error: unknown) => error);
      answerJson(response, 200, { limit: outcome instanceof BodyError ? outcome.limit?.name : null });
    });
    budget.take({ network: "2001:db8:1::/48", tenant: null }, 20);
    const answer = await fetch(`http://127.0.0.1:${port}`, { headers: { "X-Forwarded-For": "2001:db8:1:2::1" } });
    expect(await answer.json()).toEqual({ limit: "body_bytes_of_network" });
  });

  it("[C-9.76] what is kept on a disk has a budget of its own, and is given back with its file", async () => {
    const budget = createByteBudget({ maxBytes: 100, name: "spooled_bytes" });
    const edge = createEdge({ spooled: budget });
    const port = await serve(async (request, response) => {
      edge.begin(request, response);
      spoolBody(request, 30);
      let limit: unknown = null;
      try {
        spoolBody(request, 30);
      } catch (error) {
        limit = error instanceof BodyError ? error.limit?.name : error;
      }
      const { held } = budget;
      response.once("close", () => setTimeout(releaseSpooled, 20, request, 30));
      answerJson(response, 200, { held, limit });
    });
    expect(await (await fetch(`http://127.0.0.1:${port}`)).json()).toEqual({
      held: 30,
      limit: "spooled_bytes_of_network",
    });
    expect(budget.held).toBe(30);
    await expect.poll(() => budget.held).toBe(0);
  });
});
