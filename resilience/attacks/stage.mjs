import { request as httpRequest } from "node:http";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { publishHoldings } from "@org/bench/product/holdings.mjs";
import { accessToken, addTenant, installOnPostgres, readyRequest } from "@org/bench/product/installation.mjs";
import { openStorage } from "@org/storage-postgres";

/** A slower answer counts as a failure with this latency. */
const ANSWER_MS = 120_000;
/** Pause between two requests of the honest tenant. */
const PAUSE_MS = 50;
const UNATTACKED_SECONDS = 3;
/** How long an attack runs before the honest tenant's requests count. */
const AHEAD_MS = 1_000;

/**
 * Attacks one server with its own database, and returns what an honest tenant sees without the attack (`unattacked`) and during it (`honest`). `name`
 * is that of an attack, see README.md; `copy` is a server made by `copyServer`.
 */
export async function attackServer(name, { databaseUrl, copy, seconds }) {
  const attack = await import(`./${name}.mjs`);
  const product = await installOnPostgres(databaseUrl);
  const server = await product.start({
    file: copy.file,
    logFile: copy.logFile,
    request: readyRequest,
    env: { SANDBOX: "true", ...attack.environment },
  });
  let attacker;
  try {
    const { operator } = product.credentials;
    const facts = {
      port: server.port,
      operator: { token: await accessToken(server, operator) },
      attacker: await tenantOn(server, operator, "Attacker"),
      honest: await tenantOn(server, operator, "Honest"),
      seconds,
      databaseUrl: product.databaseUrl,
      logFile: copy.logFile,
    };
    const known = { ...facts, ...(await attack.prepare?.(stageOf(facts))) };
    const prepared = stageOf(known);
    const honestly = attack.honest ?? searchLetters;
    const unattacked = await watch(() => honestly(prepared), UNATTACKED_SECONDS);
    attacker = new Worker(new URL("./attacker.mjs", import.meta.url), { workerData: { name, facts: known } });
    const attacked = answerOf(attacker);
    // Prevents an unhandled rejection; the error is reported where the promise is awaited.
    attacked.catch(() => undefined);
    await delay(AHEAD_MS);
    let megabytes = server.residentMegabytes();
    const sampler = setInterval(() => {
      megabytes = Math.max(megabytes, server.residentMegabytes());
    }, 250);
    try {
      const [honest, readyz] = await Promise.all([
        watch(() => honestly(prepared), seconds),
        watch(() => expectOk(prepared.send({ method: "GET", path: "/readyz" })), seconds),
      ]);
      attacker.postMessage("over");
      return { title: attack.title, unattacked, honest, readyz, megabytes, attack: await attacked };
    } finally {
      clearInterval(sampler);
    }
  } finally {
    await attacker?.terminate();
    await server.stop();
    await product.remove();
  }
}

/** What an attack receives: facts, and functions that call the server. `signal` aborts when the attack is over. */
export function stageOf(facts, signal = new AbortController().signal) {
  return {
    ...facts,
    signal,
    send: (options) => send(facts.port, options),
    post: (who, path, body, headers) => post(facts.port, who, path, body, headers),
  };
}

/** Resolves to a thread's message. */
function answerOf(thread) {
  return new Promise((resolve, reject) => {
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("the attack ended without an answer")));
  });
}

/** Gives a tenant a connection with this many holdings, as a fetch does. */
export async function fillHoldings({ databaseUrl }, tenantId, count) {
  const opened = await openStorage({ databaseUrl }, () => new Date());
  try {
    await publishHoldings(opened.storage, tenantId, count);
  } finally {
    await opened.close();
  }
}

/** Makes requests one after another for this many seconds, waits for the last one, and returns their durations. */
export async function watch(request, seconds) {
  const latencies = [];
  const failures = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const began = performance.now();
    try {
      await request();
    } catch (error) {
      failures.push(String(error.message).slice(0, 200));
    }
    latencies.push(performance.now() - began);
    await delay(PAUSE_MS);
  }
  latencies.sort((a, b) => a - b);
  const quantile = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  return {
    requests: latencies.length,
    p50: quantile(0.5),
    p99: quantile(0.99),
    failures: failures.length,
    ...(failures.length > 0 && { firstFailure: failures[0] }),
  };
}

/** Runs `worker(index)` repeatedly, `parallel` at a time, until the stage's attack is over. Returns the count of each outcome. */
export async function flood({ signal }, parallel, worker) {
  const outcomes = {};
  let index = 0;
  const one = async () => {
    while (!signal.aborted) {
      const outcome = await worker(index++).catch((error) => error.code ?? error.message);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
  return outcomes;
}

/** The honest tenant's default request. */
export function searchLetters({ honest, post }) {
  return expectOk(post(honest, "/letters/v1/search-letters", { query: {} }));
}

/** @throws unless the status is 200 */
export async function expectOk(answer) {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`${status} ${body.slice(0, 150)}`);
  return body;
}

async function tenantOn(server, operator, name) {
  const credentials = await addTenant(server, operator, name);
  return { ...credentials, token: await accessToken(server, credentials) };
}

/** POSTs JSON, or bytes, with the token of `who`. */
function post(port, who, path, body, headers = {}) {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  return send(port, {
    method: "POST",
    path,
    headers: { "content-type": "application/json", authorization: `Bearer ${who.token}`, ...headers },
    body: isRaw ? body : JSON.stringify(body),
  });
}

/** Sends one request on its own connection; answers `{status, headers, body}`. */
function send(port, { method, path, headers = {}, body = "", agent = false, timeoutMs = ANSWER_MS }) {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      host: "127.0.0.1",
      port,
      method,
      path,
      agent,
      headers: { host: "localhost", ...headers },
    });
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error("no answer in time")));
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts).toString() }),
      );
    });
    outgoing.end(body);
  });
}
