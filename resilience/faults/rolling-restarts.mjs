// Restarts both replicas behind haproxy and behind nginx repeatedly under mixed traffic, and counts what fails:
//
//   node scripts/postgres.mjs run -- node resilience/faults/rolling-restarts.mjs [times] [restarts]
//
// The default is ten times ten restarts of both. It runs the test of the same name with more rounds.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installProxies } from "../../scripts/proxies.mjs";

const [times = 10, restarts = 10] = process.argv.slice(2).map(Number);
const root = fileURLToPath(new URL("../..", import.meta.url));
installProxies();
let failed = 0;
for (let time = 1; time <= times; time += 1) {
  console.log(`${time} of ${times}: ${restarts} restarts of each replica`);
  const { status } = spawnSync(
    "npx",
    ["vitest", "run", "apps/server/test/rolling-restarts.test.ts", "-t", "no request fails", "--maxWorkers=1"],
    { cwd: root, stdio: "inherit", env: { ...process.env, ROLLING_RESTARTS: String(restarts) } },
  );
  if (status !== 0) failed += 1;
}
console.log(`${times - failed} of ${times} runs without a failed request`);
process.exitCode = failed === 0 ? 0 : 1;
