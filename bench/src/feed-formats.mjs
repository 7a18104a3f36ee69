import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFile } from "./feed-formats/files.mjs";
import { readers } from "./feed-formats/readers.mjs";
import { goal, median, medianRatio } from "./measuring/figures.mjs";

/** File sizes in megabytes: for warming up, for comparing, and the largest that is accepted (just below 64 MiB). */
const sizes = { warmUp: 0.5, small: 4, large: 67 };
/** Formats with rows so small that a file reaches the limit of elements (3,000,000) or fields (2,000,000) before the size limit. */
const largest = { "camt.053": 58, ofx: 54, mt535: 40 };
/** The most memory that reading a file of 64 MiB may take. */
const MAX_MEGABYTES = 500;
/** The heap limit of a reading process, high enough to measure readers that take more. */
const MAX_HEAP_MB = 4_096;
const MAX_TIME_MS = 300_000;

/**
 * The speed and memory of our readers of custodians' files, compared with npm packages for the same formats. The packages return objects with the
 * contents of the file; ours check it and produce portfolios, holdings and transactions. The packages that users would choose are therefore measured
 * twice: alone, and with the remaining work added. Each file is read by its own process after it has read small ones.
 *
 * Options: `rounds`; in each, every reader reads a file of 4 MB. Ours also read one of 64 MiB, once.
 */
export async function run({ rounds = 5 }) {
  const raw = [];
  const large = [];
  const folder = mkdtempSync(join(tmpdir(), "feed-formats-"));
  try {
    for (const [format, targets] of Object.entries(readers)) {
      for (let round = 1; round <= rounds; round += 1)
        for (const target of inTurn(Object.keys(targets), round))
          raw.push({ format, target, round, ...readOnce(folder, format, target, "small") });
      large.push({ format, target: "ours, largest", round: 1, ...readOnce(folder, format, "ours", "large") });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return {
    title: "Readers of custodians' files",
    notes:
      `Medians of ${rounds} rounds; a ratio is the median of the ratios within a round. MB per second of processor time, all threads together, because ` +
      "other work on the machine stretches the wall clock's; collecting garbage counts. Memory is what the process had at most above " +
      "what it had before. Digits are kept where an amount comes back as it stands in the file: none lost, zeros at the end included. " +
      "Only ours check the file, and make portfolios, holdings and transactions of it; the others answer its parts. `and the same work` " +
      "does with these what is needed for the same rows: amounts and days are checked, numbers of securities and currencies, too, and each row has its " +
      "key and references; without places of faults, and for the very dialect of the file. The goals compare with these, where there are some.",
    tables: [tableOf(raw), largeTable(large)],
    goals: [...goalsOf(raw), ...large.map(memoryGoal)],
    raw: [...raw, ...large],
  };
}

function readOnce(folder, format, target, size) {
  const script = fileURLToPath(new URL("feed-formats/read-once.mjs", import.meta.url));
  const files = [fileOf(folder, format, "warmUp"), fileOf(folder, format, size)];
  const args = ["--expose-gc", `--max-old-space-size=${MAX_HEAP_MB}`, script, format, target, ...files];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: MAX_TIME_MS });
  if (status !== 0) throw new Error(`${target} did not read ${format}: ${stderr.slice(0, 2_000)}`);
  const { cpu, peak, keepsDigits, ...read } = JSON.parse(stdout);
  return { speed: read.size / cpu, peak, rows: read.rows, digits: keepsDigits ? "kept" : "lost" };
}

/** Created on first use and kept for further rounds. */
function fileOf(folder, format, size) {
  const file = join(folder, `${format}-${size}`);
  if (!existsSync(file)) writeFileSync(file, makeFile(format, megabytesOf(format, size) * 1e6).bytes);
  return file;
}

function megabytesOf(format, size) {
  return (size === "large" && largest[format]) || sizes[size];
}

function inTurn(targets, round) {
  return round % 2 === 0 ? targets.toReversed() : targets;
}

function rowsOf(raw, format, target) {
  return raw.filter((row) => row.format === format && row.target === target);
}

function tableOf(raw) {
  return {
    caption: `Files of ${sizes.small} MB`,
    head: ["format", "reader", "MB per CPU second", "of ours", "memory, MB", "digits"],
    rows: Object.entries(readers).flatMap(([format, targets]) =>
      Object.keys(targets).map((target) => {
        const rows = rowsOf(raw, format, target);
        const ratio = medianRatio(raw, "speed", target, "ours", { format });
        const [speed, peak] = ["speed", "peak"].map((field) => median(rows.map((row) => row[field])));
        return [format, target, speed, ratio, peak, rows[0].digits];
      }),
    ),
  };
}

function largeTable(large) {
  return {
    caption: "Ours, the largest files that are read",
    head: ["format", "MB", "rows", "MB per CPU second", "memory, MB"],
    rows: large.map(({ format, rows, speed, peak }) => [format, megabytesOf(format, "large"), rows, speed, peak]),
  };
}

const SAME_WORK = ", and the same work";

/** At least as fast as the fastest of those that keep all digits, with the same work where that was measured. */
function goalsOf(raw) {
  return Object.entries(readers).flatMap(([format, targets]) => {
    const keeping = Object.keys(targets).filter(
      (target) => target !== "ours" && rowsOf(raw, format, target)[0].digits === "kept",
    );
    const alike = keeping.filter((target) => target.endsWith(SAME_WORK));
    const peers = alike.length > 0 ? alike : keeping;
    if (peers.length === 0) return [];
    const speedOf = (target) => median(rowsOf(raw, format, target).map(({ speed }) => speed));
    const fastest = peers.reduce((one, other) => (speedOf(other) > speedOf(one) ? other : one));
    return [
      goal(
        `${format}: MB/s of ${fastest}, the fastest that keeps digits`,
        medianRatio(raw, "speed", "ours", fastest, { format }),
        {
          atLeast: 1,
        },
      ),
    ];
  });
}

function memoryGoal({ format, peak }) {
  return goal(`${format}, ${megabytesOf(format, "large")} MB: memory, MB`, peak, { atMost: MAX_MEGABYTES });
}
