import { expect, it } from "vitest";
import { auditEntry } from "../../audit-entry.js";
import type { WorkKey, WorkMark } from "../../operating/work-mark-store.js";
import { INSTALLATION_LOG } from "../../schemas/event.js";
import type { Uuid } from "../../schemas/identifier.js";
import { later, newId, newTenant, now, type StorageFixture } from "../fixture.js";

/** Cases of `WorkMarkStore`. */
export function workMarkCases(fixture: () => StorageFixture): void {
  const store = () => fixture().storage.workMarks;
  const markOf = (tenant_id: Uuid, key: WorkKey, over: Partial<WorkMark> = {}): WorkMark => ({
    tenant_id,
    ...key,
    owner_id: null,
    snoozed_until: null,
    reason: null,
    cause: null,
    version: 1,
    changed_at: now,
    ...over,
  });
  const put = (mark: WorkMark) =>
    store().change(mark.tenant_id, [mark], () => ({ marks: [mark], entries: [], events: [] }));

  it("[C-14.860] marks of lines are kept for a tenant's people and for operators apart, with audit entries and events", async () => {
    const tenant = await newTenant(fixture().storage);
    const own = tenant.tenant_id as Uuid;
    const key = { kind: "letter_overdue", id: newId() } as const;
    const other = { ...key, kind: "letter_unmailed" } as const;
    const snoozed = markOf(own, key, { owner_id: "person:a", snoozed_until: later(60), reason: "wait", cause: "1" });
    const entry = auditEntry(
      { clock: () => now, newId },
      { application_id: "person:a", trace_id: null, address: null },
      "work.taken",
      "letter",
      key.id,
    );
    await store().change(own, [key, other], (before) => {
      expect(before).toEqual([]);
      return {
        marks: [snoozed, markOf(own, other, { owner_id: "b" })],
        entries: [{ tenant_id: own, ...entry }],
        events: [{ type: "work.changed", object_id: key.kind, data: { kind: key.kind, change: "taken", lines: 1 } }],
      };
    });
    await put(markOf(INSTALLATION_LOG, key, { owner_id: "person:o" }));
    expect(await store().find(own, [key])).toEqual([snoozed]);
    expect(await store().find(INSTALLATION_LOG, [key, other])).toEqual([
      markOf(INSTALLATION_LOG, key, { owner_id: "person:o" }),
    ]);
    expect((await tenant.run(({ audit }) => audit.list({ limit: 9 }))).map(({ audit_id }) => audit_id)).toContain(
      entry.audit_id,
    );
    expect((await fixture().eventsOf(own)).map(({ type }) => type)).toEqual(["work.changed"]);

    await put(markOf(own, key, { version: 2 }));
    expect(await store().find(own, [key, other])).toEqual([markOf(own, other, { owner_id: "b" })]);
    const listed: WorkMark[] = [];
    for (let after: WorkMark | null = null; ; ) {
      const [found]: readonly WorkMark[] = await store().list(after, 1);
      if (!found) break;
      listed.push(found);
      after = found;
    }
    expect(
      listed.map(({ tenant_id, kind }) => [tenant_id, kind]).filter(([id]) => id === own || id === INSTALLATION_LOG),
    ).toEqual([
      [INSTALLATION_LOG, "letter_overdue"],
      [own, "letter_unmailed"],
    ]);
    const [seen] = await store().find(own, [other]);
    await put({ ...(seen as WorkMark), owner_id: "c", version: 2 });
    expect(await store().remove([seen as WorkMark])).toBe(0);
    expect(await store().remove(await store().find(own, [other]))).toBe(1);
    expect(await store().remove(await store().find(INSTALLATION_LOG, [key]))).toBe(1);
    expect(await store().find(own, [key, other])).toEqual([]);
  });

  it("[C-14.861] of ten changes of one mark at once each sees the one before", async () => {
    const own = (await newTenant(fixture().storage)).tenant_id as Uuid;
    const key = { kind: "letter_overdue", id: newId() } as const;
    const seen: number[] = [];
    const made: number[] = [];
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        store().change(own, [key], ([before], version) => {
          seen.push(before?.version ?? 0);
          made.push(version);
          return { marks: [markOf(own, key, { owner_id: `person:${index}`, version })], entries: [], events: [] };
        }),
      ),
    );
    const [mark] = await store().find(own, [key]);
    expect(seen).toEqual([0, ...made.slice(0, -1)]);
    expect(mark?.version).toBe(made.at(-1));
    expect(await store().remove([mark as WorkMark])).toBe(1);
  });

  it("[C-14.970] the version of a mark does not repeat: one that is made again after it was emptied has a greater one", async () => {
    const own = (await newTenant(fixture().storage)).tenant_id as Uuid;
    const key = { kind: "letter_overdue", id: newId() } as const;
    const versions: number[] = [];
    for (const owner_id of ["person:a", null, "person:b", null, "person:c"]) {
      await store().change(own, [key], (_before, version) => {
        versions.push(version);
        return { marks: [markOf(own, key, { owner_id, version })], entries: [], events: [] };
      });
      expect((await store().find(own, [key])).map(({ version }) => version)).toEqual(
        owner_id === null ? [] : versions.slice(-1),
      );
    }
    expect(versions.every((version, index) => version > (versions[index - 1] ?? 0))).toBe(true);
  });
}
