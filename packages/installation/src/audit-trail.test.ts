import type { OwnedAuditEntry } from "@org/core";
import type { AccessRecord } from "@org/http";
import type { AuditEvent } from "@org/oauth-server";
import { describe, expect, it } from "vitest";
import { createAuditTrail } from "./audit-trail.js";

const tenant = "019b0000-0000-7000-8000-00000000000a";
const application = "019b0000-0000-7000-8000-00000000000b";
const grant = "019b0000-0000-7000-8000-00000000000c";
const known = "wca_AAAAAAAAAAAAAAAAAAAAAA";
const operators = "wca_BBBBBBBBBBBBBBBBBBBBBB";
const nobody = "wca_CCCCCCCCCCCCCCCCCCCCCC";
const at = new Date("2026-03-01T12:00:00.000Z");
const event = (over: Partial<AuditEvent> = {}): AuditEvent => ({
  action: "grant.issued",
  at,
  actor: null,
  tenant_id: null,
  application_id: null,
  client_id: null,
  grant_id: null,
  detail: null,
  address: null,
  trace_id: null,
  ...over,
});

const line: OwnedAuditEntry = {
  audit_id: "1",
  tenant_id: tenant,
  at,
  actor: application,
  action: "data.read",
  object_type: "connection",
  object_id: grant,
  trace_id: null,
  address: null,
  facts: {},
};

class Outage extends Error {
  override readonly name = "StorageError";
}

/** A trail that writes to a list; `refuse` may throw to refuse a batch. */
function world(refuse: (batch: readonly OwnedAuditEntry[], attempt: number) => void = () => undefined) {
  const kept: OwnedAuditEntry[] = [];
  const batches: (readonly OwnedAuditEntry[])[] = [];
  const lookedUp: string[][] = [];
  const logged: string[] = [];
  const records: object[] = [];
  let ids = 0;
  let lost = 0;
  const trail = createAuditTrail({
    trail: {
      async append(batch) {
        batches.push(batch);
        refuse(batch, batches.length);
        kept.push(...batch);
      },
    },
    applications: {
      async ownersOf(clientIds) {
        lookedUp.push([...clientIds]);
        const owners = { [known]: tenant, [operators]: null };
        return new Map(
          Object.entries(owners)
            .filter(([id]) => clientIds.includes(id))
            .map(([id, tenant_id]) => [id, { application_id: application, tenant_id }]),
        );
      },
    },
    newId: () => String(++ids).padStart(6, "0"),
    clock: () => at,
    log: {
      info: (fields: object) => void records.push(fields),
      error: (_fields: object, message: string) => void logged.push(message),
    },
    onLost: (events) => {
      lost += events;
    },
  });
  return { trail, kept, batches, lookedUp, logged, records, lost: () => lost };
}

describe("[security.md] the audit trail of the authorization server", () => {
  it("keeps every event in order, many with one statement", async () => {
    const { trail, kept, batches, lost } = world();
    for (let index = 0; index < 2_500; index++) trail.audit(event({ detail: String(index) }));
    await trail.close();
    expect(kept.map(({ facts }) => facts.detail)).toEqual(Array.from({ length: 2_500 }, (_, index) => String(index)));
    expect(kept.map(({ audit_id }) => audit_id)).toEqual(kept.map(({ audit_id }) => audit_id).sort());
    expect([batches.length, lost()]).toEqual([3, 0]);
  });

  it.each<[string, Partial<AuditEvent>, Partial<OwnedAuditEntry>]>([
    [
      "a token issued to a tenant's application",
      { tenant_id: tenant, application_id: application, client_id: known, grant_id: grant },
      { tenant_id: tenant, actor: application, object_type: "grant", object_id: grant },
    ],
    [
      "a token issued to an operator's application",
      { application_id: application, client_id: operators, grant_id: grant },
      { tenant_id: null, actor: application, object_type: "grant" },
    ],
    [
      "a refusal in the name of a tenant's application",
      { action: "grant.refused", client_id: known, detail: "invalid_client" },
      { tenant_id: tenant, actor: "unknown", object_type: "application", object_id: application },
    ],
    [
      "a refusal in the name of an operator's application",
      { action: "grant.refused", client_id: operators },
      { tenant_id: null, actor: "unknown", object_type: "application", object_id: application },
    ],
    [
      "a refusal of a client that nobody knows",
      { action: "grant.refused", client_id: nobody },
      { tenant_id: null, actor: "unknown", object_type: "client", object_id: nobody },
    ],
    [
      "a refusal without a client",
      { action: "grant.refused", detail: "invalid_request" },
      { tenant_id: null, actor: "unknown", object_type: "client", object_id: "" },
    ],
    [
      "a refusal about a tenant's grant",
      { action: "grant.refused", tenant_id: tenant, application_id: application, client_id: known, grant_id: grant },
      { tenant_id: tenant, actor: "unknown", object_type: "grant", object_id: grant },
    ],
    [
      "a client id that the database could not keep",
      { action: "grant.refused", client_id: "a\u0000b\ud800\u001b[31m" },
      { tenant_id: null, object_id: "a\ufffdb\ufffd\ufffd[31m" },
    ],
    [
      "an operator who switches a tenant off",
      { action: "tenant.disabled", actor: "who", tenant_id: tenant },
      { tenant_id: tenant, actor: "who", object_type: "tenant", object_id: tenant },
    ],
    [
      "a rotated signing key",
      { action: "signing_key.rotated", actor: "who", detail: "kid" },
      { tenant_id: null, actor: "who", object_type: "signing_key", object_id: "kid" },
    ],
    [
      "[C-3.38] a grant for a person whom an identity provider vouched for",
      {
        tenant_id: tenant,
        application_id: application,
        client_id: known,
        grant_id: grant,
        person: { issuer: "https://idp.example", subject: "00u1\u001b" },
      },
      {
        tenant_id: tenant,
        actor: application,
        object_id: grant,
        facts: { client_id: known, detail: null, person_issuer: "https://idp.example", person_subject: "00u1\ufffd" },
      },
    ],
    [
      "an identity provider that is trusted",
      { action: "trusted_issuer.trusted", actor: "who", tenant_id: tenant, detail: "https://idp.example" },
      { tenant_id: tenant, actor: "who", object_type: "trusted_issuer", object_id: "https://idp.example" },
    ],
    [
      "a client that registered itself",
      { action: "client.registered", client_id: "dcr_1" },
      { tenant_id: null, actor: "dcr_1", object_type: "client", object_id: "dcr_1" },
    ],
  ])("attributes %s", async (_, given, expected) => {
    const { trail, kept } = world();
    trail.audit(event(given));
    await trail.close();
    expect(kept).toMatchObject([{ at, action: given.action ?? "grant.issued", ...expected }]);
  });

  it("[C-7.20] logs the trace id where every record has it", () => {
    const { trail, records } = world();
    const { trace_id, ...rest } = event({ trace_id: "f".repeat(32) });
    trail.audit({ ...rest, trace_id });
    expect(records).toEqual([{ audit: rest, trace_id }]);
  });

  it("an event that cannot be written down holds up no other", async () => {
    const { trail, kept, logged, lost } = world();
    trail.audit(event({ detail: "before" }));
    trail.audit(event({ client_id: ["x"] as never }));
    trail.audit(event({ detail: "after" }));
    await trail.close();
    expect(kept.map(({ facts }) => facts.detail)).toEqual(["before", "after"]);
    expect([lost(), logged.length > 0]).toEqual([1, true]);
  });

  it("looks up claimed clients once a batch, and none that cannot be an application", async () => {
    const { trail, lookedUp } = world();
    for (const client_id of [known, known, nobody, "x".repeat(200), null])
      trail.audit(event({ action: "grant.refused", client_id }));
    await trail.close();
    expect(lookedUp).toEqual([[known, nobody]]);
  });

  it("writes the same batch again after an outage", async () => {
    const { trail, kept, batches, logged, lost } = world((_batch, attempt) => {
      if (attempt === 1) throw new Outage("away");
    });
    for (let index = 0; index < 1_000; index++) trail.audit(event());
    await trail.close();
    expect(batches[0]).toEqual(batches[1]);
    expect([kept.length, lost(), logged]).toEqual([1_000, 0, ["audit trail not written; will be retried"]]);
  });

  it("loses what does not fit while the database is away, and says how much", async () => {
    const { trail, kept, logged, lost } = world(() => {
      throw new Outage("away");
    });
    for (let index = 0; index < 10_007; index++) trail.audit(event());
    await trail.close();
    expect([kept.length, lost()]).toEqual([0, 10_007]);
    expect(logged.filter((message) => message.includes("events were lost")).length).toBeLessThanOrEqual(2);
  });

  it("loses only the line that the database refuses", async () => {
    const { trail, kept, lost } = world((batch) => {
      if (batch.some(({ facts }) => facts.detail === "2")) throw new Error("refused");
    });
    for (const detail of ["1", "2", "3"]) trail.audit(event({ detail }));
    await trail.close();
    expect([kept.map(({ facts }) => facts.detail), lost()]).toEqual([["1", "3"], 1]);
  });

  it("counts refusals without a proven caller by network, code and name, as one line and three records of the log", async () => {
    const { trail, kept, records } = world();
    for (let index = 0; index < 5_000; index++)
      trail.audit(
        event({
          action: "grant.refused",
          at: new Date(at.getTime() + index),
          client_id: index % 2 ? known : null,
          detail: "invalid_client",
          address: `203.0.113.${index % 250}`,
          trace_id: `trace ${index}`,
        }),
      );
    await trail.close();
    const count = { count: 2_500, detail: "invalid_client" };
    expect(kept).toMatchObject([
      {
        tenant_id: null,
        at,
        actor: "unknown",
        address: "203.0.113.0/24",
        trace_id: "trace 0",
        facts: {
          ...count,
          client_id: null,
          last_at: "2026-03-01T12:00:04.998Z",
          trace_ids: "trace 0 trace 2 trace 4",
        },
      },
      { tenant_id: tenant, trace_id: "trace 1", facts: { ...count, client_id: known } },
    ]);
    expect(records).toHaveLength(2 * (3 + 1));
  });

  it("refusals crowd out nobody who proved who they are, and no read of data", async () => {
    let isUnavailable = true;
    const { trail, kept, lost } = world(() => {
      if (isUnavailable) throw new Outage("away");
    });
    const refuse = (index: number) =>
      trail.audit(
        event({ action: "grant.refused", client_id: `id ${index}`, address: `${index >> 8}.${index & 255}.0.1` }),
      );
    for (let index = 0; index < 7_000; index++) refuse(index);
    for (let index = 0; index < 20_000; index++) trail.audit(event());
    for (let index = 0; index < 5_000; index++) trail.read({ ...line, audit_id: String(index) });
    isUnavailable = false;
    await trail.close();
    const ofAction = (action: string) => kept.filter((entry) => entry.action === action).length;
    expect([ofAction("grant.issued"), ofAction("data.read")]).toEqual([20_000, 5_000]);
    const counted = kept.reduce((sum, { facts }) => sum + Number(facts.count ?? 0), 0);
    expect(ofAction("grant.refused")).toBe(2_000);
    expect(counted + lost()).toBe(7_000);
  });

  it("[C-9.79] one tenant crowds out no other", async () => {
    let isUnavailable = true;
    const { trail, kept, lost } = world(() => {
      if (isUnavailable) throw new Outage("away");
    });
    const other = "019b0000-0000-7000-8000-00000000000d";
    for (let index = 0; index < 25_000; index++) trail.audit(event({ tenant_id: tenant }));
    for (let index = 0; index < 12_000; index++) trail.read(line);
    trail.audit(event({ tenant_id: other }));
    trail.read({ ...line, tenant_id: other });
    isUnavailable = false;
    await trail.close();
    expect(kept.filter(({ tenant_id }) => tenant_id === other).map(({ action }) => action)).toEqual([
      "grant.issued",
      "data.read",
    ]);
    expect([kept.length, lost()]).toEqual([15_002, 22_000]);
  });

  const failed = (over: Partial<AccessRecord> = {}): AccessRecord => ({
    method: "POST",
    route: "/events/v1/list-work",
    status: 500,
    ms: 3,
    trace_id: "a".repeat(32),
    application_id: `person:${application}`,
    tenant_id: tenant,
    defect: "TypeError",
    ...over,
  });

  it("[C-14.1043] a request that meets a fault of the server leaves a line with its trace, route, tenant and kind of error, and nobody's name", async () => {
    const { trail, kept, records } = world();
    trail.requestAnswered(failed());
    trail.requestAnswered(failed({ status: 200, route: "/mcp", defect: "error 42883" }));
    const { defect: _, ...answered } = failed();
    for (const status of [200, 404, 503, 499]) trail.requestAnswered({ ...answered, status });
    await trail.close();
    const common = { tenant_id: tenant, at, actor: "system", action: "request.failed", address: null };
    expect(kept).toMatchObject([
      {
        ...common,
        object_id: "/events/v1/list-work",
        trace_id: "a".repeat(32),
        facts: { name: "POST /events/v1/list-work", status: 500, defect: "TypeError" },
      },
      { ...common, facts: { name: "POST /mcp", status: 200, defect: "error 42883" } },
    ]);
    expect(JSON.stringify(kept)).not.toContain(application);
    expect(records).toEqual([]);
  });

  it("[C-14.1044] of a fault that everybody meets an hour keeps 60 lines of a tenant and 300 in all, and one line counts the others", async () => {
    const { trail, kept } = world();
    for (let index = 0; index < 10_000; index++)
      trail.requestAnswered(failed({ tenant_id: index < 5_000 ? tenant : `tenant ${index % 50}` }));
    await trail.close();
    const of = (id: string | null) => kept.filter(({ tenant_id }) => tenant_id === id).length;
    expect([of(tenant), of("tenant 0"), of(null), kept.length]).toEqual([60, 5, 1, 301]);
    expect(kept.at(-1)).toMatchObject({ action: "request.left_out", trace_id: null, facts: { count: 9_700 } });
  });
});
