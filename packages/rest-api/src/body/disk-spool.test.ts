import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createDiskSpool } from "./disk-spool.js";

it("[scale.md §1] a document is kept in no file that anybody could find, and comes back as it was", async () => {
  const parent = mkdtempSync(join(tmpdir(), "spool-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, "uploads");
  const before = await createDiskSpool(folder);
  writeFileSync(join(folder, "left over"), "of a process that was killed");
  const spool = await createDiskSpool(folder);
  expect(readdirSync(folder)).toEqual([]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);

  const bytes = randomBytes(2_500_000);
  for (const each of [before, spool]) {
    const document = await each.begin();
    expect(readdirSync(folder)).toEqual([]);
    await document.write(bytes.subarray(0, 1_000_001));
    await document.write(bytes.subarray(1_000_001));
    const back = Buffer.alloc(bytes.length);
    await document.readInto(back);
    await document.remove();
    expect(back.equals(bytes)).toBe(true);
  }
  expect(readdirSync(folder)).toEqual([]);
});
