import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { faultsOfAnswer } from "../src/index.js";
import { type Recording, readRecording, recordingCases } from "../src/testing/index.js";
import { type PierMistakes, pier } from "./pier/pier.js";

const file = new URL("./pier/pier.recording.json", import.meta.url);
const recording = readRecording(file);
const folder = mkdtempSync(join(tmpdir(), "pier-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("[C-5.191] a provider of contracts and coins, whose pages go on from the last row, keeps the rule:", () => {
  for (const { name, run } of recordingCases(() => ({ definition: pier(), recording })))
    it(name, async () => {
      await run();
    });
});

describe("[C-5.206] a provider that takes a short page as the end keeps the rule:", () => {
  for (const { name, run } of recordingCases(() => ({ definition: pier({ pageSize: 3 }), recording: inPagesOf(3) })))
    it(name, async () => {
      await run();
    });
});

it("[C-5.206] the suite says when a provider whose pages end with a short one takes a full page as the end", async () => {
  const rule = "lists in pages are read to the end, each page once";
  await expect(caseOf(rule, inPagesOf(3), { pageSize: 4 }).run()).rejects.toThrow(/fill-9002 is missing/);
});

it("[C-5.220] the suite says how a list goes on whose pages were not read to their end", async () => {
  const rule = "lists in pages are read to the end, each page once";
  const call = "fetch of a row a page (GET /fills goes on to the row that is missing, or to a page";
  const lost = "transactions: the row account-7001 fill-9002 is missing";
  await expect(caseOf(rule, recording, { readsOnePage: true }).run()).rejects.toThrow(`${call} without rows): ${lost}`);
  await expect(caseOf(rule, inPagesOf(3), { pageSize: 4 }).run()).rejects.toThrow(
    `${call} with fewer than 3 rows): ${lost}`,
  );
});

it.each<[string, PierMistakes, string, RegExp]>([
  [
    "one page alone is read",
    { readsOnePage: true },
    "lists in pages are read to the end, each page once",
    /fill-9002 is missing/,
  ],
  [
    "what was withdrawn is dropped",
    { dropsWithdrawn: true },
    "every row and field of the first fetch is as expected, and so is who logged in",
    /withdrawn: \{"portfolio_key":"account-7001","key":"fill-9004"\} is missing/,
  ],
  [
    "no limits are kept",
    { limits: [] },
    "limits are kept, and a fetch that nobody waits for says when to come again",
    /as request 21 within 60000 ms, and 20 are allowed/,
  ],
  [
    "a hundred times the limit is sent",
    { limits: [{ every_ms: 60_000, calls: 2_000 }] },
    "limits are kept, and a fetch that nobody waits for says when to come again",
    /as request 21 within 60000 ms/,
  ],
  [
    "a holding is named in two ways",
    { keepsSlash: true },
    "transactions name a holding by its key",
    /holding_key is "BTC\/USD", and a holding has the key "BTCUSD"/,
  ],
])("[C-5.192] the suite says when %s", async (_, mistakes, rule, message) => {
  await expect(caseOf(rule, recording, mistakes).run()).rejects.toThrow(message);
});

it("[C-5.193] a row that is withdrawn and that nobody expects is a fault", async () => {
  const { withdrawn: _, ...first } = recording.expect.first ?? {};
  const unexpected = { ...recording, expect: { ...recording.expect, first } };
  const rule = "every row and field of the first fetch is as expected, and so is who logged in";
  await expect(caseOf(rule, unexpected).run()).rejects.toThrow('"key":"fill-9004"} has no expectation');
});

it("[C-5.194] an exchange that does not say for which customer it is, is named once", async () => {
  const exchanges = recording.exchanges.map((one) => ({
    ...one,
    request: one.request.path === "/fills" ? { ...one.request, headers: {} } : one.request,
  }));
  const rule = "two customers at once on one instance get each their own data";
  const failure = await caseOf(rule, { ...recording, exchanges })
    .run()
    .catch((error: Error) => error.message);
  expect(failure).toBe("fetch sends GET /fills, and nothing in it says for which customer");
});

it("[C-5.194] a request that no exchange answers is named before what came of it", async () => {
  const exchanges = recording.exchanges.filter(({ request }) => request.path !== "/positions");
  const rule = "every row and field of the first fetch is as expected, and so is who logged in";
  await expect(caseOf(rule, { ...recording, exchanges }).run()).rejects.toThrow(
    /^fetch sends GET \/positions, which no exchange of the recording answers; then: .*404/s,
  );
});

it.each([
  [{ cursor: "page_token", last: "/uid" }, 'lists.1: last is "/uid", which the last row of GET /fills does not have'],
  [{ cursor: "page_token", next: "/next" }, 'lists.1: next is "/next", which an answer of GET /fills does not have'],
  [{ cursor: "page_token" }, "lists.1.pages: must be {cursor, next}, {cursor, last, size}, {link}"],
])("[C-5.195] pages that cannot be divided are refused when the recording is read: %j", (pages, message) => {
  const other = JSON.parse(readFileSync(file, "utf8"));
  other.lists[1].pages = pages;
  const path = join(folder, "other.recording.json");
  writeFileSync(path, JSON.stringify(other));
  expect(() => readRecording(path)).toThrow(message);
});

it("[C-5.196] a decimal with too many digits is told so", () => {
  const portfolio = { key: "1", name: "Depot", currency: "EUR", ref_account: null, type: "S" };
  const snapshot = { as_of: new Date(), holdings: null, transactions: null };
  const answer = (balance: string) => ({
    consent_expires_at: null,
    snapshot: { ...snapshot, portfolios: [{ ...portfolio, balance }] },
  });
  expect(faultsOfAnswer("fetch", answer("1".repeat(29)))).toEqual([
    "snapshot.portfolios.0.balance: must have at most 28 digits before the point and 20 after it, or null",
  ]);
  expect(faultsOfAnswer("fetch", answer("1".repeat(28)))).toEqual([]);
});

/** The recording, whose pages of fills have so many rows. */
function inPagesOf(size: number): Recording {
  const lists = recording.lists.map((list) => ({ ...list, ...(list.pages && { pages: { ...list.pages, size } }) }));
  return { ...recording, lists };
}

function caseOf(rule: string, given: Recording, mistakes: PierMistakes = {}) {
  const found = recordingCases(() => ({ definition: pier(mistakes), recording: given })).find(
    ({ name }) => name === rule,
  );
  if (found === undefined) throw new Error(`no rule "${rule}"`);
  return found;
}
