import { randomUUID } from "node:crypto";
import type { AuditEntry } from "@org/core";
import { samples } from "@org/core/testing";
import { expect, it } from "vitest";
import type { Intake } from "./intake.js";
import { createSourceRuns } from "./source-runs.js";
import { createMemorySourceStores } from "./testing/memory-source-stores.js";

const at = new Date("2026-11-02T12:00:00.000Z");
const room = { bytes: 1_000_000, of_source: 1_000_000 };
const entry = {} as AuditEntry;

it("[C-9.211] held files are woken by changed letters with as many questions for twenty sources as for one", async () => {
  const stores = createMemorySourceStores();
  let questions = 0;
  const counted = <T extends object>(store: T): T =>
    new Proxy(store, {
      get: (target, name, self) => {
        questions += 1;
        return Reflect.get(target, name, self);
      },
    });
  const tried: string[] = [];
  let changed: string | null = null;
  const runs = createSourceRuns({
    stores: { ...stores, routes: counted(stores.routes), files: counted(stores.files) },
    runtime: { clock: () => at, newId: randomUUID } as never,
    intake: { retry: async (id: string) => void tried.push(id) } as unknown as Intake,
    open: async () => Promise.reject(new Error("nothing is fetched")),
    async lettersChanged() {
      questions += 1;
      return (to) => "letter_id" in to && to.letter_id === changed;
    },
    chance: () => 0.5,
    leaseMs: 60_000,
    settleMs: 0,
  });
  const hold = async (source: string) => {
    const record = {
      source,
      kind: "push" as const,
      sealed_settings: "s",
      is_enabled: true,
      changed_at: at,
      due_at: null,
    };
    await stores.sources.keep(record, entry);
    const letter_id = randomUUID();
    const route = { route_id: samples.newId(), source, rule: { to: { letter_id } }, created_at: at };
    await stores.routes.add(route, entry);
    const moments = { modified_at: null, came_at: at, settled_at: at };
    const file = {
      file_id: samples.newId(),
      source,
      name: "a",
      size: 1,
      sha256: "0",
      state: "held" as const,
      ...moments,
    };
    const sealed = {
      sealed_key: "k",
      ciphertext: Buffer.from("x"),
      sealed_findings: "f",
      cause: "content",
      is_part: false,
    } as const;
    // Not due for a long time: only changed letters make it due.
    const times = { held_until: new Date(at.getTime() + 1e9), retry_at: new Date(at.getTime() + 1e8), tries: 3 };
    await stores.files.keep(file, { ...sealed, ...times }, room);
    return { letter_id, file_id: file.file_id };
  };
  const first = await hold("s-0");
  await runs.retryHeld();
  tried.length = 0;
  const asked = async () => {
    questions = 0;
    await runs.retryHeld();
    return questions;
  };
  const forOne = await asked();
  for (let number = 1; number < 20; number += 1) await hold(`s-${number}`);
  expect(await asked()).toBe(forOne);
  expect(tried).toEqual([]);
  changed = first.letter_id;
  await runs.retryHeld();
  expect(tried).toEqual([first.file_id]);
});

it.each([
  [0, 13.5],
  [1, 16.5],
])("sources do not all come due at once: with chance %d the next look is in %d minutes", async (chance, minutes) => {
  const stores = createMemorySourceStores();
  const settings = { kind: "sftp", host: "h", user: "u", password: "p", host_keys: [], folder: "f" };
  const runs = createSourceRuns({
    stores,
    runtime: { clock: () => at, newId: randomUUID, vault: { open: async () => JSON.stringify(settings) } } as never,
    intake: {} as Intake,
    open: async () => Promise.reject(new Error("is away")),
    lettersChanged: async () => () => false,
    chance: () => chance,
    leaseMs: 60_000,
    settleMs: 0,
  });
  const record = {
    source: "s",
    kind: "sftp" as const,
    sealed_settings: "s",
    is_enabled: true,
    changed_at: at,
    due_at: at,
  };
  await stores.sources.keep(record, entry);
  const [lease] = await runs.claim(1);
  await runs.work(lease as NonNullable<typeof lease>);
  const found = await stores.sources.find("s");
  expect(found).toMatchObject({ last_error: "is away", due_at: new Date(at.getTime() + minutes * 60_000) });
});
