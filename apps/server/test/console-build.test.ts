import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { builtServer } from "./built-server.js";

const MAX_FIRST_LOAD_BYTES = 150_000;
/** Addresses named in texts of libraries and standards, which nothing requests. */
const NAMED_ONLY =
  /^(https?:\/\/)(www\.w3\.org|react\.dev|reactjs\.org|tanstack\.com|developer\.mozilla\.org|simplewebauthn\.dev|([a-z-]+\.)*example(\.com|\.org)?)\b/;

describe("[C-14.91] the console as it is built", () => {
  let folder: string;
  let page: string;
  let files: readonly string[];
  const read = (name: string) => readFileSync(join(folder, "assets", name));

  beforeAll(async () => {
    folder = join(dirname(await builtServer()), "console");
    page = readFileSync(join(folder, "index.html"), "utf8");
    files = readdirSync(join(folder, "assets")).filter((name) => !/\.(gz|br)$/.test(name));
  });

  it("loads at most 150 kB, gzipped, before the first screen", () => {
    const first = [...page.matchAll(/(?:src|href)="\/console\/assets\/([^"]+)"/g)].map(([, name = ""]) => name);
    expect(first.length).toBeGreaterThan(1);
    const bytes = first.reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0);
    expect(bytes).toBeLessThanOrEqual(MAX_FIRST_LOAD_BYTES);
  });

  it("has no script, style or handler within its page", () => {
    expect(page).not.toMatch(/<style|\son\w+=|\sstyle=|<script(?![^>]* src=)/);
    expect([...page.matchAll(/(?:src|href)="([^"]+)"/g)].filter(([, path]) => !path?.startsWith("/console/"))).toEqual(
      [],
    );
  });

  it("names no address of anybody else from which something could be loaded", () => {
    const found = files
      .filter((name) => /\.(js|css)$/.test(name))
      .flatMap(
        (name) =>
          read(name)
            .toString("utf8")
            .match(/https?:\/\/[a-z0-9.-]+\.[a-z]{2,}/gi) ?? [],
      );
    expect([...new Set(found)].filter((address) => !NAMED_ONLY.test(address))).toEqual([]);
  });
});
