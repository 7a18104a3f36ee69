import { CoreError, type Uuid } from "@org/core";
import type { ReadPart } from "@org/data-feeds";
import { describe, expect, it } from "vitest";
import { createIntake, type FileReport } from "./intake.js";
import { MIN_HELD_BYTES } from "./ports/source-store.js";
import { pull } from "./pull.js";
import { RemoteError, type RemoteFile, type RemoteFolder } from "./remote-folder.js";
import { type SftpSettings, sourceSettingsSchema } from "./source-settings.js";
import { createMemorySourceStores } from "./testing/memory-source-stores.js";

const now = new Date("2026-11-02T12:00:00.000Z");
const old = new Date("2026-11-02T11:00:00.000Z");
const letter_id = "019b0000-0000-7000-8000-00000000000a";

/** A custodian's folder and a service in memory. Files list accounts, separated by commas; `broken` cannot be read. */
async function custodian(given: Partial<SftpSettings> = {}) {
  const stores = createMemorySourceStores();
  const entry = {
    audit_id: "",
    at: now,
    actor: "",
    action: "",
    object_type: "",
    object_id: "",
    trace_id: null,
    address: null,
    facts: {},
  };
  const record = {
    source: "s",
    kind: "sftp" as const,
    sealed_settings: "",
    is_enabled: true,
    changed_at: now,
    due_at: null,
  };
  await stores.sources.keep(record, entry);
  const files = new Map<string, { bytes: string; modified_at: Date; isRegular?: boolean }>();
  const taken: string[] = [];
  const reports: FileReport[] = [];
  let ids = 0;
  let failing: string | null = null;
  const defects: unknown[] = [];
  /** How often a file breaks off, each time after one more piece. */
  let broken = 0;
  let opened = 0;
  const look = (name: string): RemoteFile | null => {
    const file = files.get(name);
    return file
      ? { name, size: file.bytes.length, modified_at: file.modified_at, isRegular: file.isRegular ?? true }
      : null;
  };
  const failAt = (step: string) => {
    if (failing === step && step === "take") throw Object.assign(new Error("killed at take"), { code: "unavailable" });
    if (failing === step) throw new RemoteError("lost", `killed at ${step}`);
    if (failing === "defect" && step === "take") throw new RangeError("Maximum call stack size exceeded");
  };
  const folder: RemoteFolder = {
    list: async () => ({ files: [...files.keys()].flatMap((name) => look(name) ?? []), isWhole: true }),
    look: async (name) => look(name),
    async fetch({ name }, { pieces }) {
      failAt("fetch");
      const isBroken = broken > 0 && pieces.size < broken;
      if (isBroken) pieces.add(pieces.size);
      if (isBroken) throw new RemoteError("lost", "broke off");
      return Buffer.from(files.get(name)?.bytes ?? "");
    },
    async remove(name) {
      failAt("remove");
      files.delete(name);
    },
    async move(name, to, newName) {
      if (files.has(`${to}/${newName}`)) throw new RemoteError("refused", "Failure");
      files.set(`${to}/${newName}`, { ...(files.get(name) as { bytes: string; modified_at: Date }), isRegular: false });
      files.delete(name);
    },
    close() {},
  };
  const vault = {
    seal: async (text: string) => text,
    open: async (text: string) => text,
    sealBytes: async (bytes: Uint8Array) => ({ key: "", ciphertext: bytes }),
    openBytes: async ({ ciphertext }: { ciphertext: Uint8Array }) => ciphertext,
  };
  const intake = createIntake({
    stores,
    runtime: { clock: () => now, newId: () => `id-${ids++}` as Uuid, vault },
    feeds: {
      ingest: () => Promise.reject(new Error("nothing is left in a drop folder")),
      async ingestRead(_who, target, { parts }) {
        failAt("take");
        if ("letter_id" in target && target.letter_id !== letter_id) throw new CoreError("NOT_FOUND", "no such letter");
        for (const part of parts) {
          if ("refusal" in part) continue;
          const accounts = part.read.snapshot.portfolios?.map(({ key }) => key).join("+");
          if (!taken.includes(`${accounts} ${part.sha256}`)) taken.push(`${accounts} ${part.sha256}`);
        }
        return {} as never;
      },
    },
    readParts: async ({ name, bytes }): Promise<readonly ReadPart[]> => {
      const text = Buffer.from(bytes).toString();
      if (text === "broken")
        return [
          { name, sha256: text, refusal: { lack: null, faults: null, place: "line 1", reason: "is in no format" } },
        ];
      const portfolios = text.split(",").map((key) => ({ key, ref_account: key }));
      const snapshot = { as_of: now, portfolios, holdings: [], transactions: null };
      return [{ name, sha256: text, read: { format: "test", warnings: [], snapshot } as never }];
    },
    lettersOf: async () => [],
    holding: { days: 30, maxBytes: 3 * MIN_HELD_BYTES },
    onFile: (report) => reports.push(report),
    onDefect: (error) => defects.push(error),
  });
  const settings = sourceSettingsSchema.parse({ kind: "sftp", host: "h", user: "u", password: "p", ...given });
  const run = () =>
    pull("s", settings as SftpSettings, {
      stores,
      intake,
      clock: () => now,
      settleMs: 0,
      async open() {
        opened += 1;
        return folder;
      },
      signal: new AbortController().signal,
    });
  const rule = (account: string, id = letter_id) =>
    stores.routes.add(
      { route_id: account as Uuid, source: "s", rule: { when: { account }, to: { letter_id: id } }, created_at: now },
      entry,
    );
  return {
    files,
    taken,
    reports,
    defects,
    run,
    rule,
    stores,
    intake,
    fail: (step: string | null) => {
      failing = step;
    },
    breakOff: (times: number) => {
      [broken, opened] = [times, 0];
    },
    opened: () => opened,
  };
}

describe("[C-9.201] a file of a custodian's folder is taken once and whole, whenever somebody is killed", () => {
  it.each(["fetch", "take", "remove"])("at %s", async (step) => {
    const { files, taken, run, rule, fail } = await custodian({ after: "delete" });
    await rule("1");
    files.set("a.xml", { bytes: "1", modified_at: old });
    fail(step);
    await expect(run()).rejects.toThrow(`killed at ${step}`);
    expect([...files.keys()]).toEqual(["a.xml"]);
    fail(null);
    await run();
    expect(taken).toEqual(["1 1"]);
    expect([...files.keys()]).toEqual([]);
  });
});

it("[C-9.430] a file that meets a defect is held, and taken when it is tried again without one", async () => {
  const { files, taken, run, rule, fail, stores, intake, defects } = await custodian({ after: "delete" });
  await rule("1");
  files.set("a.xml", { bytes: "1", modified_at: old });
  fail("defect");
  expect(await run()).toMatchObject({ held: 1, failed: 0 });
  expect([[...files.keys()], taken, defects.length]).toEqual([[], [], 1]);
  fail(null);
  const [held] = await stores.files.held({ source: "s", limit: 10 });
  expect(await intake.retry(held?.file_id as Uuid)).toMatchObject({ outcome: "taken" });
  expect(taken).toEqual(["1 1"]);
});

it("[C-9.215] a file that breaks off goes on by a new connection, ten times in a run, as long as something comes", async () => {
  const { files, taken, run, rule, fail, breakOff, opened } = await custodian({ after: "delete" });
  await rule("1");
  files.set("a.xml", { bytes: "1", modified_at: old });
  breakOff(11);
  await expect(run()).rejects.toThrow("broke off");
  expect([opened(), taken]).toEqual([11, []]);
  breakOff(1);
  fail("fetch");
  await expect(run()).rejects.toThrow("killed at fetch");
  expect(opened()).toBe(1);
  fail(null);
  breakOff(10);
  await run();
  expect([opened(), taken]).toEqual([11, ["1 1"]]);
});

it("[C-9.201] a file that stays is fetched once, and again when it has other bytes", async () => {
  const { files, taken, run, rule } = await custodian();
  for (const account of ["1", "2"]) await rule(account);
  files.set("a.xml", { bytes: "1", modified_at: old });
  expect(await run()).toMatchObject({ taken: 1, duplicates: 0 });
  expect(await run()).toMatchObject({ taken: 0, duplicates: 1 });
  files.set("a.xml", { bytes: "1", modified_at: new Date(old.getTime() + 1_000) });
  expect(await run()).toMatchObject({ taken: 0, duplicates: 1 });
  files.set("a.xml", { bytes: "2", modified_at: new Date(old.getTime() + 2_000) });
  expect(await run()).toMatchObject({ taken: 1 });
  expect(taken).toEqual(["1 1", "2 2"]);
});

it("[C-9.206] leaves alone what is young, still written to, no plain file, or over a limit; oldest first", async () => {
  const { files, taken, run, rule } = await custodian({
    max_files: 2,
    max_file_bytes: 3,
    after: "move",
    move_to: "done",
  });
  for (const account of ["1", "2", "3"]) await rule(account);
  files.set("young.xml", { bytes: "1", modified_at: now });
  files.set("a.filepart", { bytes: "1", modified_at: old });
  files.set("link.xml", { bytes: "1", modified_at: old, isRegular: false });
  files.set("../up.xml", { bytes: "1", modified_at: old });
  files.set("big.xml", { bytes: "1111", modified_at: old });
  files.set("z.xml", { bytes: "2", modified_at: new Date(0) });
  files.set("done/z.xml", { bytes: "other", modified_at: old, isRegular: false });
  files.set("b.xml", { bytes: "1", modified_at: old });
  files.set("c.xml", { bytes: "3", modified_at: old });
  const report = await run();
  expect(report).toMatchObject({ taken: 2, unfit: 3, waiting: 2, failed: 0 });
  expect(taken).toEqual(["2 2", "1 1"]);
  expect([...files.keys()].filter((name) => name.startsWith("done/"))).toHaveLength(3);
});

it("[C-9.204] what has no letter is held while the rest is delivered; a rule takes it, and repeats nothing", async () => {
  const { files, taken, run, rule, stores, intake } = await custodian({ after: "delete" });
  await rule("1");
  files.set("a.xml", { bytes: "1,9", modified_at: old });
  expect(await run()).toMatchObject({ held: 1 });
  expect(taken).toHaveLength(1);
  expect(files.size).toBe(0);
  const [held] = await stores.files.held({ source: "s", limit: 5 });
  expect(JSON.parse(held?.sealed_findings ?? "")).toMatchObject([{ part: "a.xml", account: "9" }]);
  await rule("9");
  expect(await intake.retry(held?.file_id as Uuid)).toMatchObject({ outcome: "taken" });
  expect(taken.map((each) => each.split(" ")[0])).toEqual(["1", "1+9"]);
  expect(await stores.files.heldTotals()).toEqual({ files: 0, bytes: 0 });
  await expect(intake.retry(held?.file_id as Uuid)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

it("[C-9.205] holds what cannot be read with its reason, and leaves at the custodian's what there is no room for", async () => {
  const { files, run, stores } = await custodian({ after: "delete" });
  files.set("a.xml", { bytes: "broken", modified_at: old });
  files.set("b.xml", { bytes: `9${" ".repeat(5_000)}`, modified_at: old });
  expect(await run()).toMatchObject({ held: 1, failed: 1, reason: expect.stringMatching(/no room .* of this source/) });
  expect([...files.keys()]).toEqual(["b.xml"]);
  const [held] = await stores.files.held({ source: "s", limit: 5 });
  expect(held?.sealed_findings).toContain("line 1: is in no format");
});
