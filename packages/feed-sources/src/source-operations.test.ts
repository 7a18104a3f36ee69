import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AuditEntry, Uuid } from "@org/core";
import { expect, it } from "vitest";
import type { Intake } from "./intake.js";
import { createSourceOperations } from "./source-operations.js";
import { sourceSettingsSchema } from "./source-settings.js";
import { createMemorySourceStores } from "./testing/memory-source-stores.js";

const at = new Date("2026-11-02T12:00:00.000Z");
const operator = { application_id: "operator", trace_id: null, address: null };

it("a source has 1,000 rules at most, whatever others have; one that goes makes room", async () => {
  const stores = createMemorySourceStores();
  const operations = createSourceOperations({
    stores,
    runtime: { clock: () => at, newId: randomUUID, vault: { seal: async (text: string) => text } } as never,
    intake: {} as Intake,
    open: async () => Promise.reject(new Error("nothing is fetched")),
    newSecret: randomUUID,
    record: async () => undefined,
  });
  for (const name of ["full", "other"]) await operations.set(operator, name, { kind: "push" }, true);
  const to = { letter_id: randomUUID() };
  for (let index = 0; index < 1_000; index += 1)
    await stores.routes.add(
      { route_id: `${index}` as Uuid, source: "full", rule: { when: { account: `${index}` }, to }, created_at: at },
      {} as AuditEntry,
    );
  const rule = { when: { account: "one more" }, to };
  await expect(operations.addRoute(operator, "full", rule)).rejects.toMatchObject({
    code: "RATE_LIMITED",
    message: expect.stringMatching(/^a source has 1000 rules at most/),
    limit: { name: "feed_source_rules", value: 1_000 },
  });
  expect(await operations.addRoute(operator, "other", rule)).toMatchObject({ retried: 0 });
  await operations.removeRoute(operator, "7" as Uuid);
  expect(await operations.addRoute(operator, "full", rule)).toMatchObject({ retried: 0 });
});

it("the settings of docs/how-to/feed-sources.md are a source's", () => {
  const page = readFileSync(new URL("../../../docs/how-to/feed-sources.md", import.meta.url), "utf8");
  const [, settings = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  expect(sourceSettingsSchema.parse(JSON.parse(settings))).toMatchObject({ kind: "sftp", after: "delete" });
});

it("[C-14.976] settings are tested before they are kept, with stored secrets for the same server and user only", async () => {
  const opened: unknown[] = [];
  const operations = createSourceOperations({
    stores: createMemorySourceStores(),
    runtime: {
      clock: () => at,
      newId: randomUUID,
      vault: { seal: async (text: string) => text, open: async (text: string) => text },
    } as never,
    intake: {} as Intake,
    async open({ host, password, folder }) {
      opened.push({ host, password, folder });
      return { list: async () => ({ files: [], isWhole: true }), close() {} } as never;
    },
    newSecret: randomUUID,
    record: async () => undefined,
  });
  const door = { kind: "sftp", host: "sftp.bank.example", user: "wealth" };
  expect(await operations.test("bank", { ...door, password: "secret" })).toMatchObject({ ok: true, files: 0 });
  expect(await operations.list()).toEqual([]);
  await expect(operations.test("bank")).rejects.toMatchObject({ code: "NOT_FOUND" });
  await operations.set(operator, "bank", { ...door, password: "secret" }, true);
  await operations.test("bank", { ...door, folder: "/out" });
  await expect(operations.test("bank", { ...door, host: "other.example" })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [expect.objectContaining({ field: "settings.password" })],
  });
  expect(opened).toEqual([
    { host: "sftp.bank.example", password: "secret", folder: "." },
    { host: "sftp.bank.example", password: "secret", folder: "/out" },
  ]);
  expect(await operations.show("bank")).toMatchObject({ settings: { folder: "." } });
});
