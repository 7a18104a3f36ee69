import { expect, it } from "vitest";
import type { AuditQuery, OwnedAuditEntry } from "../../ports/audit-log.js";
import type { Storage } from "../../storage.js";
import { auditEntry, later, newId, newTenant } from "../fixture.js";

/** Cases of the audit trail of the whole installation. Other cases write to it too, so each case here reads a time of its own. */
export function auditTrailCases(storage: () => Storage): void {
  let years = 0;
  /** A moment in a year that no other case uses. */
  const newYear = () => {
    years += 1;
    return later(years * 400 * 86_400).getTime();
  };
  const line = (at: number, over: Partial<OwnedAuditEntry> = {}): OwnedAuditEntry => ({
    tenant_id: null,
    ...auditEntry(),
    at: new Date(at),
    ...over,
  });
  const query = (from: number, over: Partial<AuditQuery> = {}): AuditQuery => ({
    tenant_id: undefined,
    from: new Date(from),
    before: new Date(from + 100_000),
    action: null,
    actor: null,
    object_id: null,
    trace_id: null,
    order: "newest",
    after: null,
    limit: 100,
    ...over,
  });

  it("keeps lines of tenants and of the installation as they are, and reads them in both orders", async () => {
    const from = newYear();
    const { tenant_id } = await newTenant(storage());
    const lines = [
      line(from, { facts: { text: 'é \u{1f3e6} \\ "', number: 1.5, no: false, none: null } }),
      line(from + 1, { tenant_id, trace_id: null, address: null, facts: {} }),
      line(from + 1, { tenant_id: newId() }),
    ];
    await storage().auditTrail.append(lines);
    expect(await storage().auditTrail.list(query(from, { order: "oldest" }))).toEqual(lines);
    expect(await storage().auditTrail.list(query(from))).toEqual([...lines].reverse());
  });

  it("takes a batch that comes again only once", async () => {
    const from = newYear();
    const [first, second] = [line(from), line(from + 1)];
    await storage().auditTrail.append([first]);
    await storage().auditTrail.append([{ ...first, action: "another" }, second]);
    expect(await storage().auditTrail.list(query(from, { order: "oldest" }))).toEqual([first, second]);
    await storage().auditTrail.append([]);
  });

  it.each(["newest", "oldest"] as const)(
    "goes on after a line, %s first, also among lines of one moment",
    async (order) => {
      const from = newYear();
      const lines = [0, 0, 0, 1, 1, 2].map((ms) => line(from + ms));
      await storage().auditTrail.append(lines);
      const read: OwnedAuditEntry[] = [];
      for (let after: AuditQuery["after"] = null; ; after = read.at(-1) ?? null) {
        const page = await storage().auditTrail.list(query(from, { order, after, limit: 2 }));
        read.push(...page);
        if (page.length < 2) break;
      }
      expect(read).toEqual(order === "oldest" ? lines : [...lines].reverse());
    },
  );

  it("finds by tenant, time, action, actor, object and trace, and by all of them together", async () => {
    const from = newYear();
    const { tenant_id } = await newTenant(storage());
    const wanted = line(from + 5, { tenant_id, action: "a.b", actor: "who", object_id: "what", trace_id: "trace" });
    const others = [
      line(from + 5, { ...wanted, audit_id: newId(), tenant_id: newId() }),
      line(from + 5, { ...wanted, audit_id: newId(), action: "a.c" }),
      line(from + 5, { ...wanted, audit_id: newId(), actor: "whom" }),
      line(from + 5, { ...wanted, audit_id: newId(), object_id: "that" }),
      line(from + 5, { ...wanted, audit_id: newId(), trace_id: "another" }),
      line(from + 4, { ...wanted, audit_id: newId(), at: new Date(from + 4) }),
      line(from + 6, { ...wanted, audit_id: newId(), at: new Date(from + 6) }),
      line(from + 5, { tenant_id: null }),
    ];
    await storage().auditTrail.append([wanted, ...others]);
    const moment = { from: new Date(from + 5), before: new Date(from + 6) };
    const all = { tenant_id, action: "a.b", actor: "who", object_id: "what", trace_id: "trace", ...moment };
    expect(await storage().auditTrail.list(query(from, all))).toEqual([wanted]);
    const count = async (over: Partial<AuditQuery>) => (await storage().auditTrail.list(query(from, over))).length;
    expect(await count({ tenant_id })).toBe(7);
    expect(await count({ tenant_id: null })).toBe(1);
    expect(await count({ action: "a.b" })).toBe(7);
    expect(await count({ actor: "who" })).toBe(7);
    expect(await count({ object_id: "what" })).toBe(7);
    expect(await count({ trace_id: "trace" })).toBe(7);
    expect(await count(moment)).toBe(7);
  });

  it("holds what tenants wrote themselves, and shows a tenant nothing of the others or the installation", async () => {
    const from = newYear();
    const [one, other] = [await newTenant(storage()), await newTenant(storage())];
    const { tenant_id: _, ...own } = line(from);
    await one.run(({ audit }) => audit.append(own));
    const given = line(from + 1, { tenant_id: one.tenant_id });
    await storage().auditTrail.append([given, line(from + 2), line(from + 3, { tenant_id: other.tenant_id })]);
    expect(await storage().auditTrail.list(query(from, { tenant_id: one.tenant_id }))).toEqual([
      given,
      { tenant_id: one.tenant_id, ...own },
    ]);
    const { tenant_id: __, ...seen } = given;
    expect(await one.run(({ audit }) => audit.list({ limit: 10 }))).toEqual([seen, own]);
  });
}
