import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { unknownNamesIn } from "../../answers.js";
import type { FetchedData } from "../../port.js";
import { CALLBACK_URL } from "../requests.js";
import {
  differencesOf,
  differencesOfChanges,
  differencesOfTotals,
  type ExpectedSnapshot,
  noFaults,
  snapshotLists,
  unlikeHoldingKeys,
  wrongSigns,
} from "./expected-rows.js";
import { mapTexts, textsIn, valueAt } from "./json-values.js";
import { type PageDivision, pageNames } from "./paging.js";
import { fits, type Recording } from "./recording.js";
import type { RecordingWorld } from "./recording-world.js";
import type { Asked } from "./replay.js";
import { asAnotherCustomer, unexplainedAmounts, withExactNumbers, withOtherTexts } from "./rewrite.js";

/** Opens worlds for a rule, and holds for each at its end what holds for every rule. */
export interface Suite {
  readonly recording: Recording;
  readonly open: (recordings?: readonly Recording[]) => Promise<RecordingWorld>;
}

/** A rule; a text says why it does not apply. */
export type RecordingRule = (suite: Suite) => Promise<string | undefined>;

/** What a provider makes of good answers. */
export const dataRules: Readonly<Record<string, RecordingRule>> = {
  async "the recording says what to expect of every call, list and field"({ recording }) {
    const { login, first, refresh } = recording.expect;
    assert.notEqual(login?.user_key, undefined, "expect.login has no user_key");
    for (const name of ["as_of", "consent_expires_at", ...snapshotLists] as const)
      assert.notEqual(first?.[name], undefined, `expect.first has no ${name}`);
    assert.ok(refresh, "expect has no refresh: what a fetch with since brings");
    noFaults(unknownNamesIn(first as never), "expect.first has names that the interface does not have");
    noFaults(
      unexplainedAmounts(recording),
      'amounts are expected that no answer has: write how they are computed, such as "= 3 * 1.50"',
    );
  },

  async "every row and field of the first fetch is as expected, and so is who logged in"({ open, recording }) {
    const world = await open();
    const step = await world.enter();
    for (const [name, expected] of Object.entries(recording.expect.login ?? {}))
      assert.deepEqual(plain(step[name as keyof typeof step]), expected, `login: ${name}`);
    same(await first(world, step.access), recording, "fetch");
  },

  async "a fetch with since reads what is new, and portfolios and holdings whole"({ open, recording }) {
    const world = await open();
    const { access } = await world.enter();
    const before = await first(world, access);
    world.replay.options.during = "refresh";
    const since = before.snapshot.as_of;
    const later = await world.fetched(before.access ?? access, { refresh: true, since });
    const keys = recording.expect.refresh?.transactions;
    const expected = recording.expect.first ?? {};
    const transactions = keys && (expected.transactions ?? []).filter(({ key }) => keys.includes(String(key)));
    const unknown = (keys ?? []).filter((key) => !expected.transactions?.some((row) => String(row.key) === key));
    assert.deepEqual(unknown, [], "expect.refresh names keys that no row of expect.first has");
    const { withdrawn, corrected, complete_from } = recording.expect.refresh ?? {};
    same(later, recording, "fetch with since", {
      transactions: transactions ?? null,
      withdrawn: expected.withdrawn?.filter(({ key }) => withdrawn?.includes(key)),
      corrected: expected.corrected?.filter(({ key }) => corrected?.includes(key)),
      complete_from,
    });
  },

  async "all that was recorded is asked for"({ open, recording }) {
    const world = await open();
    const { access } = await world.enter();
    const before = await first(world, access);
    world.replay.options.during = "refresh";
    const later = await world.fetched(before.access ?? access, { refresh: true, since: before.snapshot.as_of });
    world.replay.options.during = null;
    world.replay.options.call = "check";
    // A check has no pace to wait for.
    world.time.advance(3_600_000);
    await world.setup.definition.check?.({
      settings: world.settings,
      http: world.services.http,
      clock: world.services.clock,
      signal: new AbortController().signal,
    });
    await world.provider.revoke?.(world.requests.revoke(later.access ?? before.access ?? access));
    const forgotten = recording.exchanges.filter(
      (exchange) =>
        !world.replay.used.has(exchange) &&
        exchange.answer.status < 300 &&
        // Another way in, for a login that goes another way.
        (exchange.during !== undefined || exchange.request.method === "GET"),
    );
    noFaults(
      forgotten.map(({ request: { method, path, query } }) => `${method} ${path} ${JSON.stringify(query)}`),
      "nobody asks for what is recorded",
    );
  },

  async "totals are those of the institution, and signs those of the kinds"({ open, recording }) {
    const world = await open();
    const { snapshot } = await first(world, (await world.enter()).access);
    noFaults([...differencesOfTotals(snapshot, recording), ...wrongSigns(snapshot, recording)]);
    if (recording.totals.length === 0) return "the recording states no totals";
  },

  async "transactions name a holding by its key"({ open }) {
    const world = await open();
    const { snapshot } = await first(world, (await world.enter()).access);
    noFaults(unlikeHoldingKeys(snapshot));
  },

  async "amounts keep digits that a float would spoil"({ open, recording }) {
    const exact = withExactNumbers(recording);
    const world = await open([exact]);
    same(await first(world, (await world.enter()).access), exact, "fetch of long numbers");
  },

  async "names, descriptions and currencies are those of the institution"({ open, recording }) {
    const other = withOtherTexts(recording);
    const world = await open([other]);
    same(await first(world, (await world.enter()).access), other, "fetch of other texts");
  },

  async "a second fetch, another login and another replica bring the same rows with the same keys"({
    open,
    recording,
  }) {
    const world = await open();
    const { access } = await world.enter();
    const one = await first(world, access);
    const again = await world.fetched(one.access ?? access, { refresh: true });
    same(again, recording, "second fetch");
    assert.deepEqual(again.snapshot, { ...one.snapshot, as_of: again.snapshot.as_of }, "the second fetch differs");
    same(await first(world, (await world.enter()).access), recording, "fetch after another login");
    const replica = await world.instance();
    same(
      await world.fetched((await world.enter(recording, replica)).access, {}, await world.instance()),
      recording,
      "fetch by another replica",
    );
  },

  async "rows in another order are the same rows"({ open, recording }) {
    if (recording.lists.length === 0) return "the recording has no lists";
    const world = await open();
    world.replay.options.isReversed = true;
    same(await first(world, (await world.enter()).access), recording, "fetch of rows in another order");
  },

  async "lists in pages are read to the end, each page once"({ open, recording }) {
    if (!recording.lists.some(({ pages }) => pages)) return "the recording has no pages";
    for (const division of ["split", "overlap"] satisfies PageDivision[]) {
      const world = await open();
      const { access } = await world.enter();
      world.replay.options.division = division;
      const from = world.replay.asked.length;
      const read = await first(world, access);
      const call = division === "split" ? "fetch of a row a page" : "fetch of pages that repeat a row";
      const unread = pagesLeft(recording, world.replay.asked.slice(from));
      same(read, recording, unread.length === 0 ? call : `${call} (${unread.join("; ")})`);
      const pages = world.replay.asked.slice(from).map(({ target }) => target);
      const twice = pages.filter((target, index) => pages.indexOf(target) !== index && isList(recording, target));
      noFaults(
        twice.map((target) => target.replace(/\?.*/s, "")),
        "a page is read twice",
      );
    }
  },

  async "pages that never end bring no data, and an end"({ open, recording }) {
    if (!recording.lists.some(({ pages }) => pages)) return "the recording has no pages";
    const world = await open();
    const { access } = await world.enter();
    world.replay.options.division = "endless";
    const end = await endOf(() => world.provider.fetch(world.requests.fetch(access)));
    assert.ok("error" in end || end.answer.snapshot === undefined, "fetch brings data although the pages do not end");
  },

  async "two customers at once on one instance get each their own data"({ open, recording }) {
    const alone = await open();
    const { access } = await alone.enter();
    const told = new Set(recording.exchanges.flatMap(({ answer, request }) => textsIn([answer.json, request])));
    // An access may hold where the customer came back, which is the same for all.
    const own = [...textsIn(access)].filter((text) => text !== CALLBACK_URL);
    const texts = own.filter((text) => [...told].some((one) => one.includes(text)));
    const other = asAnotherCustomer(recording, texts);
    if (isDeepStrictEqual(other.customer, recording.customer))
      return "the recording has nothing that distinguishes a customer";
    const world = await open([recording, other]);
    const [one, two] = await Promise.all([world.enter(recording), world.enter(other)]);
    assert.notEqual(one.user_key, two.user_key, "login: two customers have one user_key");
    const [of, ofOther] = await Promise.all([first(world, one.access), first(world, two.access)]);
    // One customer's rows in the place of the other's would be many more lines.
    noFaults([...world.replay.faults]);
    same(of, recording, "fetch of the first of two customers");
    same(ofOther, other, "fetch of the second of two customers");
    same(await first(world, of.access ?? one.access), recording, "fetch of the first after the second");
    same(await first(world, ofOther.access ?? two.access), other, "fetch of the second after the first");
  },
};

/** How a call ends. */
export type End<T> = { readonly answer: T } | { readonly error: unknown };

/** @throws AssertionError of the suite itself */
export async function endOf<T>(call: () => Promise<T>): Promise<End<T>> {
  try {
    return { answer: await call() };
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return { error };
  }
}

/** The first fetch, while somebody waits. */
export function first(world: RecordingWorld, access: unknown): Promise<FetchedData> {
  world.replay.options.during = "first";
  return world.fetched(access);
}

/** Checks that a fetch brings what is expected, and says for each row and field how not. */
function same(
  { snapshot, consent_expires_at }: FetchedData,
  { expect }: Recording,
  call: string,
  other: ExpectedSnapshot = {},
): void {
  const expected = { ...expect.first, ...other };
  const end = expected.consent_expires_at;
  if (end !== undefined) assert.equal(consent_expires_at?.toISOString() ?? null, end, `${call}: consent_expires_at`);
  const found = [...differencesOf(snapshot, expected), ...differencesOfChanges(snapshot, expected)];
  noFaults(found.map((difference) => `${call}: ${difference}`));
}

/** Lists in pages that only an empty or a short page ends, and whose last page that was read is neither. */
function pagesLeft({ lists }: Recording, asked: readonly Asked[]): readonly string[] {
  return lists.flatMap(({ of, rows, pages }) => {
    if (!pages || !("size" in pages) || ("count" in pages && pages.count !== undefined)) return [];
    const ends = new Map<string, number>();
    for (const { name, url, answer } of asked.filter((one) => fits(of, one.name))) {
      const whole = new URL(url);
      for (const page of pageNames(pages)) whole.searchParams.delete(page);
      const found = /^[[{]/.test(answer) ? valueAt(JSON.parse(answer), rows) : null;
      ends.set(`${name}${whole.search}`, Array.isArray(found) ? found.length : 0);
    }
    const end = pages.size === 1 ? "a page without rows" : `a page with fewer than ${pages.size} rows`;
    return [...ends]
      .filter(([, count]) => count >= pages.size)
      .map(([list]) => `${list} goes on to the row that is missing, or to ${end}`);
  });
}

function isList({ lists }: Recording, target: string): boolean {
  const [method = "", address = "/"] = target.split(" ");
  const { pathname } = new URL(address);
  return lists.some(({ of, pages }) => pages && of === `${method} ${pathname}`);
}

/** A value as JSON has it. */
export function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(mapTexts(value, (text) => text)));
}
