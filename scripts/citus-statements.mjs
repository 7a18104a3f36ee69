// Finds the statements on distributed tables that a run caused on a Citus coordinator, including those inside functions, and which of them went to
// several shards. Citus logs each one that it splits into several tasks. pg_stat_statements has the text of all, and the role of each: the product
// switches to its own role in every transaction, while tests query as the superuser.
import { spawnSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { refuse } from "./step.mjs";

/** Coordinator settings that record these statements. */
export const notingStatements = {
  shared_preload_libraries: "citus,pg_stat_statements",
  "citus.multi_task_query_log_level": "log",
  "pg_stat_statements.track": "all",
  "pg_stat_statements.max": 50_000,
};

const tables = [
  ...["holdings", "portfolios", "transactions", "replaced_transactions"],
  ...["valued_accounts", "valuations", "valued_months", "replaced_valuations", "valued_holdings"],
];
const kinds = tables.flatMap((table) =>
  ["from", "insert into", "delete from"].map((verb) => ({
    kind: `${verb} ${table}`,
    // A deletion is not a read.
    shape: new RegExp(`${verb === "from" ? "(?<!delete )(?:from|join)" : verb} "?${table}\\b`),
  })),
);

/** Statements of jobs, which may query all nodes: docs/how-to/cluster.md lists them. */
const ofJobs = [
  "kept_of := array(select distinct r.tenant_id from replaced_transactions r)",
  "kept_of := array( select distinct v.tenant_id from valuations v where v.day < coalesce((p_by_tenant ->> v.tenant_id::text)::date, p_before) )",
  "kept_of := array(select distinct r.tenant_id from replaced_valuations r where r.replaced_at < p_before)",
];

/**
 * Prints how many statements there were, and what is wrong: a statement of the product that went to several shards and is no known job, or a kind of
 * statement that never occurred.
 * @param server the running coordinator's `url` and `log`; `programs` is the folder of its programs
 * @returns whether nothing is wrong
 */
export async function judgeStatements({ url, log, programs }) {
  const noted = statementsOf(url, programs);
  const byProduct = noted.filter(({ role }) => role !== "postgres").map(({ query }) => shapeOf(query));
  const byTests = new Set(noted.filter(({ role }) => role === "postgres").map(({ query }) => shapeOf(query)));
  const split = [...(await splitStatements(log))].map(shapeOf);
  const jobs = split.filter((statement) => ofJobs.includes(statement));
  const faults = [
    ...split
      .filter((statement) => !jobs.includes(statement) && !(byTests.has(statement) && !byProduct.includes(statement)))
      .map((statement) => `went to several shards: ${statement}`),
    ...kinds
      .filter(({ shape }) => !byProduct.some((statement) => shape.test(statement)))
      .map(({ kind }) => `no statement of this kind came: ${kind} …`),
  ];
  console.log(`${byProduct.length} statements about spread tables, each to one shard, but for ${jobs.length} of jobs`);
  for (const fault of faults) console.error(fault);
  return faults.length === 0;
}

/** Statements on distributed tables that ran, with their role. */
function statementsOf(url, programs) {
  const sql = `
    create extension if not exists pg_stat_statements;
    select coalesce(json_agg(s), '[]') from (
      select distinct r.rolname as role, s.query
      from pg_stat_statements s join pg_roles r on r.oid = s.userid
      where s.query ~ '\\m(${tables.join("|")})\\M'
    ) s`;
  const asked = spawnSync(join(programs, "psql"), ["-qAtX", url, "-c", sql], { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (asked.status !== 0) refuse(`psql: ${asked.stderr}`);
  return JSON.parse(asked.stdout);
}

/** Statements that Citus logged as split into several tasks. */
async function splitStatements(log) {
  const found = new Set();
  let entry = null;
  const take = () => {
    const said = entry?.join("\n").replace(/\s+/g, " ");
    const [, inside] =
      /CONTEXT: (?:SQL statement|SQL expression|PL\/pgSQL assignment) "(.*?)" PL\/pgSQL/.exec(said) ?? [];
    if (said !== undefined) found.add(inside ?? /STATEMENT: (.*)$/.exec(said)?.[1] ?? said);
    entry = null;
  };
  for await (const line of createInterface({ input: createReadStream(log) })) {
    const isBegin = / LOG: {2}multi-task query about to be executed/.test(line);
    if (isBegin || !/^\t| (?:HINT|DETAIL|CONTEXT|STATEMENT): {2}/.test(line)) take();
    if (isBegin) entry = [];
    else entry?.push(line);
  }
  take();
  return found;
}

/** One line without values, so that both sources give the same text. */
function shapeOf(statement) {
  return statement
    .replace(/'[^']*'|\$\d+|\b\d+\b/g, "?")
    .replace(/\s+/g, " ")
    .trim();
}
