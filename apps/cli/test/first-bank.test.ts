import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { connectBank } from "../../server/test/connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer } from "../../server/test/harness.js";
import { oneBackend } from "../../server/test/installation.js";
import { commandLine } from "./command-line.js";

const page = readFileSync(new URL("../../../docs/how-to/connect-a-bank.md", import.meta.url), "utf8");
const [recipe = "", calls = "", filters = ""] = page.split("\n## ").slice(1).map(commandsOf);
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

it.runIf(hasCurl)(
  "[C-14.1120] the commands of docs/how-to/connect-a-bank.md connect a bank, from the link to a figure",
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
  },
  START_TIMEOUT,
);

/** The commands of a section's first block. */
function commandsOf(section: string): string {
  return /```sh\n(.*?)```/s.exec(section)?.[1] ?? "";
}

async function inTurn(
  scripts: readonly string[],
  run: (script: string) => Promise<string>,
): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const script of scripts) answers.push(await run(script));
  return answers;
}
