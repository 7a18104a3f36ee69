// Kills the primary and promotes its synchronous standby, repeatedly, under two servers that know both hosts:
//
//   node resilience/faults/promotions.mjs [times] [--no-build]
//
// The default is ten times. Writes must work again within 15 seconds of each promotion without intervention, and at the end everything acknowledged
// must be there. Needs Debian's PostgreSQL.
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { build } from "../../scripts/pnpm.mjs";
import { promoteUnderLoad } from "./promote-under-load.mjs";
import { startReplicatedPostgres } from "./replicated-postgres.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "no-build": { type: "boolean", default: false } },
});
const [times = 10] = positionals.map(Number);
/** Writes must work again within this time. */
const BOUND_MS = 15_000;

if (!values["no-build"]) await build("build", "--filter=@org/server", "--filter=@org/resilience...");
// Imported after the build, since it imports packages as built.
const { installOnPostgres } = await import("@org/bench/product/installation.mjs");
const postgres = await startReplicatedPostgres();
let faults = 0;
try {
  let [primary, standby] = postgres.names;
  const product = await installOnPostgres(postgres.urlOf(primary));
  const { pathname } = new URL(product.databaseUrl);
  const DATABASE_URL = `postgres://postgres@${postgres.hosts}${pathname}?target_session_attrs=read-write`;
  const servers = [];
  for (let n = 0; n < 2; n += 1) servers.push(await product.start({ env: { SANDBOX: "true", DATABASE_URL } }));
  ({ faults } = await promoteUnderLoad({
    product,
    servers,
    times,
    boundMs: BOUND_MS,
    databaseUrl: () => postgres.urlOf(primary).replace(/\/postgres$/, pathname),
    async promote() {
      postgres.kill(primary);
      await postgres.promote(standby);
      return { name: "promoted", from: performance.now() };
    },
    async recover() {
      [primary, standby] = [standby, primary];
      await postgres.follow(standby, primary);
    },
  }));
  console.log(
    faults === 0
      ? "ok    writes went on in time, nothing that was acknowledged is lost, and nothing is there twice"
      : `FAIL  ${faults}`,
  );
  for (const server of servers) await server.stop();
} finally {
  postgres.remove();
}
process.exit(faults === 0 ? 0 : 1);
