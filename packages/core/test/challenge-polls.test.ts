import { directoryOf } from "@org/core/testing";
import type { BankProvider, LoginStep, LookStep } from "@org/provider-kit";
import { beforeEach, describe, expect, it } from "vitest";
import {
  createCustomerSessions,
  createProviderGuard,
  type SessionRecord,
  type Storage,
  type Uuid,
} from "../src/index.js";
import { connectionsOf, createWorld, linkOf, scriptedBank, type World } from "./world.js";

const approved: LookStep = { kind: "authenticated", user_key: "ada", access: {} };
const turned = (code: string): LookStep => ({
  kind: "challenge",
  challenge: { kind: "qr", message: "Scan", qr: code },
  state: { username: "ada", code },
});

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

/** The customer's side on one replica. Pages do not wait for the bank unless `sleep` does. */
function replica(
  provider: BankProvider,
  storage: Storage = world.storage,
  sleep: () => Promise<void> = async () => {},
) {
  return createCustomerSessions({
    publicUrl: "https://wealth.example",
    storage,
    runtime: world.runtime,
    connectors: world.connectors,
    providers: directoryOf(provider),
    onProviderFault: ({ error }) => world.faults.push(error),
    sleep,
  });
}

/** A customer with a challenge, at a bank whose polls are counted. */
async function challenged(
  options: {
    storage?: Storage;
    sleep?: () => Promise<void>;
    provider?: BankProvider;
    answer?: BankProvider["answer"];
  } = {},
) {
  const asked: unknown[] = [];
  const bank = { ...scriptedBank(world.bank), ...(options.answer && { answer: options.answer }) };
  const counting: BankProvider = {
    ...bank,
    async look(request) {
      asked.push(request.state);
      return (await bank.look?.(request)) ?? { kind: "waiting" };
    },
  };
  const customer = replica(options.provider ?? counting, options.storage, options.sleep);
  const { session, widget_url } = await world.sessions.createFor(world.alice, { connector_id: "esp:norte" });
  const link = linkOf(widget_url);
  const owner = (await customer.claim(link, null))?.owner ?? null;
  await customer.submitCredentials(link, owner, { username: "ada", password: "challenge" });
  await customer.drain();
  return {
    customer,
    link,
    owner,
    /** The state that each poll got. */
    asked,
    other: replica(counting),
    poll: () => customer.poll(link, owner),
    /** Polls, waits for the poll to end and returns the view. */
    async polled() {
      await customer.poll(link, owner);
      await customer.drain();
      return customer.view(link, owner);
    },
    status: () => world.sessions.status(world.alice, session.session_id),
    stored: () =>
      world.storage.inTenant(world.alice.tenant_id, ({ sessions }) =>
        sessions.find(session.session_id as Uuid),
      ) as Promise<SessionRecord>,
  };
}

/** A bank that answers a poll when the test calls `answer`. */
function lateBank() {
  let answer: (step: LookStep) => void = () => undefined;
  world.bank.poll = () => new Promise((resolve) => (answer = resolve));
  return { answer: (step: LookStep) => answer(step) };
}

describe("[C-5.15] a challenge that the bank changes or ends by itself", () => {
  it("is replaced by what the bank shows next, with the state that came with it, sealed; attempts are kept", async () => {
    const { customer, link, owner, polled, asked, stored } = await challenged();
    await customer.submitAnswer(link, owner, "wrong");
    await customer.drain();
    world.bank.poll = async () => turned("code 2");
    expect(await polled()).toMatchObject({
      status: "Waiting:Challenge",
      challenge: { kind: "qr", qr: "code 2" },
      follows_bank: true,
      attempts_left: 2,
    });
    world.runtime.advance(3_000);
    await polled();
    expect(asked).toEqual([{ username: "ada" }, { username: "ada", code: "code 2" }]);
    expect(JSON.stringify({ ...(await stored()), sealed_state: null })).not.toContain("ada");
    await customer.submitAnswer(link, owner, "123456");
    await customer.drain();
    expect(await customer.view(link, owner)).toMatchObject({ status: "Finished:OK" });
  });

  it("[S1-3.1] that was approved elsewhere connects the customer without an answer", async () => {
    world.bank.poll = async () => approved;
    const { polled, status } = await challenged();
    expect(await polled()).toMatchObject({ status: "Finished:OK", challenge: null });
    expect(await status()).toMatchObject({ connection_id: expect.any(String), error_code: null });
    expect(await connectionsOf(world, world.alice)).toBe(1);
  });

  it("that failed ends the session with its error_code", async () => {
    world.bank.poll = async () => ({ kind: "failed", error_code: "UserInteractionNeeded" });
    const { polled } = await challenged();
    expect(await polled()).toMatchObject({ status: "Finished:Error", error_code: "UserInteractionNeeded" });
  });

  it("[C-9.20] that was declined there counts as a wrong answer, and the third ends the session", async () => {
    world.bank.poll = async () => ({ kind: "rejected" });
    const { polled } = await challenged();
    const seen = [];
    for (let time = 0; time < 3; time += 1) {
      seen.push(await polled());
      world.runtime.advance(15_000);
    }
    expect(seen).toMatchObject([
      { status: "Waiting:Challenge", error_code: "InvalidChallengeResponse", attempts_left: 2 },
      { status: "Waiting:Challenge", error_code: "InvalidChallengeResponse", attempts_left: 1 },
      { status: "Finished:Error", error_code: "InvalidChallengeResponse" },
    ]);
  });

  it("is not asked for at a bank that cannot be polled", async () => {
    const { look: _, ...without } = scriptedBank(world.bank);
    const { polled } = await challenged({ provider: without });
    expect(await polled()).toMatchObject({ status: "Waiting:Challenge", follows_bank: false });
    expect(world.faults).toEqual([]);
  });
});

describe("when the bank is polled", () => {
  it("only while the customer's own page is open", async () => {
    const { customer, link, owner, asked, status } = await challenged();
    await status();
    await customer.view(link, owner);
    for (const stranger of [null, "other"]) await customer.poll(link, stranger);
    await customer.drain();
    expect(asked).toEqual([]);
  });

  it("only while a challenge waits for its answer", async () => {
    const { customer, link, owner, polled, asked } = await challenged();
    await customer.abort(link, owner);
    expect(await polled()).toMatchObject({ status: "Finished:Aborted" });
    const fresh = linkOf((await world.sessions.createFor(world.alice, { connector_id: "esp:norte" })).widget_url);
    expect(await customer.poll(fresh, null)).toMatchObject({ kind: "unclaimed" });
    expect(await customer.poll("nonsense", owner)).toEqual({ kind: "unknown" });
    expect(asked).toEqual([]);
  });

  it("not after the session's time, though the clean-up has not come yet", async () => {
    const { polled, asked } = await challenged();
    world.runtime.advance(1_800_000);
    expect(await polled()).toMatchObject({ status: "Finished:Expired" });
    expect(asked).toEqual([]);
  });

  it("every few seconds at most, however many pages poll, on whichever replica", async () => {
    const { polled, poll, asked, other, link, owner } = await challenged();
    await polled();
    for (let page = 0; page < 5; page += 1) await Promise.all([poll(), other.poll(link, owner)]);
    expect(asked).toHaveLength(1);
    world.runtime.advance(3_000);
    await Promise.all([poll(), poll(), other.poll(link, owner)]);
    await other.drain();
    expect(asked).toHaveLength(2);
  });

  it("never twice at once; a replica that is gone in mid-poll holds up the next for seconds only", async () => {
    lateBank();
    const { poll, asked, other, link, owner } = await challenged();
    await poll();
    world.runtime.advance(14_000);
    await other.poll(link, owner);
    expect(asked).toHaveLength(1);
    world.runtime.advance(1_000);
    world.bank.poll = async () => turned("code of the other");
    await other.poll(link, owner);
    await other.drain();
    expect(asked).toHaveLength(2);
    expect(await other.view(link, owner)).toMatchObject({ challenge: { qr: "code of the other" } });
  });

  it("at once after an answer has led to another challenge", async () => {
    const answer = async () => turned("code 2") as LoginStep;
    const { polled, asked, customer, link, owner } = await challenged({ answer });
    await polled();
    await customer.submitAnswer(link, owner, "123456");
    await customer.drain();
    await polled();
    expect(asked).toHaveLength(2);
  });

  it("a page shows what the bank says within a second, and does not wait longer", async () => {
    let passed: () => void = () => undefined;
    const sleep = () => new Promise<void>((resolve) => (passed = resolve));
    world.bank.poll = async () => turned("code 2");
    const { poll } = await challenged({ sleep });
    expect(await poll()).toMatchObject({ challenge: { qr: "code 2" } });
    world.runtime.advance(3_000);
    const bank = lateBank();
    const shown = poll();
    await new Promise((resolve) => setTimeout(resolve, 20));
    passed();
    expect(await shown).toMatchObject({ challenge: { qr: "code 2" } });
    bank.answer({ kind: "waiting" });
  });
});

describe("[C-5.6] what a poll brings late changes nothing", () => {
  const steps: [string, LookStep][] = [
    ["another code", turned("late code")],
    ["an approval", approved],
    ["a refusal", { kind: "rejected" }],
    ["a failure", { kind: "failed", error_code: "InternalError" }],
  ];
  type Stage = Awaited<ReturnType<typeof challenged>>;
  const events: [string, (stage: Stage) => Promise<void>, object][] = [
    [
      "an answer",
      async ({ customer, link, owner, status }) => {
        await customer.submitAnswer(link, owner, "wrong");
        while ((await status()).status !== "Waiting:Challenge") await new Promise((resolve) => setImmediate(resolve));
      },
      { status: "Waiting:Challenge", error_code: "InvalidChallengeResponse" },
    ],
    [
      "a cancel",
      ({ customer, link, owner }) => customer.abort(link, owner),
      { status: "Finished:Aborted", error_code: "AbortedByUser" },
    ],
    [
      "the end of its time",
      async () => world.runtime.advance(1_800_000),
      { status: "Finished:Expired", error_code: "SessionExpired" },
    ],
    [
      "the clean-up",
      async () => {
        world.runtime.advance(1_800_000);
        await world.storage.upkeep.expireSessions(world.runtime.clock(), 10);
      },
      { status: "Finished:Expired", error_code: "SessionExpired" },
    ],
  ];
  it.each(
    steps.flatMap(([step, brought]) => events.map(([event, happen, then]) => ({ step, event, brought, happen, then }))),
  )("$step after $event", async ({ brought, happen, then }) => {
    const bank = lateBank();
    const stage = await challenged();
    await stage.poll();
    await happen(stage);
    const before = await stage.stored();
    bank.answer(brought);
    await stage.customer.drain();
    expect(await stage.status()).toMatchObject(then);
    expect(await stage.stored()).toEqual(before);
    expect(await connectionsOf(world, world.alice)).toBe(0);
    expect(world.faults).toEqual([]);
  });
});

describe("a poll that replaces the challenge at the moment of", () => {
  /** A storage that runs the queued interruptions between a read of the session and the next transaction. */
  function interrupted() {
    const interruptions: (() => Promise<void>)[] = [];
    let reads = 0;
    const storage: Storage = {
      ...world.storage,
      async inTenant(tenantId, work) {
        reads += 1;
        if (reads === 2) await interruptions.shift()?.();
        return world.storage.inTenant(tenantId, work);
      },
    };
    return {
      storage,
      next(interruption: () => Promise<void>) {
        reads = 0;
        interruptions.push(interruption);
      },
    };
  }

  it.each([
    ["an answer does not take it away", "Finished:OK", null],
    ["a cancel does not take it away", "Finished:Aborted", "AbortedByUser"],
  ])("%s", async (_, status, error_code) => {
    const { storage, next } = interrupted();
    const { customer, link, owner, other, status: statusOf } = await challenged({ storage });
    world.bank.poll = async () => turned("code 2");
    next(async () => {
      await other.poll(link, owner);
      await other.drain();
    });
    if (status === "Finished:OK") await customer.submitAnswer(link, owner, "123456");
    else await customer.abort(link, owner);
    await customer.drain();
    expect(await statusOf()).toMatchObject({ status, error_code });
  });
});

describe("a bank whose polls", () => {
  const hostile: [string, () => Promise<LookStep>, object][] = [
    ["hang", () => new Promise(() => undefined), { code: "timed_out" }],
    ["throw", () => Promise.reject(new Error("the bank's computer burns")), { message: "the bank's computer burns" }],
    ["bring nonsense", async () => ({ kind: "perhaps" }) as never, { name: "ProviderAnswerError" }],
    ["bring nothing", async () => undefined as never, { name: "ProviderAnswerError" }],
    [
      "bring a challenge without its state",
      async () => ({ kind: "challenge", challenge: { kind: "qr", message: "" } }) as never,
      { name: "ProviderAnswerError" },
    ],
  ];
  it.each(hostile)(
    "%s leaves the challenge as it is, is reported once and asked again later",
    async (_, poll, fault) => {
      const waits = new Set<() => void>();
      const guard = createProviderGuard({
        clock: world.runtime.clock,
        random: () => 0,
        sleep: (_, signal) =>
          new Promise((resolve, reject) => {
            waits.add(resolve);
            signal?.addEventListener("abort", () => reject(signal.reason));
          }),
      });
      let polls = 0;
      const bank = scriptedBank(world.bank);
      const provider: BankProvider = {
        ...bank,
        look: () => {
          polls += 1;
          return poll();
        },
      };
      const { customer, link, owner, poll: pollNow, stored } = await challenged({ provider: guard.guard(provider) });
      const before = await stored();
      await pollNow();
      for (let round = 0; round < 5; round += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        for (const wake of waits) wake();
      }
      await customer.drain();
      expect(world.faults).toMatchObject([fault]);
      expect(await stored()).toEqual({
        ...before,
        poll_after: new Date(world.runtime.clock().getTime() + 15_000),
      });
      await pollNow();
      expect(polls).toBe(1);
      world.runtime.advance(15_000);
      await pollNow();
      expect(polls).toBe(2);
      await customer.submitAnswer(link, owner, "123456");
      for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(await customer.view(link, owner)).toMatchObject({ status: "Finished:OK" });
    },
  );
});
