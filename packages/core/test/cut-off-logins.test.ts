import { setTimeout as delay } from "node:timers/promises";
import { createCustomerSessions, releaseCutOffLogins } from "@org/core";
import { directoryOf } from "@org/core/testing";
import type { LoginStep } from "@org/provider-kit";
import { beforeEach, describe, expect, it } from "vitest";
import { connectionsOf, createWorld, linkOf, scriptedBank, type World } from "./world.js";

describe("logins whose server is killed", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });

  /** A session whose server talks to the bank until `answer` is called. */
  async function begin(leaseMs: number) {
    const { session, widget_url } = await world.sessions.createFor(world.alice, { connector_id: "esp:norte" });
    const link = linkOf(widget_url);
    const owner = (await world.customer.claim(link, null))?.owner ?? null;
    let answer = (_: LoginStep) => {};
    const asked = new Promise<LoginStep>((resolve) => {
      answer = resolve;
    });
    const bank = scriptedBank({ login: () => asked, poll: null, first: null, refresh: null });
    const { storage, runtime, connectors } = world;
    const providers = directoryOf(bank);
    const server = createCustomerSessions({
      publicUrl: "https://wealth.example",
      storage,
      runtime,
      connectors,
      providers,
      leaseMs,
      onProviderFault: () => {},
    });
    await server.submitCredentials(link, owner, { username: "user-1", password: "good" });
    const stored = async () =>
      (await storage.inTenant(world.alice.tenant_id, ({ sessions }) => sessions.list(listed(session.session_id))))[0];
    return { session_id: session.session_id, link, owner, server, answer, stored };
  }

  it("[C-9.35] the customer logs in again, from the start and without an attempt less", async () => {
    const { session_id, link, owner, stored, answer, server } = await begin(45_000);
    expect(await releaseCutOffLogins(world, 10)).toEqual([]);
    world.runtime.advance(44_999);
    expect(await releaseCutOffLogins(world, 10)).toEqual([]);
    world.runtime.advance(1);
    const { tenant_id } = world.alice;
    expect(await releaseCutOffLogins(world, 10)).toEqual([{ tenant_id, session_id }]);
    expect(await releaseCutOffLogins(world, 10)).toEqual([]);
    expect(await stored()).toMatchObject({
      status: "Waiting:ProvideCredentials",
      error_code: "InternalError",
      attempts: 0,
      working_until: null,
      challenge: null,
      sealed_state: null,
    });
    expect(await world.customer.view(link, owner)).toMatchObject({ attempts_left: 3, error_code: "InternalError" });
    // A server that was only slow is too late: its result is not stored.
    answer({ kind: "authenticated", user_key: "user-1", access: {} });
    await server.drain();
    expect(await connectionsOf(world, world.alice)).toBe(0);
    await world.customer.submitCredentials(link, owner, { username: "user-1", password: "good" });
    await world.customer.drain();
    expect(await stored()).toMatchObject({ status: "Finished:OK", error_code: null, working_until: null });
  });

  it("[C-9.35] an answer that the bank may have seen is not asked for again: the login begins anew", async () => {
    const { session, widget_url } = await world.sessions.createFor(world.alice, { connector_id: "esp:norte" });
    const link = linkOf(widget_url);
    const owner = (await world.customer.claim(link, null))?.owner ?? null;
    await world.customer.submitCredentials(link, owner, { username: "user-1", password: "challenge" });
    await world.customer.drain();
    const { storage, runtime, connectors } = world;
    const stuck = { ...scriptedBank(world.bank), answer: () => new Promise<LoginStep>(() => {}) };
    const providers = directoryOf(stuck);
    const server = createCustomerSessions({
      publicUrl: "https://wealth.example",
      storage,
      runtime,
      connectors,
      providers,
      onProviderFault: () => {},
    });
    await server.submitAnswer(link, owner, "123456");
    world.runtime.advance(45_000);
    expect(await releaseCutOffLogins(world, 10)).toHaveLength(1);
    expect(await world.sessions.status(world.alice, session.session_id)).toMatchObject({
      status: "Waiting:ProvideCredentials",
    });
    expect(await world.customer.view(link, owner)).toMatchObject({ challenge: null, attempts_left: 3 });
  });

  it("a server that lives keeps its session, however long the bank takes", async () => {
    const { stored, answer, server } = await begin(60);
    const first = (await stored())?.working_until;
    for (let round = 1; round <= 3; round += 1) {
      world.runtime.advance(50);
      const now = world.runtime.clock().getTime();
      for (
        const end = Date.now() + 60_000;
        ((await stored())?.working_until?.getTime() ?? 0) < now + 60;
        await delay(5)
      )
        expect(Date.now()).toBeLessThan(end);
      expect(await releaseCutOffLogins(world, 10)).toEqual([]);
    }
    expect(first).toBeInstanceOf(Date);
    answer({ kind: "authenticated", user_key: "user-1", access: {} });
    await server.drain();
    expect(await stored()).toMatchObject({ status: "Finished:OK", working_until: null });
  });
});

const listed = (session_id: string) => ({
  session_id_in: [session_id as never],
  status_in: null,
  connection_id_in: null,
  error_code_in: null,
  is_opened: null,
  order: "newest" as const,
  client_ref_in: null,
  after: null,
  limit: 1,
});
