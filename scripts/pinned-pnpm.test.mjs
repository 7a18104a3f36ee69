import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { pinnedPnpmFolder } from "./pinned-pnpm.mjs";

const scratch = mkdtempSync(join(tmpdir(), "pinned-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A tarball like npm's, of a pnpm that prints one word. */
function tarball() {
  mkdirSync(join(scratch, "package/bin"), { recursive: true });
  writeFileSync(join(scratch, "package/bin/pnpm.cjs"), '#!/usr/bin/env node\nconsole.log("hello");\n');
  execFileSync("tar", ["-czf", join(scratch, "pnpm.tgz"), "-C", scratch, "package"]);
  return readFileSync(join(scratch, "pnpm.tgz"));
}

const bytes = tarball();
const hash = createHash("sha512").update(bytes).digest("hex");
const fetched = [];
const asked = (pinned, cache) => ({
  env: { XDG_CACHE_HOME: join(scratch, cache) },
  wanted: `pnpm@9.9.9+sha512.${pinned}`,
  fetch: (spec, folder) => {
    fetched.push(spec);
    writeFileSync(join(folder, "pnpm-9.9.9.tgz"), bytes);
  },
});

it("pnpm whose hash is the pinned one is unpacked once and runs", () => {
  const folder = pinnedPnpmFolder(asked(hash, "good"));
  expect(pinnedPnpmFolder(asked(hash, "good"))).toBe(folder);
  expect(fetched).toEqual(["pnpm@9.9.9"]);
  expect(execFileSync(join(folder, "pnpm"), { encoding: "utf8" })).toBe("hello\n");
});

it("pnpm of another hash is not unpacked, and nothing of it stays", () => {
  expect(() => pinnedPnpmFolder(asked(hash.replaceAll(/[0-9]/g, "a"), "bad"))).toThrow(
    /pnpm@9\.9\.9 as it was fetched has the SHA-512 .* it is not run/,
  );
  expect(readdirSync(join(scratch, "bad/wealth-connect"))).toEqual([]);
});

it("a cache that cannot be written is a sentence that says what to do", () => {
  writeFileSync(join(scratch, "file"), "");
  const places = ["file/cache", ...(process.platform === "linux" ? ["/proc/nothing/cache"] : [])];
  for (const place of places)
    expect(() => pinnedPnpmFolder({ ...asked(hash, ""), env: { XDG_CACHE_HOME: resolve(scratch, place) } })).toThrow(
      /^pnpm cannot be unpacked into .*cache.wealth-connect \(.*\): set XDG_CACHE_HOME to a folder of your own$/,
    );
});

it("a version without a hash is refused", () => {
  for (const wanted of ["pnpm@9.9.9", "pnpm@9.9.9+sha512.abc", "npm@9.9.9"])
    expect(() => pinnedPnpmFolder({ ...asked(hash, "none"), wanted })).toThrow(/packageManager must be/);
  expect(existsSync(join(scratch, "none"))).toBe(false);
});
