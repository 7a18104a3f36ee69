import { describe, expect, it } from "vitest";
import {
  createEmbeddedTestDatabase,
  createPostgresTestDatabase,
  type TestDatabase,
  testDatabaseUrl,
} from "../testing/index.js";
import { createTransactions } from "../transactions.js";
import { createEndedSessions } from "./ended-sessions.js";

const backends: [string, () => Promise<TestDatabase>][] = [["PGlite", createEmbeddedTestDatabase]];
if (testDatabaseUrl) backends.push(["PostgreSQL", createPostgresTestDatabase]);

describe.each(backends)("ended MCP sessions on %s", (_name, open) => {
  it("[C-4.2] are known at once where they ended and two seconds later elsewhere, until they are reaped", {
    timeout: 60_000,
  }, async () => {
    const { pool, close } = await open();
    let now = Date.parse("2026-01-01T00:00:00Z");
    const clock = () => new Date(now);
    const [here, there] = [
      createEndedSessions(createTransactions(pool), clock),
      createEndedSessions(createTransactions(pool), clock),
    ];
    expect(await there.isEnded("a")).toBe(false);
    await here.end("a", new Date(now + 60_000));
    await here.end("a", new Date(now + 60_000));
    expect(await here.isEnded("a")).toBe(true);
    now += 2_000;
    expect([await there.isEnded("a"), await there.isEnded("b")]).toEqual([true, false]);
    expect(await here.reap(clock(), 10)).toBe(0);
    now += 60_000;
    expect(await here.reap(clock(), 10)).toBe(1);
    expect(await here.isEnded("a")).toBe(false);
    await close();
  });
});
