import { FeedRefusal } from "@org/provider-kit";
import { createWorld as createCoreWorld, snapshotOf } from "../../core/test/world.js";
import { createDataFeeds, createFeedSilence, type FeedReport, readPart } from "../src/index.js";

export { connect, linkOf, snapshotOf } from "../../core/test/world.js";

/** Core's world with data feeds. */
export async function createWorld(...options: Parameters<typeof createCoreWorld>) {
  const world = await createCoreWorld(...options);
  const { storage, runtime, bankOf } = world;
  const files: FeedReport[] = [];
  return {
    ...world,
    dataFeeds: createDataFeeds({
      storage,
      runtime,
      bankOf,
      readParts: ({ name, bytes }) => [readPart(name, bytes, readFeed)],
      onFile: (report) => files.push(report),
    }),
    /** Reports about files. */
    files,
    feedSilence: createFeedSilence({ storage, runtime, silentDays: 7 }),
  };
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/** Reads a feed of one line: `UNITS <decimal>`, optionally `OF <day>` and `IN <portfolio>`. */
function readFeed(file: Uint8Array) {
  const match = /^UNITS (\S+?)(?: OF (\S+))?(?: IN (\S+))?$/.exec(Buffer.from(file).toString("utf8"));
  if (!match?.[1]) throw new FeedRefusal("line 1, column 1", "must be UNITS and a number");
  const [, units, day, portfolio = "p1"] = match;
  const snapshot = snapshotOf(units);
  const renamed = {
    as_of: day === undefined ? snapshot.as_of : new Date(day),
    portfolios: snapshot.portfolios?.map((row) => ({ ...row, key: portfolio, name: `Depot ${portfolio}` })) ?? null,
    holdings: snapshot.holdings?.map((row) => ({ ...row, portfolio_key: portfolio })) ?? null,
    transactions: snapshot.transactions?.map((row) => ({ ...row, portfolio_key: portfolio, key: `t${units}` })) ?? null,
  };
  return {
    format: "units",
    snapshot: portfolio === "p1" && day === undefined ? snapshot : renamed,
    warnings: units.startsWith("0") ? [{ place: "line 1, column 7", message: "a zero that says nothing" }] : [],
  };
}
