// Runs one command as a named step, printed as "name … 3.2 s" on one line. The command's output is shown if it fails, or immediately with `show:
// true`. A failed step ends the script with the step's name, unless `orElse` handles it.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandFor, withFolderFirst } from "./on-any-system.mjs";

export const root = fileURLToPath(new URL("../", import.meta.url));

/** Running commands; they end with this script, for example when a concurrent step fails. */
const running = new Set();
process.once("exit", () => {
  for (const child of running) child.kill();
});

/**
 * Options: `show` (pass the output through), `cwd`, `env`, `orElse` (called if the command failed; if it answers true, the script continues).
 * Commands come from PATH or node_modules/.bin.
 */
export async function step(name, command, args, options = {}) {
  const { show = false, cwd = root, env = process.env, isAlone = true, orElse } = options;
  const started = performance.now();
  if (isAlone) process.stdout.write(`${name} … ${show ? "\n" : ""}`);
  const { code, signal, output } = await run(command, args, { show, cwd, env });
  const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  if (signal) {
    console.error(`\n${name}: stopped by ${signal}`);
    process.exit(128 + ({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal] ?? 9));
  }
  if (code !== 0) {
    process.stderr.write(`\n${output}`);
    const failure = `\nFAILED: ${name}, exit code ${code}, after ${took}`;
    if (!orElse) refuse(failure);
    console.error(failure);
    if (!(await orElse())) process.exit(1);
    return;
  }
  if (isAlone) console.log(show ? `${name}: ${took}` : took);
  else console.log(`${name} … ${took}`);
}

/** Runs independent steps, each given as the arguments of {@link step} without options, two at a time: most keep one processor busy. */
export async function independentSteps(...steps) {
  const lane = async () => {
    for (let next = steps.shift(); next; next = steps.shift()) await step(...next, { isAlone: false });
  };
  await Promise.all([lane(), lane()]);
}

export function refuse(message) {
  console.error(message);
  process.exit(1);
}

/** Resolves when the command has ended; signals to this process are passed on to it meanwhile. */
function run(command, args, { show, cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(...commandFor(command, args), {
      cwd,
      env: withFolderFirst(join(root, "node_modules/.bin"), env),
      stdio: ["ignore", show ? "inherit" : "pipe", show ? "inherit" : "pipe"],
      shell: process.platform === "win32",
    });
    running.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text) => (output += text));
    const forward = (signal) => child.kill(signal);
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const signal of signals) process.on(signal, forward);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      running.delete(child);
      for (const each of signals) process.off(each, forward);
      resolve({ code, signal, output });
    });
  });
}
