import type { Uuid } from "@org/core";
import { beforeEach, describe, expect, it } from "vitest";
import { advanceIn, submitTo } from "../../core/test/letter-steps.js";
import { createWorld, type World } from "./world.js";

const DAY = 24 * 60 * 60 * 1000;

let world: World;
let letterId: Uuid;
let files: number;
beforeEach(async () => {
  world = await createWorld();
  letterId = await submitTo(world, {});
  await advanceIn(world, letterId, "WaitingForData");
  files = 0;
});

const dayOf = (date: Date) => date.toISOString().slice(0, 10);
const ingest = (day = dayOf(world.runtime.clock())) => {
  files += 1;
  const file = { name: "positions.txt", bytes: Buffer.from(`UNITS ${files} OF ${day} IN a`) };
  return world.dataFeeds.ingest(world.operator, { letter_id: letterId }, file);
};
/** How many days after the latest file the data are not stale yet. */
async function daysUntilStale(): Promise<number> {
  for (let days = 0; days < 400; days += 1) {
    const { sources } = await world.data.holdings(world.alice, { page: 1, page_size: 10 });
    if (sources[0]?.state === "stale") return days;
    world.runtime.advance(DAY);
  }
  return Number.POSITIVE_INFINITY;
}

describe("[C-4.111] data of files are stale", () => {
  it.each([
    ["of a day", 1, 5],
    ["of two days", 2, 6],
    ["of a week", 7, 21],
    ["of a month", 30, 90],
  ])("after three intervals %s, and not before the fifth day", async (_, interval, days) => {
    for (let file = 0; file < 4; file += 1) {
      if (file > 0) world.runtime.advance(interval * DAY);
      await ingest();
    }
    expect(await daysUntilStale()).toBe(days);
  });

  it("after five days where one file came; where a day had many, they count once", async () => {
    await ingest();
    await ingest();
    expect(await daysUntilStale()).toBe(5);
    for (let month = 0; month < 3; month += 1) {
      world.runtime.advance(30 * DAY);
      for (let file = 0; file < 7; file += 1) await ingest();
    }
    expect(await daysUntilStale()).toBe(90);
  });

  it("from the beginning where they are of 2009, and a later file does not age what is newer", async () => {
    await ingest("2009-03-01");
    const source = async () => (await world.data.portfolios(world.alice, { page: 1, page_size: 10 })).sources[0];
    expect(await source()).toMatchObject({ state: "stale", as_of: expect.stringMatching(/^2009-03-01/) });
    await ingest();
    expect(await source()).toBeUndefined();
    await ingest("2009-03-02");
    expect(await source()).toBeUndefined();
  });
});
