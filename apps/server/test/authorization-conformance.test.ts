import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../packages/http/test/free-port.js";
import { approve, register } from "./authorize.js";
import { suite } from "./conformance/run-suite.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";

/** Enabled by `.ci/run`. */
describe.skipIf(process.env.CONFORMANCE !== "true")("the conformance suite's authorization scenarios", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend(
        "the suite asks about the protocol; the stores below it have a conformance suite of their own",
      ),
    });
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
  });

  it("all pass", { timeout: 180_000 }, async () => {
    const port = await freePort();
    const { body } = await register(server.url, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
    const target = ["--url", server.url, "--client-id", body.client_id, "--resource", server.mcpUrl, "--port", port];
    const child = spawn("npx", ["--yes", ...suite, "authorization", ...target], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      // Here the suite waits for a person with a browser.
      if (line.startsWith(`${server.url}/authorize?`)) await fetch(await approve(line, server.demo));
    }
    const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
    const output = lines.join("\n");
    expect({ code, failed: /[1-9]\d* failed/.exec(output)?.[0], output }).toMatchObject({ code: 0, failed: undefined });
    expect(output).toContain("authorization-code-grant");
    expect(output).not.toMatch(/SKIPPED/i);
  });
});
