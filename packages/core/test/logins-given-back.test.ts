import type { RevokeRequest } from "@org/provider-kit";
import { expect, it } from "vitest";
import { connect, createWorld, linkOf } from "./world.js";

/** A world whose bank notes what is given back to it. */
async function worldWithRevocations() {
  const given: object[] = [];
  const revoke = async ({ access, kept_accesses }: RevokeRequest) => void given.push({ access, kept_accesses });
  return { world: await createWorld({ revoke }), given };
}

it("[C-5.214] a login that ends as AlreadyExists gives its access back, with that of the connection that stays beside it", async () => {
  const { world, given } = await worldWithRevocations();
  const { connection_id } = await connect(world, world.alice, "good");
  expect(await connect(world, world.alice, "more")).toMatchObject({ error_code: "AlreadyExists", connection_id });
  await expect
    .poll(() => given)
    .toEqual([
      { access: { username: "user-1", password: "more" }, kept_accesses: [{ username: "user-1", password: "good" }] },
    ]);
  // The same access as the connection's is the connection's.
  expect(await connect(world, world.alice, "good")).toMatchObject({ error_code: "AlreadyExists", connection_id });
  expect(await connect(world, world.alice, "data blocked")).toMatchObject({ error_code: "UserInteractionNeeded" });
  expect(await connect(world, world.alice, "no-transactions")).toMatchObject({ error_code: "AlreadyExists" });
  await expect.poll(() => given).toHaveLength(2);
  expect(given).toMatchObject([
    { access: { username: "user-1", password: "more" } },
    { access: { username: "user-1", password: "no-transactions" } },
  ]);
});

it("[C-5.214] a repair with another's login gives that login's access back, and not that of the connection the other has", async () => {
  const { world, given } = await worldWithRevocations();
  const { connection_id } = await connect(world, world.alice, "good", "user-1");
  await connect(world, world.alice, "good", "user-2");
  const { widget_url } = await world.sessions.createFor(world.alice, { connection_id: connection_id as string });
  const link = linkOf(widget_url);
  const owner = (await world.customer.claim(link, null))?.owner ?? null;
  const type = async (username: string, password: string) => {
    await world.customer.submitCredentials(link, owner, { username, password });
    await world.customer.drain();
    return world.customer.view(link, owner);
  };
  const kept_accesses = ["user-1", "user-2"].map((username) => ({ username, password: "good" }));
  expect(await type("user-2", "more")).toMatchObject({ remark: "other_login" });
  await expect.poll(() => given).toEqual([{ access: { username: "user-2", password: "more" }, kept_accesses }]);
  expect(await type("user-2", "good")).toMatchObject({ remark: "other_login" });
  expect(await type("user-1", "more")).toMatchObject({ status: "Finished:OK" });
  expect(given).toHaveLength(1);
});

it("[C-5.214] a repair whose data are another connection's gives its access back, and both connections stay", async () => {
  const { world, given } = await worldWithRevocations();
  const first = await connect(world, world.alice, "good", "user-1");
  const { connection_id } = await connect(world, world.alice, "good", "user-2");
  world.bank.first = async () => ({
    snapshot: { as_of: world.runtime.clock(), portfolios: [], holdings: [], transactions: [] },
    consent_expires_at: null,
    user_key: "user-1",
  });
  const { session, widget_url } = await world.sessions.createFor(world.alice, {
    connection_id: connection_id as string,
  });
  const link = linkOf(widget_url);
  const owner = (await world.customer.claim(link, null))?.owner ?? null;
  await world.customer.submitCredentials(link, owner, { username: "user-2", password: "more" });
  await world.customer.drain();
  expect(await world.sessions.status(world.alice, session.session_id)).toMatchObject({
    error_code: "AlreadyExists",
    connection_id: first.connection_id,
  });
  await expect
    .poll(() => given)
    .toEqual([
      {
        access: { username: "user-2", password: "more" },
        kept_accesses: ["user-2", "user-1"].map((username) => ({ username, password: "good" })),
      },
    ]);
});
