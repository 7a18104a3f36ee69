import type { Uuid } from "@org/core";
import { samples } from "@org/core/testing";
import type { PoolClient, QueryArrayConfig } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testBackends } from "../testing/index.js";
import { createTransactions } from "../transactions.js";
import { createOAuthStore } from "./oauth-store.js";

describe.each(testBackends)("an exchange of a refresh token whose answer is lost, on $name", ({ create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database?.close());

  /** Grants of a server whose connection breaks at the first exchange, before or after the database made it. */
  function grantsOver(breaks: "before" | "after" | "at the connection") {
    let left = 1;
    const lost = () => new Error("Connection terminated unexpectedly");
    const breaking = (client: PoolClient) =>
      new Proxy(client, {
        get(target, name) {
          const own = Reflect.get(target, name, target);
          if (name !== "query") return typeof own === "function" ? own.bind(target) : own;
          const ask = async (query: QueryArrayConfig, values?: unknown[]) => {
            const breaksNow = query.name?.startsWith("rotate_refresh_token") && left > 0;
            if (!breaksNow) return target.query(query, values);
            left -= 1;
            if (breaks === "before") throw lost();
            await target.query(query);
            throw lost();
          };
          return (query: QueryArrayConfig, values?: unknown[], tell?: (error: unknown, result?: unknown) => void) => {
            if (!tell) return ask(query, values);
            ask(query, values).then((result) => tell(null, result), tell);
          };
        },
      });
    const pool = new Proxy(database.pool, {
      get(target, name) {
        if (name === "release") return (...given: Parameters<typeof target.release>) => target.release(...given);
        if (name !== "acquire") return Reflect.get(target, name, target);
        return async () => {
          if (breaks === "at the connection") throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
          return breaking(await target.acquire());
        };
      },
    });
    return createOAuthStore(createTransactions(pool)).grants;
  }

  async function liveGrant(): Promise<Uuid> {
    const grant_id = samples.newId();
    const expires = samples.later(60);
    const row = {
      grant_id,
      application_id: grant_id,
      secret_id: grant_id,
      client_id: "c",
      flow: "machine",
      scopes: [],
      audience: [],
      created_at: samples.now,
      refresh_seconds: 60,
      refresh_expires_at: expires,
      last_issued_at: samples.now,
      token_hash: `first ${grant_id}`,
      is_confidential: false,
      is_limited: false,
    };
    await database.pool.query("insert into grants select r.* from jsonb_populate_record(null::grants, $1) r", [row]);
    return grant_id;
  }

  const rotation = (grant_id: Uuid, from: string, to: string) => ({
    grant_id,
    token_hash: `${from} ${grant_id}`,
    next_token_hash: `${to} ${grant_id}`,
    at: samples.later(1),
    is_authenticated: false,
  });

  it.each(["before", "after"] as const)(
    "[S1-5.7] is found out, and answered: the connection broke %s the commit",
    async (breaks) => {
      const grant_id = await liveGrant();
      const grants = grantsOver(breaks);
      expect(await grants.rotateRefreshToken(rotation(grant_id, "first", "second"))).toMatchObject({
        outcome: "rotated",
        grant: { grant_id, ended_at: null, last_issued_at: samples.later(1) },
      });
      expect(await grants.rotateRefreshToken(rotation(grant_id, "second", "third"))).toMatchObject({
        outcome: "rotated",
      });
      expect(await grants.rotateRefreshToken(rotation(grant_id, "first", "fourth"))).toMatchObject({
        outcome: "refused",
        reason: "reused",
      });
    },
  );

  it.each(["before", "after"] as const)(
    "[S1-5.7] is found out for every one of those that were exchanged together: %s the commit",
    async (breaks) => {
      const ids = [await liveGrant(), await liveGrant(), await liveGrant()];
      const grants = grantsOver(breaks);
      const results = await Promise.all(ids.map((id) => grants.rotateRefreshToken(rotation(id, "first", "second"))));
      expect(results).toMatchObject(
        ids.map((grant_id) => ({ outcome: "rotated", grant: { grant_id, ended_at: null } })),
      );
      for (const grant_id of ids)
        expect(await grants.rotateRefreshToken(rotation(grant_id, "second", "third"))).toMatchObject({
          outcome: "rotated",
        });
    },
  );

  it("is refused as reuse where somebody else has exchanged the token meanwhile", async () => {
    const grant_id = await liveGrant();
    const others = createOAuthStore(createTransactions(database.pool)).grants;
    await others.rotateRefreshToken(rotation(grant_id, "first", "stolen"));
    const answer = await grantsOver("before").rotateRefreshToken(rotation(grant_id, "first", "second"));
    expect(answer).toMatchObject({ outcome: "refused", reason: "reused" });
  });

  it("is no question where the database could not be reached: nothing is consumed", async () => {
    const grant_id = await liveGrant();
    const exchange = rotation(grant_id, "first", "second");
    const away = grantsOver("at the connection").rotateRefreshToken(exchange);
    await expect(away).rejects.toMatchObject({ code: "unavailable" });
    const grants = createOAuthStore(createTransactions(database.pool)).grants;
    expect(await grants.rotateRefreshToken(exchange)).toMatchObject({ outcome: "rotated" });
  });
});
