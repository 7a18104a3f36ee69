// `node bench/src/letter-plans.mjs`: runs every kind of search over a million letters on a fresh PostgreSQL, with the product's own statements, roles
// and row-level security; writes times and plans to artifacts/bench/letter-plans.md.
import { writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { openStorage } from "@org/storage-postgres";
import pg from "pg";
import { artifactFolder } from "../../scripts/artifacts.mjs";
import { build } from "../../scripts/pnpm.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";
import { median, short } from "./measuring/figures.mjs";
import { table } from "./measuring/page.mjs";
import { letterQuery, searchSamples, searchShapes } from "./product/letter-searches.mjs";
import { installLetters } from "./product/letters.mjs";

const TIMES = 15;
const explained = {
  client_min_messages: "log",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_nested_statements": "on",
};
const sizesOfIndexes = `
  select indexrelname as name, round(pg_relation_size(indexrelid) / 1024.0 / 1024)::integer as megabytes
  from pg_stat_user_indexes where relname in ('letters', 'letter_labels', 'letter_counts') order by relname, indexrelname`;
const report = join(artifactFolder("bench"), "letter-plans.md");

await build("build", "--filter=@org/bench...");
const postgres = await startPostgres();
try {
  const { databaseUrl, tenantId } = await installLetters(postgres.url);
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  const shapes = searchShapes(await searchSamples(owner, tenantId));
  const { rows: version } = await owner.query("show server_version");
  const { rows: sizes } = await owner.query(sizesOfIndexes);
  await owner.end();
  const found = await explainAll(databaseUrl, tenantId, shapes);
  const machine = `PostgreSQL ${version[0].server_version}, ${availableParallelism()} cores, everything cached, load ${loadavg()[0].toFixed(1)} at the end`;
  writeFileSync(report, `${sectionsOf(found, sizes, machine)}\n`);
} finally {
  await postgres.stop();
}

async function explainAll(databaseUrl, tenantId, shapes) {
  const opened = await openStorage({ databaseUrl, connections: 1 }, () => new Date());
  const planOf = explainSearches(opened.pool);
  const results = [];
  try {
    for (const { name, query } of shapes) {
      const search = () => opened.storage.letterFinder.search(tenantId, letterQuery(query));
      const { total } = await search();
      const times = [];
      for (let time = 0; time < TIMES; time += 1) {
        const started = performance.now();
        await search();
        times.push(performance.now() - started);
      }
      results.push({ name, total, milliseconds: median(times), plan: await planOf(search) });
    }
  } finally {
    await opened.close();
  }
  return results;
}

/** Makes PostgreSQL send the plan of a search to the client. EXPLAIN does not look into functions; auto_explain does. */
function explainSearches(pool) {
  let plan = null;
  pool.on("connect", (client) => {
    client.on("notice", ({ message = "" }) => {
      const lines = message.split("\n");
      const start = lines.findIndex((line) => line.includes("(cost="));
      if (lines.slice(0, start).join(" ").includes("counted")) plan = [...lines.slice(start), durationIn(message)];
    });
  });
  return async (search) => {
    await pool.query(`load 'auto_explain'; ${settings(explained)}`);
    await search();
    await pool.query(settings({ ...explained, "auto_explain.log_min_duration": "-1" }));
    return plan;
  };
}

function settings(values) {
  return Object.entries(values)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join("; ");
}

function durationIn(message) {
  return `Execution Time: ${/^duration: ([\d.]+ ms)/.exec(message)?.[1]}`;
}

function sectionsOf(found, sizes, machine) {
  const rows = found.map(({ name, total, milliseconds, plan }) => [
    name,
    total.toLocaleString("en"),
    short(milliseconds),
    indexesOf(plan),
  ]);
  return [
    "## Times",
    `${machine}. Milliseconds are the median of ${TIMES} searches, of one round trip to the database each.`,
    table(["search", "letters found", "ms", "indexes"], rows),
    "## Sizes",
    table(
      ["index", "MB"],
      sizes.map(({ name, megabytes }) => [name, megabytes]),
    ),
    "## Plans",
    "Shortened: nodes that only hand rows on, costs and conditions on the tenant are left out. `$1`, `$2` and so on are what is asked for, in the plan that is made once.",
    ...found.map(({ name, plan }) => `### ${capital(name)}\n\n\`\`\`\n${shortened(plan)}\n\`\`\``),
  ].join("\n\n");
}

function indexesOf(plan) {
  const names = plan.flatMap((line) => /using (\w+)|on (letters_\w+|letter_labels_\w+)/.exec(line)?.slice(1) ?? []);
  return [...new Set(names.filter(Boolean))].map((name) => `\`${name}\``).join(", ");
}

function shortened(plan) {
  const kept = plan.filter(
    (line, index) => /->|Execution Time|Sort Key|Index Cond|Rows Removed/.test(line) || index === 0 || index === 1,
  );
  return kept
    .filter((line) => !/->\s+Result|One-Time Filter/.test(line))
    .map((line) =>
      line
        .replace(/\(?tenant_id = ('[0-9a-f-]+'::uuid|\$\d+)\)?( AND )?/g, "")
        .replace(/\s+\(cost=[^)]*\)/, "")
        .replace(/actual time=[\d.]+\.\.([\d.]+) rows=([\d.]+) loops=(\d+)/, "$1 ms, $2 rows, $3 times")
        .replace(", 1 times", "")
        .replace(/'\{([^']{60})[^']*\}'/g, "'{$1 …}'"),
    )
    .filter((line) => !/Index Cond: \(?\)?$/.test(line))
    .join("\n");
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
