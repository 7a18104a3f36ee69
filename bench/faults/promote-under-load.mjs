import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { beginMixedUse, ENDED_WITHIN_MS, useDuring } from "./mixed-use.mjs";

/** How long both servers work before a primary dies. */
const BEFORE_MS = 3_000;
/** Beyond which nobody waits for them. */
const LONGEST_MS = 120_000;

/**
 * Lets another PostgreSQL server become the primary, again and again, under two servers of ours that are used in every way.
 * @param databaseUrl `()`: of the installation, where its primary is now, as a superuser has it
 * @param servers both of ours
 * @param promote `(time)`: does it, and answers a name for what it did and when that was (`from`, as `performance.now()` has it)
 * @param recover `(time)`: puts things back in order, after the servers have written again
 * @returns the number of faults
 */
export async function promoteUnderLoad({ product, databaseUrl, servers, times, boundMs, promote, recover }) {
  const [one, two] = servers;
  const use = await beginMixedUse(one, product.credentials);
  let faults = 0;
  let refused = 0;
  const done = await useDuring(use, servers, again, () => (refused += 1));
  console.log(`${JSON.stringify(done)}; refused, or without an answer, while there was no primary: ${refused}`);
  // What was under way when a primary died may have been done without an answer: a file that is sent again says where things stand.
  await use.kinds.feeds(one, two);
  await delay(ENDED_WITHIN_MS);
  for (const server of servers) {
    const found = await use.check(server);
    faults += found.length;
    for (const fault of new Set(found)) console.log(`FAIL  ${fault}`);
  }
  const twice = await lettersThatAreThereTwice(databaseUrl());
  faults += twice;
  if (twice > 0) console.log(`FAIL  ${twice} letters are there twice`);
  return { faults };

  async function again() {
    for (let time = 1; time <= times; time += 1) {
      await delay(BEFORE_MS);
      const { name, from } = await promote(time);
      await Promise.all(servers.map((server, index) => untilWritten(server, servers[1 - index])));
      const ms = Math.round(performance.now() - from);
      if (ms > boundMs) faults += 1;
      console.log(`${ms > boundMs ? "FAIL  " : ""}${time} of ${times}: ${name}: both servers wrote after ${ms} ms`);
      await recover(time);
    }
    await delay(BEFORE_MS);
  }

  /** Asks with the whole of one kind of use, which begins with writing. */
  async function untilWritten(server, other) {
    for (const end = performance.now() + LONGEST_MS; performance.now() < end; await delay(50))
      if (
        await use.kinds.sessions(server, other).then(
          () => true,
          () => false,
        )
      )
        return;
  }
}

/** Each letter is submitted once, with a label of its own; who had no answer has not tried again. */
async function lettersThatAreThereTwice(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query(
    "select count(*)::integer as twice from (select 1 from letter_labels where key = 'number' group by value having count(*) > 1) as labels",
  );
  await client.end();
  return rows[0].twice;
}
