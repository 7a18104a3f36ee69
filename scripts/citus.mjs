// A Citus cluster for tests: a coordinator and two workers in temporary folders, removed at the end.
//
//   CITUS_BIN=/usr/lib/postgresql/15/bin node scripts/citus.mjs run [--one-shard] -- <command…>
//   CITUS_BIN=… node scripts/citus.mjs        starts one, prints its environment and waits for Ctrl-C
//
// CITUS_BIN is the program folder of a PostgreSQL with Citus. The command gets TEST_DATABASE_URL (the coordinator), TEST_CITUS_WORKERS (the workers,
// separated by commas) and TEST_BACKENDS=postgres: every test that runs on PostgreSQL then runs on a database distributed over the cluster. fsync is
// off, so nothing survives a power failure.
//
// --one-shard: exits with 1 if a statement of the product on distributed tables goes to several shards, except in jobs, or if a kind of statement (a
// read, insert or deletion of one of the tables) never occurs.
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
  // Each database has its own Citus daemon.
  max_worker_processes: 200,
  "citus.enable_stat_counters": "on",
  // Lets tests find what was committed in two phases.
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
