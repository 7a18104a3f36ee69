import type { Storage, Uuid } from "@org/core";
import { createTestRuntime, samples } from "@org/core/testing";
import type { ReadFeed } from "@org/provider-kit";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createDataFeeds } from "../data-feeds.js";
import { readPart } from "../feed-parts.js";

const { newId, newTenant, now, portfolioQuery } = samples;
type TenantUnderTest = samples.TenantUnderTest;

/** Cases about the order among files that state the same day, whichever replica takes them and whatever other replicas are doing. */
export function feedOrderCases(storage: () => Storage): void {
  it("[C-9.34] a file that a replica was slow with does not replace one that came and was taken meanwhile", async () => {
    const { send, shown } = await feedOf(storage());
    const slow = await send("21.00");
    const next = await send("31.50");
    expect(await next.finish()).toMatchObject({ status: "ingested", warnings: [] });
    expect(await slow.finish()).toMatchObject({
      status: "ingested",
      warnings: [{ message: 'is older than what is known of portfolio "Depot", which stays as it is' }],
    });
    expect(await shown()).toBe("31.50");
  });

  it("[C-9.34] a file that is taken while an earlier one is under way stays newer, also when the earlier one is taken first", async () => {
    const { send, shown } = await feedOf(storage());
    const [slow, next] = [await send("21.00"), await send("31.50")];
    await slow.finish();
    expect(await next.finish()).toMatchObject({ status: "ingested", warnings: [] });
    expect(await shown()).toBe("31.50");
  });

  it("[C-9.34] a repetition is as old as the file, also when the replica that had it was killed", async () => {
    const { send, shown } = await feedOf(storage());
    const killed = await send("21.00");
    await (await send("31.50")).finish();
    const repeated = await send("21.00");
    await killed.kill();
    expect(await repeated.finish()).toMatchObject({ status: "ingested" });
    expect(await shown()).toBe("31.50");
    expect(await (await send("21.00")).finish()).toMatchObject({ status: "duplicate" });
    await (await send("40")).finish();
    expect(await shown()).toBe("40");
  });

  it("[C-9.34] bytes keep their number for each connection or letter, also when they come ten times at once", async () => {
    const tenant = await newTenant(storage());
    const [one, two] = [newId(), newId()];
    const note = (target: Uuid, sha256: string) => tenant.run(({ snapshots }) => snapshots.noteArrival(target, sha256));
    const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => note(one, "ab")));
    expect(new Set(others)).toEqual(new Set([first]));
    const second = await note(one, "cd");
    expect(second).toBeGreaterThan(Number(first));
    expect(await note(two, "ab")).toBeGreaterThan(second);
    expect([await note(one, "ab"), await note(one, "cd")]).toEqual([first, second]);
  });

  it("[C-9.260] parts of a file are noted in one order for all files, before any is published: two with parts in common never wait for each other both", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const steps: string[] = [];
    const watched: Storage = {
      ...storage(),
      inTenant: (tenantId, work) =>
        storage().inTenant(tenantId, (stores) => {
          const { noteFile, publish } = stores.snapshots;
          const noted = <Given, Result>(step: (given: Given) => string, take: (given: Given) => Result) => {
            return (given: Given) => {
              steps.push(step(given));
              return take(given);
            };
          };
          const snapshots = {
            ...stores.snapshots,
            noteFile: noted(({ sha256 }) => sha256, noteFile),
            publish: noted(() => "published", publish),
          };
          return work({ ...stores, snapshots });
        }),
    };
    const feeds = createDataFeeds({
      storage: watched,
      runtime: { ...createTestRuntime(), newId },
      bankOf: async () => "Bank",
      readParts: () =>
        ["1.50", "2.50", "3.50"].map((text) => readPart(text, Buffer.from(text), () => statementOf(text))),
    });
    const operator = { application_id: "operator", trace_id: null, address: null };
    const file = { name: "file", bytes: Buffer.from("all") };
    const { parts = [] } = await feeds.ingest(operator, { connection_id }, file);
    expect(parts.map(({ name, status }) => `${name} ${status}`)).toEqual(
      ["1.50", "2.50", "3.50"].map((one) => `${one} ingested`),
    );
    // All of them state one account as of one day.
    expect(steps).toEqual([...parts.map(({ sha256 }) => sha256).sort(), "published"]);
  });

  it("[C-9.34] of uploads, repetitions and kills in any order, the file that came last of those taken is shown", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const { send, shown } = await feedOf(storage());
        const open: { file: number; attempt: Attempt }[] = [];
        let sent = 0;
        let latestTaken = -1;
        const finish = async (index: number) => {
          const [taken] = open.splice(index % open.length, 1);
          await taken?.attempt.finish();
          latestTaken = Math.max(latestTaken, taken?.file ?? -1);
          expect(await shown()).toBe(balanceOf(latestTaken));
        };
        for (const { kind, which } of steps) {
          if (kind === "send") open.push({ file: sent, attempt: await send(balanceOf(sent++)) });
          else if (kind === "repeat" && sent > 0)
            open.push({ file: which % sent, attempt: await send(balanceOf(which % sent)) });
          else if (kind === "kill" && open.length > 0) await open.splice(which % open.length, 1)[0]?.attempt.kill();
          else if (kind === "finish" && open.length > 0) await finish(which);
        }
        while (open.length > 0) await finish(0);
      }),
      { numRuns: 20 },
    );
  }, 120_000);
}

/** An upload that has arrived and is being read. */
interface Attempt {
  /** Lets the replica continue; returns its answer. */
  finish(): Promise<unknown>;
  /** Lets the replica die before it has written anything. */
  kill(): Promise<void>;
}

const step = fc.record({
  kind: fc.constantFrom("send" as const, "send" as const, "repeat" as const, "kill" as const, "finish" as const),
  which: fc.nat(20),
});

const balanceOf = (file: number) => `${file + 1}.50`;

/** A connection whose files state one portfolio as of one moment, and what is shown of it. */
async function feedOf(storage: Storage) {
  const tenant: TenantUnderTest = await newTenant(storage);
  const { connection_id } = await tenant.connect();
  const runtime = createTestRuntime();
  const operator = { application_id: "operator", trace_id: null, address: null };
  return {
    /** Sends a file to a replica of its own; resolves when the replica reads it. */
    async send(balance: string): Promise<Attempt> {
      let reads = () => {};
      const isRead = new Promise<void>((resolve) => {
        reads = resolve;
      });
      let goOn = (_: ReadFeed) => {};
      let die = (_: Error) => {};
      const read = new Promise<ReadFeed>((resolve, reject) => {
        goOn = resolve;
        die = reject;
      });
      const feeds = createDataFeeds({
        storage,
        // Ids in the audit log must be unique across all cases.
        runtime: { ...runtime, newId },
        bankOf: async () => "Bank",
        readParts: async ({ name, bytes }) => {
          reads();
          const statement = await read;
          return [readPart(name, bytes, () => statement)];
        },
      });
      const answer = feeds.ingest(operator, { connection_id }, { name: "file", bytes: Buffer.from(balance) });
      answer.catch(() => undefined);
      await Promise.race([isRead, answer]);
      return {
        finish() {
          goOn(statementOf(balance));
          return answer;
        },
        async kill() {
          die(new Error("killed"));
          await expect(answer).rejects.toThrow("killed");
        },
      };
    },
    async shown(): Promise<string | null> {
      const page = await storage.reader.portfolios(tenant.tenant_id, portfolioQuery({ fields: ["balance"] }));
      return JSON.parse((page as { items_json: string }).items_json)[0]?.balance ?? null;
    },
  };
}

function statementOf(balance: string): ReadFeed {
  const depot = { key: "p", name: "Depot", balance, currency: "EUR", ref_account: null, type: "S" as const };
  return {
    format: "test",
    snapshot: { as_of: now, portfolios: [depot], holdings: [], transactions: [] },
    warnings: [],
  };
}
