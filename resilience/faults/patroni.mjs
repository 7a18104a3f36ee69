// Two servers that reach PostgreSQL through haproxy, which asks Patroni for the primary, under mixed load. Another PostgreSQL server takes over
// repeatedly: by switchover, because PostgreSQL dies, and because its machine dies:
//
//   node resilience/faults/patroni.mjs [times] [--no-build]
//
// The default is ten times. At the end everything acknowledged must be there, and nothing twice. Uses the settings of deploy/patroni. Needs Debian's
// patroni, etcd-server, python3-etcd, haproxy and PostgreSQL.
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { build } from "../../scripts/pnpm.mjs";
import { startPatroni } from "./patroni-cluster.mjs";
import { promoteUnderLoad } from "./promote-under-load.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "no-build": { type: "boolean", default: false } },
});
const [times = 10] = positionals.map(Number);
/** Both servers must be able to write within this time after a promotion. */
const BOUND_MS = 15_000;

if (!values["no-build"]) await build("build", "--filter=@org/server", "--filter=@org/resilience...");
// Imported after the build, since it imports packages as built.
const { installOnPostgres } = await import("@org/bench/product/installation.mjs");
const cluster = await startPatroni();
let faults = 0;
try {
  const product = await installOnPostgres(cluster.url);
  const DATABASE_URL = `${product.databaseUrl}?target_session_attrs=read-write`;
  const servers = [];
  for (let n = 0; n < 2; n += 1) servers.push(await product.start({ env: { SANDBOX: "true", DATABASE_URL } }));
  const ways = [
    ["switchover", cluster.switchover],
    ["PostgreSQL killed", cluster.crash],
    ["PostgreSQL and Patroni killed", cluster.die],
  ];
  const pauses = {};
  let former;
  let way;
  let since;
  const outcome = await promoteUnderLoad({
    product,
    servers,
    times,
    boundMs: BOUND_MS,
    databaseUrl: () => product.databaseUrl,
    async promote(time) {
      const [name, act] = ways[(time - 1) % ways.length];
      way = name;
      since = performance.now();
      former = await act();
      await cluster.untilReplaced(former);
      const from = performance.now();
      return { name: `${name}: another is the primary after ${Math.round(from - since)} ms`, from };
    },
    async recover() {
      pauses[way] = [...(pauses[way] ?? []), Math.round(performance.now() - since)];
      await cluster.resumeCallback(former);
      await cluster.untilSafe();
    },
  });
  faults = outcome.faults;
  console.log(`from the fault until both servers wrote, in ms: ${JSON.stringify(pauses)}`);
  console.log(
    faults === 0 ? "ok    nothing that was acknowledged is lost, and nothing is there twice" : `FAIL  ${faults}`,
  );
  for (const server of servers) await server.stop();
} finally {
  await cluster.remove();
}
process.exit(faults === 0 ? 0 : 1);
