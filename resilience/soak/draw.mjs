// Draws docs/soak.md and its pictures of what `soak.mjs` has measured:
//
//   node resilience/soak/draw.mjs FILE [--beside TEXT] [--note TEXT]
//
// `--beside` says what else ran on the machine, `--note` what is to be said of what failed.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { graph } from "./graph.mjs";
import { pageOf } from "./page.mjs";
import { seriesOf } from "./series.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: "string", default: "nothing else" }, note: { type: "string", default: "" } },
});
const [file] = positionals;
if (file === undefined) throw new Error("usage: node resilience/soak/draw.mjs FILE [--beside TEXT] [--note TEXT]");
const records = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const { begins } = records.find((record) => record.begins);
const { ends } = records.find((record) => record.ends);
const samples = records.filter((record) => record.at);
const folder = fileURLToPath(new URL("../../docs/soak/", import.meta.url));
mkdirSync(folder, { recursive: true });
const graphs = seriesOf(samples);
for (const one of graphs) writeFileSync(`${folder}${one.name}.svg`, graph(one));
const page = pageOf({ begins, ends, samples, graphs, ...values });
writeFileSync(fileURLToPath(new URL("../../docs/soak.md", import.meta.url)), page);
