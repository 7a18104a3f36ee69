import { expect, it } from "vitest";
import { type ChainHead, createChainCheck } from "../../audit/audit-chain.js";
import { createAuditReading } from "../../audit/audit-reading.js";
import type { OwnedAuditEntry } from "../../ports/audit-log.js";
import type { Storage } from "../../storage.js";
import { auditEntry, newId, newTenant, now } from "../fixture.js";

/** Cases of the hash chain over the audit trail. Other cases write lines too, which are chained together with these. */
export function auditChainCases(storage: () => Storage): void {
  const line = (over: Partial<OwnedAuditEntry> = {}): OwnedAuditEntry => ({
    tenant_id: null,
    ...auditEntry(),
    ...over,
  });
  const sealAll = async () => {
    while ((await storage().auditChain.seal(1_000)) > 0);
  };
  const reading = () => createAuditReading({ storage: storage(), mac: (_purpose, text) => text });
  /** Checks the whole chain as an operator reads it, page by page. */
  async function check(known: readonly ChainHead[] = [], page_size = 7) {
    const chain = createChainCheck(undefined, known);
    const sequences = new Map<string, number>();
    for (let after: number | null = 0; after !== null; ) {
      const page = await reading().chain({ after, page_size });
      for (const item of page.items) {
        sequences.set(item.audit_id, item.sequence);
        expect(chain.add(item)).toBeNull();
      }
      expect(page.strangers).toEqual([]);
      after = page.next_after;
    }
    expect(chain.end()).toBeNull();
    return { ...chain.report(), sequences };
  }

  it("every line of every tenant and of the installation gets one place, and the hashes are right", async () => {
    const tenant = await newTenant(storage());
    const odd = 'é \u{1f3e6} \\ "quoted" \u007f \u2028 <b>/';
    const lines = [
      line({ facts: { text: odd, number: 1.5, large: 9_007_199_254_740_991, no: false, none: null, a: -0.25 } }),
      line({ tenant_id: tenant.tenant_id, trace_id: null, address: null, facts: {} }),
      line({ actor: odd, action: odd, object_type: odd, object_id: odd, trace_id: odd, address: odd }),
      line({ at: new Date("0999-12-31T23:59:59.009Z"), facts: { "10": 1, "9": 2, B: "\t\n\u0001", a: "" } }),
    ];
    await storage().auditTrail.append(lines);
    const own = auditEntry();
    await tenant.run(({ audit }) => audit.append(own));
    await sealAll();
    const { sequences, head, lines: count } = await check();
    expect([...lines, own].filter(({ audit_id }) => !sequences.has(audit_id))).toEqual([]);
    expect(count).toBe(head.sequence);
    expect(await reading().head()).toMatchObject({ ...head, waiting: 0 });
    expect(await storage().auditChain.seal(10)).toBe(0);
  });

  it("goes on where it ended, in bounded steps; a line waits until then", async () => {
    await sealAll();
    const { head: before } = await check();
    await storage().auditTrail.append([line(), line(), line()]);
    expect(await reading().head()).toMatchObject({ ...before, waiting: 3 });
    const { waiting } = await reading().chain({ after: before.sequence, page_size: 10 });
    expect(waiting).toHaveLength(3);
    expect([await storage().auditChain.seal(2), await storage().auditChain.seal(2)]).toEqual([2, 1]);
    expect((await check([before])).head.sequence).toBe(before.sequence + 3);
  });

  it("of several sealers at once one works, without gap or double", async () => {
    await sealAll();
    const { head: before } = await check();
    await storage().auditTrail.append(Array.from({ length: 60 }, () => line()));
    const sealed = await Promise.all(Array.from({ length: 8 }, () => storage().auditChain.seal(20)));
    await sealAll();
    expect(sealed.some((count) => count > 0)).toBe(true);
    expect((await check([before], 50)).head.sequence).toBe(before.sequence + 60);
  });

  it("lines written while it works get their place, too, in whatever order they are committed", async () => {
    await sealAll();
    const { head: before } = await check();
    const tenants = [await newTenant(storage()), await newTenant(storage())];
    const write = async (index: number) => {
      const tenant = tenants[index % 2];
      await tenant?.run(async ({ audit }) => {
        await audit.append(auditEntry());
        await audit.append(auditEntry());
      });
      await storage().auditChain.seal(5);
    };
    await Promise.all(Array.from({ length: 20 }, (_, index) => write(index)));
    await sealAll();
    expect((await check([before], 50)).head.sequence).toBe(before.sequence + 40);
  });

  it("[C-14.1043] only old refusals without a proven caller and failed requests are deleted, and the chain stays whole without them", async () => {
    const old = new Date(now.getTime() - 400 * 86_400_000);
    const refusal = (over: Partial<OwnedAuditEntry> = {}) =>
      line({ at: old, actor: "unknown", action: "grant.refused", ...over });
    const gone = [refusal(), refusal({ action: "login.refused", tenant_id: newId() })];
    for (const action of ["request.failed", "request.left_out"])
      gone.push(refusal({ actor: "system", action, object_type: "route" }));
    const kept = [
      refusal({ actor: "somebody" }),
      refusal({ action: "grant.issued" }),
      refusal({ at: new Date(old.getTime() + 2_000) }),
    ];
    await storage().auditTrail.append([...gone, ...kept]);
    const before = new Date(old.getTime() + 1_000);
    expect(await storage().auditChain.eraseRefusals(before, 10)).toBe(0);
    await sealAll();
    const whole = await check();
    expect(await storage().auditChain.eraseRefusals(before, 1)).toBe(1);
    expect(await storage().auditChain.eraseRefusals(before, 10)).toBe(3);
    expect(await storage().auditChain.eraseRefusals(before, 10)).toBe(0);
    const left = await storage().auditTrail.list({
      tenant_id: undefined,
      from: old,
      before: new Date(old.getTime() + 3_000),
      action: null,
      actor: null,
      object_id: null,
      trace_id: null,
      order: "oldest",
      after: null,
      limit: 10,
    });
    expect(new Set(left.map(({ audit_id }) => audit_id))).toEqual(new Set(kept.map(({ audit_id }) => audit_id)));
    expect(await check([whole.head])).toMatchObject({ head: whole.head, erased: 4, erased_until: old.toISOString() });
  });

  it("a piece of it holds all lines of a time", async () => {
    const at = new Date(now.getTime() + 4_000 * 86_400_000);
    await storage().auditTrail.append([line()]);
    await sealAll();
    const { sequence } = await reading().head();
    for (const entry of [line({ at }), line()]) {
      await storage().auditTrail.append([entry]);
      await sealAll();
    }
    const page = await reading().chain({ since: at.toISOString(), page_size: 10 });
    expect(page.after.sequence).toBe(sequence);
    expect(page.items.map((item) => item.sequence)).toEqual([sequence + 1, sequence + 2]);
    expect(createChainCheck(page.after).add(page.items[0] as never)).toBeNull();
    const nothing = { items: [], waiting: [], next_after: null };
    const later = new Date(at.getTime() + 86_400_000).toISOString();
    expect(await reading().chain({ since: later, page_size: 10 })).toMatchObject(nothing);
    expect(await reading().chain({ until: "0900-01-01", page_size: 10 })).toMatchObject(nothing);
    await storage().auditTrail.append([line()]);
    const until = new Date(at.getTime() - 1).toISOString();
    const piece = await reading().chain({ since: at.toISOString(), until, page_size: 10 });
    expect(piece).toMatchObject({ through: sequence + 2, waiting: [], next_after: null });
    expect(piece.items.map((item) => item.sequence)).toEqual([sequence + 1, sequence + 2]);
    const { after, through } = await reading().chain({ until, page_size: 1 });
    expect([after.sequence, through]).toEqual([0, sequence + 2]);
  });
}
