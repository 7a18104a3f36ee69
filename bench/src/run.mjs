// `pnpm bench [name…]`: runs the benchmarks on a fresh PostgreSQL and writes a report of each, including raw rounds, to artifacts/bench.
import { writeFileSync } from "node:fs";
import { availableParallelism, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { artifactFolder } from "../../scripts/artifacts.mjs";
import { build } from "../../scripts/pnpm.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";
import { goalsTable, rawTable, table } from "./measuring/page.mjs";

/** The benchmarks with their options. */
const benchmarks = {
  "tools-call": ["rounds", "turns", "seconds", "large", "profile"],
  "tools-call-in-memory": ["rounds", "turns", "seconds"],
  token: ["rounds", "turns", "seconds"],
  "start-and-idle": ["rounds"],
  memory: ["calls"],
  refresh: ["connections", "tenants", "profile"],
  limits: ["connections", "servers"],
  webhooks: ["events", "endpoints", "profile"],
  events: ["turns", "seconds", "events"],
  letters: ["rounds", "turns", "seconds"],
  "letter-submission": ["rounds"],
  evaluation: [],
  "connector-filter": ["rounds"],
  "feed-formats": ["rounds"],
  console: ["rounds"],
  "console-table": ["rounds"],
  widget: ["rounds"],
  overload: ["seconds"],
  growth: ["calls"],
  wealth: ["connections", "calls"],
  valuations: ["turns", "connections"],
  tracing: ["rounds", "turns", "seconds"],
  versions: ["rounds", "turns", "seconds"],
};
const names = Object.keys(benchmarks);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    turns: { type: "string" },
    seconds: { type: "string" },
    calls: { type: "string" },
    call: { type: "string" },
    connections: { type: "string" },
    tenants: { type: "string" },
    servers: { type: "string" },
    events: { type: "string" },
    endpoints: { type: "string" },
    large: { type: "boolean", default: false },
    profile: { type: "string" },
    against: { type: "string" },
    print: { type: "boolean", default: false },
    "no-build": { type: "boolean", default: false },
  },
});
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}: there are ${names.join(", ")}.`);
  process.exit(2);
}

if (!values["no-build"]) await build("build", "--filter=@org/server", "--filter=@org/bench...");
const postgres = await startPostgres();
try {
  const all = names.filter((name) => name !== "versions" || values.against !== undefined);
  for (const name of positionals.length > 0 ? positionals : all) await runOne(name, postgres.url);
} finally {
  await postgres.stop();
}

async function runOne(name, databaseUrl) {
  const load = loadavg()[0];
  const started = performance.now();
  const { run } = await import(`./${name}.mjs`);
  const report = await run({
    databaseUrl,
    isLarge: values.large,
    profileFolder: values.profile,
    against: values.against,
    call: values.call,
    ...numbers(name),
  });
  const text = [
    `# ${name}`,
    report.title,
    `\`pnpm bench ${[name, ...flags(name)].join(" ")}\` · ${await machine(databaseUrl)} · ${loadLine(load)} · ${Math.round((performance.now() - started) / 1000)} s · ${new Date().toISOString().slice(0, 10)}`,
    report.notes,
    goalsTable(report.goals),
    ...report.tables.map(({ caption, head, rows }) => `${caption}\n\n${table(head, rows)}`),
    rawTable(report.raw),
  ].join("\n\n");
  if (values.print) console.log(text);
  else writeFileSync(join(artifactFolder("bench"), `${name}.md`), `${text}\n`);
  for (const { what, isReached } of report.goals) console.log(`${isReached ? "reached" : "MISSED "}  ${what}`);
}

function numbers(name) {
  const given = benchmarks[name].filter((option) => /^[\d.]+$/.test(values[option] ?? ""));
  return Object.fromEntries(given.map((option) => [option, Number(values[option])]));
}

function flags(name) {
  const given = Object.entries(numbers(name)).map(([option, value]) => `--${option} ${value}`);
  return values.large && benchmarks[name].includes("large") ? [...given, "--large"] : given;
}

async function machine(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query("show server_version");
  await client.end();
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  return `${availableParallelism()} cores, ${gigabytes} GB, Node ${process.version}, PostgreSQL ${rows[0].server_version}`;
}

/** The benchmark itself keeps about one process more busy than there are cores. */
function loadLine(before) {
  const after = loadavg()[0];
  const isNoisy = before > availableParallelism() || after > availableParallelism() + 2;
  return `load ${before.toFixed(1)} before, ${after.toFixed(1)} after${isNoisy ? " (**noisy**: other work was running)" : ""}`;
}
