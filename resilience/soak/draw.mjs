// Writes artifacts/soak/report.md with graphs from the measurements of `soak.mjs`:
//
//   node resilience/soak/draw.mjs [FILE] [--beside TEXT] [--note TEXT]
//
// `--beside` describes what else ran on the machine, `--note` comments on failures.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { artifactFolder } from "../../scripts/artifacts.mjs";
import { graph } from "./graph.mjs";
import { pageOf } from "./page.mjs";
import { seriesOf } from "./series.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: "string", default: "nothing else" }, note: { type: "string", default: "" } },
});
const folder = artifactFolder("soak");
const [file = join(folder, "samples.ndjson")] = positionals;
const records = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const { begins } = records.find((record) => record.begins);
const { ends } = records.find((record) => record.ends);
const samples = records.filter((record) => record.at);
const graphs = seriesOf(samples);
for (const one of graphs) writeFileSync(join(folder, `${one.name}.svg`), graph(one));
const page = pageOf({ begins, ends, samples, graphs, ...values });
writeFileSync(join(folder, "report.md"), page);
