// One-command set-up from a bare clone with only Node and npm: the pnpm pinned in package.json, run through npx.
import { readFileSync } from "node:fs";
import { refuse, step } from "./step.mjs";

const { packageManager, engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const spec = packageManager.split("+")[0]; // "pnpm@10.34.9"

/** Runs `pnpm <args>` as a step of that name; see step.mjs for the options. */
export function pnpm(name, args, options = {}) {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", ...options.env };
  delete env.npm_config_package; // left by an outer `npx -p node@24 -- npm test`; it would replace our package spec
  return step(name, "npx", ["--yes", spec, ...args], { ...options, env });
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
