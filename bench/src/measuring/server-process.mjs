import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { exchange } from "./load.mjs";

/** Linux counts CPU time in hundredths of a second. */
const TICK_MICROSECONDS = 10_000;
const POLL_MS = 3;
const READY_MS = 60_000;
const STOP_MS = 15_000;

const probe = new URL("memory-probe.mjs", import.meta.url).href;
const running = new Set();
// A script that fails or is interrupted leaves no server running.
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/**
 * Starts `node file` as a separate process that listens on `PORT`, and resolves once `request` is answered with 200. Its output goes to `logFile`, as
 * with a service. `readyMs` is measured from just before the process is spawned. With `hasProbe`, the server's live heap can be queried.
 */
export async function startServer({ file, env = {}, nodeArguments = [], hasProbe = false, logFile, request }) {
  const port = await freePort();
  const log = openSync(logFile, "a");
  const started = performance.now();
  const probeArguments = hasProbe ? ["--expose-gc", "--import", probe] : [];
  const child = spawn(process.execPath, [...probeArguments, ...nodeArguments, file], {
    env: { PATH: process.env.PATH, NODE_ENV: "production", HOST: "127.0.0.1", ...env, PORT: String(port) },
    stdio: ["ignore", log, log, ...(hasProbe ? ["ipc"] : [])],
  });
  closeSync(log);
  running.add(child);
  const ended = new Promise((resolve) => child.once("exit", resolve)).then(() => running.delete(child));
  const server = {
    port,
    pid: child.pid,
    readyMs: Number.NaN,
    cpuMicroseconds,
    residentMegabytes,
    liveHeapMegabytes,
    beginPeak,
    endPeak,
    stop,
  };
  try {
    await waitForAnswer();
  } catch (error) {
    await stop();
    throw error;
  }
  server.readyMs = performance.now() - started;
  return server;

  async function waitForAnswer() {
    while (performance.now() - started < READY_MS) {
      if (child.exitCode !== null) throw new Error(`${file} ended: ${readFileSync(logFile, "utf8").slice(-2_000)}`);
      const status = await exchange(port, request).then(
        (answer) => answer.status,
        () => null,
      );
      if (status === 200) return;
      // 429: a caller that asks every few milliseconds exceeds its limit after a while.
      if (status !== null && status !== 503 && status !== 429)
        throw new Error(`${file} answers ${status} where 200 was expected`);
      await delay(POLL_MS);
    }
    throw new Error(`${file} was not ready within ${READY_MS / 1000} s`);
  }

  /** User and system time of all threads so far. */
  function cpuMicroseconds() {
    const stat = readFileSync(`/proc/${child.pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
  }

  function residentMegabytes() {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "latin1"))[1]) / 1024;
  }

  /** The heap after a full garbage collection, including buffers. */
  function liveHeapMegabytes() {
    return ask("live heap").then(({ live }) => live / 1024 ** 2);
  }

  /** Collects garbage and starts to record the peak; returns what is held now, in megabytes. */
  async function beginPeak() {
    const { live } = await ask("watch");
    // Resets the kernel's peak of resident memory (proc(5)).
    writeFileSync(`/proc/${child.pid}/clear_refs`, "5");
    return { resident: residentMegabytes(), accounted: live / 1024 ** 2 };
  }

  /** The peaks since `beginPeak`, in megabytes. */
  async function endPeak() {
    const resident = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "latin1"))[1]) / 1024;
    return { resident, accounted: (await ask("peak")).accounted / 1024 ** 2 };
  }

  function ask(question) {
    return new Promise((resolve) => {
      child.once("message", resolve);
      child.send(question);
    });
  }

  async function stop() {
    // SIGINT stops the server immediately; SIGTERM would give a proxy time to notice.
    child.kill("SIGINT");
    const impatience = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await ended;
    clearTimeout(impatience);
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const taken = createServer().on("error", reject);
    taken.listen(0, "127.0.0.1", () => {
      const { port } = taken.address();
      taken.close(() => resolve(port));
    });
  });
}
