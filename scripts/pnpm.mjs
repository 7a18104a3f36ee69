// Sets up a bare clone that has only Node and npm, using the pnpm that package.json pins.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withPinnedPnpm } from "./pinned-pnpm.mjs";
import { refuse, root, step } from "./step.mjs";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** Turns telemetry off. */
const quiet = { TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };

/** Runs `pnpm <args>` as a step of that name; see step.mjs for the options. */
export function pnpm(name, args, options = {}) {
  const env = { ...process.env, ...quiet, ...options.env };
  return step(name, "pnpm", args, { ...options, env: withPinned(env) });
}

function withPinned(env) {
  try {
    return withPinnedPnpm(env);
  } catch (error) {
    return refuse(error.message);
  }
}

export async function install() {
  checkNode();
  await pnpm("install dependencies", ["install", "--frozen-lockfile", "--prefer-offline"]);
}

/** Builds with turbo, which skips what has not changed. `tasks` may include turbo's own flags, such as `--filter=…`. */
export async function build(...tasks) {
  const args = ["run", ...tasks, "--output-logs=errors-only"];
  if (process.platform === "win32") return pnpm("build", ["exec", "turbo", ...args]);
  const env = withPinned({ ...process.env, ...quiet });
  // turbo starts the first pnpm on PATH for each package.
  env.PATH = `${join(root, "scripts/for-turbo")}:${env.PATH}`;
  await step("build", "turbo", args, { env });
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [needMajor, needMinor] = engines.node.match(/\d+/g).map(Number);
  if (major < needMajor || (major === needMajor && minor < needMinor))
    refuse(`Wealth Connect needs Node ${engines.node}; this is ${process.version}.`);
}
