import { expect, it } from "vitest";
import {
  conformanceCases,
  type Recording,
  readRecording,
  recordedSetup,
  recordingCases,
} from "../src/testing/index.js";
import { type QuayMistakes, quay } from "./quay/quay.js";

const recording = readRecording(new URL("./quay/quay.recording.json", import.meta.url));
const firstRule = "every row and field of the first fetch is as expected, and so is who logged in";

async function failureOf(rule: string, mistakes: QuayMistakes, given: Recording = recording): Promise<string> {
  const setup = { definition: quay(mistakes), recording: given };
  const cases = [
    ...recordingCases(() => setup),
    ...conformanceCases(() => recordedSetup(setup, { stranger: { key: "no-key" } })),
  ];
  const found = cases.find(({ name }) => name === rule);
  if (found === undefined) throw new Error(`no rule "${rule}"`);
  return found.run().then(
    () => "nothing",
    (error: Error) => error.message,
  );
}

/** The recording, whose exchanges of a path want another header. */
function wanting(path: string, headers: Readonly<Record<string, string>>): Recording {
  const exchanges = recording.exchanges.map((one) =>
    one.request.path === path && one.answer.status === 200
      ? { ...one, request: { ...one.request, headers: { ...one.request.headers, ...headers } } }
      : one,
  );
  return { ...recording, exchanges };
}

it("[C-5.219] a login that meets the recorded refusal is told which headers the exchange with data wants", async () => {
  const message = await failureOf(firstRule, {}, wanting("/account", { "x-key": "another-key", "x-version": "2" }));
  expect(message).toBe(
    "the login of the recording ends rejected: GET /account is answered by the recorded refusal, since the exchange with data has other headers (x-key, x-version)",
  );
});

it("[C-5.219] a request that no exchange answers is told which headers it wants", async () => {
  expect(await failureOf(firstRule, {}, wanting("/entries/trades", { "x-version": "2" }))).toMatch(
    /^fetch sends GET \/entries\/trades, which no exchange of the recording answers: headers differ \(x-version\)/,
  );
});

it("[C-5.304] a stand-in that has no answer for a stranger says so, and not that the institution answered 404", async () => {
  const exchanges = recording.exchanges.filter(({ answer }) => answer.status !== 401);
  expect(
    await failureOf("whoever is not known is rejected, which is no failure", {}, { ...recording, exchanges }),
  ).toBe(
    "the provider sends GET /account, which no exchange of the recording answers: headers differ (x-key); then: GET api.quay.example/account answered 404",
  );
});

/** A variation in which a call of the recording is answered otherwise. */
function varying(of: string, status: number, expect: Recording["variations"][number]["expect"]): Recording {
  const instead = [{ of, answer: { status, headers: {}, json: {} } }];
  return { ...recording, variations: [{ name: "other", instead, expect }] };
}
const unusable = { kind: "failed", error_code: "InternalError" };

it.each<[string, string, number, Recording["variations"][number]["expect"], string | RegExp]>([
  ["a failure", "GET /entries/{kind}", 400, { fetch: { failed: {} } }, "nothing"],
  ["an outage, which is thrown", "GET /entries/{kind}", 500, { fetch: { failed: { outage: true } } }, "nothing"],
  ["a login and a fetch", "GET /account", 400, { login: unusable, fetch: { failed: {} } }, "nothing"],
  ["a failure that is none", "GET /entries/{kind}", 401, { fetch: { failed: {} } }, "fetch, other: failed is missing"],
  [
    "a fetch beside a login",
    "GET /account",
    400,
    { login: unusable, fetch: { refused: "rejected" } },
    /^fetch, other: refused/,
  ],
])("[C-5.301] a variation states %s", async (_, of, status, expected, message) => {
  const rule = "other answers of the institution are read as the recording says";
  expect(await failureOf(rule, {}, varying(of, status, expected))).toMatch(message);
});

it("[C-5.219] a who that sends no request is told so", async () => {
  const who = { who: "account-7001" };
  expect(await failureOf("whoever is not known is rejected, which is no failure", who)).toBe(
    "the login of a stranger is authenticated: no request asks the institution who they are",
  );
  expect(await failureOf("good settings are good, and those of an institution that is down are not", who)).toBe(
    "the check of good settings says: live accepts a key that is none; no request asks the institution",
  );
});

it("[C-5.219] an amount that is no number is told to be read with decimalString", async () => {
  const message = await failureOf("a row that is odd loses no other row, and is not left out in silence", {
    addsUnread: true,
  });
  expect(message).toMatch(
    /throws SyntaxError: .* to a BigInt: an amount is no number: read amounts with decimalString/,
  );
});
