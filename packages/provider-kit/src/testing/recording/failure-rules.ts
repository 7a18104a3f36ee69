import assert from "node:assert/strict";
import { setImmediate as macrotask } from "node:timers/promises";
import { faultsOfAnswer } from "../../answers.js";
import { isOutage } from "../../outage.js";
import type { FetchResult, LoginStep } from "../../port.js";
import type { SnapshotData } from "../../snapshot.js";
import { joined } from "../conformance-world.js";
import { createLeakWatch } from "../leaks.js";
import { type End, endOf, first, plain, type RecordingRule, type Suite } from "./data-rules.js";
import { differencesOf, noFaults, snapshotLists } from "./expected-rows.js";
import { textsIn } from "./json-values.js";
import { fits, type Recording } from "./recording.js";
import type { RecordingWorld } from "./recording-world.js";
import { type Asked, MAX_REQUESTS, RETRY_AFTER, type RequestFault } from "./replay.js";

const ways = ["500", "401", "429", "reset", "cut", "not_json"] as const satisfies readonly RequestFault[];
type Way = (typeof ways)[number];
const words: Readonly<Record<Way, string>> = {
  "500": "is answered with 500",
  "401": "is answered with 401",
  "429": "is answered with 429",
  reset: "has its connection reset",
  cut: "gets half an answer",
  not_json: "is answered with a page of HTML",
};
/** Of many requests of one kind, the first and the last stand for all. */
const OF_EACH = 2;

/** What a provider makes of answers that are none. */
export const failureRules: Readonly<Record<string, RecordingRule>> = {
  async "each request of a login that fails is no wrong password, and lets nobody in"({ open }) {
    const quiet = await open();
    await quiet.enter();
    for (const { asked, index } of sampled(quiet.replay.asked))
      for (const way of waysFor(asked)) {
        const world = await open();
        failAt(world, index, way);
        const where = `login, when ${asked.name} ${words[way]},`;
        const end = await endOf(() => world.login());
        if ("error" in end) isFromKit(end.error, where, way);
        // The credentials have been taken: data that are not there yet may come later.
        else if (end.answer.kind !== "authenticated" || way !== "429" || index === 0)
          checkLogin(end.answer, where, way);
      }
  },

  async "each request of a fetch that fails loses no row, and says what happened"(suite) {
    const { open, recording } = suite;
    const { requests, from, renewed } = await requestsOfFetch(suite);
    for (const { asked, index } of sampled(requests))
      for (const way of waysFor(asked)) {
        const world = await open();
        const { access } = await world.enter();
        world.replay.options.division = "split";
        world.replay.options.during = "first";
        failAt(world, from + index, way);
        const where = `fetch, when ${asked.name} ${words[way]},`;
        const end = await endOf(() => world.provider.fetch(world.requests.fetch(access)));
        if ("error" in end) isFromKit(end.error, where, way);
        else checkFetch(await toItsEnd(world, access, end.answer), where, { way, recording });
        checkRenewed(world, renewed, { end, where, from });
      }
  },

  async "every call ends when its signal aborts, whichever request hangs"(suite) {
    const { open } = suite;
    const quiet = await open();
    await quiet.enter();
    const logins = quiet.replay.asked.length;
    const { requests } = await requestsOfFetch(suite);
    const fetches = sampled(requests).map(({ asked, index }) => ({ asked, index: index + logins, isFetch: true }));
    for (const { asked, index, isFetch } of [
      ...sampled(quiet.replay.asked).map((one) => ({ ...one, isFetch: false })),
      ...fetches,
    ]) {
      const world = await open();
      const access = isFetch ? (await world.enter()).access : null;
      const { recording, replay } = world;
      const { signal, stop } = stopped();
      replay.options.division = isFetch ? "split" : null;
      failAt(world, index, "hang");
      const end = isFetch
        ? endOf(() => world.provider.fetch(world.requests.fetch(access, { signal })))
        : endOf(() => world.provider.login(world.requests.login(recording.customer.fields, { signal })));
      let isOver = false;
      const ended = () => {
        isOver = true;
      };
      void end.then(ended, ended);
      while (!isOver && replay.asked.length <= index) await macrotask();
      stop();
      const { answer } = (await end) as { answer?: FetchResult | LoginStep };
      assert.ok(
        !answer || !("snapshot" in answer && answer.snapshot),
        `${asked.call} brings data although ${asked.name} hangs`,
      );
    }
  },

  async "other answers of the institution are read as the recording says"({ open, recording }) {
    if (recording.variations.length === 0) return "the recording has no variations";
    for (const { name, instead, expect } of recording.variations)
      for (const call of ["login", "fetch"] as const) {
        const expected = expect[call];
        if (expected === undefined) continue;
        const world = await open();
        const access = call === "login" ? null : (await world.enter()).access;
        world.replay.options.instead = instead;
        world.replay.options.during = "first";
        const end = await endOf<FetchResult | LoginStep>(() =>
          call === "login" ? world.login() : world.provider.fetch(world.requests.fetch(access)),
        );
        const where = `${call}, ${name}`;
        has(plain("error" in end ? thrownAs(call, end.error, where) : end.answer), expected, where);
      }
  },

  async "limits are kept, and a fetch that nobody waits for says when to come again"({ open, recording }) {
    if (recording.limits.length === 0) return "the recording has no limits";
    for (const awaited of [true, false]) {
      const world = await open();
      const { access } = await world.enter();
      world.replay.options.division = "split";
      const from = world.replay.asked.length;
      const fetch = () => world.fetched(access, { refresh: true, awaited });
      await fetch();
      const names = world.replay.asked.slice(from).map(({ name }) => name);
      // As often as it takes to send more than each limit allows.
      const times = recording.limits.map(({ calls, of }) => {
        const counted = names.filter((name) => of === undefined || of.some((call) => fits(call, name)));
        return counted.length === 0 ? 0 : Math.ceil((calls + 1) / counted.length);
      });
      const most = Math.floor(MAX_REQUESTS / names.length) - 1;
      for (let time = 1; time < Math.min(Math.max(2, ...times), most); time += 1) await fetch();
    }
  },

  async "no secret stands in an address, in what is shown, or in what the access need not have"({ open, recording }) {
    const world = await open();
    const step = await world.enter();
    const fetched = await first(world, step.access);
    const { asked } = world.replay;
    const tokens = textsIn(step.access).filter(
      (text) => text.length >= 6 && asked.some(({ headers }) => textsIn(headers).some((value) => value.includes(text))),
    );
    const addresses = asked.map(({ url }) => {
      const shown = new URL(url);
      for (const name of recording.secret_queries) shown.searchParams.delete(name);
      return shown.href;
    });
    const shown: Readonly<Record<string, string>> = {
      "an address": addresses.join(" "),
      user_key: step.user_key,
      "the reference": String(step.reference),
      "the snapshot": JSON.stringify(fetched.snapshot),
    };
    const watch = createLeakWatch();
    watch.learn([...world.secrets, ...tokens]);
    for (const [where, text] of Object.entries(shown)) watch.look(where, text);
    const installation = createLeakWatch();
    installation.learn(world.installationSecrets);
    installation.look("the access", JSON.stringify(step.access));
    noFaults([...watch.found, ...installation.found]);
  },
};

/** The requests of a good fetch, a row a page. `from` is how many the login sent, `renewed` what is new in the access. */
async function requestsOfFetch({ open }: Suite) {
  const world = await open();
  const { access } = await world.enter();
  const from = world.replay.asked.length;
  world.replay.options.division = "split";
  world.replay.options.during = "first";
  const result = await world.provider.fetch(world.requests.fetch(access));
  const requests = world.replay.asked.slice(from);
  const before = textsIn(access);
  const renewed = textsIn(result.access).filter(
    (text) => text.length >= 6 && !before.includes(text) && requests.some(({ answer }) => answer.includes(text)),
  );
  return { requests, from, renewed };
}

function sampled(requests: readonly Asked[]): readonly { asked: Asked; index: number }[] {
  const all = requests.map((asked, index) => ({ asked, index }));
  return all.filter(({ asked, index }) => {
    const alike = all.filter((one) => one.asked.name === asked.name);
    const at = alike.findIndex((one) => one.index === index);
    return at < OF_EACH || at >= alike.length - OF_EACH;
  });
}

/** Half of a text without brackets cannot be told from a whole one. */
function waysFor({ answer }: Asked): readonly Way[] {
  return /^[[{<]/.test(answer) ? ways : ways.filter((way) => way !== "cut" && way !== "not_json");
}

/** A request fails, and every later one that is the same. */
function failAt({ replay }: RecordingWorld, at: number, fault: RequestFault): void {
  let failing: string | null = null;
  replay.options.fault = ({ index, target }) => {
    if (index === at) failing = target;
    return target === failing ? fault : null;
  };
}

/** The answer, or, if it goes on with a history, all that there is once no request fails any more. */
async function toItsEnd(world: RecordingWorld, access: unknown, result: FetchResult): Promise<FetchResult> {
  if (!result.snapshot || !result.more) return result;
  world.replay.options.fault = null;
  world.time.advance(result.more.retry_after * 1_000);
  const pending_state: unknown = JSON.parse(JSON.stringify(result.more.state));
  return joined(result, await world.fetched(result.access ?? access, { pending_state }));
}

function stopped() {
  const controller = new AbortController();
  return { signal: controller.signal, stop: () => controller.abort(new Error("stopped")) };
}

/** An error that a provider may throw: the kit's, or that of a schema. Any other is a slip of the program. */
export function isFromKit(error: unknown, where: string, way: Way | null = null): void {
  const names: string[] = [];
  for (let at: unknown = error; typeof at === "object" && at !== null; at = Object.getPrototypeOf(at))
    names.push(String((at as { name?: unknown }).name ?? ""), at.constructor?.name ?? "");
  const isKnown = ["HttpFailure", "AnswerFailure", "ZodError", "$ZodError"].some((name) => names.includes(name));
  // What BigInt says of a text that is no number.
  const isAmount = error instanceof SyntaxError && error.message.endsWith("to a BigInt");
  const instead = isAmount
    ? "an amount is no number: read amounts with decimalString of the kit"
    : "throw the kit's HttpFailure or AnswerFailure, or answer {failed}";
  assert.ok(isKnown, `${where} throws ${nameOf(error)}: ${instead}`);
  assert.notEqual(way, "429", `${where} throws ${nameOf(error)}, and is not throttled`);
  if (way === "401" && !names.includes("ZodError"))
    assert.ok(!isOutage(error), `${where} throws what counts as an outage for everybody`);
}

/** What the server makes of an error that a provider may throw. Any other is a slip of the program. */
function thrownAs(call: "login" | "fetch", error: unknown, where: string): object {
  isFromKit(error, where);
  const failed = { message: nameOf(error), outage: isOutage(error) };
  return call === "fetch" ? { failed } : { kind: "failed", error_code: "InternalError", ...failed };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function checkLogin(step: LoginStep, where: string, way: Way): void {
  noFaults(faultsOfAnswer("login", step), where);
  const { kind } = step;
  assert.notEqual(kind, "authenticated", `${where} lets the customer in`);
  if (way === "429") {
    assert.equal(kind, "throttled", `${where} is ${kind}`);
    assert.ok(
      "retry_after" in step && step.retry_after >= RETRY_AFTER,
      `${where} does not wait as long as Retry-After says`,
    );
  } else if (way !== "401") assert.notEqual(kind, "rejected", `${where} is called a wrong password`);
}

function checkFetch(result: FetchResult, where: string, { way, recording }: { way: Way; recording: Recording }): void {
  const { snapshot, refused, throttled, pending, failed } = result;
  noFaults(faultsOfAnswer("fetch", result), where);
  if (snapshot !== undefined) {
    checkRows(snapshot, where, recording);
    return;
  }
  if (way === "429") {
    const waits = throttled ?? pending;
    assert.ok(waits, `${where} is ${Object.keys(result)}, and not throttled`);
    assert.ok(
      waits.retry_after >= RETRY_AFTER,
      `${where} comes again after ${waits.retry_after} s, and Retry-After says ${RETRY_AFTER}`,
    );
    return;
  }
  assert.equal(throttled, undefined, `${where} is throttled`);
  if (way !== "401") assert.equal(refused, undefined, `${where} is refused: the customer would have to log in again`);
  if (way === "401" && failed) assert.notEqual(failed.outage, true, `${where} counts as an outage for everybody`);
}

/** A list that could not be read is null; any other has all its rows. */
function checkRows(snapshot: SnapshotData, where: string, { expect }: Recording): void {
  const known = snapshotLists.filter((list) => snapshot[list] !== null);
  noFaults(
    differencesOf(snapshot, expect.first ?? {}, known).map((difference) => `${where} loses data: ${difference}`),
  );
}

/** A new access that came before the failure is handed back: the old one may be spent. */
function checkRenewed(
  { replay }: RecordingWorld,
  renewed: readonly string[],
  { end, where, from }: { end: End<FetchResult>; where: string; from: number },
): void {
  const kept = "answer" in end ? textsIn(end.answer.access) : [];
  for (const text of renewed)
    if (replay.asked.slice(from).some(({ answer }) => answer.includes(text)))
      assert.ok(kept.includes(text), `${where} loses the new access that the institution had issued`);
}

/** Whether a value has all that is expected of it, at any depth. */
function has(given: unknown, expected: unknown, where: string): void {
  if (typeof expected !== "object" || expected === null || Array.isArray(expected)) {
    assert.deepEqual(given, expected, where);
    return;
  }
  assert.ok(typeof given === "object" && given !== null, `${where} is ${JSON.stringify(given) ?? "missing"}`);
  for (const [name, value] of Object.entries(expected))
    has((given as Record<string, unknown>)[name], value, `${where}: ${name}`);
}
