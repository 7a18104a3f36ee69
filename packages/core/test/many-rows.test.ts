import type { FetchedSnapshot } from "@org/provider-kit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRefreshes, type Storage, type TransactionSlice, type Uuid } from "../src/index.js";
import { createMemoryTenantAccess, directoryOf } from "../src/testing/index.js";
import { connect, createWorld, scriptedBank, snapshotOf, type World } from "./world.js";

const ROWS = 1_200;
const SLICE = 500;
const DAY = 24 * 60 * 60_000;

let world: World;
let connectionId: Uuid;
beforeEach(async () => {
  world = await createWorld();
  connectionId = (await connect(world, world.alice)).connection_id as Uuid;
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Many transactions, whose keys begin with `prefix`. */
function transactions(prefix: string) {
  const [known] = snapshotOf("1").transactions ?? [];
  if (!known) throw new Error("the sample has no transaction");
  return Array.from({ length: ROWS }, (_, n) => ({ ...known, key: `${prefix}${n}`, description: `${prefix} ${n}` }));
}

/** Refreshes with what the bank states now. */
async function refresh(storage: Storage, stated: Partial<FetchedSnapshot>, waits: string[] = []) {
  world.runtime.advance(DAY);
  world.bank.refresh = async () => ({ snapshot: { ...snapshotOf("99"), ...stated }, consent_expires_at: null });
  const loop = {
    wait: (whose: () => { readonly name: string }) => {
      waits.push(whose().name);
      return null;
    },
  };
  const refreshes = createRefreshes({
    storage,
    runtime: { ...world.runtime, loop },
    providers: directoryOf(scriptedBank(world.bank)),
    connectors: world.connectors,
    access: createMemoryTenantAccess(),
  });
  expect(await refreshes.refresh(world.alice, connectionId)).toMatchObject({ outcome: "refreshed" });
}

describe("[C-5.228] thousands of transactions of a bank", () => {
  const { portfolio_key } = transactions("")[0] ?? { portfolio_key: "" };
  const corrected = transactions("").map((_, n) => ({ portfolio_key, key: `a${n}`, by: `b${n}` }));
  const withdrawn = corrected.map(({ by }) => ({ portfolio_key, key: by }));

  it.each<[string, Partial<FetchedSnapshot>]>([
    ["new ones", { transactions: transactions("a") }],
    ["corrected ones", { transactions: transactions("b"), corrected }],
    ["withdrawn ones", { transactions: [], withdrawn }],
  ])("become rows one in a step, and the tenant pays for each step: %s", async (_, stated) => {
    // Whoever looks at the clock finds that it is time to let others in.
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => {
      now += 11;
      return now;
    });
    const waits: string[] = [];
    await refresh(world.storage, stated, waits);
    const { transactions = [], corrected = [], withdrawn = [] } = stated;
    expect(waits.length).toBeGreaterThan((transactions?.length ?? 0) + corrected.length + withdrawn.length);
    expect(new Set(waits)).toEqual(new Set([world.alice.tenant_id]));
  });

  it("are corrected and withdrawn in slices of five hundred, and others have a turn before each", async () => {
    const sizes: { readonly rows: number; readonly withdrawn: number; readonly turns: number }[] = [];
    let turns = 0;
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    async function* counted(slices: AsyncIterable<TransactionSlice>): AsyncGenerator<TransactionSlice> {
      let before = turns;
      for await (const slice of slices) {
        sizes.push({ rows: slice.transactions.length, withdrawn: slice.withdrawn.length, turns: turns - before });
        before = turns;
        yield slice;
      }
    }
    const storage: Storage = {
      ...world.storage,
      inTenant: (tenantId, work) =>
        world.storage.inTenant(tenantId, (stores) =>
          work({
            ...stores,
            snapshots: {
              ...stores.snapshots,
              publish: ({ transactions: all, ...publication }) =>
                stores.snapshots.publish({
                  ...publication,
                  ...(all && { transactions: Symbol.asyncIterator in all ? counted(all) : all }),
                }),
            },
          }),
        ),
    };
    await refresh(storage, { transactions: transactions("a") });
    await refresh(storage, { transactions: [...transactions("b"), ...transactions("c")], corrected });
    await refresh(storage, { transactions: [], withdrawn });
    clearImmediate(next);
    const sum = (count: "rows" | "withdrawn") => sizes.reduce((all, one) => all + one[count], 0);
    expect({ rows: sum("rows"), withdrawn: sum("withdrawn") }).toEqual({ rows: 2 * ROWS, withdrawn: ROWS });
    for (const { rows, withdrawn: gone, turns: given } of sizes) {
      expect(rows + gone).toBeLessThanOrEqual(SLICE);
      expect(given).toBeGreaterThan(0);
    }
  });

  it("keep their first ids, whichever slice a correction is in", async () => {
    const shown = async () => {
      const query = { credentials_token: connectionId, page: 1, page_size: 2_000, fields: ["id", "description"] };
      const { items_json, total } = await world.data.transactions(world.alice, query as never);
      return { total, rows: JSON.parse(items_json) as { id: string; description: string }[] };
    };
    const ids = async () => new Set((await shown()).rows.map(({ id }) => id));
    await refresh(world.storage, { transactions: transactions("a") });
    const { total } = await shown();
    const before = await ids();
    // Each is corrected twice, the second time by a correction far from the first one.
    const again = corrected.map(({ key }) => ({
      portfolio_key,
      key: key.replace("a", "b"),
      by: key.replace("a", "c"),
    }));
    await refresh(world.storage, {
      transactions: [...transactions("b"), ...transactions("c")],
      corrected: [...corrected, ...again],
    });
    expect((await shown()).total).toBe(total);
    expect(await ids()).toEqual(before);
    await refresh(world.storage, {
      transactions: transactions("d"),
      corrected: again.map(({ by, ...one }) => ({ ...one, key: by, by: by.replace("c", "d") })),
    });
    expect((await shown()).total).toBe(total);
    expect(await ids()).toEqual(before);
  });
});
