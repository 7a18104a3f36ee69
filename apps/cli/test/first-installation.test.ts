import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { connectBank } from "../../server/test/connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer } from "../../server/test/harness.js";

const page = readFileSync(new URL("../../../docs/tutorials/first-installation.md", import.meta.url), "utf8");
const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

/** Blocks of commands, each with what the page shows below it. */
const blocks = [...page.matchAll(/```sh\n(.*?)```(?:\n\n```text\n(.*?)```)?/gs)].map(([, commands = "", shown]) => ({
  commands,
  shown,
}));

it.runIf(hasCurl)(
  "[C-1.89] the commands of docs/tutorials/first-installation.md print what the page shows, from the doctor to the audit trail",
  async () => {
    const environment = { METRICS: "true" };
    const server = await startTestServer({ backend: "embedded", environment });
    onTestFinished(() => server.remove());
    const env = { ...process.env, DATA_DIR: server.installation.dataDir, WEALTH_CONNECT_URL: server.url };
    const outputs: string[] = [];
    for (const { commands, shown } of blocks) {
      const script = filledIn(commands, outputs.at(-1)).replaceAll("http://localhost:3000", server.url);
      const { stdout } = await promisify(execFile)("sh", ["-euc", script], { env });
      outputs.push(stdout);
      for (const line of shown?.trim().split("\n") ?? [])
        expect(stdout.split("\n").map(comparable), commands).toContain(comparable(line));
      const widgetUrl = /^http\S+\/connect\/\S+$/m.exec(stdout)?.[0];
      if (widgetUrl !== undefined)
        await connectBank(widgetUrl, { username: "somebody", password: "any", bank: sandboxBanks.eBanking });
    }
    const printed = outputs.join("");
    expect(printed).toMatch(/^link +http\S+\/console\/join#/m);
    expect(printed).toMatch(/^\S+ +Banco Peñaclarín .*ready/m);
    expect(printed).toContain("no connections");
    const trail = outputs.at(-1) ?? "";
    for (const action of [
      "connection.create",
      "session.create",
      "application.created",
      "person.invite",
      "tenant.create",
    ])
      expect(trail).toContain(action);
  },
  START_TIMEOUT,
);

/** With the built program instead of npm's script, and the credentials that a person would copy from the output before. */
function filledIn(commands: string, before = ""): string {
  return commands
    .replaceAll(/npm run (--silent )?cli --/g, `node ${program}`)
    .replace(/WEALTH_CONNECT_(CLIENT_\w+)=…/g, (setting, name: string) => {
      const [, value = ""] = new RegExp(`^${name.toLowerCase()} +(\\S+)$`, "m").exec(before) ?? [];
      return setting.replace("…", value);
    });
}

/** A line without what is another each time. */
function comparable(line: string): string {
  return line
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "an id")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
    .trimEnd();
}
