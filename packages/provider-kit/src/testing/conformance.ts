import assert, { AssertionError } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { faultsOfAnswer, unknownNamesIn } from "../answers.js";
import { providerName } from "../definition.js";
import type { FetchedData, FetchResult, LoginStep } from "../port.js";
import type { SnapshotData } from "../snapshot.js";
import { type ConformanceSetup, explained, type InstitutionMode, openWorld, type World } from "./conformance-world.js";
import { textsIn } from "./recording/json-values.js";

/** One rule of the port. */
export interface ConformanceCase {
  readonly name: string;
  /**
   * Rejects if the rule is broken. Resolves with null if it holds, or with the reason why it does not apply: the provider has no such call, or the
   * setup has no such mode.
   */
  run(): Promise<string | null>;
}

/** How long a call may continue after its signal has aborted. */
const GRACE_MS = 10_000;
const SHORT_PAUSE_MS = 50;

/**
 * The rules for every provider, as cases for any test runner: `for (const { name, run } of conformanceCases(setup)) it(name, run);` @param setup
 * called for each case
 */
export function conformanceCases(
  setup: () => ConformanceSetup | Promise<ConformanceSetup>,
): readonly ConformanceCase[] {
  return Object.entries(rules).map(([name, rule]) => ({
    name,
    async run() {
      const world = await openWorld(await setup());
      try {
        const idle = await rule(world);
        assert.deepEqual(world.leaks.found, []);
        return idle ?? null;
      } catch (error) {
        throw explained(error, world.faults?.() ?? []);
      } finally {
        await world.close();
      }
    },
  }));
}

type Rule = (world: World) => Promise<string | undefined>;

const rules: Readonly<Record<string, Rule>> = {
  async "name, title and catalogue rows are well formed"({ definition, settings, services }) {
    assert.match(definition.name, providerName);
    assert.notEqual(definition.title.trim(), "");
    const given = { http: services.http, clock: services.clock, signal: AbortSignal.timeout(60_000) };
    const rows = (await definition.connectors?.(settings, given)) ?? [];
    for (const row of rows) {
      assert.match(row.id, /^[^\s:]+:\S+$/, "an id has the shape <country>:<name>");
      assert.notEqual(row.name.trim(), "");
      assert.ok(row.country !== undefined || (row.countries?.length ?? 0) > 0, `${row.id} is in no country`);
    }
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, "two rows have one id");
  },

  async "a setting that it does not know is refused: it may be a slip of the pen"({ definition, settings }) {
    if (typeof settings !== "object" || settings === null) return "the settings are no object";
    const checked = definition.settings.safeParse({ ...settings, a_setting_that_nobody_has: 1 });
    assert.equal(checked.success, false);
  },

  async "good settings are good, and those of an institution that is down are not"({ check, definition, institution }) {
    if (!definition.check) return "there is no check";
    const before = institution?.asked();
    const good = await check();
    const why = institution?.asked() === before ? "; no request asks the institution" : "";
    assert.ok(good?.ok !== false, `the check of good settings says: ${good?.message}${why}`);
    if (!institution?.modes.includes("down")) return "the institution is never down";
    await institution.set("down");
    const result = await check().catch(() => ({ ok: false }));
    assert.equal(result?.ok, false);
  },

  async "what it asks for can be drawn"({ provider, connector }) {
    if (!provider.credentialFields) return "it asks for user name and password";
    assert.deepEqual(faultsOfAnswer("credentialFields", provider.credentialFields(connector)), []);
  },

  async "what it tells before the login can be drawn"({ provider, connector }) {
    if (!provider.terms) return "it tells nothing";
    assert.deepEqual(faultsOfAnswer("terms", provider.terms(connector)), []);
  },

  async "a customer gets in, and is the same one the next time"(world) {
    const first = await world.enter();
    const second = await world.enter();
    assert.equal(second.user_key, first.user_key);
  },

  async "a login goes on at another replica, and so does its access"(world) {
    const { access } = await world.enter(world.another);
    await world.fetched(access, {}, await world.another());
  },

  async "state and access are JSON, which is how they are stored"(world) {
    for (const { step } of await world.steps())
      for (const value of ["state" in step ? step.state : null, "access" in step ? step.access : null])
        assert.deepEqual(JSON.parse(JSON.stringify(value)), value);
  },

  async "whoever is not known is rejected, which is no failure"({ provider, requests, stranger, institution }) {
    if (!stranger) return "the setup has no stranger";
    const before = institution?.asked();
    const step = await provider.login(requests.login(stranger));
    const why = institution?.asked() === before ? ": no request asks the institution who they are" : "";
    assert.ok(step.kind === "rejected", `the login of a stranger is ${step.kind}${why}`);
    assert.deepEqual(step, { kind: "rejected" });
  },

  async "a wrong answer is rejected, which is no failure"({ provider, requests, steps, wrong_answer }) {
    const asked = (await steps()).find(({ step }) => step.kind === "challenge")?.step;
    if (wrong_answer === undefined) {
      const kind = asked?.kind === "challenge" ? asked.challenge.kind : null;
      assert.ok(
        kind === null || kind === "app" || kind === "qr",
        "a code is asked for, and the setup has no wrong_answer",
      );
      return "no code is asked for";
    }
    assert.ok(asked && "state" in asked && provider.answer, "there is no challenge to answer");
    assert.deepEqual(await provider.answer(requests.answer(asked.state, wrong_answer)), { kind: "rejected" });
  },

  async "a look at a challenge says how it stands"({ provider, requests, steps }) {
    const asked = (await steps()).find(({ step }) => step.kind === "challenge")?.step;
    if (!provider.look || !asked || !("state" in asked)) return "there is no challenge to look at";
    for (let time = 0; time < 2; time += 1)
      assert.deepEqual(faultsOfAnswer("look", await provider.look(requests.look(asked.state))), []);
  },

  async "a callback is taken once"({ provider, requests, steps, leaks }) {
    const redirected = (await steps()).find(({ step }) => step.kind === "redirect");
    if (!redirected || !("state" in redirected.step)) return "it does not redirect";
    const { step, params } = redirected;
    const again = await leaks.watch(async () => provider.resume?.(requests.resume(step.state, params)));
    assert.ok(!("answer" in again) || isNoEntry(again.answer), "the second time lets somebody in");
  },

  async "a callback with what the institution never sent lets nobody in"({ provider, requests, steps, leaks }) {
    const redirected = (await steps()).find(({ step }) => step.kind === "redirect");
    if (!redirected || !("state" in redirected.step)) return "it does not redirect";
    const { step, params } = redirected;
    const forged = Object.fromEntries(Object.keys(params).map((name) => [name, "forged"]));
    for (const query of [forged, {}, { error: "server_error" }]) {
      const resumed = await leaks.watch(async () => provider.resume?.(requests.resume(step.state, query)));
      assert.ok(!("answer" in resumed) || isNoEntry(resumed.answer), `${Object.keys(query)} lets somebody in`);
    }
  },

  async "what a fetch brings keeps to the interface and hangs together"(world) {
    const { access, user_key_is_final = false } = await world.enter();
    const { snapshot, user_key } = await world.fetched(access);
    assert.ok(
      !user_key_is_final || user_key === undefined,
      "the login says that its user_key is final, and data state one",
    );
    const accounts = (snapshot.portfolios ?? []).map(({ key }) => key);
    assert.equal(new Set(accounts).size, accounts.length, "two portfolios have one key");
    assert.deepEqual(unknownNamesIn(snapshot), [], "rows have names that the interface does not have");
    if (snapshot.portfolios === null) return "the portfolios could not be read";
    for (const row of [...(snapshot.holdings ?? []), ...(snapshot.transactions ?? [])])
      assert.ok(accounts.includes(row.portfolio_key), "a row is in a portfolio that is not there");
  },

  async "amounts have the digits that the institution wrote"(world) {
    if (!world.figures) return "the setup has no figures";
    const { snapshot } = await world.fetched((await world.enter()).access);
    const found = new Set(textsIn(snapshot));
    for (const figure of world.figures) assert.ok(found.has(figure), `${figure} is not among the amounts`);
  },

  async "keys stay from fetch to fetch, and from login to login"(world) {
    const { access } = await world.enter();
    const first = await world.fetched(access);
    const second = await world.fetched(first.access ?? access, { refresh: true });
    const third = await world.fetched((await world.enter()).access);
    for (const later of [second, third]) sameKeys(later, first);
  },

  async "a fetch of what is new brings every account and holding"(world) {
    const { access } = await world.enter();
    const first = await world.fetched(access);
    const since = first.snapshot.as_of;
    const later = await world.fetched(first.access ?? access, { refresh: true, since });
    assert.deepEqual(keysOf(later.snapshot.portfolios), keysOf(first.snapshot.portfolios));
    assert.deepEqual(keysOf(later.snapshot.holdings), keysOf(first.snapshot.holdings));
  },

  async "a fetch that nobody waits for waits for nothing: it says when to come again"(world) {
    const { access } = await world.enter();
    const first = await world.fetched(access);
    const before = world.waits();
    world.begin();
    await world.fetched(first.access ?? access, { refresh: true, awaited: false });
    assert.equal(
      world.waits(),
      before,
      "it sleeps, or waits for its first turn for longer than 0 ms, or for a later one for longer than 30 s",
    );
  },

  async "a signal that has aborted ends every call, and nobody is asked"(world) {
    const { provider, requests, customer, institution } = world;
    const { access } = await world.enter();
    const before = institution?.asked();
    const signal = AbortSignal.abort(new Error("stopped"));
    const calls: readonly (() => Promise<unknown>)[] = [
      () => provider.login(requests.login(customer.fields, { signal })),
      () => provider.fetch(requests.fetch(access, { signal })),
      ...(provider.revoke ? [async () => provider.revoke?.(requests.revoke(access, { signal }))] : []),
    ];
    for (const call of calls) assert.ok("error" in (await ended(call, world)), "the call answers all the same");
    assert.equal(institution?.asked(), before, "the institution was asked");
  },

  async "a signal that aborts while the institution hangs ends every call"(world) {
    const { provider, requests, customer } = world;
    const { access } = await world.enter();
    if (!(await turned(world, "hangs"))) return "the institution never hangs";
    const calls: readonly ((signal: AbortSignal) => Promise<unknown>)[] = [
      (signal) => provider.login(requests.login(customer.fields, { signal })),
      (signal) => provider.fetch(requests.fetch(access, { signal })),
    ];
    for (const call of calls) {
      const stopping = new AbortController();
      const asked = ended(() => call(stopping.signal), world);
      await delay(SHORT_PAUSE_MS);
      stopping.abort(new Error("stopped"));
      // A login that starts without the institution has ended by now.
      await asked;
    }
  },

  async "an institution that is down has refused nobody"(world) {
    const { access } = await world.enter();
    if (!(await turned(world, "down"))) return "the institution is never down";
    await refusesNobody(world, access);
  },

  async "an institution that answers nonsense has refused nobody, and brings no data"(world) {
    const { access } = await world.enter();
    if (!(await turned(world, "nonsense"))) return "the institution never answers nonsense";
    await refusesNobody(world, access);
  },

  async "an institution that wants fewer requests is given time"(world) {
    const { provider, requests } = world;
    const { access } = await world.enter();
    if (!(await turned(world, "throttles"))) return "the institution never throttles";
    const result = await provider.fetch(requests.fetch(access, { refresh: true, awaited: true }));
    assert.ok(result.throttled !== undefined || result.pending !== undefined, "the fetch is not throttled");
    assert.deepEqual(faultsOfAnswer("fetch", result), []);
    const login = await world.leaks.watch(() => provider.login(requests.login(world.customer.fields)));
    assert.ok(!("answer" in login) || login.answer.kind !== "rejected", "a throttled login is called a wrong password");
  },

  async "an access that is not accepted any more is a refusal, and no failure"(world) {
    const { provider, requests } = world;
    const { access } = await world.enter();
    if (!(await turned(world, "withdrawn"))) return "the institution never withdraws an access";
    const result = await provider.fetch(requests.fetch(access, { refresh: true, awaited: true }));
    assert.ok(result.refused !== undefined, "the fetch is not refused");
    assert.deepEqual(faultsOfAnswer("fetch", result), []);
  },

  async "no error and no line of the log shows a secret"(world) {
    const { provider, requests, customer, institution, leaks } = world;
    const { access } = await world.enter();
    for (const mode of ["down", "nonsense", "throttles", "withdrawn"] as const) {
      if (!(await turned(world, mode))) continue;
      await leaks.watch(() => provider.login(requests.login(customer.fields)));
      const fetched = await leaks.watch(() => provider.fetch(requests.fetch(access)));
      if ("answer" in fetched && fetched.answer.failed)
        await leaks.watch(() => Promise.reject(new Error(fetched.answer.failed?.message)));
      await leaks.watch(async () => provider.revoke?.(requests.revoke(access)));
      await leaks.watch(async () => world.check());
    }
    for (const foreign of [null, {}, "text", { access: 1 }])
      await leaks.watch(() => provider.fetch(requests.fetch(foreign)));
    if (!institution) return "the setup has no institution that fails";
  },

  async "an access can be given back twice"({ provider, requests, enter }) {
    if (!provider.revoke) return "there is nothing to give back";
    const { access } = await enter();
    for (let time = 0; time < 2; time += 1) await provider.revoke(requests.revoke(access));
  },

  async "a notification that the institution did not send is not believed"({ provider, forged }) {
    if (!provider.notify) return "it takes no notifications";
    const { signal } = new AbortController();
    const empty = { headers: {}, body: new Uint8Array() };
    for (const sent of forged ? [empty, forged] : [empty])
      assert.deepEqual(await provider.notify({ ...sent, signal }), { kind: "unverified" });
  },
};

/** Checks that the call ends, in whatever way, soon after its signal has aborted. */
async function ended(call: () => Promise<unknown>, { leaks }: World) {
  const over = new AbortController();
  const late = delay(GRACE_MS, null, over).catch(() => null);
  const end = await Promise.race([leaks.watch(call), late]);
  over.abort();
  if (end === null) throw new AssertionError({ message: "the call goes on although its signal has aborted" });
  return end;
}

async function turned({ institution }: World, mode: InstitutionMode): Promise<boolean> {
  if (!institution?.modes.includes(mode)) return false;
  await institution.set(mode);
  return true;
}

/** A provider that gets no answer knows nothing about the customer. */
async function refusesNobody({ provider, requests, customer, leaks }: World, access: unknown): Promise<void> {
  const login = await leaks.watch(() => provider.login(requests.login(customer.fields)));
  if ("answer" in login) {
    const { kind } = login.answer;
    assert.ok(kind !== "rejected" && kind !== "authenticated", `the login is ${kind}`);
  }
  const fetched = await leaks.watch(() => provider.fetch(requests.fetch(access, { refresh: true, awaited: true })));
  if ("answer" in fetched) {
    const { refused, snapshot }: FetchResult = fetched.answer;
    assert.equal(refused, undefined, "the access is refused");
    assert.ok(snapshot === undefined || isEmptySnapshot(snapshot), "the fetch brings data");
  }
}

/** Nothing could be read: all lists are null. */
function isEmptySnapshot({ portfolios, holdings, transactions }: SnapshotData): boolean {
  return portfolios === null && holdings === null && transactions === null;
}

function isNoEntry(step: LoginStep | undefined): boolean {
  return step?.kind === "rejected" || step?.kind === "failed" || step?.kind === "throttled";
}

function sameKeys({ snapshot: later }: FetchedData, { snapshot: first }: FetchedData): void {
  for (const product of ["portfolios", "holdings", "transactions"] as const)
    assert.deepEqual(keysOf(later[product]), keysOf(first[product]), `keys of ${product} change`);
}

function keysOf(rows: readonly { readonly key: string | null; readonly portfolio_key?: string }[] | null): string[] {
  return (rows ?? []).map(({ key, portfolio_key = "" }) => `${portfolio_key} ${key}`).sort();
}
