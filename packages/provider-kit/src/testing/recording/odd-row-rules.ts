import assert from "node:assert/strict";
import { faultsOfAnswer } from "../../answers.js";
import type { FetchResult } from "../../port.js";
import type { SnapshotData } from "../../snapshot.js";
import { type End, endOf, first, type RecordingRule, type Suite } from "./data-rules.js";
import {
  amountNames,
  differencesOf,
  differencesOfRow,
  isSameRow,
  noFaults,
  type SnapshotList,
  snapshotLists,
} from "./expected-rows.js";
import { isFromKit } from "./failure-rules.js";
import { textsIn } from "./json-values.js";
import { rowsOf, withRows } from "./paging.js";
import { type ExpectedRow, fits, NUMBER, type RecordedList, type Recording } from "./recording.js";

/** A row of an answer, and the recording with another row, or none, in its place. */
interface TriedRow {
  readonly row: object;
  readonly instead: (...others: readonly unknown[]) => Recording;
}

type IsOwn = (row: ExpectedRow, list: SnapshotList) => boolean;

/** What a provider makes of rows that are not as described. */
export const oddRowRules: Readonly<Record<string, RecordingRule>> = {
  async "a row that is odd loses no other row, and is not left out in silence"({ open, recording }) {
    if (recording.lists.length === 0) return "the recording has no lists";
    const quiet = await quietLines(open);
    for (const list of recording.lists)
      for (const { row, instead } of rowsOfEachShape(recording, list)) {
        const isOwn = ownRows(row, recording, (await fetchOf(open, instead())).end);
        for (const [name, odd] of oddForms(row)) {
          const where = `fetch, when ${list.of} has a row with ${name},`;
          const { end, lines } = await fetchOf(open, instead(odd));
          if ("error" in end) isFromKit(end.error, where, "cut");
          else if (end.answer.snapshot === undefined)
            assert.ok(end.answer.failed, `${where} is ${Object.keys(end.answer)}, and not failed`);
          else {
            const faults = faultsOfAnswer("fetch", end.answer).filter((fault) =>
              /\.(?:kind|type|subtype): /.test(fault),
            );
            noFaults(faults.map((fault) => `${where} brings what is none: ${fault}`));
            if (isWhole(end.answer))
              checkOdd(end.answer.snapshot, { recording, isOwn, where, isLogged: lines > quiet });
          }
        }
      }
  },
};

async function fetchOf(open: Suite["open"], other: Recording) {
  const world = await open([other]);
  const { access } = await world.enter();
  const before = world.logged();
  // An odd row may lead to requests for what it names.
  Object.assign(world.replay.options, { during: "first", isStrict: false });
  const end = await endOf(() => world.provider.fetch(world.requests.fetch(access)));
  return { end, lines: world.logged() - before };
}

/** How many lines a good fetch logs. */
async function quietLines(open: Suite["open"]): Promise<number> {
  const world = await open();
  const { access } = await world.enter();
  const before = world.logged();
  await first(world, access);
  return world.logged() - before;
}

/** A part of a history says nothing of the page that it could not read. */
function isWhole(answer: FetchResult): boolean {
  return !(answer.snapshot && answer.more) && faultsOfAnswer("fetch", answer).length === 0;
}

/** One row of each shape, that is, with other members than those before, of all answers of a list to a first fetch. */
function* rowsOfEachShape(recording: Recording, list: RecordedList): Generator<TriedRow> {
  const shapes = new Set<string>();
  for (const [at, { during, request, answer }] of recording.exchanges.entries()) {
    if (during === "refresh" || !fits(list.of, `${request.method} ${request.path}`)) continue;
    const rows = rowsOf(answer, list) ?? [];
    for (const [place, row] of rows.entries()) {
      if (typeof row !== "object" || row === null) continue;
      const shape = JSON.stringify(Object.keys(row).filter((name) => (row as Record<string, unknown>)[name] !== null));
      if (shapes.has(shape)) continue;
      shapes.add(shape);
      const instead = (...others: readonly unknown[]): Recording => {
        const changed = withRows(answer, list, rows.toSpliced(place, 1, ...others));
        const exchanges = recording.exchanges.map((one, index) => (index === at ? { ...one, answer: changed } : one));
        return { ...recording, exchanges };
      };
      yield { row, instead };
    }
  }
}

/** No word of an institution, but a member of every object: a table that is one would find it. */
const UNKNOWN = "constructor";

/** A member is missing, null, or of a value that nobody knows. */
function oddForms(row: object): readonly (readonly [name: string, row: object])[] {
  return Object.entries(row).flatMap(([member, value]) => {
    if (value === null) return [];
    const { [member]: _, ...without } = row as Record<string, unknown>;
    return [
      [`no ${member}`, without],
      [`${member}: null`, { ...row, [member]: null }],
      ...(typeof value === "object" ? [] : [[`a ${member} that nobody knows`, { ...row, [member]: UNKNOWN }] as const]),
    ] as const;
  });
}

/**
 * What comes of a row: what a fetch without it does not bring, or brings otherwise. Where that fetch brings nothing, what the row names in one of its
 * texts.
 */
function ownRows(row: object, { expect }: Recording, rest: End<FetchResult>): IsOwn {
  const { snapshot } = "answer" in rest && isWhole(rest.answer) ? rest.answer : {};
  if (snapshot === undefined) {
    const texts = new Set(textsIn(row).map((text) => text.replace(NUMBER, "")));
    return ({ key, portfolio_key, holding_key }) =>
      [key, portfolio_key, holding_key].some((name) => texts.has(String(name)));
  }
  const isIn = (list: SnapshotList, expected: ExpectedRow) =>
    (snapshot[list] as readonly ExpectedRow[] | null)?.some((one) => differencesOfRow(one, expected).length === 0);
  const own = new Map(snapshotLists.map((list) => [list, expect.first?.[list]?.filter((one) => !isIn(list, one))]));
  return (one, list) => own.get(list)?.some((other) => isSameRow(one, other)) ?? false;
}

function checkOdd(
  snapshot: SnapshotData,
  { recording, isOwn, where, isLogged }: { recording: Recording; isOwn: IsOwn; where: string; isLogged: boolean },
): void {
  for (const list of snapshotLists) {
    const expected = recording.expect.first?.[list];
    const given = snapshot[list] as readonly ExpectedRow[] | null;
    if (!expected || given === null) continue;
    const others = expected.filter((one) => !isOwn(one, list));
    const found = given.filter((one) => others.some((other) => isSameRow(one, other)));
    const missing = differencesOf({ ...snapshot, [list]: found }, { [list]: others }, [list]);
    noFaults(missing.map((difference) => `${where} loses another: ${difference}`));
    assert.ok(
      given.length >= expected.length || isLogged,
      `${where} leaves it out of ${list} without a line in the log`,
    );
    for (const one of given) {
      const before = expected.find((other) => isOwn(other, list) && isSameRow(one, other));
      for (const name of amountNames)
        if (isZero(one[name]) && before && !isZero(before[name]) && before[name] !== undefined)
          assert.fail(`${where} brings ${list} ${one.key} with ${name} ${one[name]}: what is not known is null`);
    }
  }
}

function isZero(value: unknown): boolean {
  return typeof value === "string" && /^-?0(\.0+)?$/.test(value);
}
