import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };

const main = fileURLToPath(new URL("../src/main.js", import.meta.url));

it.each(["18.20.8", "20.18.3"])("[C-1.62] on Node %s it says in one line which one it needs", (version) => {
  const pretend = `Object.defineProperty(process, "versions", {value: {...process.versions, node: "${version}"}})`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`, main, "--version"],
    { encoding: "utf8" },
  );
  expect([status, stdout, stderr]).toEqual([
    1,
    "",
    `Wealth Connect needs Node ${manifest.engines.node}, and this is Node ${version}: install a newer one (https://nodejs.org).\n`,
  ]);
});
