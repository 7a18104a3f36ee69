import { createCustomerSessions, createRevocations, createSavedAccesses, createTenants } from "@org/core";
import { createMemoryTenantAccess, directoryOf } from "@org/core/testing";
import type { BankProvider, LoginStep } from "@org/provider-kit";
import { expect, it } from "vitest";
import { createWorld, linkOf, snapshotOf } from "./world.js";

const MINUTE = 60_000;

/** An institution at which each login makes a user before its customer comes back. */
async function worldWithUsers() {
  const world = await createWorld();
  const { storage, runtime, connectors } = world;
  const users = new Set<string>();
  const revoked: string[] = [];
  const bank = {
    makes: true,
    /** After the user was made. */
    login: async (): Promise<void> => {},
    resumed: async (user: string): Promise<LoginStep> => ({ kind: "authenticated", user_key: user, access: { user } }),
    /** Before a user is removed. */
    revoke: async (): Promise<void> => {},
  };
  let count = 0;
  const provider: BankProvider = {
    name: "scripted",
    credentialFields: () => [],
    async login({ saveAccess, callback_state }) {
      count += 1;
      const user = `user ${count}`;
      if (bank.makes) {
        await saveAccess({ user });
        users.add(user);
      }
      await bank.login();
      return {
        kind: "redirect",
        url: `https://bank.example/?state=${callback_state}`,
        state: { user, callback_state },
      };
    },
    resume: ({ state }) => bank.resumed((state as { user: string }).user),
    fetch: async () => ({ snapshot: snapshotOf("1"), consent_expires_at: null }),
    async revoke({ access }) {
      const { user } = access as { user: string };
      revoked.push(user);
      await bank.revoke();
      users.delete(user);
    },
  };
  const providers = directoryOf(provider);
  const revocations = createRevocations({ runtime, providers, connectors });
  const customer = createCustomerSessions({
    publicUrl: "https://wealth.example",
    storage,
    runtime,
    connectors,
    providers,
    revocations,
    onProviderFault: () => {},
  });

  /** A customer who is at the institution's page. */
  async function away(target: object = { connector_id: "esp:norte" }) {
    const { session, widget_url } = await world.sessions.createFor(world.alice, target);
    const link = linkOf(widget_url);
    const owner = (await customer.claim(link, null))?.owner ?? "";
    await customer.autoStart(link, owner);
    await customer.drain();
    return {
      session_id: session.session_id,
      link,
      owner,
      async restart() {
        await customer.restart(link, owner);
        await customer.drain();
      },
      async comesBack(params: Record<string, string> = { code: "1" }) {
        const state = new URL(await customer.leave(link, owner)).searchParams.get("state") ?? "";
        await customer.resumeCallback({ state, params, keptFor: () => ({ owner, language: null }) });
        await customer.drain();
        return world.sessions.status(world.alice, session.session_id);
      },
    };
  }
  const saved = createSavedAccesses({ storage, runtime, revocations });
  const revoke = () => saved.revokeDue(100);
  return { world, saved, bank, customer, revocations, users, revoked, away, revoke };
}

it("[C-5.231] what a login has made is revoked once its session has ended without a connection, and not before", async () => {
  const { world, bank, customer, users, revoked, away, revoke } = await worldWithUsers();
  const { runtime, alice } = world;
  const left = await away();
  const aborted = await away();
  await customer.abort(aborted.link, aborted.owner);
  const ended = await away();
  await world.sessions.end(alice, ended.session_id);
  const refused = await away();
  bank.resumed = async () => ({ kind: "failed", error_code: "UserInteractionNeeded" });
  expect(await refused.comesBack()).toMatchObject({ status: "Finished:Error" });
  bank.login = () => Promise.reject(new Error("no page"));
  expect(await world.sessions.status(alice, (await away()).session_id)).toMatchObject({ status: "Finished:Error" });
  expect(users.size).toBe(5);
  await revoke();
  expect(revoked.toSorted()).toEqual(["user 2", "user 3", "user 4", "user 5"]);
  runtime.advance(29 * MINUTE);
  await revoke();
  expect([...users]).toEqual(["user 1"]);
  runtime.advance(2 * MINUTE);
  await world.storage.upkeep.expireSessions(runtime.clock(), 100);
  expect(await world.sessions.status(alice, left.session_id)).toMatchObject({ status: "Finished:Expired" });
  await revoke();
  runtime.advance(24 * 60 * MINUTE);
  await revoke();
  expect([users.size, revoked.length, new Set(revoked).size]).toEqual([0, 5, 5]);
});

it("[C-5.231] of a login that becomes a connection nothing is revoked, but what those before it have made", async () => {
  const { world, bank, users, revoked, away, revoke } = await worldWithUsers();
  const session = await away();
  await session.restart();
  await revoke();
  expect(users.size).toBe(2);
  expect(await session.comesBack()).toMatchObject({ status: "Finished:OK" });
  await revoke();
  expect([[...users], revoked]).toEqual([["user 2"], ["user 1"]]);
  const { connection_id } = await world.sessions.status(world.alice, session.session_id);
  // A repair that makes nothing keeps what the connection has, also if one before it made something.
  const repair = await away({ connection_id });
  bank.makes = false;
  bank.resumed = async () => ({ kind: "authenticated", user_key: "user 2", access: { user: "user 2" } });
  await repair.restart();
  expect(await repair.comesBack()).toMatchObject({ status: "Finished:OK" });
  await revoke();
  expect([[...users], revoked]).toEqual([["user 2"], ["user 1", "user 3"]]);
});

it("[C-5.232] several servers revoke it once; one that fails is followed by another, and later again", async () => {
  const { world, bank, users, revoked, customer, away, revoke } = await worldWithUsers();
  const { link, owner } = await away();
  await customer.abort(link, owner);
  bank.revoke = () => Promise.reject(new Error("down"));
  await Promise.all([revoke(), revoke(), revoke()]);
  expect(revoked).toEqual(["user 1"]);
  await revoke();
  expect(revoked).toHaveLength(1);
  // A server that is killed meanwhile leaves it like one that fails.
  for (const minutes of [5, 5, 10, 20]) {
    world.runtime.advance(minutes * MINUTE);
    await revoke();
  }
  expect(revoked).toHaveLength(5);
  bank.revoke = async () => {};
  world.runtime.advance(39 * MINUTE);
  await revoke();
  expect(users.size).toBe(1);
  world.runtime.advance(MINUTE);
  await revoke();
  await revoke();
  expect([users.size, revoked.length]).toEqual([0, 6]);
});

it("[C-5.232] a login under way as its session ends is waited for; one of a session that has ended makes nothing", async () => {
  const { world, bank, customer, users, revoked, revoke } = await worldWithUsers();
  let goOn = () => {};
  const begun = new Promise<void>((resolve) => {
    bank.login = () => {
      resolve();
      return new Promise<void>((halted) => {
        goOn = halted;
      });
    };
  });
  const { widget_url } = await world.sessions.createFor(world.alice, { connector_id: "esp:norte" });
  const link = linkOf(widget_url);
  const owner = (await customer.claim(link, null))?.owner ?? "";
  await customer.autoStart(link, owner);
  await begun;
  await customer.abort(link, owner);
  await revoke();
  expect(revoked).toEqual([]);
  goOn();
  await customer.drain();
  world.runtime.advance(3 * MINUTE);
  await revoke();
  expect([users.size, revoked]).toEqual([0, ["user 1"]]);
});

it("[C-5.231] a tenant that is deleted takes what its logins have made with it", async () => {
  const { world, saved, revocations, users, away } = await worldWithUsers();
  const { storage, runtime, operator, alice } = world;
  await (await away()).restart();
  expect(users.size).toBe(2);
  const ofLogins = saved.ofTenant;
  const tenants = createTenants({ storage, runtime, access: createMemoryTenantAccess(), revocations, ofLogins });
  await tenants.remove(operator, alice.tenant_id as Parameters<typeof tenants.remove>[1], true);
  await expect.poll(() => users.size).toBe(0);
});
