import { setMaxListeners } from "node:events";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { openConnection } from "@org/bench/measuring/load.mjs";

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
 * Keeps one request in flight on each of these connections, which stay open, until the stage's attack is over.
 * @param from the client's address
 * @param pauseMs a client that reads slowly pauses for this long after each piece
 * @param next the bytes of the next request, given its index and the connection's last answer
 * @returns the count of each status, the limits that refusals named, and how long the answers of both kinds took
 */
export async function closedLoop({ port, ca, signal }, { connections, from, pauseMs }, next) {
  // Each connection adds a listener to the signal.
  setMaxListeners(0, signal);
  const outcomes = {};
  const limits = new Set();
  const waits = { answered: [], refused: [] };
  let index = 0;
  const count = (outcome) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const useConnection = async (client) => {
    let answer;
    do {
      const began = performance.now();
      answer = await new Promise((resolve, reject) =>
        client.send(next(index++, answer), false, (error, got) => (error ? reject(error) : resolve(got))),
      );
      if (signal.aborted) return;
      const isRefused = REFUSALS.includes(answer.status);
      count(answer.status);
      waits[isRefused ? "refused" : "answered"].push(performance.now() - began);
      if (isRefused) limits.add(limitIn(answer.body) ?? "none named");
    } while (!/^connection: *close/im.test(answer.head));
  };
  const one = async () => {
    while (!signal.aborted) {
      let client;
      const close = () => client?.close();
      signal.addEventListener("abort", close, { once: true });
      try {
        client = await openConnection(port, { localAddress: from, ca });
        if (signal.aborted) return client.close();
        if (pauseMs) client.readSlowly(pauseMs);
        await useConnection(client);
      } catch (error) {
        if (signal.aborted) return;
        count(error.code ?? error.message);
        await delay(AGAIN_MS);
      }
      signal.removeEventListener("abort", close);
      close();
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return { outcomes, limits: [...limits], answered: summary(waits.answered), refused: summary(waits.refused) };
}

/** The name of the limit in a refusal: of REST and MCP, or of OAuth's endpoints. */
function limitIn(body = "") {
  return (/"limit":"(\w+)"/.exec(body) ?? /\((\w+): \d/.exec(body))?.[1];
}

function summary(waits) {
  waits.sort((a, b) => a - b);
  const quantile = (share) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))];
  return { requests: waits.length, p50: quantile(0.5), p99: quantile(0.99), longest: waits.at(-1) };
}
