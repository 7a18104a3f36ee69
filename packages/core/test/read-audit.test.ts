import { describe, expect, it } from "vitest";
import { createReadAudit, type OwnedAuditEntry, type SourceState, type TenantActor } from "../src/index.js";

const actor: TenantActor = {
  tenant_id: "tenant",
  application_id: "application",
  grant_id: "grant",
  trace_id: "trace",
  address: "203.0.113.7",
};
const source = (credentials_token: string, as_of: string | null = "2026-03-01T00:00:00.000Z"): SourceState => ({
  credentials_token,
  bank: "Bank",
  as_of,
  pending: false,
  blocked: false,
  errored: false,
  is_overdue: false,
});

function world() {
  const lines: OwnedAuditEntry[] = [];
  let now = Date.UTC(2026, 2, 1, 12);
  let ids = 0;
  const reads = createReadAudit({
    runtime: { clock: () => new Date(now), newId: () => String(++ids) as never },
    record: (line) => lines.push(line),
  });
  return { reads, lines, pass: (minutes: number) => (now += minutes * 60_000) };
}

describe("[security.md] reads of data in the audit trail", () => {
  it("say who read which connection's data, with which tool, under which grant", () => {
    const { reads, lines } = world();
    reads.note(actor, "investment", [source("one"), source("without data yet", null)], 0);
    expect(lines).toEqual([
      {
        audit_id: "1",
        at: new Date(Date.UTC(2026, 2, 1, 12)),
        tenant_id: "tenant",
        actor: "application",
        action: "data.read",
        object_type: "connection",
        object_id: "one",
        trace_id: "trace",
        address: "203.0.113.7",
        facts: { tool: "svc-investments", grant_id: "grant" },
      },
    ]);
  });

  it("are written once an hour for each grant, tool and connection", () => {
    const { reads, lines, pass } = world();
    for (let minute = 0; minute < 59; minute++) {
      reads.note(actor, "investment", [source("one"), source("two")], 0);
      pass(1);
    }
    expect(lines.map(({ object_id }) => object_id)).toEqual(["one", "two"]);
    reads.note(actor, "portfolio", [source("one")], 0);
    reads.note({ ...actor, grant_id: "another" }, "investment", [source("one")], 0);
    expect(lines).toHaveLength(4);
    pass(1);
    reads.note(actor, "investment", [source("one")], 0);
    expect(lines).toHaveLength(5);
  });

  it("over more than a hundred connections are one line that says how many", () => {
    const { reads, lines } = world();
    const many = Array.from({ length: 40_000 }, (_, index) => source(String(index)));
    reads.note(actor, "transaction", many, 0);
    reads.note(actor, "transaction", many.slice(0, 50), 39_950);
    expect(lines).toMatchObject([
      {
        object_type: "tenant",
        object_id: "tenant",
        facts: { connections: 40_000, tool: "svc-investment-transactions" },
      },
    ]);
  });

  it("are remembered within bounds: the oldest are forgotten, and written once more", () => {
    const { reads, lines } = world();
    for (let index = 0; index <= 50_000; index++) reads.note(actor, "portfolio", [source(String(index))], 0);
    reads.note(actor, "portfolio", [source("50000")], 0);
    expect(lines).toHaveLength(50_001);
    reads.note(actor, "portfolio", [source("0")], 0);
    expect(lines).toHaveLength(50_002);
  });
});
