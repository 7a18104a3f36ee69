import { directoryOf } from "@org/core/testing";
import type { LoginStep } from "@org/provider-kit";
import { beforeEach, expect, it } from "vitest";
import { createCustomerSessions, createProviderGuard } from "../src/index.js";
import { connectionsOf, createWorld, linkOf, scriptedBank, type World } from "./world.js";

const welcome: LoginStep = { kind: "authenticated", user_key: "ada", access: {} };

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

/** A customer who has just submitted their password; the bank's time limits expire when the test calls `pass`. */
async function submitted() {
  const waits: (() => void)[] = [];
  const guard = createProviderGuard({
    clock: world.runtime.clock,
    random: () => 0,
    sleep: (_, signal) =>
      new Promise((resolve, reject) => {
        waits.push(resolve);
        signal?.addEventListener("abort", () => reject(signal.reason));
      }),
  });
  const customer = createCustomerSessions({
    publicUrl: "https://wealth.example",
    storage: world.storage,
    runtime: world.runtime,
    connectors: world.connectors,
    providers: directoryOf(guard.guard(scriptedBank(world.bank))),
    onProviderFault: ({ error }) => world.faults.push(error),
  });
  const { session, widget_url } = await world.sessions.createFor(world.alice, { connector_id: "esp:norte" });
  const link = linkOf(widget_url);
  const claimed = await customer.claim(link, null);
  const owner = claimed?.owner ?? null;
  await customer.submitCredentials(link, owner, { username: "ada", password: "good" });
  return {
    customer,
    submitAgain: () => customer.submitCredentials(link, owner, { username: "ada", password: "good" }),
    status: () => world.sessions.status(world.alice, session.session_id),
    /** Ends all waits, repeatedly, until none is left. */
    async pass() {
      for (let round = 0; round < 5; round += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        for (const wake of waits.splice(0)) wake();
      }
    },
  };
}

it("[C-5.7] a bank that hangs and ignores its signal ends the session, not the server", async () => {
  world.bank.login = () => new Promise(() => undefined);
  const { customer, pass, status } = await submitted();
  await pass();
  await customer.drain();
  expect(await status()).toMatchObject({ status: "Finished:Error", error_code: "InternalError" });
  expect(world.faults).toMatchObject([{ code: "timed_out" }]);
});

it("[C-5.7] a bank that throws, at once or later, ends the session", async () => {
  for (const login of [
    () => {
      throw new Error("defect");
    },
    async () => {
      throw new Error("defect");
    },
  ]) {
    world.bank.login = login;
    const { customer, status } = await submitted();
    await customer.drain();
    expect(await status()).toMatchObject({ status: "Finished:Error", error_code: "InternalError" });
  }
});

it.each(["after the clean-up", "before it"])(
  "[C-5.6] a bank that answers after the session expired, %s, connects nobody",
  async (when) => {
    let answer: (step: LoginStep) => void = () => undefined;
    world.bank.login = () => new Promise((resolve) => (answer = resolve));
    const { customer, status } = await submitted();
    await new Promise((resolve) => setImmediate(resolve));
    world.runtime.advance(1_800_001);
    if (when === "after the clean-up") await world.storage.upkeep.expireSessions(world.runtime.clock(), 10);
    answer(welcome);
    await customer.drain();
    expect(await status()).toMatchObject({ status: "Finished:Expired", connection_id: null });
    expect(await connectionsOf(world, world.alice)).toBe(0);
    expect(world.faults).toEqual([]);
  },
);

it("[C-5.6] a bank that answers twice connects once", async () => {
  // A thenable that is not a promise, such as a careless library may return.
  const twice = {
    // biome-ignore lint/suspicious/noThenProperty: the defect that is tried out here
    then(resolve: (step: LoginStep) => void) {
      resolve(welcome);
      resolve({ kind: "rejected" });
      resolve(welcome);
    },
  };
  world.bank.login = () => twice as unknown as Promise<LoginStep>;
  const { customer, submitAgain, status } = await submitted();
  await expect(submitAgain()).rejects.toMatchObject({ code: "CONFLICT" });
  await customer.drain();
  expect(await status()).toMatchObject({ status: "Finished:OK" });
  expect(await connectionsOf(world, world.alice)).toBe(1);
});

it("[C-7.20] what a customer's request leads to has its trace id, in the audit trail and in a report of a fault", async () => {
  const [claiming, sending] = ["c".repeat(32), "d".repeat(32)];
  const faults: object[] = [];
  const { storage, runtime, connectors, alice } = world;
  const customer = createCustomerSessions({
    publicUrl: "https://wealth.example",
    storage,
    runtime,
    connectors,
    providers: directoryOf(scriptedBank(world.bank)),
    onProviderFault: (fault) => faults.push(fault),
  });
  const send = async (login: () => Promise<LoginStep>) => {
    world.bank.login = login;
    const link = linkOf((await world.sessions.createFor(alice, { connector_id: "esp:norte" })).widget_url);
    const owner = (await customer.claim(link, null, { trace_id: claiming }))?.owner ?? null;
    await customer.submitCredentials(link, owner, { username: "ada", password: "good" }, { trace_id: sending });
    await customer.drain();
  };
  await send(async () => {
    throw new Error("defect");
  });
  expect(faults).toMatchObject([{ provider: "scripted", trace_id: sending }]);
  await send(async () => welcome);
  const lines = await storage.inTenant(alice.tenant_id, ({ audit }) => audit.list({ limit: 10 }));
  const own = lines.filter(({ actor }) => actor === "customer").map(({ action, trace_id }) => [action, trace_id]);
  expect(own.sort()).toEqual([
    ["connection.create", sending],
    ["session.claim", claiming],
    ["session.claim", claiming],
  ]);
});
