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
  readonly failures: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** Runs every server scenario of a protocol revision, scored or not, in the order of the suite. */
export async function runSuite(url: string, revision: Revision): Promise<ScenarioResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-conformance-"));
  try {
    const child = spawn("npx", ["--yes", ...suite, "server", "--url", url, "--requirements", revision, "-o", folder], {
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
    failures: failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
  };
}
