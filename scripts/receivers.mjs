// Runs the webhook receivers of docs/how-to/webhooks.md, including those in Go and PHP: missing languages are installed from Debian.
//
//   node scripts/receivers.mjs
import { spawnSync } from "node:child_process";
import { findCommand, installFromDebian } from "./debian.mjs";
import { root } from "./step.mjs";

const packages = { python3: "python3", go: "golang-go", java: "default-jdk-headless", php: "php-cli" };
const missing = Object.keys(packages).filter((command) => !findCommand(command));
if (missing.length > 0) installFromDebian(missing.map((command) => packages[command]));
const { status } = spawnSync("npx", ["vitest", "run", "packages/webhook-verifier/test/receivers.test.ts"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, RECEIVERS: "all" },
});
process.exitCode = status ?? 1;
