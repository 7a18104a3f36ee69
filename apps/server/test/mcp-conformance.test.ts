import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@org/installation";
import { afterAll, describe, expect, it } from "vitest";
import { createLog } from "../src/log.js";
import { startServer } from "../src/start-server.js";
import { baseline, revisions } from "./conformance/baseline.js";
import { conformanceFixtures } from "./conformance/fixtures.js";
import { runScenario, runSuite, type ScenarioResult } from "./conformance/run-suite.js";
import { startTokenProxy } from "./conformance/token-proxy.js";
import { post } from "./http-client.js";

/** The number of server scenarios in the suite for each revision, so that a scenario that no longer runs is noticed. */
const scenarios = { "2025-11-25": 33, "2026-07-28": 50 };

/**
 * The whole server, started as the product does, with the suite's fixtures beside the product's tools. The suite sends no token, so a proxy adds one.
 * Enabled by `.ci/run`.
 */
const isAsked = process.env.CONFORMANCE === "true";
const started = isAsked ? await startWithFixtures() : null;
afterAll(() => started?.stop());

/** `/mcp/analytics` has the same handler, so one run tells whether it is mounted as `/mcp` is. */
const runs = [...revisions.map((revision) => ["/mcp", revision] as const), ["/mcp/analytics", "2026-07-28"] as const];

describe.skipIf(!isAsked).each(runs)(
  "[C-8.170] the conformance suite's server scenarios at %s for %s",
  async (path, revision) => {
    const results = started ? await runSuite(`${started.url}${path}`, revision) : [];

    it.each(results)("$scenario", ({ scenario, failures }) => {
      const reason = baseline[revision][scenario];
      if (reason === undefined) expect(failures).toEqual([]);
      else expect(failures, `${scenario} passes now: take it out of the baseline`).not.toEqual([]);
    });

    it("are all there, and the baseline names no other", () => {
      expect(results).toHaveLength(scenarios[revision]);
      const names = results.map(({ scenario }) => scenario);
      expect(Object.keys(baseline[revision]).filter((name) => !names.includes(name))).toEqual([]);
    });
  },
);

describe.skipIf(!isAsked)("[C-4.188] the conformance suite's scenarios of the Skills extension", () => {
  it.each(["/mcp", "/mcp/analytics"])("hold at %s", { timeout: 180_000 }, async (path) => {
    const results: ScenarioResult[] = [];
    for (const name of ["enumeration", "manifest", "directory"])
      results.push(...(await runScenario(`${started?.url}${path}`, `sep-2640-skills-${name}`)));
    expect(results.map(({ failures }) => failures)).toEqual([[], [], []]);
    expect(results.map(({ successes }) => successes > 0)).toEqual([true, true, true]);
  });
});

async function startWithFixtures() {
  const dataDir = mkdtempSync(join(tmpdir(), "wealth-connect-"));
  const config = readConfig({ DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "error", JOBS: "false" });
  const server = await startServer(config, createLog("error"), { extensions: [conformanceFixtures] });
  const { demo } = JSON.parse(readFileSync(join(dataDir, "credentials.json"), "utf8"));
  const form = { grant_type: "client_credentials", client_id: demo.client_id, client_secret: demo.client_secret };
  const { body } = await post(`${server.url}/token`, new URLSearchParams(form));
  const proxy = await startTokenProxy(server.url, body.access_token);
  return {
    url: proxy.url,
    async stop() {
      proxy.close();
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
