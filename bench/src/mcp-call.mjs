// tools/call svc-investments, a page of 20 holdings in memory, c = 16: the /mcp handler against a bare node:http that parses the
// request and stringifies the same answer. Each server is a process of its own and they are loaded in turn, in short rounds;
// ratios are medians over the rounds.
//   node src/mcp-call.mjs [rounds] [seconds]
import { fork } from "node:child_process";
import { createServer } from "node:http";
import { connect } from "node:net";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

const TARGETS = ["bare", "legacy", "legacy-session", "modern"];
const CONNECTIONS = 16;
const PAGE_SIZE = 20;

if (process.send) await serve(process.argv[2]);
else await measure(Number(process.argv[2] ?? 21), Number(process.argv[3] ?? 0.7));

async function serve(target) {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({
    id: `01920000-0000-7000-8000-${index.toString(16).padStart(12, "0")}`,
    name: `Holding ${index} Global Equity Fund`,
    isin: `LU${String(index).padStart(10, "0")}`,
    amount: `${index}.123456`,
    balance: `${index * 3}.47`,
    currency: "EUR",
    valuation_date: "2026-11-20",
    type: "F",
    subtype: null,
  }));
  const about = {
    totals: [{ currency: "EUR", balance: "149985000.00" }],
    sources: [
      {
        credentials_token: "01920000-0000-7000-8000-000000000101",
        bank: "Bank",
        as_of: "2026-11-20T00:00:00.000Z",
        state: "ok",
      },
    ],
    snapshot: "r1",
  };
  const slice = (page, size) => rows.slice((page - 1) * size, page * size);
  const handle = target === "bare" ? bare(slice, rows.length, about) : await ours(slice, rows.length, about);
  const server = createServer(handle).listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
  process.on("message", () => process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }));
}

function bare(slice, total, about) {
  return (request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { id, params } = JSON.parse(Buffer.concat(chunks));
      const { page = 1, page_size = 50 } = params.arguments;
      const content = {
        items: slice(page, page_size),
        page,
        page_size,
        pages: Math.ceil(total / page_size),
        total,
        ...about,
      };
      const result = { content: [{ type: "text", text: JSON.stringify(content) }], structuredContent: content };
      const body = JSON.stringify({ jsonrpc: "2.0", id, result });
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
      response.end(body);
    });
  };
}

async function ours(slice, total, about) {
  const { createMcpHandler } = await import("@org/mcp-tools");
  const principal = {
    application_id: "a",
    client_id: "c",
    tenant_id: "t",
    grant_id: "g",
    scopes: new Set(["investments:read", "connections:read"]),
  };
  const investments = async (_actor, { page, page_size }) => ({
    items_json: JSON.stringify(slice(page, page_size)),
    page,
    page_size,
    pages: Math.ceil(total / page_size),
    total,
    ...about,
  });
  return createMcpHandler({
    services: { data: { investments } },
    authenticate: () => ({ principal }),
    challenge: () => "",
    publicUrl: "http://localhost",
    sessionKeys: [{ id: "k", key: Buffer.alloc(32, 1) }],
    endedSessions: { end: async () => {}, isEnded: () => false },
    serverVersion: "0",
    clock: () => new Date(),
    log: { debug() {}, info() {}, error: (record) => console.error(record) },
  }).handle;
}

async function measure(rounds, seconds) {
  const results = [];
  for (const target of TARGETS) {
    const child = fork(fileURLToPath(import.meta.url), [target], { execArgv: process.execArgv });
    const { port } = await once(child);
    results.push({
      target,
      child,
      port,
      requests: await requestsFor(target, port),
      perSecond: [],
      cpu: [],
      p50: [],
      p99: [],
    });
  }
  for (const { port, requests } of results) await load(port, requests, 2);
  for (let round = 0; round < rounds; round++)
    for (const result of round % 2 ? results.toReversed() : results) {
      const before = await usage(result.child);
      const { calls, latencies, elapsed } = await load(result.port, result.requests, seconds);
      const { cpu } = await usage(result.child);
      result.perSecond.push(calls / elapsed);
      result.cpu.push((cpu.user + cpu.system - before.cpu.user - before.cpu.system) / calls);
      result.p50.push(latencies[Math.floor(latencies.length * 0.5)]);
      result.p99.push(latencies[Math.floor(latencies.length * 0.99)]);
    }
  for (const { child } of results) child.kill();
  const [floor] = results;
  console.log(
    `tools/call svc-investments, ${PAGE_SIZE} rows in memory, c=${CONNECTIONS}, medians of ${rounds} rounds of ${seconds} s`,
  );
  console.log("target          calls/s   ratio   CPU µs   CPU ratio   p50 ms   p99 ms");
  for (const { target, perSecond, cpu, p50, p99 } of results) {
    const ratio = median(perSecond.map((value, round) => value / floor.perSecond[round]));
    const cpuRatio = median(cpu.map((value, round) => value / floor.cpu[round]));
    const cells = [
      median(perSecond).toFixed(0),
      ratio.toFixed(2),
      median(cpu).toFixed(0),
      cpuRatio.toFixed(2),
      median(p50).toFixed(2),
      median(p99).toFixed(2),
    ];
    console.log(target.padEnd(15), ...cells.map((cell, index) => cell.padStart([8, 7, 8, 11, 8, 8][index])));
  }
}

/** The requests of each connection differ in id and page. */
async function requestsFor(target, port) {
  const version = target === "modern" ? "2026-07-28" : "2025-11-25";
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    authorization: "Bearer x",
  };
  headers["mcp-protocol-version"] = version;
  if (target === "modern") Object.assign(headers, { "mcp-method": "tools/call", "mcp-name": "svc-investments" });
  if (target === "legacy-session") {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "bench", version: "1" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params });
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers, body });
    headers["mcp-session-id"] = answer.headers.get("mcp-session-id");
  }
  const meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return Array.from({ length: 64 }, (_, id) => {
    const params = {
      name: "svc-investments",
      arguments: { page: 1 + id * 3, page_size: PAGE_SIZE },
      ...(target === "modern" && { _meta: meta }),
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return {
      id,
      bytes: `POST /mcp HTTP/1.1\r\nhost: localhost\r\n${head.join("")}content-length: ${body.length}\r\n\r\n${body}`,
    };
  });
}

/** Keeps one request in flight on each connection, over bare sockets so that the client costs little. */
async function load(port, requests, seconds) {
  const latencies = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => run(index)));
  return {
    calls: latencies.length,
    latencies: latencies.sort((a, b) => a - b),
    elapsed: (performance.now() - start) / 1000,
  };

  function run(index) {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      let at = index;
      let sent = 0;
      let missing = -1;
      let pending = "";
      const next = () => {
        sent = performance.now();
        if (sent >= end) return resolve(socket.destroy());
        at = (at + 1) % requests.length;
        missing = -1;
        pending = "";
        socket.write(requests[at].bytes);
      };
      socket.on("error", reject);
      socket.on("connect", next);
      socket.on("data", (chunk) => {
        if (missing < 0) {
          pending += chunk.toString("latin1");
          const head = pending.indexOf("\r\n\r\n");
          if (head < 0) return;
          if (!pending.startsWith("HTTP/1.1 200")) return reject(new Error(pending.slice(0, 500)));
          missing = Number(/content-length: (\d+)/i.exec(pending)?.[1]) - (pending.length - head - 4);
          if (!pending.includes(`"id":${requests[at].id},`) || pending.includes("isError"))
            return reject(new Error(pending.slice(0, 500)));
        } else missing -= chunk.length;
        if (missing > 0) return;
        latencies.push(performance.now() - sent);
        next();
      });
    });
  }
}

function once(child) {
  return new Promise((resolve) => child.once("message", resolve));
}

function usage(child) {
  child.send("usage");
  return once(child);
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
