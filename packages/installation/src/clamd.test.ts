import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type ClamdAddress, createClamd, parseClamdUrl } from "./clamd.js";
import { type ClamdBehaviour, EICAR, startClamd } from "./testing/index.js";

const MEBIBYTE = 1024 * 1024;
const toClose: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0)) await close();
});

async function daemon(behaviour: ClamdBehaviour = {}, listen?: { path: string }) {
  const started = await startClamd(behaviour, listen);
  toClose.push(started.close);
  return { ...started, address: parseClamdUrl(started.url) as ClamdAddress };
}

describe("CLAMD_URL", () => {
  it.each<[string, ClamdAddress]>([
    ["tcp://127.0.0.1:3310", { host: "127.0.0.1", port: 3310 }],
    ["tcp://clamav.internal:3310/", { host: "clamav.internal", port: 3310 }],
    ["tcp://[::1]:3310", { host: "::1", port: 3310 }],
    ["unix:/run/clamav/clamd.ctl", { path: "/run/clamav/clamd.ctl" }],
    ["unix:///run/clamav/clamd.ctl", { path: "/run/clamav/clamd.ctl" }],
  ])("%s is an address", (text, address) => {
    expect(parseClamdUrl(text)).toEqual(address);
  });

  it.each([
    "",
    "clamav:3310",
    "http://clamav:3310",
    "tcp://clamav",
    "tcp://clamav:0",
    "tcp://clamav:70000",
    "unix:clamd.ctl",
    "tcp://a b:1",
  ])("%j is none", (text) => {
    expect(parseClamdUrl(text)).toBeNull();
  });
});

describe("scanning", () => {
  it.each([0, 1, 255 * 1024, 256 * 1024, 256 * 1024 + 1, 10 * MEBIBYTE])(
    "%i bytes arrive as they are, in chunks",
    async (size) => {
      const clamd = await daemon();
      const bytes = Buffer.alloc(size, "0123456789");
      expect(await createClamd(clamd.address).scan(bytes)).toBeNull();
      expect(clamd.received[0]?.equals(bytes)).toBe(true);
    },
  );

  it("names what was found, also over a Unix socket", async () => {
    const folder = mkdtempSync(join(tmpdir(), "clamd-"));
    toClose.push(() => rmSync(folder, { recursive: true }));
    const clamd = await daemon({}, { path: join(folder, "clamd.ctl") });
    const infected = Buffer.concat([Buffer.alloc(MEBIBYTE), Buffer.from(EICAR)]);
    expect(await createClamd(clamd.address).scan(infected)).toBe("Eicar-Test-Signature");
    await createClamd(clamd.address).ping();
  });

  it.each<[string, ClamdBehaviour, string]>([
    ["takes less than the document", { maxBytes: MEBIBYTE }, "too_large"],
    ["hangs up", { reply: null }, "unreachable"],
    ["never answers", { isSilent: true }, "too_slow"],
    ["answers nonsense", { reply: "stream: who knows" }, "not_understood"],
    ["says that scanning failed", { reply: "stream: Can't allocate memory ERROR" }, "not_understood"],
    ["answers without end", { reply: "x".repeat(10_000) }, "not_understood"],
  ])("a daemon that %s gives no verdict", async (_name, behaviour, code) => {
    const { address } = await daemon(behaviour);
    const clamd = createClamd(address, code === "too_slow" ? 1_000 : 60_000);
    await expect(clamd.scan(Buffer.alloc(10 * MEBIBYTE))).rejects.toMatchObject({ code });
  });

  it("no daemon gives no verdict", async () => {
    const { address, close } = await daemon();
    toClose.length = 0;
    await close();
    await expect(createClamd(address).scan(Buffer.from("x"))).rejects.toMatchObject({ code: "unreachable" });
    await expect(createClamd(address).ping()).rejects.toMatchObject({ code: "unreachable" });
  });
});
