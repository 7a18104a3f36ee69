import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptedIn, judge } from "./check-advisories.mjs";
import { root } from "./step.mjs";

const advisoryOf = (id) => ({
  url: `https://github.com/advisories/${id}`,
  title: "Prototype pollution",
  severity: "high",
  vulnerable_versions: "<2.0.0",
});
const [one, two] = ["GHSA-aaaa-bbbb-cccc", "GHSA-dddd-eeee-ffff"];

describe("[C-1.65] advisories of dependencies", () => {
  it("of what is published fail unless they are accepted; those of tools are listed", () => {
    const advisories = { express: [advisoryOf(one)], turbo: [advisoryOf(two)] };
    const shipped = new Set(["express"]);
    expect(judge(advisories, shipped, [])).toEqual({
      faults: [`high: express <2.0.0: Prototype pollution (https://github.com/advisories/${one})`],
      notes: [`only in tools: high: turbo <2.0.0: Prototype pollution (https://github.com/advisories/${two})`],
    });
    expect(judge(advisories, shipped, [one]).faults).toEqual([]);
    expect(judge({}, shipped, [one]).faults).toEqual([expect.stringMatching(/GHSA-aaaa.* nothing has it any more$/)]);
  });

  it("are accepted in the table of their own, each by its id", () => {
    const table = `| advisory | why |\n|---|---|\n| [${one}](https://github.com/advisories/${one}) | not reached |\n`;
    expect(acceptedIn(`# D\n## Accepted advisories\nText.\n\n${table}\n## Next\n| [${two}](x) | other |\n`)).toEqual([
      one,
    ]);
    expect(acceptedIn("# D\n")).toEqual([]);
  });

  let registry;
  let answer;
  const asked = [];
  beforeAll(async () => {
    registry = createServer(async (request, response) => {
      asked.push({ url: request.url, body: JSON.parse(await text(request)) });
      response.writeHead(answer.status, { "Content-Type": "application/json" }).end(answer.body);
    });
    await new Promise((resolve) => registry.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => registry?.close());
  const check = async () => {
    const address = `http://127.0.0.1:${registry.address().port}`;
    const script = join(root, "scripts/check-advisories.mjs");
    const run = promisify(execFile)(process.execPath, [script, `--registry=${address}`]);
    return run
      .then(({ stdout }) => ({ code: 0, stdout }))
      .catch(({ code, stdout, stderr }) => ({ code, stdout, stderr }));
  };

  it("are asked for by name and version of the lock file", async () => {
    answer = { status: 200, body: JSON.stringify({ express: [advisoryOf(one)] }) };
    expect(await check()).toMatchObject({ code: 1, stderr: expect.stringContaining(`high: express <2.0.0`) });
    const [{ url, body }] = asked;
    expect(url).toBe("/-/npm/v1/security/advisories/bulk");
    expect(body.express).toEqual([expect.stringMatching(/^5\.\d+\.\d+$/)]);
    expect(body["@electric-sql/pglite"]).toHaveLength(1);
    answer = { status: 200, body: "{}" };
    expect(await check()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d{3,} packages, 0 faults\n$/) });
  });

  it("that the registry does not answer are said to be unknown, without a fault", async () => {
    for (const [status, body] of [
      [405, ""],
      [200, "<html>"],
    ]) {
      answer = { status, body };
      expect(await check()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^advisories not answered \(127/) });
    }
  });
});
