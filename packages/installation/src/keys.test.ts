import { createKeyring } from "@org/keyring";
import { describe, expect, it } from "vitest";
import { loadInstallationKeys } from "./keys.js";

const keyring = createKeyring([{ id: "k1", key: new Uint8Array(32).fill(3) }]);

/** Two servers over one table of keys, with a clock that the test advances. */
async function twoServers() {
  const rows = new Map<string, { name: string; sealed: string; active_from: Date | null }>();
  let reads = 0;
  let now = new Date("2026-03-02T09:00:00Z");
  const store = {
    async loadOrCreate(name: string, create: () => Promise<string>) {
      reads += 1;
      if (!rows.has(name)) rows.set(name, { name, sealed: await create(), active_from: null });
      return rows.get(name)?.sealed as string;
    },
    async list() {
      reads += 1;
      return [...rows.values()];
    },
    async add(name: string, sealed: string, active_from: Date) {
      if (!rows.has(name)) rows.set(name, { name, sealed, active_from });
    },
  };
  const load = () => loadInstallationKeys(store, keyring, () => now);
  const one = await load();
  reads = 0;
  const other = await load();
  const readsOfOther = reads;
  const advance = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1000);
  };
  return { one, other, rows, advance, readsOfOther };
}

describe("[C-8.21] the server's own keys", () => {
  it("[C-9.15] are made once, and the same for all servers", async () => {
    const { one, other, rows } = await twoServers();
    expect([...rows.keys()].sort()).toEqual(["identity", "mcp-session", "secret-hash", "webhook-signature"]);
    expect(other.secretHash()).toEqual(one.secretHash());
    expect(one.mcpSession()).toEqual([{ id: "s1", key: expect.any(Buffer) }]);
    expect(other.identity).toEqual(one.identity);
    expect(one.secretHash()).toBe(one.secretHash());
  });

  it("[C-9.560] are read at once where all of them exist", async () => {
    expect((await twoServers()).readsOfOther).toBe(1);
  });

  it("a new one is recognised by every server before it is used, and the former ones afterwards", async () => {
    const { one, other, advance } = await twoServers();
    const [former] = one.secretHash();
    await one.rotate("secret-hash");
    expect(one.secretHash().map(({ version }) => version)).toEqual([1, 2]);
    // Reloaded before the minute is over, as every server does.
    await other.reload();
    expect(other.secretHash()).toEqual(one.secretHash());
    advance(60);
    for (const keys of [one, other]) expect(keys.secretHash().map(({ version }) => version)).toEqual([2, 1]);
    expect(one.secretHash()[1]).toEqual(former);
    expect(one.secretHash()[0]?.key).not.toEqual(former?.key);
    expect(one.mcpSession()).toHaveLength(1);
    expect(one.list()).toMatchObject([
      { name: "secret-hash", version: 1, active: false, active_from: null },
      { name: "secret-hash", version: 2, active: true, active_from: new Date("2026-03-02T09:01:00Z") },
      { name: "mcp-session", version: 1, active: true },
      { name: "webhook-signature", version: 1, active: true },
    ]);
  });

  it("[C-11.62] a former key of webhooks signs along for a week after its successor began, on every server", async () => {
    const { one, other, advance } = await twoServers();
    const [former] = one.webhookSignature();
    expect(former).toMatchObject({ active_from: null, until: null });
    await one.rotate("webhook-signature");
    await other.reload();
    const [active_from, until] = [new Date("2026-03-02T09:01:00Z"), new Date("2026-03-09T09:01:00Z")];
    expect(one.webhookSignature()).toMatchObject([
      { key: former?.key, until },
      { active_from, until: null },
    ]);
    expect(other.webhookSignature()).toEqual(one.webhookSignature());
    advance(60 + 7 * 86_400 - 1);
    expect(one.webhookSignature()).toHaveLength(2);
    advance(1);
    expect(one.webhookSignature()).toMatchObject([{ active_from, until: null }]);
  });

  it("while one waits to be used no other is made, whoever asks", async () => {
    const { one, other, advance } = await twoServers();
    await Promise.all([one.rotate("mcp-session"), other.rotate("mcp-session")]);
    await one.rotate("mcp-session");
    expect(one.mcpSession().map(({ id }) => id)).toEqual(["s1", "s2"]);
    advance(60);
    await other.rotate("mcp-session");
    await one.reload();
    advance(60);
    expect(one.mcpSession().map(({ id }) => id)).toEqual(["s3", "s2", "s1"]);
  });

  it("former session keys go when no session of theirs can be alive; former keys of hashes stay", async () => {
    const { one, advance } = await twoServers();
    await one.rotate("mcp-session");
    await one.rotate("secret-hash");
    advance(60 + 31 * 86_400 - 1);
    expect(one.mcpSession().map(({ id }) => id)).toEqual(["s2", "s1"]);
    advance(1);
    expect(one.mcpSession().map(({ id }) => id)).toEqual(["s2"]);
    expect(one.secretHash()).toHaveLength(2);
  });
});
