// Kills the primary and promotes its synchronous standby, again and again, under two servers that know both hosts:
//
//   node bench/faults/promotions.mjs [times] [--no-build]
//
// Ten times unless told otherwise. Writes have to go on by themselves within 15 seconds of each promotion, and at the end all that was
// acknowledged has to be there. Needs Debian's PostgreSQL.
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { build } from "../../scripts/pnpm.mjs";
import { beginMixedUse, ENDED_WITHIN_MS, useDuring } from "./mixed-use.mjs";
import { startReplicatedPostgres } from "./replicated-postgres.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "no-build": { type: "boolean", default: false } },
});
const [times = 10] = positionals.map(Number);
/** Within which writes have to go on. */
const BOUND_MS = 15_000;
/** How long both servers work before a primary dies. */
const BEFORE_MS = 3_000;

if (!values["no-build"]) await build("build", "--filter=@org/server", "--filter=@org/bench...");
// It imports packages as they are built.
const { installOnPostgres } = await import("../src/product/installation.mjs");
const postgres = await startReplicatedPostgres();
let faults = 0;
try {
  let [primary, standby] = postgres.names;
  const product = await installOnPostgres(postgres.urlOf(primary));
  const url = new URL(product.databaseUrl);
  const DATABASE_URL = `postgres://postgres@${postgres.hosts}${url.pathname}?target_session_attrs=read-write`;
  const servers = [];
  for (let n = 0; n < 2; n += 1) servers.push(await product.start({ env: { SANDBOX: "true", DATABASE_URL } }));
  const [one, two] = servers;
  const use = await beginMixedUse(one, product.credentials);
  let refused = 0;
  const done = await useDuring(use, servers, promoteAgainAndAgain, () => (refused += 1));
  console.log(`${JSON.stringify(done)}; refused, or without an answer, while there was no primary: ${refused}`);
  // What was under way when a primary died may have been done without an answer: a file that is sent again says where things stand.
  await use.kinds.feeds(one, two);
  await delay(ENDED_WITHIN_MS);
  for (const server of servers) {
    const found = await use.check(server);
    faults += found.length;
    for (const fault of new Set(found)) console.log(`FAIL  ${fault}`);
  }
  console.log(
    faults === 0 ? "ok    writes went on in time, and nothing that was acknowledged is lost" : `FAIL  ${faults}`,
  );
  for (const server of servers) await server.stop();

  async function promoteAgainAndAgain() {
    for (let time = 1; time <= times; time += 1) {
      await delay(BEFORE_MS);
      postgres.kill(primary);
      await postgres.promote(standby);
      const promoted = performance.now();
      await Promise.all(servers.map((server, index) => untilWritten(server, servers[1 - index])));
      const ms = Math.round(performance.now() - promoted);
      if (ms > BOUND_MS) faults += 1;
      [primary, standby] = [standby, primary];
      await postgres.follow(standby, primary);
      console.log(`${time} of ${times}: both servers wrote ${ms} ms after the promotion`);
    }
    await delay(BEFORE_MS);
  }

  /** Asks with the whole of one kind of use, which begins with writing. */
  async function untilWritten(server, other) {
    for (const end = performance.now() + 4 * BOUND_MS; performance.now() < end; await delay(50))
      if (
        await use.kinds.sessions(server, other).then(
          () => true,
          () => false,
        )
      )
        return;
  }
} finally {
  postgres.remove();
}
process.exit(faults === 0 ? 0 : 1);
