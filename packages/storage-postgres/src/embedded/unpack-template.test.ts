import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readTemplate, unpackTemplate } from "./unpack-template.js";

const LONG = `${"long/".repeat(24)}folder`;

it("makes the files and folders of an archive as tar does: empty, as long as a block, with long paths, and with their modes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "template-"));
  const [packed, unpacked] = [join(folder, "packed"), join(folder, "unpacked")];
  mkdirSync(join(packed, LONG), { recursive: true });
  mkdirSync(join(packed, "empty"), { mode: 0o700 });
  for (const size of [0, 1, 511, 512, 513, 70_000])
    writeFileSync(join(packed, LONG, `${size}.bin`), Buffer.alloc(size, "x"), { mode: 0o600 });
  const archive = execFileSync("tar", ["-c", "-z", "--format=ustar", "-C", packed, "."]);
  await unpackTemplate(archive, unpacked);
  expect(contents(unpacked)).toEqual(contents(packed));

  // Otherwise in-memory databases made from one template would write into each other's files.
  const files = readTemplate(archive).flatMap(({ content }) => (content?.length ? [content] : []));
  for (const file of files) file.slice().fill(0);
  expect(files.map((file) => file.includes(0))).toEqual(files.map(() => false));
  rmSync(folder, { recursive: true });
});

function contents(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const found = statSync(path);
      return [name, found.mode, found.isDirectory() ? null : readFileSync(path, "latin1")];
    });
}
