import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createOpenApiDocument } from "@org/rest-api";
import { expect, it, onTestFinished } from "vitest";
import { START_TIMEOUT, startTestServer } from "./harness.js";
import { oneBackend } from "./installation.js";

const page = readFileSync(new URL("../../../docs/tutorials/first-letter.md", import.meta.url), "utf8");
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

/** Blocks of commands, each with the answer that the page shows below it. The last one fetches a program. */
const blocks = [...page.matchAll(/```sh\n(.*?)```(?:\n\n```(?:json|text)\n(.*?)```)?/gs)]
  .map(([, commands = "", shown]) => ({ commands, shown }))
  .filter(({ commands }) => !commands.startsWith("npx "));

it.runIf(hasCurl)(
  "[C-1.83] the commands of docs/tutorials/first-letter.md, one after the other, answer what the page shows",
  async () => {
    const server = await startTestServer({ backend: oneBackend("it is about a page; letter-story tells it on both") });
    onTestFinished(() => server.remove());
    const folder = mkdtempSync(join(tmpdir(), "rest-story-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    symlinkSync(server.installation.dataDir, join(folder, ".data"));
    const mark = "-- the next block --";
    const script = blocks
      .map(({ commands }) => commands.replace("http://localhost:3000", server.url))
      .join(`echo\necho "${mark}"\n`);
    const { stdout } = await promisify(execFile)("sh", ["-euc", script], { cwd: folder });
    const answers = stdout.split(`${mark}\n`);
    expect(answers).toHaveLength(blocks.length);
    const compared = blocks.flatMap(({ commands, shown }, index) =>
      shown === undefined ? [] : [{ commands, shown, answer: answers[index] ?? "" }],
    );
    expect(compared.length).toBeGreaterThan(10);
    for (const { commands, shown, answer } of compared)
      expect({ commands, answer: comparable(answer) }).toEqual({ commands, answer: comparable(shown) });
  },
  START_TIMEOUT,
);

it("[C-1.83] the statuses of docs/tutorials/first-letter.md mean what the OpenAPI document says", async () => {
  const { components } = await createOpenApiDocument({ publicUrl: "https://wealth.example", letterMaxBytes: 1 });
  expect(page).toContain(`\n\n${components.schemas.LetterStatus?.description}\n\n`);
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
