import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { openConnection } from "@org/bench/measuring/load.mjs";
import { quantile } from "./stage.mjs";

/** The honest tenant has 127.0.0.1: the same host, and one of another network (a /24). */
const SAME_HOST = "127.0.0.1";
export const OTHER_NETWORK = "127.1.1.1";

/** Variants of an attack: each target by this many connections, from both. The name of the latter ends with `-same-host`. */
export function variantsOf(targets, ...sizes) {
  return Object.fromEntries(
    targets.flatMap((target) =>
      sizes.flatMap((connections) => [
        [`${target}-${connections}`, { target, connections, from: OTHER_NETWORK }],
        [`${target}-${connections}-same-host`, { target, connections, from: SAME_HOST }],
      ]),
    ),
  );
}

const REFUSALS = [429, 503];
/** Pause after a connection that the server does not take. */
const AGAIN_MS = 50;

/**
 * Opens this many connections, begins when all are there, and keeps one request in flight on each until the stage's attack is over.
 * @param from the client's address
 * @param pauseMs a client that reads slowly pauses for this long after each piece
 * @param next the bytes of the next request, given its index and the connection's last answer
 * @returns the count of each status, the limits that refusals named, and how long the answers of both kinds took
 */
export async function closedLoop({ port, ca, signal, begun }, { connections, from, pauseMs }, next) {
  const outcomes = {};
  const limits = new Set();
  const waits = { answered: [], refused: [] };
  const clients = new Set();
  let index = 0;
  const count = (outcome) => {
    if (!signal.aborted) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const open = async () => {
    const client = await openConnection(port, { localAddress: from, ca });
    clients.add(client);
    if (pauseMs) client.readSlowly(pauseMs);
    return client;
  };
  const use = async (client) => {
    let answer;
    do {
      const start = performance.now();
      answer = await new Promise((resolve, reject) =>
        client.send(next(index++, answer), false, (error, got) => (error ? reject(error) : resolve(got))),
      );
      if (signal.aborted) return;
      const isRefused = REFUSALS.includes(answer.status);
      count(answer.status);
      waits[isRefused ? "refused" : "answered"].push(performance.now() - start);
      if (isRefused) limits.add(limitIn(answer.body) ?? "none named");
    } while (!/^connection: *close/im.test(answer.head));
    client.close();
    clients.delete(client);
  };
  const repeat = async (first) => {
    for (let client = first; !signal.aborted; client = null) {
      try {
        await use(await (client ?? open()));
      } catch (error) {
        count(error.code ?? error.message);
        await delay(AGAIN_MS);
      }
    }
  };
  const opened = Array.from({ length: connections }, open);
  await Promise.allSettled(opened);
  begun();
  signal.addEventListener("abort", () => {
    for (const client of clients) client.close();
  });
  await Promise.all(opened.map(repeat));
  return { outcomes, limits: [...limits], answered: summary(waits.answered), refused: summary(waits.refused) };
}

/** The name of the limit in a refusal: of REST and MCP, or of OAuth's endpoints. */
function limitIn(body = "") {
  return (/"limit":"(\w+)"/.exec(body) ?? /\((\w+): \d/.exec(body))?.[1];
}

function summary(waits) {
  return {
    requests: waits.length,
    p50: quantile(waits, 0.5),
    p99: quantile(waits, 0.99),
    longest: quantile(waits, 1),
  };
}
