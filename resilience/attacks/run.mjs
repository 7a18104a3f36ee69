// `node resilience/attacks/run.mjs NAME… [--only PATTERN] [--on SITE] [--against FOLDER] [--seconds S] [--json] [--no-build]`: what an honest second
// tenant sees before, while and after a server is attacked. README.md explains how an attack is written.
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { short } from "@org/bench/measuring/figures.mjs";
import { table } from "@org/bench/measuring/page.mjs";
import { build } from "../../scripts/pnpm.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";

const sites = ["postgres", "embedded", "proxied"];
const shared = ["run", "stage", "sites", "attacker", "everyday", "closed-loop", "pipeline", "webhook-receivers"];
const names = readdirSync(new URL(".", import.meta.url))
  .filter((file) => file.endsWith(".mjs"))
  .map((file) => file.slice(0, -".mjs".length))
  .filter((name) => !shared.includes(name));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    on: { type: "string", multiple: true, default: ["postgres"] },
    against: { type: "string" },
    seconds: { type: "string", default: "8" },
    json: { type: "boolean", default: false },
    all: { type: "boolean", default: false },
    "no-build": { type: "boolean", default: false },
  },
});
const badSite = values.on.find((site) => !sites.includes(site));
if (badSite !== undefined) {
  console.error(`--on takes ${sites.join(", ")}, not ${badSite}.`);
  process.exit(2);
}
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
// Each site removes its folder at the end of the process.
process.setMaxListeners(0);
const seconds = Number(values.seconds);
const postgres = await startPostgres();
const rows = [];
try {
  for (const name of chosen)
    for (const variant of await variantsOf(name))
      for (const site of values.on)
        for (const [version, copy] of Object.entries(versions)) {
          const options = { variant, site, databaseUrl: postgres.url, copy, seconds };
          const row = { name, variant, site, version, ...(await attackServer(name, options)) };
          rows.push(row);
          if (values.json) continue;
          const verdict = row.faults.length === 0 ? "ok" : `FAIL ${row.faults.join("; ")}`;
          console.log(`${nameOf(row)}, ${site}, ${version}: ${verdict}\n  ${JSON.stringify(row.attack)}`);
        }
} finally {
  await postgres.stop();
}
if (values.json) console.log(JSON.stringify(rows, null, 2));
else console.log(`\n${honestTable()}\n\n${attackTable()}`);
process.exitCode = rows.every(({ faults }) => faults.length === 0) ? 0 : 1;

/** The variants that are wanted; undefined for an attack that has none. @throws if it has none and is to run elsewhere than on PostgreSQL */
async function variantsOf(name) {
  const { variants } = await import(`./${name}.mjs`);
  if (!variants && values.on.some((site) => site !== "postgres")) throw new Error(`${name} runs on postgres only`);
  if (!variants) return [undefined];
  return Object.keys(variants).filter((variant) => new RegExp(values.only).test(variant));
}

function nameOf({ name, variant }) {
  return variant ? `${name} ${variant}` : name;
}

/** What the honest tenant sees: p50 and p99 in milliseconds. */
function honestTable() {
  const pair = ({ p50, p99 }) => `${short(p50)} / ${short(p99)}`;
  const head = [
    "attack",
    "on",
    "version",
    "asked for",
    "before",
    "during",
    "after",
    "longest",
    "p99 after 1 s",
    "failures",
  ];
  return table(
    head,
    rows.flatMap(({ site, version, before, during, after, ...row }) =>
      Object.entries(during).map(([kind, seen]) => [
        ...[nameOf(row), site, version, kind, pair(before[kind]), pair(seen), pair(after[kind])],
        ...[seen.longest, seen.p99AfterOnset ?? Number.NaN],
        ...[before[kind].failures + seen.failures + after[kind].failures],
      ]),
    ),
  );
}

/** What the attack got, and what it took. */
function attackTable() {
  const head = ["attack", "on", "version", "answers", "limits named", "refusal p50 / longest ms"];
  return table(
    [...head, "loop late at most, ms", "MB at most", "verdict"],
    rows.map(({ site, version, attack, loopMs, megabytes, faults, ...row }) => [
      ...[nameOf(row), site, version, JSON.stringify(attack.outcomes ?? attack), attack.limits?.join(", ") ?? ""],
      ...[attack.refused?.requests > 0 ? `${short(attack.refused.p50)} / ${short(attack.refused.longest)}` : ""],
      ...[loopMs, megabytes, faults.length === 0 ? "ok" : faults.join("; ")],
    ]),
  );
}
