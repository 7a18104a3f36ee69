// What callers see below, at and far above the server's capacity: the latency of what is accepted, what is refused, whether
// /readyz answers, and the server's memory. Against the built server on loopback, bounded in time:
//
//   pnpm build && node bench/src/overload.mjs [seconds per step] [main.js]
//
// Requests come at a fixed rate, whatever becomes of those before them, over at most 400 connections. Latency counts from the moment
// at which a request was due, so that a client that waits for its server hides nothing.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const [seconds = "6", main = fileURLToPath(new URL("../../apps/server/dist/main.js", import.meta.url))] =
  process.argv.slice(2);
const stepMs = Number(seconds) * 1000;
const dataDir = mkdtempSync(join(tmpdir(), "overload-"));
const server = spawn(process.execPath, [main], {
  env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "info", ...databaseSettings() },
  stdio: ["ignore", "pipe", "inherit"],
});
process.once("exit", () => server.kill("SIGKILL"));

try {
  await measure(await ready());
} finally {
  server.kill("SIGINT");
  await new Promise((ended) => server.once("exit", ended));
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(url) {
  const { demo } = JSON.parse(readFileSync(join(dataDir, "credentials.json"), "utf8"));
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: demo.client_id,
    client_secret: demo.client_secret,
  });
  const { access_token: token } = await (await fetch(`${url}/token`, { method: "POST", body: form })).json();
  const agent = new Agent({ keepAlive: true, maxSockets: 400 });
  const probing = new Agent({ keepAlive: true, maxSockets: 1 });
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "svc-connectors", arguments: { page_size: 10 } },
  });
  const call = () => exchange(agent, `${url}/mcp`, token, body);

  await closedLoop(call, 8, 2_000);
  const alone = await closedLoop(call, 1, stepMs / 2);
  const full = await closedLoop(call, 16, stepMs);
  const capacity = full.latencies.length / (full.ms / 1000);
  report("unloaded, one at a time", alone.latencies, {});
  report(`capacity: ${capacity.toFixed(0)} a second, 16 at a time`, full.latencies, {});
  const base = quantile(alone.latencies, 0.99);
  for (const factor of [0.5, 1, 2, 5]) {
    const health = [];
    const probe = setInterval(async () => {
      const started = performance.now();
      const status = await exchange(probing, `${url}/readyz`, null, null);
      health.push({ status, ms: performance.now() - started });
    }, 200);
    const { latencies, refused } = await openLoop(call, factor * capacity);
    clearInterval(probe);
    const notReady = health.filter(({ status }) => status !== 200).length;
    const worst = Math.max(0, ...health.map(({ ms }) => ms));
    report(`${factor} × capacity`, latencies, refused);
    console.log(
      `    p99 ${(quantile(latencies, 0.99) / base).toFixed(1)} × unloaded; /readyz: ${health.length} asked, ${notReady} not 200, slowest ${worst.toFixed(0)} ms; resident ${residentMegabytes().toFixed(0)} MB`,
    );
    await delay(1_500);
  }
  agent.destroy();
  probing.destroy();
}

async function closedLoop(call, atOnce, ms) {
  const latencies = [];
  const started = performance.now();
  const one = async () => {
    while (performance.now() - started < ms) {
      const begun = performance.now();
      if ((await call()) === 200) latencies.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return { latencies, ms: performance.now() - started };
}

async function openLoop(call, perSecond) {
  const latencies = [];
  const refused = {};
  const open = new Set();
  const started = performance.now();
  for (let sent = 0; performance.now() - started < stepMs; ) {
    const due = ((performance.now() - started) / 1000) * perSecond;
    for (; sent < due; sent += 1) {
      const dueAt = started + (sent / perSecond) * 1000;
      const asked = call()
        .catch((error) => error.code ?? "broken")
        .then((status) => {
          if (status === 200) latencies.push(performance.now() - dueAt);
          else refused[status] = (refused[status] ?? 0) + 1;
          open.delete(asked);
        });
      open.add(asked);
    }
    await delay(1);
  }
  await Promise.all(open);
  return { latencies, refused };
}

function exchange(agent, url, token, body) {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "content-length": Buffer.byteLength(body),
      }),
    };
    request(url, { agent, method: body ? "POST" : "GET", headers }, (answer) =>
      answer.resume().once("end", () => resolve(answer.statusCode)),
    )
      .once("error", reject)
      .end(body ?? undefined);
  });
}

function report(what, latencies, refused) {
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(latencies, share).toFixed(1));
  console.log(
    `${what}: ${latencies.length} accepted, p50 ${p50} ms, p99 ${p99} ms, refused ${JSON.stringify(refused)}`,
  );
}

function quantile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}

function residentMegabytes() {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, "latin1"))[1]) / 1024;
}

/** On PostgreSQL where there is one, migrated; otherwise embedded. */
function databaseSettings() {
  const { DATABASE_URL, ENCRYPTION_KEYS } = process.env;
  return DATABASE_URL ? { DATABASE_URL, ENCRYPTION_KEYS, SEED_DEMO: "true", SANDBOX: "true" } : {};
}

function ready() {
  let text = "";
  return new Promise((resolve) => {
    server.stdout.setEncoding("utf8").on("data", (chunk) => {
      if (text === null) return;
      text += chunk;
      const line = text.split("\n").find((each) => each.includes('"msg":"ready"'));
      if (!line) return;
      text = null;
      resolve(JSON.parse(line).url);
    });
  });
}
