import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createBrowser } from "@org/pages/testing";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../packages/http/test/free-port.js";
import { waitForAnswer } from "./connect-bank.js";
import { START_TIMEOUT, startTestServer } from "./harness.js";
import { oneBackend } from "./installation.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const page = readFileSync(join(root, "docs/tutorials/first-provider.md"), "utf8");
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

/** The commands from step 5 on, each with what the page shows below them. */
const [starting, , ...steps] = [
  ...page.slice(page.indexOf("\n## 5.")).matchAll(/```sh\n(.*?)```(?:\n\n```text\n(.*?)```)?/gs),
].map(([, commands = "", shown]) => ({ commands, shown }));

it.runIf(hasCurl)(
  "[C-8.25] the commands of docs/tutorials/first-provider.md lead from the module to its figures, and print what the page shows",
  async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "first-provider-")));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const [, name = "", code = ""] of page.matchAll(/<!-- example: (\S+) -->\n```js\n(.*?)```/gs))
      writeFileSync(join(folder, name), code);
    const kit = join(root, "packages/provider-kit");
    mkdirSync(join(folder, "node_modules/@org"), { recursive: true });
    symlinkSync(kit, join(folder, "node_modules/@org/provider-kit"));
    symlinkSync(realpathSync(join(kit, "node_modules/zod")), join(folder, "node_modules/zod"));

    const bankPort = await freePort();
    const own = (commands = "") =>
      commands.replaceAll("4010", bankPort).replaceAll("http://localhost:3000", server.url);
    const server = await startTestServer({
      backend: oneBackend("it is about the commands of a page"),
      environment: { PROVIDERS: join(folder, "my-bank.mjs") },
    });
    onTestFinished(() => server.remove());
    const bank = spawn("sh", ["-c", `exec ${own(starting?.commands)}`], { cwd: folder, stdio: "ignore" });
    onTestFinished(() => void bank.kill());

    const env = { ...process.env, DATA_DIR: server.installation.dataDir, WEALTH_CONNECT_URL: server.url };
    expect(steps).toHaveLength(4);
    for (const { commands, shown } of steps) {
      const { stdout } = await promisify(execFile)("sh", ["-euc", own(commands)], { cwd: root, env });
      if (shown === undefined) await logIn(stdout.trim());
      else expect(comparable(stdout)).toBe(comparable(own(shown)));
    }
  },
  START_TIMEOUT,
);

async function logIn(widgetUrl: string): Promise<void> {
  const browser = createBrowser();
  await browser.open(widgetUrl);
  await browser.submit("continue");
  await browser.submit("credentials", { customer_number: "12345678", pin: "right-pin" });
  await waitForAnswer(browser, widgetUrl);
}

/** Without ids and times, which are others each time. */
function comparable(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "an id")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
    .replace(/as of \d{4}-\d\d-\d\d/, "as of a day");
}
