// A Citus cluster for tests: a coordinator and two workers in temporary folders, gone when the work is done.
//
//   CITUS_BIN=/usr/lib/postgresql/15/bin node scripts/citus.mjs run [--one-shard] -- <command…>
//   CITUS_BIN=… node scripts/citus.mjs        starts one, prints its environment and waits for Ctrl-C
//
// CITUS_BIN is the folder of the programs of a PostgreSQL that Citus is installed into. The command gets TEST_DATABASE_URL (the
// coordinator), TEST_CITUS_WORKERS (the workers, with commas between them) and TEST_BACKENDS=postgres: every test that runs on
// PostgreSQL then runs on a database that is spread over the cluster. Nothing of it is safe from a power cut: fsync is off.
//
// --one-shard: a statement of the product about spread tables that goes to several shards ends the run with 1, but for those of jobs, and
// so does a kind of statement (a read, insert or deletion of one of the tables) that never came.
import { judgeStatements, notingStatements } from "./citus-statements.mjs";
import { runWith, startPostgres, waitForSignal } from "./postgres.mjs";
import { refuse } from "./step.mjs";

const WORKERS = 2;

const given = process.argv.slice(2);
const isJudged = given[1] === "--one-shard";
if (isJudged) given.splice(1, 1);
const [verb, dashes, command, ...rest] = given;
if (verb && !(verb === "run" && dashes === "--" && command))
  refuse("usage: CITUS_BIN=<folder> node scripts/citus.mjs [run [--one-shard] -- <command…>]");
const programs = process.env.CITUS_BIN;
if (!programs) refuse("CITUS_BIN is not set: the folder of the programs of a PostgreSQL with Citus.");

const more = {
  shared_preload_libraries: "citus",
  wal_level: "logical",
  max_connections: 500,
  max_prepared_transactions: 500,
  // Each database has a Citus daemon of its own.
  max_worker_processes: 200,
  "citus.enable_stat_counters": "on",
  // So that tests find what was committed in two phases.
  "citus.recover_2pc_interval": -1,
};
const nodes = [];
for (let node = 0; node <= WORKERS; node += 1)
  nodes.push(await startPostgres({ programs, more: { ...more, ...(isJudged && node === 0 && notingStatements) } }));
const [coordinator, ...workers] = nodes;
const env = {
  TEST_DATABASE_URL: coordinator.url,
  TEST_CITUS_WORKERS: workers.map(({ url }) => url).join(),
  TEST_BACKENDS: "postgres",
};
let exitCode = verb ? await runWith(env, command, rest) : await waitForSignal(env);
if (isJudged && !(await judgeStatements({ ...coordinator, programs })) && exitCode === 0) exitCode = 1;
for (const { stop } of nodes) await stop();
process.exit(exitCode);
