import type { ClusterState } from "@org/storage-postgres";
import { type Finding, fail, ok, warn } from "./finding.js";

/** Checks that a database on Citus is distributed correctly. Returns nothing for any other database. */
export function checkCluster({ citus, nodes, spread, obstacles, steps }: ClusterState): Finding[] {
  if (citus === null) return [];
  const check = "cluster";
  if (spread.length === 0)
    return [
      warn(check, `Citus ${citus} is there, and no table is spread`, "wealth-connect cluster distribute --dry-run"),
    ];
  if (obstacles.length > 0)
    return [
      fail(check, obstacles.join("; "), "see docs/how-to/cluster.md; tenants on other workers are not concerned"),
    ];
  const missing = steps.map(({ object, what }) => `${object}: ${what}`).join("; ");
  if (steps.length > 0) return [fail(check, `to be done: ${missing}`, "wealth-connect cluster distribute")];
  const counted = nodes.map(({ host, port, shards }) => `${shards} shards on ${host}:${port}`).join(", ");
  return [ok(check, `Citus ${citus}, ${counted}`)];
}
