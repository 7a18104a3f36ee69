import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Revision } from "./baseline.js";

/** The protocol's own conformance suite. It needs Node 22, so npx fetches that beside it. */
export const suite = ["-p", "node@22", "-p", "@modelcontextprotocol/conformance@0.2.0-alpha.12", "--", "conformance"];

/** One scenario of the suite, with its failures. */
export interface ScenarioResult {
  readonly scenario: string;
  /** How many checks succeeded. */
  readonly successes: number;
  readonly failures: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** Runs every server scenario of a protocol revision, scored or not, in the order of the suite. */
export function runSuite(url: string, revision: Revision): Promise<ScenarioResult[]> {
  return run(url, ["--requirements", revision]);
}

/** Runs one scenario, of an extension that no revision requires. */
export function runScenario(url: string, scenario: string): Promise<ScenarioResult[]> {
  return run(url, ["--scenario", scenario, "--spec-version", "2026-07-28", "--force"]);
}

async function run(url: string, selection: readonly string[]): Promise<ScenarioResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-conformance-"));
  try {
    const child = spawn("npx", ["--yes", ...suite, "server", "--url", url, ...selection, "-o", folder], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    await once(child, "exit");
    const names = readdirSync(folder).sort((a, b) => (timeIn(a) < timeIn(b) ? -1 : 1));
    return names.map((name) => resultOf(name, join(folder, name, "checks.json")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Folders are called `server-<scenario>-<time>`. */
const folderName = /^server-(.+)-(\d{4}-\d\d-\d\dT[\d-]+Z)$/;

function timeIn(name: string): string {
  return folderName.exec(name)?.[2] ?? "";
}

/** A warning of the suite counts as a failure here. */
function resultOf(name: string, file: string): ScenarioResult {
  const checks: Check[] = JSON.parse(readFileSync(file, "utf8"));
  const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  return {
    scenario: folderName.exec(name)?.[1] ?? name,
    successes: checks.filter(({ status }) => status === "SUCCESS").length,
    failures: failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
  };
}
