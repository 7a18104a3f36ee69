import type { Storage } from "@org/core";
import { describe, expect, it } from "vitest";
import type { Logger } from "../log.js";
import { cleanUp } from "./clean-up.js";

type Reap = (limit: number, batch: number) => Readonly<Record<string, number>>;

/** One run of the clean-up; one of the authorization server's batches takes `batchMs`. */
async function runOnce({
  reap,
  batchMs = 10,
  core,
  objects = 0,
}: {
  reap: Reap;
  batchMs?: number;
  core?: Reap;
  objects?: number;
}) {
  const [lines, errors, quiet]: [unknown[], unknown[], unknown[]] = [[], [], []];
  let now = new Date("2026-01-15T12:00:00Z").getTime();
  let batches = 0;
  const upkeep = {
    expireSessions: async () => 0,
    keepMonths: async () => 0,
    reap: async (_: unknown, limit: number) => core?.(limit, 0) ?? {},
  };
  const { jobs } = cleanUp({
    storage: { upkeep, limits: { overrides: async () => [] } } as unknown as Storage,
    features: [
      {},
      {
        reap: async (_now, limit) => {
          now += batchMs;
          return reap(limit, batches++);
        },
      },
    ],
    reapObjects: async () => objects,
    clock: () => new Date(now),
    historyDays: 3_660,
    log: {
      info: (...line: unknown[]) => lines.push(line),
      error: (...line: unknown[]) => errors.push(line),
      debug: (...line: unknown[]) => quiet.push(line),
    } as unknown as Logger,
  });
  const counts = await jobs[0].run(new AbortController().signal);
  return { counts, batches, lines, errors, quiet };
}

describe("[C-9.18] the clean-up", () => {
  it("takes batch after batch while any kind fills one, and tells the sums", async () => {
    const rows = { grants: 2_345, guesses: 700, clients: 0 };
    const sums = { sessions_expired: 0, ...rows };
    const left: Record<string, number> = { ...rows };
    const reap = (limit: number) =>
      Object.fromEntries(
        Object.keys(left).map((kind) => {
          const count = Math.min(limit, left[kind] ?? 0);
          left[kind] = (left[kind] ?? 0) - count;
          return [kind, count];
        }),
      );
    const { counts, batches, lines } = await runOnce({ reap });
    expect(counts).toEqual(sums);
    expect(batches).toBe(5);
    expect(lines).toEqual([[{ counts: sums }, "clean-up"]]);
  });

  it("takes one batch when there is little, and says nothing when there is nothing", async () => {
    expect(await runOnce({ reap: () => ({ grants: 3 }) })).toMatchObject({ batches: 1, counts: { grants: 3 } });
    expect(await runOnce({ reap: () => ({ grants: 0 }) })).toMatchObject({ batches: 1, lines: [] });
  });

  it("begins no batch after ten seconds: the rest waits for the next run", async () => {
    const { batches, counts } = await runOnce({ reap: (limit) => ({ grants: limit }), batchMs: 1_000 });
    expect(batches).toBe(10);
    expect(counts.grants).toBeGreaterThan(0);
  });

  it("goes on with the authorization server when the core's part fails, and keeps what was removed before a failure", async () => {
    const core = () => {
      throw new Error("the core's");
    };
    const reap = (limit: number, batch: number) => {
      if (batch === 2) throw new Error("the authorization server's");
      return { grants: limit };
    };
    const { counts, errors } = await runOnce({ core, reap });
    expect(counts).toEqual({ grants: 1_000 });
    expect(errors).toHaveLength(2);
  });

  it("counts the objects that went from the bucket", async () => {
    const { counts, lines } = await runOnce({ reap: () => ({}), objects: 3 });
    expect(counts).toMatchObject({ objects: 3 });
    expect(lines).toEqual([[{ counts }, "clean-up"]]);
  });

  it("[C-9.38] leaves it to whoever watches over the database to say that it is away", async () => {
    const away = () => {
      throw Object.assign(new Error("the database cannot be reached"), { code: "unavailable" });
    };
    const { errors, quiet } = await runOnce({ core: away, reap: away });
    expect([errors, quiet.length]).toEqual([[], 2]);
  });
});
