import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InitialCredentials, storeAddresses, storeInvitation, writeCredentials } from "./credentials-file.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "credentials-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pair = { client_id: "wca_one", client_secret: "wcs_one" };
const first: InitialCredentials = { url: "http://localhost:3000", operator: pair, demo: { tenant: "t", ...pair } };
const invitation = { link: `${first.url}/console/join#secret`, expires_at: "2026-12-03T00:00:00.000Z" };
const stored = () => JSON.parse(readFileSync(join(folder, "credentials.json"), "utf8"));

describe("[C-1.60] the addresses in the credentials file", () => {
  it("follow the server, with the first operator's link; everything else stays", () => {
    writeCredentials(folder, first);
    storeInvitation(folder, invitation);
    const url = "https://wealth.example.com";
    expect(storeAddresses(folder, { url, operator_url: "http://127.0.0.1:9000" })).toBe(
      join(folder, "credentials.json"),
    );
    const link = `${url}/console/join#secret`;
    const moved = { ...first, url, first_operator: { ...invitation, link } };
    expect(stored()).toEqual({ ...moved, operator_url: "http://127.0.0.1:9000" });
    // The operator API is at the public address again.
    storeAddresses(folder, { url });
    expect(stored()).toEqual(moved);
    expect(readdirSync(folder)).toEqual(["credentials.json"]);
    if (process.platform !== "win32") expect(statSync(join(folder, "credentials.json")).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["the same address", () => writeCredentials(folder, first)],
    ["no file", () => undefined],
    ["a file that is none of these", () => writeFileSync(join(folder, "credentials.json"), "{}")],
  ])("are left as they are: %s", (_what, prepare) => {
    prepare();
    const before = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]);
    const other = { url: before.length > 0 && before[0]?.[1] !== "{}" ? first.url : "http://localhost:1" };
    expect(storeAddresses(folder, other)).toBeNull();
    expect(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")])).toEqual(before);
  });
});
