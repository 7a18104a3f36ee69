import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createOpenApiDocument } from "@org/rest-api";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../packages/http/test/free-port.js";
import { START_TIMEOUT, startTestServer } from "./harness.js";
import { oneBackend } from "./installation.js";

const docs = new URL("../../../docs/", import.meta.url);
const textOf = (name: string) => readFileSync(new URL(name, docs), "utf8");
/** The first page defines what the others use. */
const pages = [
  "tutorials/first-letter.md",
  ...["filter-banks", "webhooks"].map((name) => `how-to/${name}.md`),
  ...["rest-api", "events", "data-api"].map((name) => `reference/${name}.md`),
];
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

/** Blocks of commands, each with the answer that the page shows below it, without those that fetch a program or need it installed. */
const blocks = pages
  .flatMap((name) => [...textOf(name).matchAll(/```sh\n(.*?)```(?:\n\n```(?:json|text)\n(.*?)```)?/gs)])
  .map(([, commands = "", shown]) => ({ commands, shown }))
  .filter(({ commands }) => !/^(npx|wealth-connect) /.test(commands));

it.runIf(hasCurl)(
  "[C-1.83] the commands of the tutorial and of the pages that continue it answer what the pages show",
  async () => {
    const server = await startTestServer({
      backend: oneBackend("it is about pages; letter-story tells it on both"),
      environment: { WEBHOOK_PRIVATE_NETWORKS: "127.0.0.0/8" },
      schedule: { events: 50, webhooks: 50 },
    });
    onTestFinished(() => server.remove());
    const folder = mkdtempSync(join(tmpdir(), "rest-story-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    symlinkSync(server.installation.dataDir, join(folder, ".data"));
    const [, receiver = ""] =
      /<!-- receiver: receiver.mjs -->\n```js\n(.*?)```/s.exec(textOf("how-to/webhooks.md")) ?? [];
    writeFileSync(join(folder, "receiver.mjs"), receiver);
    const port = await freePort();
    const mark = "-- the next block --";
    const script = blocks
      .map(({ commands }) =>
        commands.replace("http://localhost:3000", server.url).replace("127.0.0.1:8080", `127.0.0.1:${port}`),
      )
      .join(`echo\necho "${mark}"\n`);
    // The receiver runs in the background, and ends with the script.
    const { stdout } = await promisify(execFile)("sh", ["-euc", `trap 'kill "\${!:-}"' EXIT\n${script}`], {
      cwd: folder,
      env: { ...process.env, PORT: port },
    });
    const answers = stdout.replaceAll(`127.0.0.1:${port}`, "127.0.0.1:8080").split(`${mark}\n`);
    expect(answers).toHaveLength(blocks.length);
    const compared = blocks.flatMap(({ commands, shown }, index) =>
      shown === undefined ? [] : [{ commands, shown, answer: answers[index] ?? "" }],
    );
    expect(compared.length).toBeGreaterThan(14);
    for (const { commands, shown, answer } of compared)
      expect({ commands, answer: comparable(answer) }).toEqual({ commands, answer: comparable(shown) });
  },
  START_TIMEOUT,
);

it("[C-1.83] the statuses of docs/explanation/letters.md mean what the OpenAPI document says", async () => {
  const { components } = await createOpenApiDocument({ publicUrl: "https://wealth.example", letterMaxBytes: 1 });
  const meanings = [...String(components.schemas.LetterStatus?.description).matchAll(/^- (\w+): (.*)\.$/gm)];
  const rows = [...textOf("explanation/letters.md").matchAll(/^\| ([A-Z]\w+) \| ([^|]+) \|/gm)];
  expect(rows.map(([, ...row]) => row)).toEqual(meanings.map(([, ...meaning]) => meaning));
});

/** An answer without what is another each time: ids, times and trace ids. */
function comparable(answer: string): unknown {
  const masked = answer
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "an id")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
    .replaceAll(/"[0-9a-f]{32}"/g, '"a trace id"')
    .trim();
  return /^[[{]/.test(masked) ? JSON.parse(masked) : masked;
}
