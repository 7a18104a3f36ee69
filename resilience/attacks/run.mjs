// `node resilience/attacks/run.mjs NAME… [--against FOLDER] [--seconds S] [--json] [--no-build]`: what an honest second tenant sees while a server is
// attacked. README.md explains how an attack is written.
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { short } from "@org/bench/measuring/figures.mjs";
import { table } from "@org/bench/measuring/page.mjs";
import { build } from "../../scripts/pnpm.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";

const shared = ["run.mjs", "stage.mjs", "attacker.mjs", "pipeline.mjs", "webhook-receivers.mjs"];
const names = readdirSync(new URL(".", import.meta.url))
  .filter((file) => file.endsWith(".mjs") && !shared.includes(file))
  .map((file) => file.slice(0, -".mjs".length));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: "string" },
    seconds: { type: "string", default: "10" },
    json: { type: "boolean", default: false },
    all: { type: "boolean", default: false },
    "no-build": { type: "boolean", default: false },
  },
});
const chosen = values.all ? names : positionals;
const unknown = chosen.filter((name) => !names.includes(name));
if (chosen.length === 0 || unknown.length > 0) {
  console.error(`Name one or more of these attacks, or say --all: ${names.join(", ")}.`);
  process.exit(2);
}

if (!values["no-build"]) await build("build", "--filter=@org/server", "--filter=@org/resilience...");
// Imported after the build, since the packages are imported as built.
const { copyServer } = await import("@org/bench/product/installation.mjs");
const { attackServer } = await import("./stage.mjs");
const versions = {
  ...(values.against !== undefined && { before: copyServer(values.against) }),
  after: copyServer(),
};
const postgres = await startPostgres();
const rows = [];
try {
  for (const name of chosen) {
    for (const [version, copy] of Object.entries(versions)) {
      const seconds = Number(values.seconds);
      const row = { name, version, ...(await attackServer(name, { databaseUrl: postgres.url, copy, seconds })) };
      rows.push(row);
      if (!values.json) console.log(`${row.title}\n${version}: ${JSON.stringify(row.attack)}\n`);
    }
  }
} finally {
  await postgres.stop();
}
if (values.json) console.log(JSON.stringify(rows, null, 2));
else
  console.log(
    table(
      ["attack", "version", "honest", "p50 ms", "p99 ms", "failures", "p99 unattacked", "readyz p99", "MB at most"],
      rows.map(({ name, version, honest, unattacked, readyz, megabytes }) => [
        name,
        version,
        honest.requests,
        ...[honest.p50, honest.p99, honest.failures, unattacked.p99, readyz.p99, megabytes].map(short),
      ]),
    ),
  );
