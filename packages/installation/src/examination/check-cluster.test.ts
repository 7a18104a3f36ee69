import type { ClusterState } from "@org/storage-postgres";
import { expect, it } from "vitest";
import { checkCluster } from "./check-cluster.js";

const worker = { host: "worker-1", port: 5432, is_active: true, answers: true, shards: 32 };
const spread = ["holdings", "portfolios", "transactions", "replaced_transactions"];
const whole: ClusterState = { citus: "13.2", nodes: [worker], spread, obstacles: [], steps: [] };

it.each([
  ["no cluster", { citus: null, nodes: [], spread: [] }, []],
  ["a cluster with nothing on it", { spread: [] }, [{ state: "warn", message: /no table is spread/ }]],
  ["all that there should be", {}, [{ state: "ok", message: /32 shards on worker-1:5432/ }]],
  [
    "a worker that is away",
    { nodes: [{ ...worker, answers: false }], obstacles: ["the worker worker-1:5432 does not answer"] },
    [{ state: "fail", message: /worker-1:5432 does not answer/ }],
  ],
  [
    "functions of a migration",
    { steps: [{ kind: "functions", object: "sql/cluster.sql", what: "reads and clean-up for a cluster" }] },
    [{ state: "fail", message: /to be done: sql\/cluster.sql/ }],
  ],
] as const)("[C-8.85] says of %s what there is to say", (_, difference, expected) => {
  const findings = checkCluster({ ...whole, ...difference } as ClusterState);
  expect(findings).toMatchObject(
    expected.map(({ state, message }) => ({ state, message: expect.stringMatching(message) })),
  );
});
