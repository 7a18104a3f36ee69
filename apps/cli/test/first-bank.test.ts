import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { connectBank } from "../../server/test/connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer } from "../../server/test/harness.js";
import { oneBackend } from "../../server/test/installation.js";
import { rawCaller } from "../../server/test/mcp-clients.js";
import { commandLine } from "./command-line.js";

const docs = new URL("../../../docs/", import.meta.url);
const page = readFileSync(new URL("how-to/connect-a-bank.md", docs), "utf8");
const tutorial = readFileSync(new URL("tutorials/assistant.md", docs), "utf8");
const [recipe = "", calls = "", filters = ""] = page.split("\n## ").slice(1).map(commandsOf);
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

it.runIf(hasCurl)(
  "[C-14.1120] the commands of docs/how-to/connect-a-bank.md and docs/tutorials/assistant.md lead from the link to a figure",
  async () => {
    const server = await startTestServer({ backend: oneBackend("it is about the commands of a page") });
    const cli = commandLine();
    onTestFinished(async () => {
      cli.remove();
      await server.remove();
    });
    const env = { DATA_DIR: server.installation.dataDir, WEALTH_CONNECT_URL: server.url };
    const [asked = "", ...others] = recipe.trim().split("\n\n");
    const { access_token: TOKEN } = (await cli.json(["token", "issue"], { env })).document;
    const shell = async (script: string) => {
      const folder = dirname(server.installation.dataDir);
      const text = script
        .replaceAll("http://localhost:3000", server.url)
        .replaceAll(".data/", `${basename(server.installation.dataDir)}/`);
      return (await promisify(execFile)("sh", ["-euc", text], { cwd: folder, env: { ...process.env, TOKEN } })).stdout;
    };
    const stdout = await shell(asked);
    const customer = { username: "somebody", password: "any", bank: sandboxBanks.eBanking };
    await connectBank(stdout.trim(), customer);
    const commands = [...others.join("\n").matchAll(/^npm run cli -- (.*)$/gm)].map(([, words = ""]) => words);
    expect(commands).toHaveLength(3);
    const printed: string[] = [];
    for (const command of commands) {
      const { code, stdout: lines, stderr } = await cli.run(command.split(" "), { env });
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: "" });
      printed.push(lines);
    }
    expect(printed[0]).toMatch(/^CONNECTION_ID.*\n\S/);
    expect(printed[1]).toMatch(/page 1 of 1, \d portfolios/);
    expect(printed[2]).toMatch(
      /^TYPE +NAME +BALANCE +CURRENCY +SHARE\n[\s\S]*\d\.\d\d +EUR[\s\S]*at the close of \d{4}-\d\d-\d\d\n$/,
    );
    const [token, holdings, history, call] = (await inTurn(calls.trim().split("\n\n"), shell)).map((text) =>
      JSON.parse(text),
    );
    expect(token).toMatchObject({ token_type: "bearer" });
    expect(holdings.items.length).toBeGreaterThan(0);
    expect(history.items.length).toBeGreaterThan(0);
    expect(call.result.structuredContent.items).toHaveLength(10);
    const [preview = ""] = filters.trim().split("\n\n");
    expect(JSON.parse(await shell(preview)).items).not.toEqual([]);

    const [found, session, investments] = [...tutorial.matchAll(/^tool (svc-\S+) (.+)$/gm)].map(
      ([, tool = "", words = ""]) => ({ tool, given: argumentsOf(words) }),
    );
    const tools = rawCaller(`${server.url}/mcp`, TOKEN);
    const answerOf = (step: typeof found) => tools.call(step?.tool ?? "", step?.given);
    const { connector_id } = session?.given ?? {};
    expect((await answerOf(found)).items).toContainEqual(expect.objectContaining({ connector_id }));
    expect(await answerOf(session)).toMatchObject({ widget_url: expect.stringContaining(server.url) });
    expect((await answerOf(investments)).items).toHaveLength(10);
  },
  START_TIMEOUT,
);

/** The arguments of a tool as mcporter reads them from `key=value`. */
function argumentsOf(words: string): Readonly<Record<string, unknown>> {
  const pairs = words.split(" ").map((word) => word.split("="));
  return Object.fromEntries(pairs.map(([key, value = ""]) => [key, /^\d+$/.test(value) ? Number(value) : value]));
}

function commandsOf(section: string): string {
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = ""]) => commands).join("\n");
}

async function inTurn(
  scripts: readonly string[],
  run: (script: string) => Promise<string>,
): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const script of scripts) answers.push(await run(script));
  return answers;
}
