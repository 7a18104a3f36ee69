import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { openConnection } from "./load.mjs";

/** A client that has waited longer than this for its answer has left. */
const GRACE_PERIOD_MS = 10_000;

/**
 * Sends `perSecond` requests a second for `seconds`, regardless of earlier ones (an open loop), over at most `connections` keep-alive connections.
 * Latency is measured from sending; `waited` is the longest time that a due request waited for a free connection.
 *
 * An answer shorter than `leastBytes` counts as refused, whatever its status: a tool's error has status 200.
 *
 * Returns `offered` (sent per second), `latencies` of accepted requests (sorted, ms), split into `onset` (sent in the first `onsetMs`) and `settled`
 * (sent later), `refusals` (latencies of refused requests, sorted, ms), `refused` (their number by status), `careless` (refusals without
 * Retry-After), `broken` (no answer) and `unsent` (no free connection until the end).
 */
export async function openLoop({ port, connections, perSecond, seconds, next, leastBytes, onsetMs = 0 }) {
  const idle = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const all = new Set(idle);
  const due = [];
  const seen = { onset: [], settled: [], refusals: [], refused: {}, careless: 0, broken: 0, waited: 0, unsent: 0 };
  let open = 0;
  let sent = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  for (let planned = 0; ; ) {
    const now = performance.now();
    if (now >= end) break;
    for (; planned < ((now - started) / 1000) * perSecond; planned += 1)
      due.push(started + (planned / perSecond) * 1000);
    flush();
    await delay(1);
  }
  seen.offered = sent / seconds;
  seen.unsent = due.splice(0).length;
  while (open > 0 && performance.now() < end + GRACE_PERIOD_MS) await delay(1);
  seen.broken += open;
  for (const client of all) client.close();
  seen.latencies = [...seen.onset, ...seen.settled];
  for (const name of ["latencies", "onset", "settled"]) seen[name].sort((a, b) => a - b);
  seen.refusals.sort((a, b) => a - b);
  return seen;

  function flush() {
    while (due.length > 0 && idle.length > 0) send(idle.pop(), due.shift());
  }

  function send(client, dueAt) {
    const sentAt = performance.now();
    seen.waited = Math.max(seen.waited, sentAt - dueAt);
    sent += 1;
    open += 1;
    client.send(next(), false, (error, answer) => {
      open -= 1;
      if (error) {
        seen.broken += 1;
        replace(client);
        return;
      }
      const ms = performance.now() - sentAt;
      if (answer.status === 200 && answer.length >= leastBytes)
        (sentAt < started + onsetMs ? seen.onset : seen.settled).push(ms);
      else {
        seen.refusals.push(ms);
        seen.refused[answer.status] = (seen.refused[answer.status] ?? 0) + 1;
        if (answer.status !== 200 && !/^retry-after: *\d/im.test(answer.head)) seen.careless += 1;
      }
      // As in HTTP: the connection can no longer be used.
      if (/^connection: *close/im.test(answer.head)) replace(client);
      else {
        idle.push(client);
        flush();
      }
    });
  }

  function replace(client) {
    client.close();
    all.delete(client);
    openConnection(port).then(
      (fresh) => {
        all.add(fresh);
        idle.push(fresh);
        if (performance.now() > end + GRACE_PERIOD_MS) fresh.close();
      },
      () => undefined,
    );
  }
}
