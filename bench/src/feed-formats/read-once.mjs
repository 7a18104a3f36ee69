// Reads a file with one reader in a process of its own: node read-once.mjs FORMAT READER SMALL-FILE FILE. Prints a line of JSON.
import { readFileSync } from "node:fs";
import { tellingAmounts } from "./files.mjs";
import { readers } from "./readers.mjs";

const MEGABYTE = 1_000_000;
/** How many small files are read first, so that the engine has compiled the code; fewer for slow readers. */
const WARM_UP = { least: 4, most: 40, ms: 3_000 };

const [format, target, smallFile, file] = process.argv.slice(2);
const { read, amountsOf } = readers[format][target];
const began = performance.now();
const isWarm = (times) => times >= WARM_UP.most || (times >= WARM_UP.least && performance.now() - began > WARM_UP.ms);
for (let times = 0; !isWarm(times); times += 1) await read(readFileSync(smallFile));
const bytes = readFileSync(file);
globalThis.gc();
const held = process.memoryUsage.rss();
const before = process.cpuUsage();
const answer = await read(bytes);
const { user, system } = process.cpuUsage(before);
const peak = process.resourceUsage().maxRSS * 1_024;
const amounts = amountsOf(answer);
console.log(
  JSON.stringify({
    cpu: (user + system) / 1e6,
    peak: Math.max(0, peak - held) / MEGABYTE,
    size: bytes.length / MEGABYTE,
    rows: amounts.length,
    keepsDigits: tellingAmounts(format).every((amount) => amounts.includes(amount)),
  }),
);
// Ends the threads of a reader.
process.exit(0);
