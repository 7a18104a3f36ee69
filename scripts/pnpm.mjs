// One-command set-up from a bare clone with only Node and npm, by the pnpm that package.json pins.
import { readFileSync } from "node:fs";
import { withPinnedPnpm } from "./pinned-pnpm.mjs";
import { refuse, step } from "./step.mjs";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** Runs `pnpm <args>` as a step of that name; see step.mjs for the options. */
export function pnpm(name, args, options = {}) {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", ...options.env };
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

/** Builds with turbo, which skips what has not changed. `tasks` may hold turbo's own flags, such as `--filter=…`. */
export async function build(...tasks) {
  await pnpm("build", ["exec", "turbo", "run", ...tasks, "--output-logs=errors-only"]);
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [needMajor, needMinor] = engines.node.match(/\d+/g).map(Number);
  if (major < needMajor || (major === needMajor && minor < needMinor))
    refuse(`Wealth Connect needs Node ${engines.node}; this is ${process.version}.`);
}
