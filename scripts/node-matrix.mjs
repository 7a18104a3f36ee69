// Runs `npm test` on other versions of Node, fetched by npx. All versions run; the exit code says whether all passed.
//
//   node scripts/node-matrix.mjs [version…] [-- <arguments of vitest>]      default: 20 22 24 26
import { spawnSync } from "node:child_process";
import { commandFor } from "./on-any-system.mjs";
import { root } from "./step.mjs";

const [versions, vitestArguments] = split(process.argv.slice(2));
const failed = versions.filter((version) => !passes(version));
console.log(
  `npm test on Node ${versions.join(", ")}: ${failed.length > 0 ? `failed on ${failed.join(", ")}` : "passed"}`,
);
process.exitCode = failed.length > 0 ? 1 : 0;

function split(args) {
  const dashes = args.includes("--") ? args.indexOf("--") : args.length;
  const given = args.slice(0, dashes);
  return [given.length > 0 ? given : ["20", "22", "24", "26"], args.slice(dashes + 1)];
}

function passes(version) {
  const found = npx(version, ["node", "--version"], "pipe").stdout?.trim();
  console.log(`\n── Node ${version}: ${found}`);
  if (!found?.startsWith(`v${version}`)) return false;
  const test = vitestArguments.length > 0 ? ["npm", "test", "--", ...vitestArguments] : ["npm", "test"];
  return npx(version, test, "inherit").status === 0;
}

function npx(version, command, stdout) {
  const env = { ...process.env };
  delete env.npm_config_package; // an outer npx would otherwise replace the version asked for here
  return spawnSync(...commandFor("npx", ["--yes", "-p", `node@${version}`, "--", ...command]), {
    cwd: root,
    env,
    encoding: "utf8",
    stdio: ["ignore", stdout, "inherit"],
    shell: process.platform === "win32",
  });
}
