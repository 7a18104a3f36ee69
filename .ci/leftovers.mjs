// Fails if a process that this CI run started is still running, and ends it. Every process inherits CI_RUN_MARK; only this one and its parents may
// still have it. On a busy machine vitest may be unable to end a worker, which it reports. Such a worker is ended and listed with its children,
// without failing: all of its tests have reported.
import { readdirSync, readFileSync } from "node:fs";

const graceMilliseconds = 5_000;
const mark = `CI_RUN_MARK=${process.env.CI_RUN_MARK}`;
if (!process.env.CI_RUN_MARK) throw new Error("CI_RUN_MARK is not set: run .ci/run");

const own = lineage(process.pid);
let left = marked();
for (const end = Date.now() + graceMilliseconds; left.length > 0 && Date.now() < end; left = marked())
  await new Promise((resolve) => setTimeout(resolve, 200));

let unexplained = 0;
for (const pid of left) {
  const command = read(pid, "cmdline").replaceAll("\0", " ");
  const isWorker = [...lineage(pid)].some((each) => read(each, "cmdline").includes("/vitest/suppress-warnings.cjs"));
  if (!isWorker) unexplained += 1;
  console.error(`${isWorker ? "of a worker of vitest that did not end" : "left running"}: ${pid} ${command}`);
}
// Killed last, since a worker's children are found through their parent.
for (const pid of left) kill(Number(pid));
process.exitCode = unexplained > 0 ? 1 : 0;

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error; // it has ended meanwhile
  }
}

function marked() {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && !own.has(name));
  return pids.filter((pid) => read(pid, "environ").split("\0").includes(mark));
}

function lineage(pid) {
  const found = new Set();
  for (let each = String(pid); Number(each) > 0; each = /^PPid:\s+(\d+)/m.exec(read(each, "status"))?.[1] ?? "0")
    found.add(each);
  return found;
}

/** Empty if the process has ended meanwhile or belongs to another user. */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
