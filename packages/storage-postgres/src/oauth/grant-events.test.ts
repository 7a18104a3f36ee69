import { randomUUID } from "node:crypto";
import type { Uuid } from "@org/core";
import { samples } from "@org/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { insertTenant, type TestDatabase, testBackends } from "../testing/index.js";
import { createTransactions } from "../transactions.js";
import { createOAuthStore } from "./oauth-store.js";

const at = new Date("2026-01-15T12:00:00.000Z");
const later = (days: number) => new Date(at.getTime() + days * 86_400_000);

describe.each(testBackends)("[C-11.28] grant.ended on $name", ({ create }) => {
  let database: TestDatabase;
  let store: ReturnType<typeof createOAuthStore>;
  beforeAll(async () => {
    database = await create();
    store = createOAuthStore(createTransactions(database.pool));
  });
  afterAll(() => database?.close());

  const client_id = "https://client.example/metadata";
  let tenant_id: string;
  let application_id: string;
  let secret_id: Uuid;
  beforeEach(async () => {
    [tenant_id, application_id, secret_id] = [randomUUID(), randomUUID(), samples.newId()];
    const { pool } = database;
    await insertTenant(pool, tenant_id);
    await pool.query("insert into applications values ($1, $2, $3, 'Owner', '{letters:read}', true, '{}', $4)", [
      ...[application_id, tenant_id, application_id, at],
    ]);
    await pool.query("insert into application_secrets values ($1, $2, '1.x', $3)", [application_id, secret_id, at]);
  });

  async function granted(over: object = {}): Promise<Uuid> {
    const grant_id = samples.newId();
    const facts = { tenant_id, application_id, client_id, secret_id, scopes: ["letters:read"], audience: ["a"] };
    const times = { created_at: at, refresh_seconds: 86_400, refresh_expires_at: later(1), last_issued_at: at };
    const row = {
      grant_id,
      ...facts,
      ...times,
      flow: "browser",
      token_hash: "1.first",
      is_confidential: false,
      is_limited: false,
      ...over,
    };
    await database.pool.query("insert into grants select * from jsonb_populate_record(null::grants, $1)", [
      JSON.stringify(row),
    ]);
    return grant_id;
  }
  const told = async (log = tenant_id) =>
    (await database.pool.query("select type, object_id, data from events where tenant_id = $1 order by written", [log]))
      .rows;
  const ended = (grant_id: string, reason: string) => ({
    type: "grant.ended",
    object_id: grant_id,
    data: { grant_id, client_id, reason },
  });
  const rotate = (grant_id: Uuid, token_hash: string) =>
    store.grants.rotateRefreshToken({
      grant_id,
      token_hash,
      next_token_hash: `${token_hash} next`,
      at,
      is_authenticated: false,
    });

  it("of a grant whose refresh token comes a second time, and not while it is exchanged", async () => {
    const grant = await granted();
    expect(await rotate(grant, "1.first")).toMatchObject({ outcome: "rotated" });
    expect(await told()).toEqual([]);
    for (let round = 0; round < 2; round += 1)
      expect(await rotate(grant, "1.first")).toMatchObject({ outcome: "refused" });
    expect(await told()).toEqual([ended(grant, "reused")]);
  });

  it("of one that is revoked, once, and of none that ended before", async () => {
    const grant = await granted();
    await granted({ ended_at: at });
    for (let round = 0; round < 2; round += 1) await store.grants.endGrant(grant, at);
    expect(await told()).toEqual([ended(grant, "revoked")]);
    const both = [await granted(), await granted()];
    await store.grants.endGrantsOfClient({ tenant_id, client_id }, at);
    expect((await told()).slice(1)).toEqual(expect.arrayContaining(both.map((id) => ended(id, "revoked"))));
  });

  it.each([
    ["secret_removed", () => store.applications.removeSecret(application_id, secret_id, at)],
    ["application_disabled", () => store.applications.setEnabled(application_id, false, at)],
    ["tenant_disabled", () => store.applications.setTenantEnabled(tenant_id, false, at)],
  ] as const)("of all of an application's: %s", async (reason, end) => {
    const grant = await granted();
    await end();
    await end();
    expect(await told()).toEqual([ended(grant, reason)]);
  });

  it("of one that the clean-up finds expired, if a person gave it, and of an operator's in nobody's log", async () => {
    const grant = await granted();
    await granted({ flow: "machine" });
    await granted({ ended_at: at });
    const operators = await granted({ tenant_id: null });
    await store.grants.reapGrants({ at: later(3), issuedBefore: later(2) }, 100);
    expect(await told()).toEqual([ended(grant, "expired")]);
    const { rows } = await database.pool.query("select from events where object_id = $1", [operators]);
    expect(rows).toEqual([]);
  });
});
