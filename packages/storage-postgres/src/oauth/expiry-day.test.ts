import type { Uuid } from "@org/core";
import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testBackends } from "../testing/index.js";
import { createTransactions } from "../transactions.js";
import { createOAuthStore } from "./oauth-store.js";

describe.each(testBackends)("the day on which a grant's refresh token expires, on $name", ({ create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database?.close());

  const grants = () => createOAuthStore(createTransactions(database.pool)).grants;
  const at = new Date("2026-01-30T22:00:00Z");
  const hours = (count: number) => new Date(at.getTime() + count * 3_600_000);

  async function granted(): Promise<Uuid> {
    const grant_id = samples.newId();
    const row = {
      grant_id,
      application_id: grant_id,
      secret_id: grant_id,
      client_id: "c",
      flow: "machine",
      scopes: [],
      audience: [],
      created_at: at,
      refresh_seconds: 3_600,
      refresh_expires_at: hours(1),
      last_issued_at: at,
      token_hash: `0 ${grant_id}`,
      is_confidential: false,
      is_limited: false,
    };
    await database.pool.query("insert into grants select r.* from jsonb_populate_record(null::grants, $1) r", [row]);
    return grant_id;
  }

  async function rotated(grant_id: Uuid, from: number, when: Date): Promise<unknown> {
    const hashes = { token_hash: `${from} ${grant_id}`, next_token_hash: `${from + 1} ${grant_id}` };
    await grants().rotateRefreshToken({ grant_id, ...hashes, at: when, is_authenticated: false });
    return dayOf(grant_id);
  }

  async function dayOf(grant_id: string): Promise<unknown> {
    const { rows } = await database.pool.query("select expires_on::text from grants where grant_id = $1", [grant_id]);
    return rows[0]?.expires_on;
  }

  it("is that of UTC, and changes only with an exchange that leads to another day", async () => {
    const id = await granted();
    expect(await dayOf(id)).toBe("2026-01-30");
    expect(await rotated(id, 0, hours(0.5))).toBe("2026-01-30");
    expect(await rotated(id, 1, hours(1.25))).toBe("2026-01-31");
  });

  it("is all that an index has of what an exchange changes, so that the row alone is written", async () => {
    const { rows } = await database.pool.query<{ definition: string }>(
      "select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = 'grants'::regclass",
    );
    const changing = /refresh_expires_at|last_issued_at|token_hash|consumed_hash|replay_|is_confidential/;
    expect(rows.filter(({ definition }) => changing.test(definition))).toEqual([]);
  });

  it("leaves nobody out who has none", async () => {
    const [dead, alive] = [await granted(), await granted()];
    await rotated(alive, 0, hours(0.5));
    await database.pool.query("update grants set expires_on = null where grant_id = any ($1)", [[dead, alive]]);
    await grants().reapGrants({ at: hours(1.25), issuedBefore: hours(1) }, 1_000);
    expect([await grants().findGrant(dead), (await grants().findGrant(alive))?.grant_id]).toEqual([null, alive]);
  });
});
