import { expect, it } from "vitest";
import type { MovementStatement } from "../../data/movement-store.js";
import { stableId } from "../../data/row-ids.js";
import type { Storage } from "../../storage.js";
import { movement, newTenant } from "../fixture.js";

/** Cases of which messages about movements are found. */
export function relatedMovementCases(storage: () => Storage): void {
  it("[C-9.140] of what more messages tell than one event not all are looked for, and all of what is one", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const id = (name: string) => stableId(connection_id, "reference", "depot", name);
    const message = (...names: readonly string[]) => movement({ references: names.map(id), cancels: [] });
    // A tree: each message has its parent's reference and one of its own, which four others have too.
    const tree = Array.from({ length: 400 }, (_, n) => message(`TREE:${Math.floor(n / 4)}`, `TREE:${n + 1}`));
    const event = Array.from({ length: 20 }, (_, n) =>
      message(`EVENT:${n}`, `EVENT:${Math.floor(n / 2)}`, `EVENT:${n + 1}`),
    );
    const asked = { maxSharing: 200, maxMessages: 20, maxFound: 1_000, ignored: new Set<string>() };
    const known = await tenant.run(async ({ movements }) => {
      await movements.keep(connection_id, [...tree, ...event]);
      return movements.related(connection_id, [message("TREE:0", "EVENT:3"), tree[399] as MovementStatement], asked);
    });
    const found = new Set(known?.statements.map(({ statement_id }) => statement_id));
    const countOf = (messages: readonly MovementStatement[]) =>
      messages.filter(({ statement_id }) => found.has(statement_id)).length;
    expect([countOf(event), found.has(tree[399]?.statement_id as never)]).toEqual([20, true]);
    expect(countOf(tree)).toBeGreaterThan(20);
    expect(countOf(tree)).toBeLessThan(250);
  });

  it("of messages of which more are known than are read at a time nobody is told, and of fewer of them all is", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const id = (name: string) => stableId(connection_id, "reference", "depot", name);
    const message = (...names: readonly string[]) => movement({ references: names.map(id), cancels: [] });
    const events = Array.from({ length: 30 }, (_, event) => Array.from({ length: 4 }, () => message(`EVENT:${event}`)));
    const asked = { maxSharing: 200, maxMessages: 20, maxFound: 60, ignored: new Set<string>() };
    const [crossing, few] = [events, events.slice(0, 15)].map((some) => message(...some.map((_, n) => `EVENT:${n}`)));
    const found = await tenant.run(async ({ movements }) => {
      const known = events.flat();
      await movements.keep(connection_id, known);
      const asOne = async (...some: readonly (MovementStatement | undefined)[]) =>
        (await movements.related(connection_id, some as MovementStatement[], asked))?.statements.length ?? null;
      const [first, again] = [known[0] as MovementStatement, crossing as MovementStatement];
      const unknown = await movements.unknown(connection_id, [first, again, again]);
      return [await asOne(crossing), await asOne(few), await asOne(first), unknown];
    });
    expect(found).toEqual([null, 60, 4, [crossing]]);
  });

  it("[C-8.88] a correction keeps the transaction that it was of first, in its own connection", async () => {
    const tenant = await newTenant(storage());
    const [one, other] = [await tenant.connect(), await tenant.connect()];
    const id = (name: string) => stableId(one.connection_id, "correction", "depot", name);
    const known = await tenant.run(async ({ movements }) => {
      await movements.keepCorrected(one.connection_id, new Map([[id("a"), id("1")]]));
      const again = new Map(["a", "b"].map((name) => [id(name), id("2")]));
      await movements.keepCorrected(one.connection_id, again);
      await movements.keepCorrected(one.connection_id, new Map());
      const asked = ["b", "a", "c", "a"].map(id);
      return {
        own: await movements.corrected(one.connection_id, asked),
        others: await movements.corrected(other.connection_id, asked),
      };
    });
    expect(known.own).toEqual(
      new Map([
        [id("a"), id("1")],
        [id("b"), id("2")],
      ]),
    );
    expect(known.others.size).toBe(0);
  });
}
