import type { FetchResult, RevokeRequest } from "@org/provider-kit";
import { expect, it } from "vitest";
import { connect, connectionsOf, createWorld, linkOf, type World } from "./world.js";

/** A world whose bank notes what is given back to it. */
async function worldWithRevocations() {
  const given: object[] = [];
  const revoke = async ({ access, kept_accesses }: RevokeRequest) => void given.push({ access, kept_accesses });
  return { world: await createWorld({ revoke }), given };
}

const data = (world: World): FetchResult => ({
  snapshot: { as_of: world.runtime.clock(), portfolios: [], holdings: [], transactions: [] },
  consent_expires_at: null,
});

/** A session whose first fetch has begun, and what lets it end. */
async function reading(world: World, target: { connection_id: string } | { connector_id: string }) {
  const { session, widget_url } = await world.sessions.createFor(world.alice, target);
  const link = linkOf(widget_url);
  const owner = (await world.customer.claim(link, null))?.owner ?? null;
  let goOn = () => {};
  const halted = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    world.bank.first = async () => {
      resolve();
      await halted;
      return data(world);
    };
  });
  await world.customer.submitCredentials(link, owner, { username: "user-1", password: "late" });
  await begun;
  return {
    status: () => world.sessions.status(world.alice, session.session_id),
    abort: () => world.customer.abort(link, owner),
    async ends() {
      goOn();
      await world.customer.drain();
    },
  };
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
  await expect.poll(() => given).toHaveLength(3);
  expect(given).toMatchObject([
    { access: { username: "user-1", password: "more" } },
    { access: { username: "user-1", password: "data blocked" } },
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
  world.bank.first = async () => ({ ...data(world), user_key: "user-1" }) as FetchResult;
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

it.each([
  ["its customer cancels", "Finished:Aborted", (_: World, { abort }: Awaited<ReturnType<typeof reading>>) => abort()],
  ["it expires", "Finished:Expired", async ({ runtime }: World) => void runtime.advance(1_800_000)],
])("[C-5.226] the access of a login is given back if %s while the first data are read", async (_, status, end) => {
  const { world, given } = await worldWithRevocations();
  const session = await reading(world, { connector_id: "esp:norte" });
  await end(world, session);
  await session.ends();
  expect(await session.status()).toMatchObject({ status });
  const access = { username: "user-1", password: "late" };
  await expect.poll(() => given).toEqual([{ access, kept_accesses: [] }]);
  expect(await connectionsOf(world, world.alice)).toBe(0);
});

it("[C-5.226] the access of a repair whose connection is removed meanwhile is given back", async () => {
  const { world, given } = await worldWithRevocations();
  const { connection_id } = await connect(world, world.alice);
  const session = await reading(world, { connection_id: connection_id as string });
  await world.credentials.remove(world.alice, connection_id as string, true);
  await session.ends();
  const access = { username: "user-1", password: "late" };
  await expect.poll(() => given).toEqual([{ access, kept_accesses: [] }]);
});

it.each<[string, string, (world: World) => Promise<FetchResult>]>([
  ["refused", "UserInteractionNeeded", async () => ({ refused: "blocked", access: "renewed" })],
  ["refused for its credentials", "InvalidCredentials", async () => ({ refused: "rejected", access: "renewed" })],
  ["without use", "InternalError", async () => ({ failed: { message: "half a page" }, access: "renewed" })],
])("[C-5.226] [C-5.227] the latest access of a login whose first fetch is %s is given back", async (_, code, first) => {
  const { world, given } = await worldWithRevocations();
  world.bank.first = () => first(world);
  expect(await connect(world, world.alice)).toMatchObject({ error_code: code, connection_id: null });
  await expect.poll(() => given).toEqual([{ access: "renewed", kept_accesses: [] }]);
});

it("[C-5.227] a first fetch that throws leaves the access that it saved last", async () => {
  const { world, given } = await worldWithRevocations();
  world.bank.first = async ({ saveAccess }) => {
    await saveAccess("renewed");
    throw new Error("the bank's computer burns");
  };
  expect(await connect(world, world.alice)).toMatchObject({ error_code: "InternalError" });
  await expect.poll(() => given).toEqual([{ access: "renewed", kept_accesses: [] }]);
});

it("[C-5.226] an approval that arrives after its customer has cancelled is given back, one beside an answer is not", async () => {
  const { world, given } = await worldWithRevocations();
  for (const end of ["abort", "answer"] as const) {
    const { widget_url } = await world.sessions.createFor(world.alice, { connector_id: "esp:norte" });
    const link = linkOf(widget_url);
    const owner = (await world.customer.claim(link, null))?.owner ?? null;
    await world.customer.submitCredentials(link, owner, { username: "user-1", password: "challenge" });
    await world.customer.drain();
    world.bank.poll = async () => {
      if (end === "abort") await world.customer.abort(link, owner);
      else await world.customer.submitAnswer(link, owner, "123456");
      return { kind: "authenticated", user_key: "user-1", access: `approved before the ${end}` };
    };
    await world.customer.poll(link, owner);
    await world.customer.drain();
  }
  expect(await connectionsOf(world, world.alice)).toBe(1);
  await expect.poll(() => given).toEqual([{ access: "approved before the abort", kept_accesses: [] }]);
});

it("[C-5.227] an access that a connection has got is not given back by a login with the same that fails", async () => {
  const { world, given } = await worldWithRevocations();
  const { connection_id } = await connect(world, world.alice, "good");
  world.bank.first = async () => ({ refused: "blocked" });
  expect(await connect(world, world.alice, "good")).toMatchObject({ error_code: "UserInteractionNeeded" });
  world.bank.first = null;
  expect(await connect(world, world.alice, "more")).toMatchObject({ error_code: "AlreadyExists", connection_id });
  await expect.poll(() => given).toMatchObject([{ access: { password: "more" } }]);
});

it("[C-5.227] a login that comes to nothing leaves alone what a connection has to which the institution refers alike", async () => {
  const { world, given } = await worldWithRevocations();
  const login = (user_key: string, access: string) => {
    world.bank.login = async () => ({ kind: "authenticated", user_key, access, reference: "shared" });
  };
  login("as it was", "first");
  expect(await connect(world, world.alice)).toMatchObject({ status: "Finished:OK" });
  // The same login at the institution, which now has another account, or was opened by another row.
  login("as it is now", "second");
  world.bank.first = async () => ({ refused: "blocked" });
  expect(await connect(world, world.alice)).toMatchObject({ error_code: "UserInteractionNeeded" });
  await expect.poll(() => given).toEqual([{ access: "second", kept_accesses: ["first"] }]);
});

it("[C-5.215] a customer whose login knows who they are for good is told before anything is read", async () => {
  const { world, given } = await worldWithRevocations();
  let read = 0;
  world.bank.first = async () => {
    read += 1;
    return data(world);
  };
  const knows = (user_key: string, access: string) => {
    world.bank.login = async () => ({ kind: "authenticated", user_key, user_key_is_final: true, access });
  };
  knows("user-1", "first");
  const { connection_id } = await connect(world, world.alice);
  expect(read).toBe(1);
  knows("user-1", "second");
  expect(await connect(world, world.alice)).toMatchObject({ error_code: "AlreadyExists", connection_id });
  const { session, widget_url } = await world.sessions.createFor(world.alice, {
    connection_id: connection_id as string,
  });
  const link = linkOf(widget_url);
  const owner = (await world.customer.claim(link, null))?.owner ?? null;
  const type = async () => {
    await world.customer.submitCredentials(link, owner, { username: "x", password: "y" });
    await world.customer.drain();
  };
  knows("user-2", "another's");
  await type();
  expect(await world.customer.view(link, owner)).toMatchObject({ remark: "other_login", attempts_left: 2 });
  await expect
    .poll(() => given)
    .toEqual([
      { access: "second", kept_accesses: ["first"] },
      { access: "another's", kept_accesses: ["first"] },
    ]);
  expect(read).toBe(1);
  knows("user-1", "third");
  await type();
  expect(await world.sessions.status(world.alice, session.session_id)).toMatchObject({ status: "Finished:OK" });
  expect([read, given.length]).toEqual([2, 2]);
});
