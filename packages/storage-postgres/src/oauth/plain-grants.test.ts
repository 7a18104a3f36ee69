import { randomUUID } from "node:crypto";
import { samples } from "@org/core/testing";
import type { QueryArrayConfig } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresTestDatabase, type TestDatabase, testBackends, testDatabaseUrl } from "../testing/index.js";
import { createTransactions, type Transactions } from "../transactions.js";
import { createOAuthStore } from "./oauth-store.js";

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

describe.each(testBackends)("[S1-5.7] grants that are asked for at once, on $name", ({ create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database?.close());
  const world = () => worldOn(database);

  it("are issued with few statements, all of them, each under its own secret", async () => {
    const { grants, statements, newApplication, stored } = world();
    const applications = [await newApplication(), await newApplication(), await newApplication({ enabled: false })];
    const asked = many(30, (n) => newGrant(applications[n % 3] as Application));
    const foreign = newGrant({ ...(applications[0] as Application), secret_id: applications[1]?.secret_id as string });
    const outcomes = await Promise.all([...asked, foreign].map((grant) => grants.issueGrant(grant)));
    expect(outcomes).toEqual([...many(30, (n) => (n % 3 === 2 ? "not_allowed" : "issued")), "not_allowed"]);
    expect(await stored(asked)).toBe(20);
    expect(statements.filter((name) => name === "issue_grants").length).toBeLessThan(4);
  });

  it("fail alone: one that is there already takes none along", async () => {
    const { grants, newApplication, stored } = world();
    const application = await newApplication();
    const [first, ...others] = many(10, () => newGrant(application));
    await grants.issueGrant(first as Grant);
    const outcomes = await Promise.allSettled([first as Grant, ...others].map((grant) => grants.issueGrant(grant)));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", ...many(9, () => "fulfilled")]);
    expect(await stored(others)).toBe(9);
  });

  it("have their tokens exchanged with few statements, and what is refused is refused as by itself", async () => {
    const { grants, statements, newApplication } = world();
    const application = await newApplication();
    const asked = many(20, () => newGrant(application));
    await Promise.all(asked.map((grant) => grants.issueGrant(grant)));
    const [late, other, wide, used] = asked as [Grant, Grant, Grant, Grant];
    await grants.rotateRefreshToken(exchangeOf(used));
    const refused = [
      { ...exchangeOf(late), at: samples.later(100_000) },
      { ...exchangeOf(other), client_id: "another" },
      { ...exchangeOf(wide), scopes: ["operator"] },
      exchangeOf(used),
      { ...exchangeOf(used), grant_id: samples.newId() },
    ];
    statements.length = 0;
    const results = await Promise.all(
      [...refused, ...asked.slice(4).map((grant) => exchangeOf(grant))].map((one) => grants.rotateRefreshToken(one)),
    );
    const reasons = results.map((result) => (result.outcome === "refused" ? result.reason : result.outcome));
    expect(reasons).toEqual(["expired", "other_client", "scope", "reused", "unknown", ...many(16, () => "rotated")]);
    const { refresh_token_hash: _, ...kept } = asked[4] as Grant;
    expect(results[5]).toEqual({
      outcome: "rotated",
      grant: {
        ...kept,
        person_id: null,
        is_confidential: false,
        is_limited: false,
        dpop_jkt: null,
        ended_at: null,
        last_issued_at: samples.later(60),
        refresh_expires_at: samples.later(60 + 86_400),
      },
    });
    expect(statements.filter((name) => name === "rotate_refresh_tokens").length).toBeLessThan(4);
  });

  it("have each token exchanged once: of those that race with it all others are reuse", async () => {
    const { grants, newApplication } = world();
    const application = await newApplication();
    const asked = many(5, () => newGrant(application));
    await Promise.all(asked.map((grant) => grants.issueGrant(grant)));
    const racing = many(20, (n) => exchangeOf(asked[n % 5] as Grant));
    const results = await Promise.all(racing.map((one) => grants.rotateRefreshToken(one)));
    for (const { grant_id } of asked) {
      const own = results.filter((_, n) => racing[n]?.grant_id === grant_id).map((result) => result.outcome);
      expect(own.toSorted()).toEqual(["refused", "refused", "refused", "rotated"]);
      expect((await grants.findGrant(grant_id))?.ended_at).toEqual(samples.later(60));
    }
  });
});

describe.skipIf(!testDatabaseUrl)("[security.md] while somebody holds what a grant needs, on PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
  });
  afterAll(() => database?.close());

  it.each([
    ["its application", "select from applications where application_id = $1 for update", "application_id"],
    ["its secret", "select from application_secrets where secret_id = $1 for update", "secret_id"],
  ] as const)("grants of others are issued: %s", async (_, lock, held) => {
    const { grants, newApplication } = worldOn(database);
    const [busy, free] = [await newApplication(), await newApplication()];
    const release = await hold(lock, busy[held]);
    const waiting = grants.issueGrant(newGrant(busy));
    const outcomes = await Promise.all(many(10, () => grants.issueGrant(newGrant(free))));
    expect(outcomes).toEqual(many(10, () => "issued"));
    await release();
    expect(await waiting).toBe("issued");
  });

  it("tokens of others are exchanged", async () => {
    const { grants, newApplication } = worldOn(database);
    const application = await newApplication();
    const asked = many(10, () => newGrant(application));
    await Promise.all(asked.map((grant) => grants.issueGrant(grant)));
    const [busy, ...free] = asked as [Grant, ...Grant[]];
    const release = await hold("select from grants where grant_id = $1 for update", busy.grant_id);
    const waiting = grants.rotateRefreshToken(exchangeOf(busy));
    const results = await Promise.all(free.map((grant) => grants.rotateRefreshToken(exchangeOf(grant))));
    expect(results.map(({ outcome }) => outcome)).toEqual(many(9, () => "rotated"));
    await release();
    expect(await waiting).toMatchObject({ outcome: "rotated" });
  });

  /** Locks a row until the returned function is called. */
  async function hold(lock: string, id: string): Promise<() => Promise<void>> {
    const holder = await database.pool.connect();
    await holder.query("begin");
    await holder.query(lock, [id]);
    return async () => {
      await holder.query("rollback");
      holder.release();
    };
  }
});

type Application = Readonly<Record<"application_id" | "client_id" | "secret_id", string>>;
type Grant = ReturnType<typeof newGrant>;

/** A store like a server's that records the names of its statements. */
function worldOn({ pool }: TestDatabase) {
  const transactions = createTransactions(pool);
  const statements: (string | undefined)[] = [];
  const noted: Transactions = {
    ...transactions,
    statement<Row extends unknown[]>(query: QueryArrayConfig) {
      statements.push(query.name);
      return transactions.statement<Row>(query);
    },
  };
  const { grants } = createOAuthStore(noted);
  return {
    grants,
    statements,
    async newApplication({ enabled = true } = {}): Promise<Application> {
      const [application_id, secret_id] = [randomUUID(), samples.newId()];
      const client_id = `wca_${application_id}`;
      await pool.query("insert into applications values ($1, null, $2, 'Case', '{letters:read}', $3, '{}', $4)", [
        ...[application_id, client_id, enabled, samples.now],
      ]);
      await pool.query("insert into application_secrets values ($1, $2, '1.x', $3)", [
        ...[application_id, secret_id, samples.now],
      ]);
      return { application_id, client_id, secret_id };
    },
    /** How many of them are stored. */
    async stored(asked: readonly Grant[]): Promise<number> {
      const ids = asked.map(({ grant_id }) => grant_id);
      const { rows } = await pool.query("select count(*)::int as stored from grants where grant_id = any ($1)", [ids]);
      return rows[0].stored;
    },
  };
}

function newGrant(application: Application) {
  return {
    ...application,
    ...({
      grant_id: samples.newId(),
      tenant_id: null,
      flow: "machine",
      scopes: ["letters:read"],
      audience: ["a"],
    } as const),
    created_at: samples.now,
    refresh_seconds: 86_400,
    refresh_token_hash: `1.${randomUUID()}`,
  };
}

function exchangeOf({ grant_id, refresh_token_hash }: Grant) {
  return {
    grant_id,
    token_hash: refresh_token_hash,
    next_token_hash: `1.${randomUUID()}`,
    at: samples.later(60),
    is_authenticated: false,
  };
}
