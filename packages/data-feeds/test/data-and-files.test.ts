import { CoreError, type Uuid } from "@org/core";
import { beforeEach, describe, expect, it } from "vitest";
import { connect, createWorld, type World } from "./world.js";

const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof CoreError ? { code: error.code, fields: error.details?.map((fault) => fault.field) } : error;
};

describe("data of files", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });

  it("[C-4.25] stays on its snapshot until that is no longer kept", async () => {
    const { connection_id } = await connect(world, world.alice);
    const { snapshot } = await world.data.holdings(world.alice, { page: 1, page_size: 1 });
    await world.dataFeeds.ingest(
      world.operator,
      { connection_id: connection_id as string },
      { name: "f", bytes: Buffer.from("UNITS 77") },
    );
    const at = async (page: { snapshot?: string }) =>
      JSON.parse((await world.data.holdings(world.alice, { page: 1, page_size: 1, ...page })).items_json)[0].amount;
    expect([await at({ snapshot }), await at({})]).toEqual(["10.5", "77"]);
    for (const damaged of ["r999999", "x1", ""])
      expect(
        await failure(world.data.holdings(world.alice, { page: 1, page_size: 1, snapshot: damaged })),
      ).toMatchObject({ fields: ["snapshot"] });
  });

  it.each([true, false])("without a letter a file leaves `blocked` as it is: %s", async (blocked) => {
    const { connection_id } = await connect(world, world.alice);
    const token = connection_id as Uuid;
    await world.storage.inTenant(world.alice.tenant_id, async ({ connections }) => {
      const connection = await connections.find(token);
      if (connection) await connections.save(token, { status: { ...connection.status, blocked } });
    });
    const file = { name: "f", bytes: Buffer.from("UNITS 77") };
    await world.dataFeeds.ingest(world.operator, { connection_id: token }, file);
    expect(await world.credentials.status(world.alice, token)).toMatchObject({ blocked });
  });
});
