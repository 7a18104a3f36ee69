import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { doublesIn } from "./doubles.mjs";
import { beginMixedUse, ENDED_WITHIN_MS, NotDone, useDuring } from "./mixed-use.mjs";

/** How long both servers work before a primary dies. */
const BEFORE_MS = 3_000;
/** The longest wait for the servers. */
const MAX_TIME_MS = 120_000;
/** How a server may refuse while there is no primary; null = no answer. */
const REFUSALS = [503, 429, null];

/**
 * Makes another PostgreSQL server the primary, repeatedly, under two servers of ours that are used in every way. From a fault until both servers have
 * written again, requests may be refused or unanswered. Any other failure is a fault, and so is any failed request at another time.
 * @param databaseUrl `()`: a superuser's URL of the installation's database at the current primary
 * @param servers both servers of ours
 * @param promote `(time)`: causes the promotion; answers its name and its time (`from`, in terms of `performance.now()`)
 * @param recover `(time)`: restores the standby, after the servers have written again
 * @returns the number of faults
 */
export async function promoteUnderLoad({ product, databaseUrl, servers, times, boundMs, promote, recover }) {
  const [one, two] = servers;
  const use = await beginMixedUse(one, product.credentials);
  const faults = new Map();
  const refused = {};
  const outages = [];
  const done = await useDuring(use, servers, again, (kind, error) => {
    if (!isOfOutage(error)) return note(`${kind}: ${error.message}`);
    const how = error.status ?? "no answer";
    refused[how] = (refused[how] ?? 0) + 1;
  });
  console.log(`${JSON.stringify(done)}; while there was no primary: ${JSON.stringify(refused)}`);
  // A request in progress when a primary died may have been carried out without an answer: sending a file again shows the state.
  await use.kinds.feeds(one, two);
  await delay(ENDED_WITHIN_MS);
  for (const server of servers) for (const fault of await use.check(server)) note(fault);
  for (const fault of await doublesIn(databaseUrl(), use.asked())) note(fault);
  for (const [fault, count] of faults) console.log(`FAIL  ${count > 1 ? `${count} times: ` : ""}${fault}`);
  return { faults: [...faults.values()].reduce((sum, count) => sum + count, 0) };

  function note(fault) {
    faults.set(fault, (faults.get(fault) ?? 0) + 1);
  }

  /** Whether a request was in progress while there was no primary, and was refused in a permitted way. */
  function isOfOutage(error) {
    const now = performance.now();
    const isRefusal = error instanceof NotDone && REFUSALS.includes(error.status);
    return isRefusal && outages.some(({ from, until }) => error.began <= until && now >= from);
  }

  async function again() {
    for (let time = 1; time <= times; time += 1) {
      await delay(BEFORE_MS);
      const outage = { from: performance.now(), until: Number.POSITIVE_INFINITY };
      outages.push(outage);
      const { name, from } = await promote(time);
      await Promise.all(servers.map((server, index) => untilWritten(server, servers[1 - index])));
      outage.until = performance.now();
      const ms = Math.round(outage.until - from);
      if (ms > boundMs) note(`${name}: both servers wrote after ${ms} ms, ${boundMs} are allowed`);
      console.log(`${time} of ${times}: ${name}: both servers wrote after ${ms} ms`);
      await recover(time);
    }
    await delay(BEFORE_MS);
  }

  /** Retries a complete use of one kind, which starts with a write. */
  async function untilWritten(server, other) {
    for (const end = performance.now() + MAX_TIME_MS; performance.now() < end; await delay(50))
      try {
        return await use.kinds.sessions(server, other);
      } catch (error) {
        if (!isOfOutage(error)) note(`sessions: ${error.message}`);
      }
  }
}
