import { addDecimals, CoreError, compareDecimals, decimalOf, negateDecimal, normaliseDecimal } from "@org/core";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { connect, createWorld, type World } from "./world.js";

const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof CoreError ? { code: error.code, fields: error.details?.map((fault) => fault.field) } : error;
};

describe("reading data", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });

  it("[S1-1.6] [S1-1.3] without credentials_token all of the tenant's, and nobody else's", async () => {
    await connect(world, world.alice, "good", "one");
    await connect(world, world.alice, "good", "two", "deu:rhein");
    await connect(world, world.bob, "good", "three");
    const answer = await world.data.holdings(world.alice, { page: 1, page_size: 50 });
    expect(answer).toMatchObject({ total: 4, pages: 1, totals: [{ currency: "EUR", balance: "3000.0000" }] });
    expect(answer).toMatchObject({ sources: [], source_counts: { ok: 2, pending: 0, stale: 0, error: 0 } });
    expect((await world.data.holdings(world.bob, { page: 1, page_size: 50 })).total).toBe(2);
  });

  it("[C-4.9] [C-9.10] [C-4.10] answers exactly the fields named", async () => {
    const { connection_id } = await connect(world, world.alice);
    const answer = await world.data.portfolios(world.alice, {
      page: 1,
      page_size: 50,
      fields: ["balance", "name"],
      include_source_token: true,
    });
    expect(JSON.parse(answer.items_json)).toEqual([
      { balance: "1500.0000", name: "Depot", credentials_token: connection_id },
    ]);
    expect(await failure(world.data.portfolios(world.alice, { page: 1, page_size: 50, fields: ["isin"] }))).toEqual({
      code: "VALIDATION_ERROR",
      fields: ["fields"],
    });
  });

  it("[C-4.12] [C-9.8] ids of others, unknown and malformed ones are NOT_FOUND alike", async () => {
    const { connection_id } = await connect(world, world.bob);
    for (const token of [connection_id as string, "01900000-0000-7000-8000-00000000ffff", "nonsense"])
      expect(
        await failure(world.data.portfolios(world.alice, { credentials_token: token, page: 1, page_size: 1 })),
      ).toEqual({ code: "NOT_FOUND", fields: ["credentials_token"] });
    expect(
      await failure(world.data.holdings(world.alice, { portfolio_id: "nonsense", page: 1, page_size: 1 })),
    ).toEqual({ code: "NOT_FOUND", fields: ["portfolio_id"] });
    expect(
      await failure(
        world.data.transactions(world.alice, {
          investment_id: "01900000-0000-7000-8000-00000000ffff",
          page: 1,
          page_size: 1,
        }),
      ),
    ).toEqual({ code: "NOT_FOUND", fields: ["investment_id"] });
  });

  it("[C-4.21] a product that could not be read is an error of its own, and fails nothing else", async () => {
    const { connection_id } = await connect(world, world.alice, "no-transactions");
    const query = { credentials_token: String(connection_id), page: 1, page_size: 5 };
    expect((await world.data.transactions(world.alice, query)).sources[0]).toMatchObject({
      state: "error",
      as_of: null,
      message: expect.any(String),
    });
    expect((await world.data.portfolios(world.alice, query)).sources[0]).toMatchObject({
      state: "ok",
      as_of: "2026-03-01T18:00:00.000Z",
    });
  });

  it("[C-4.180] as_of is in days, whatever was read; the time stands in sources", async () => {
    const { connection_id } = await connect(world, world.alice, "days");
    const query = { credentials_token: String(connection_id), page: 1, page_size: 5 };
    for (const read of [world.data.portfolios, world.data.transactions])
      expect(await read(world.alice, query)).toMatchObject({
        as_of: { oldest: "2026-03-01", newest: "2026-03-01" },
        sources: [{ as_of: "2026-03-01T18:00:00.000Z" }],
      });
    const { as_of } = await world.data.holdings(world.alice, query);
    expect(as_of.newest).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it("[C-4.17] refuses dates the wrong way round", async () => {
    expect(
      await failure(
        world.data.transactions(world.alice, {
          page: 1,
          page_size: 1,
          start_date: "2026-02-02",
          end_date: "2026-02-01",
        }),
      ),
    ).toMatchObject({ fields: ["start_date"] });
  });
});

describe("decimals", () => {
  const decimal = fc
    .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 10 }))
    .map(([digits, scale]) => {
      const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, "0");
      return `${digits < 0n ? "-" : ""}${scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`}`;
    });
  const scaled = (text: string) =>
    BigInt(text.replace(".", "")) * 10n ** BigInt(20 - (text.split(".")[1]?.length ?? 0));

  it("[C-4.18] sums and comparisons are those of integers at one scale", () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(scaled(addDecimals(a, b))).toBe(scaled(a) + scaled(b));
        expect(addDecimals(a, b).split(".")[1]?.length ?? 0).toBe(
          Math.max(a.split(".")[1]?.length ?? 0, b.split(".")[1]?.length ?? 0),
        );
        expect(compareDecimals(addDecimals(a, negateDecimal(a)), "0")).toBe(0);
        expect(negateDecimal(negateDecimal(a))).toBe(a);
        expect(Math.sign(compareDecimals(a, b))).toBe(scaled(a) < scaled(b) ? -1 : scaled(a) > scaled(b) ? 1 : 0);
      }),
    );
  });

  it.each([
    ["+00000000000115.8331", "115.8331"],
    ["-00000000001500.0000", "-1500.0000"],
    ["000000025.635000000", "25.635000000"],
    ["-0.00", "0.00"],
    [".5", "0.5"],
    ["10.", "10"],
    ["$120", null],
    ["", null],
    ["1e5", null],
    ["1,5", null],
  ])("reads %j as %j", (text, expected) => {
    expect(normaliseDecimal(text)).toBe(expected);
  });

  it.each([
    [0.1, "0.1"],
    [1e-7, "0.0000001"],
    [5, "5"],
    ["1.50", "1.50"],
  ])("[C-4.19] takes the parameter %j as %s", (value, expected) => {
    expect(decimalOf(value)).toBe(expected);
  });
});
