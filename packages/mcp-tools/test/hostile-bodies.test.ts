import { once } from "node:events";
import { connect } from "node:net";
import { createByteBudget } from "@org/admission";
import { describe, expect, it } from "vitest";
import { CAPABILITIES, call, contentOf, envelope, modern, rpc, startMcp } from "./mcp-server.js";

const mcp = await startMcp();
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const withArguments = (args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc-connectors","arguments":${args}}}`;
const modernHeaders = {
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "svc-connectors",
};

describe("bodies that are no requests", () => {
  const cases: [string, string | Buffer, number, number][] = [
    ["nothing", "", 400, -32700],
    ["half of one", '{"jsonrpc":"2.0"', 400, -32700],
    ["text that is not JSON", "hello", 400, -32700],
    ["bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400, -32700],
    ["a byte order mark", Buffer.from('\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}'), 400, -32700],
    ["null", "null", 400, -32600],
    ["a number", "5", 400, -32600],
    ["text", '"ping"', 400, -32600],
    ["an object that is no message", "{}", 400, -32600],
    ["a list of what is no message", "[1,2]", 400, -32600],
    ["lists in lists, 1,000 deep", deep(1_000), 400, -32600],
    ["lists in lists, 400,000 deep", deep(400_000), 400, -32600],
    ["objects in objects, 100,000 deep", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, 400, -32600],
    ["arguments 100,000 deep", withArguments(`{"name":${deep(100_000)}}`), 400, -32600],
    ["an id 100,000 deep", `{"jsonrpc":"2.0","id":${deep(100_000)},"method":"ping"}`, 400, -32600],
    ["an id that is infinite", '{"jsonrpc":"2.0","id":1e999,"method":"ping"}', 400, -32600],
    ["a method that is no text", '{"jsonrpc":"2.0","id":1,"method":{}}', 400, -32600],
  ];
  for (const [what, body, status, code] of cases)
    it(`${what}: ${status}, ${code}`, async () => {
      const answer = await mcp.send({ body });
      expect([answer.status, answer.json?.error?.code]).toEqual([status, code]);
      expect(answer.json.error.message.length).toBeLessThan(200);
    });

  it("[C-9.14] one of 1 MiB is read, one a byte longer is 413, announced or not", async () => {
    const frame = rpc("ping", { padding: "" });
    const sized = (bytes: number) =>
      JSON.stringify(rpc("ping", { padding: "x".repeat(bytes - JSON.stringify(frame).length) }));
    expect((await mcp.send({ body: sized(1_048_576) })).status).toBe(200);
    const refused = await mcp.send({ body: sized(1_048_577) });
    expect([refused.status, refused.headers.connection]).toEqual([413, "close"]);
    expect(await chunked(sized(1_048_577))).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each([
    [40_000, 429, "Too many request bytes in flight", { limit: "body_bytes_of_tenant", value: 30_000 }],
    [20_000, 503, "Too many bytes are on their way to the server", { limit: "body_bytes_in_flight", value: 120_000 }],
  ])(
    "[C-9.64] one of %i bytes that there is no room for is %i, with which limit it met",
    async (bytes, status, what, limit) => {
      const bodies = createByteBudget({ maxBytes: 120_000 });
      for (const network of ["one", "other"]) bodies.take({ network, tenant: null }, 55_000);
      bodies.take({ network: "third", tenant: null }, 35_000);
      const narrow = await startMcp({}, { bodies });
      const refused = await narrow.send({ body: rpc("ping", { padding: "x".repeat(bytes) }) });
      const ends_at = new Date(narrow.deps.clock().getTime() + 5_000).toISOString();
      expect([refused.status, refused.headers["retry-after"], refused.json.error]).toEqual([
        status,
        "5",
        {
          code: -32000,
          message: `${what} (${limit.limit}: ${limit.value}); try again in 5 s`,
          data: { details: [{ ...limit, ends_at }] },
        },
      ]);
    },
  );

  for (const type of [undefined, "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "text/json"])
    it(`Content-Type ${type ?? "(none)"}: 415`, async () => {
      expect((await mcp.send({ headers: { "content-type": type }, body: rpc("ping") })).status).toBe(415);
    });

  it("Content-Type with a charset is taken, a compressed body is not", async () => {
    expect(
      (await mcp.send({ headers: { "content-type": "application/json; charset=utf-8" }, body: rpc("ping") })).status,
    ).toBe(200);
    expect((await mcp.send({ headers: { "content-encoding": "gzip" }, body: rpc("ping") })).status).toBe(415);
  });
});

it("[C-7.60] whatever is wrong with a message, a sentence of the schema library is not the answer", async () => {
  const junk = [null, 7, [], { a: 1 }];
  const methods = ["initialize", "tools/call", "tools/list", "prompts/get", "resources/read", "completion/complete"];
  const names = [
    "name",
    "arguments",
    "uri",
    "ref",
    "argument",
    "cursor",
    "protocolVersion",
    "capabilities",
    "clientInfo",
  ];
  const call = { name: "svc-connectors" };
  const legacy = methods.flatMap((method) => [
    ...junk.map((params) => rpc(method, params)),
    ...names.flatMap((name) => junk.map((value) => rpc(method, { ...(name !== "name" && call), [name]: value }))),
  ]);
  const modern = [...methods, "server/discover"].flatMap((method) =>
    junk.flatMap((value) => [
      rpc(method, { ...call, _meta: value }),
      rpc(method, { _meta: { ...envelope }, name: value }),
    ]),
  );
  const found = new Set<string>();
  for (const body of [...legacy, ...modern])
    for (const headers of legacy.includes(body)
      ? [{}]
      : [{}, { "mcp-protocol-version": "2026-07-28", "mcp-method": body.method }]) {
      const { text } = await mcp.send({ body, headers });
      const [sentence] =
        /Invalid (input|option)[^"]*|Unrecognized key|Too (small|big)|: expected|, received/.exec(text) ?? [];
      if (sentence) found.add(`${JSON.stringify(body)}: ${sentence}`);
    }
  expect([...found]).toEqual([]);
});

describe("requests with traps in them", () => {
  const cases: [string, string, Record<string, string>?][] = [
    [
      "__proto__ in the message",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc-connectors"},"__proto__":{"polluted":1}}',
    ],
    [
      "__proto__ in the parameters",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc-connectors","__proto__":{"polluted":1}}}',
    ],
    ["__proto__ in the arguments", withArguments('{"__proto__":{"polluted":1}}')],
    ["__proto__ as the arguments' name", withArguments('{"name":{"__proto__":{"polluted":1}}}')],
    ["__proto__ as a tool", JSON.stringify(call("__proto__"))],
    ["constructor as a tool", JSON.stringify(call("constructor"))],
    ["__proto__ as a method", JSON.stringify(rpc("__proto__"))],
    ["an infinite number", withArguments('{"page":1e999}')],
    ["a number below all", withArguments('{"page":-1e999}')],
    ["a number of a million digits", withArguments(`{"page":1${"0".repeat(1_000_000)}}`)],
    ["a name with a lone surrogate", withArguments('{"name":"\\ud800"}')],
    ["a tool with a lone surrogate", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\udfff"}}'],
    ["an id with a lone surrogate", '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}'],
    ["a tool with NUL", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a\\u0000"}}'],
    ["a tool of a megabyte", JSON.stringify(call("x".repeat(1_000_000)))],
    ["a method of a megabyte", JSON.stringify(rpc("x".repeat(1_000_000)))],
    [
      "__proto__ in an envelope",
      JSON.stringify(rpc("tools/call", { name: "svc-connectors", _meta: envelope })).replace(
        '"_meta":{',
        '"_meta":{"__proto__":{"a":1},',
      ),
      modernHeaders,
    ],
    [
      "capabilities that are deep",
      JSON.stringify(
        rpc("tools/call", {
          name: "svc-connectors",
          _meta: { ...envelope, [CAPABILITIES]: { experimental: nested(60) } },
        }),
      ),
      modernHeaders,
    ],
    [
      "a traceparent that is none",
      JSON.stringify(call("svc-connectors")),
      { traceparent: "00-00000000000000000000000000000000-0000000000000000-00" },
    ],
    ["a host with a port that is none", JSON.stringify(rpc("ping")), { host: "localhost:99999" }],
    ["headers that are not ASCII", JSON.stringify(rpc("ping")), { "mcp-name": "\u00e9\u00ff", "mcp-method": "\u00e9" }],
  ];
  for (const [what, body, headers] of cases)
    it(`${what}: an answer, never a 500, and nothing else changes`, async () => {
      const answer = await mcp.send({ body, headers: headers ?? {} });
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toMatch(/INTERNAL_ERROR|at file:|node_modules/);
      expect(answer.text.length).toBeLessThan(1_100_000);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect(contentOf(await mcp.send({ body: call("svc-connectors") })).total).toBe(4);
    });

  it("leave no error in the log", () => {
    expect(mcp.logs.filter(({ level }) => level === "error")).toEqual([]);
  });
});

describe("clients that leave", () => {
  it("in the middle of a body, cost nothing but their log record", async () => {
    const own = await startMcp();
    const arrived = once(own.server, "request");
    const socket = connect(own.port, "127.0.0.1");
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer alice\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json`,
    );
    await arrived;
    socket.destroy();
    await expect.poll(() => own.logs).toHaveLength(1);
    expect(own.logs).toMatchObject([{ level: "info", status: 499 }]);
    expect((await own.send(modern("tools/list"))).status).toBe(200);
  });

  it("before the answer is there, do not bring anything down", async () => {
    let release = () => {};
    let calls = 0;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    const search = async () => {
      calls += 1;
      await waiting;
      return { items: [], page: 1, page_size: 50, pages: 0, total: 0 };
    };
    const own = await startMcp({ services: { ...mcp.services, connectors: { ...mcp.services.connectors, search } } });
    for (const [before, body] of [call("svc-connectors"), [call("svc-connectors")]].entries()) {
      const text = JSON.stringify(body);
      const socket = connect(own.port, "127.0.0.1");
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer alice\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      );
      await expect.poll(() => calls).toBe(before + 1);
      socket.destroy();
      await once(socket, "close");
    }
    release();
    await expect.poll(() => own.logs).toHaveLength(2);
    expect(own.logs.map(({ level }) => level)).toEqual(["info", "info"]);
  });
});

function nested(levels: number): object {
  return levels === 0 ? {} : { a: nested(levels - 1) };
}

/** Sends a body in chunks without Content-Length; returns the response. */
function chunked(body: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(mcp.port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("utf8");
    });
    socket.on("close", () => resolve(text));
    socket.on("error", () => resolve(text));
    socket.write(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer alice\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  });
}
