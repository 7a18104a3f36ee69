import { fork } from "node:child_process";
import { Agent, request as httpRequest } from "node:http";
import { request as httpsRequest, Agent as TlsAgent } from "node:https";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { accessToken, addTenant } from "@org/bench/product/installation.mjs";
import { addHoldings, openSite } from "./sites.mjs";

/** A slower answer counts as a failure with this latency. */
const ANSWER_MS = 120_000;
/** Pause between two requests of the honest tenant. */
const PAUSE_MS = 50;
/** Several kinds of requests are sent at a fixed rate: 25 a second of each, unless answers come later. */
const EVERYDAY = { lanes: 5, everyMs: 200 };
/** What begins earlier in a phase is left out of one of its figures. */
const ONSET_MS = 1_000;
/** Not measured: a server that has just started compiles its code. */
const WARM_SECONDS = 2;
/** An address of no client that is measured, and of no attacker. */
const METRICS_FROM = "127.200.0.1";

/**
 * Attacks one server, or two, with their own database, and returns what an honest tenant sees before the attack, during it and after it. `name` is
 * that of an attack, see README.md; `copy` is a server made by `copyServer`; `site` says where it runs, see `openSite`.
 */
export async function attackServer(name, { variant, site: kind, databaseUrl, copy, seconds }) {
  const attack = await import(`./${name}.mjs`);
  const env = { SANDBOX: "true", METRICS: "true", ...attack.environment };
  const site = await openSite(kind, { databaseUrl, copy, env });
  let attacker;
  try {
    const { operator } = site.credentials;
    const [server] = site.servers;
    const tenants = {
      attacker: await addTenant(server, operator, "Attacker"),
      honest: await addTenant(server, operator, "Honest"),
    };
    if (attack.holdings)
      await site.addHoldings(
        Object.values(tenants).map(({ tenant }) => tenant),
        attack.holdings,
      );
    const facts = {
      variant,
      port: site.port,
      origin: site.origin,
      ca: site.ca,
      operator: await withToken(site, operator),
      attacker: await withToken(site, tenants.attacker),
      honest: await withToken(site, tenants.honest),
      seconds,
      databaseUrl: site.databaseUrl,
      logFile: copy.logFile,
    };
    const known = { ...facts, ...(await attack.prepare?.(stageOf(facts))) };
    const watched = watchedRequests(attack, stageOf(known));
    await watchAll(watched, WARM_SECONDS);
    const before = await watchAll(watched, seconds);
    await longestDelays(site);
    attacker = fork(new URL("./attacker.mjs", import.meta.url), { serialization: "advanced" });
    attacker.send({ name, facts: known });
    await answerOf(attacker);
    const attacked = answerOf(attacker);
    // Prevents an unhandled rejection; the error is reported where the promise is awaited.
    attacked.catch(() => undefined);
    let megabytes = 0;
    const sampler = setInterval(() => {
      megabytes = Math.max(megabytes, ...site.servers.map((one) => one.residentMegabytes()));
    }, 250);
    // Over in time, even if a request of the honest tenant waits for longer.
    setTimeout(() => attacker.send("over"), seconds * 1_000);
    const during = await watchAll(watched, seconds).finally(() => clearInterval(sampler));
    const loopMs = await longestDelays(site);
    const after = await watchAll(watched, seconds);
    const row = { title: attack.title, before, during, after, megabytes, loopMs, attack: await attacked };
    return { ...row, faults: faultsOf(row) };
  } finally {
    attacker?.kill("SIGKILL");
    await site.stop();
  }
}

/** What must hold: during the attack the honest tenant waits at most four times as long, whatever is below a millisecond being one. */
const MOST_TIMES = 4;
const FLOOR_MS = 1;
/** How much longer than an answer a refusal may take. */
const REFUSAL_MS = 250;

/** What does not hold, in words. */
function faultsOf({ before, during, after, attack }) {
  const faults = Object.entries(during).flatMap(([kind, seen]) => [
    ...["p50", "p99"].flatMap((quantile) => {
      const times = seen[quantile] / Math.max(before[kind][quantile], FLOOR_MS);
      return times > MOST_TIMES ? [`${kind} ${quantile} ${times.toFixed(1)} ×`] : [];
    }),
    ...[before[kind], seen, after[kind]].flatMap(({ failures, firstFailure }) =>
      failures > 0 ? [`${kind}: ${failures} failed (${firstFailure})`] : [],
    ),
  ]);
  const answered = attack.answered?.longest ?? Math.max(...Object.values(during).map(({ longest }) => longest));
  const refused = attack.refused?.longest ?? 0;
  if (attack.answered && Object.keys(attack.outcomes).length === 0) faults.push("the attack got no answer");
  if (refused > answered + REFUSAL_MS)
    faults.push(`refused after ${refused.toFixed(0)} ms, answered after ${answered.toFixed(0)} ms`);
  return faults;
}

/** The requests of the honest tenant that are watched, by kind, and their rate. */
function watchedRequests({ honest = searchLetters }, stage) {
  const isEveryday = typeof honest === "object";
  const asked = isEveryday
    ? honest
    : { honest, readyz: ({ send }) => expectOk(send({ method: "GET", path: "/readyz" })) };
  return Object.entries(asked).map(([kind, ask]) => [kind, () => ask(stage), isEveryday ? EVERYDAY : {}]);
}

async function watchAll(watched, seconds) {
  const seen = watched.map(async ([kind, request, rate]) => [kind, await watch(request, seconds, rate)]);
  return Object.fromEntries(await Promise.all(seen));
}

/** How long the event loop of a server was late at most since the last call, in milliseconds. */
async function longestDelays({ servers }) {
  const delays = servers.map(async ({ port }) => {
    const body = await expectOk(send({ port }, { method: "GET", path: "/metrics", localAddress: METRICS_FROM }));
    return 1_000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(body)[1]);
  });
  return Math.max(...(await Promise.all(delays)));
}

/** What an attack receives: facts, and functions that call the server. `signal` aborts when the attack is over; `agent` keeps connections. */
export function stageOf(facts, signal = new AbortController().signal) {
  return {
    ...facts,
    signal,
    agent: new (facts.ca ? TlsAgent : Agent)({ keepAlive: true }),
    send: (options) => send(facts, options),
    post: (who, path, body, headers, agent) => post(facts, who, path, body, headers, agent),
  };
}

/** Resolves to the next message of a process. */
function answerOf(child) {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("error", reject);
    child.once("exit", () => reject(new Error("the attack ended without an answer")));
  });
}

/** Gives a tenant a connection with this many holdings, while the server runs. */
export function fillHoldings({ databaseUrl }, tenantId, count) {
  return addHoldings({ databaseUrl }, [tenantId], count);
}

/**
 * Makes requests for this many seconds, waits for the last ones, and returns their durations. Each lane makes one after another, with a pause, and
 * begins one every `everyMs` unless the answer comes later.
 */
async function watch(request, seconds, { lanes = 1, everyMs = 0 } = {}) {
  const latencies = [];
  const later = [];
  const failures = [];
  const start = performance.now();
  const useLane = async (lane) => {
    await delay((lane * everyMs) / lanes);
    for (;;) {
      const began = performance.now();
      if (began - start >= seconds * 1_000) return;
      await request().catch((error) => failures.push(String(error.message).slice(0, 200)));
      const ms = performance.now() - began;
      latencies.push(ms);
      if (began - start >= ONSET_MS) later.push(ms);
      await delay(Math.max(PAUSE_MS, everyMs - ms));
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => useLane(lane)));
  return {
    requests: latencies.length,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    longest: quantile(latencies, 1),
    p99AfterOnset: quantile(later, 0.99),
    failures: failures.length,
    ...(failures.length > 0 && { firstFailure: failures[0] }),
  };
}

/** Undefined if there are none. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
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

async function withToken({ servers: [server] }, credentials) {
  return { ...credentials, token: await accessToken(server, credentials) };
}

/** POSTs JSON, or bytes, with the token of `who`. */
function post(facts, who, path, body, headers = {}, agent = false) {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  return send(facts, {
    method: "POST",
    path,
    agent,
    headers: { "content-type": "application/json", authorization: `Bearer ${who.token}`, ...headers },
    body: isRaw ? body : JSON.stringify(body),
  });
}

/** Sends one request, on its own connection unless an agent keeps some; answers `{status, headers, body}`. */
function send(
  { port, ca },
  { method, path, headers = {}, body = "", agent = false, localAddress, timeoutMs = ANSWER_MS },
) {
  return new Promise((resolve, reject) => {
    const outgoing = (ca ? httpsRequest : httpRequest)({
      host: "127.0.0.1",
      port,
      method,
      path,
      agent,
      localAddress,
      headers: { host: "localhost", ...headers },
      ...(ca && { ca, servername: "localhost" }),
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
