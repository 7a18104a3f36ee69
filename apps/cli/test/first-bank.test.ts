import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { connectBank } from "../../server/test/connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer } from "../../server/test/harness.js";
import { oneBackend } from "../../server/test/installation.js";
import { commandLine } from "./command-line.js";

const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
const [, recipe = ""] = /^## Connect a first bank\n.*?```sh\n(.*?)```/ms.exec(readme) ?? [];
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

it.runIf(hasCurl)(
  "[C-14.1120] the README's commands connect a first bank, from the link to a figure",
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
    const script = asked.replace("http://localhost:3000", server.url);
    const { stdout } = await promisify(execFile)("sh", ["-euc", script], { env: { ...process.env, TOKEN } });
    const customer = { username: "somebody", password: "any", bank: sandboxBanks.eBanking };
    await connectBank(stdout.trim(), customer);
    const commands = [...others.join("\n").matchAll(/^npm run cli -- (.*?) *#/gm)].map(([, words = ""]) => words);
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
  },
  START_TIMEOUT,
);
