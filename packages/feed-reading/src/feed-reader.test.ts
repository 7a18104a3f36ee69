import { FeedRefusal } from "@org/provider-kit";
import { expect, it } from "vitest";
import { createFeedReader } from "./feed-reader.js";

const large = Buffer.alloc(200_000, 32);
/** A thread that runs `body`, which can use the bytes `file` and call `answer`: a message with `read` becomes the only part of the file. */
const thread = (body: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort, workerData } from "node:worker_threads";
      const { name, bytes: file } = workerData;
      const answer = ({ read, ...message }) =>
        parentPort.postMessage(read ? { parts: [{ name, sha256: "", read }] } : message);
      ${body}`)}`,
  );
const shippedOnly = {
  formats: { loaded: [], modules: [] },
  acceptsInterim: () => false,
  mappingsFor: () => [],
  clock: () => new Date(),
};
const LIMITS = { seconds: 60, megabytes: 100, threads: 2, trial: { seconds: 60, megabytes: 100 } };
const reader = (body: string, limits: { seconds?: number; megabytes?: number } = {}) => {
  const { read } = createFeedReader(thread(body), { ...LIMITS, ...limits }, shippedOnly);
  return async (bytes: Uint8Array, tenant_id = "tenant", feed_id = "feed") => {
    const [part] = await read({ name: "file", bytes }, { tenant_id, feed_id });
    if (part && "read" in part) return part.read;
    throw new FeedRefusal(part?.refusal.place ?? "", part?.refusal.reason ?? "");
  };
};

it("a small file is read at once, and its refusal is one", async () => {
  await expect(reader("answer('no')")(Buffer.from("Date,Amount"))).rejects.toThrow(FeedRefusal);
});

it("a large file is read in a thread, which gets the file and nothing of the environment", async () => {
  const answer = await reader(
    "answer({ read: { format: String(file.length), snapshot: Object.keys(process.env), warnings: [] } })",
  )(large);
  expect(answer).toMatchObject({ format: "200000", snapshot: [] });
});

it("[C-9.274] a thread gets the private keys that it asks for and no others; that they cannot be had says nothing of the file", async () => {
  const asked: (readonly string[] | null)[] = [];
  const body =
    "parentPort.once('message', (keys) => answer({ read: { keys, given: Object.keys(workerData) } })); parentPort.postMessage({ keysFor: ['A'] });";
  const from = (ownKeys: (ids: readonly string[] | null) => Promise<readonly string[]>) =>
    createFeedReader(thread(body), LIMITS, { ...shippedOnly, ownKeys });
  const origin = { tenant_id: "tenant", feed_id: "feed" };
  const keys = from(async (ids) => {
    asked.push(ids);
    return ["private key of A"];
  });
  const [part] = await keys.read({ name: "file", bytes: large }, origin);
  expect(part).toMatchObject({ read: { keys: ["private key of A"] } });
  expect(part && "read" in part && (part.read as unknown as { given: string[] }).given).not.toContain("keys");
  expect(asked).toEqual([["A"]]);
  const away = from(() => Promise.reject(new Error("the database is away")));
  await expect(away.read({ name: "file", bytes: large }, origin)).rejects.toThrow("the database is away");
});

it("a refusal comes back as one, with its place", async () => {
  const refusal = reader("answer({ refused: { place: 'line 3', reason: 'is odd' } })")(large);
  await expect(refusal).rejects.toMatchObject({ name: "FeedRefusal", place: "line 3", reason: "is odd" });
  await expect(refusal).rejects.toBeInstanceOf(FeedRefusal);
});

it.each([
  ["takes too long", "for (;;);", { seconds: 1 }, /^file: takes longer than 1 seconds/],
  [
    "takes too much memory",
    "const all = []; for (;;) all.push(new Array(10_000).fill({}));",
    { megabytes: 20 },
    /^file: needs more than 20 MB of memory/,
  ],
])("a file that %s is refused, and the thread ends", async (_, body, limits, message) => {
  const refusal = reader(body, limits)(large);
  await expect(refusal).rejects.toBeInstanceOf(FeedRefusal);
  await expect(refusal).rejects.toThrow(message);
});

it.each([
  ["throws", "throw new TypeError('defect')", /defect/],
  ["ends without an answer", "process.exit(3)", /ended with 3 and no answer/],
])("a thread that %s is a defect, no refusal", async (_, body, message) => {
  const failure = reader(body)(large);
  await expect(failure).rejects.toThrow(message);
  await expect(failure).rejects.not.toBeInstanceOf(FeedRefusal);
});

it("large files of one feed wait for each other, also for one that failed", async () => {
  const body = `
    const others = Number(process.hrtime.bigint());
    setTimeout(() => (file[0] === 1 ? process.exit(1) : answer({ read: { format: "x", snapshot: [others, Number(process.hrtime.bigint())], warnings: [] } })), 50);`;
  const reads = reader(body);
  const failing = Buffer.from(large);
  failing[0] = 1;
  const outcomes = await Promise.allSettled([reads(large), reads(failing), reads(large)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const spans = outcomes.flatMap((outcome) =>
    outcome.status === "fulfilled" ? [outcome.value.snapshot as unknown as [number, number]] : [],
  );
  expect(spans[1]?.[0]).toBeGreaterThan(spans[0]?.[1] ?? Number.POSITIVE_INFINITY);
});

/** A thread that answers files whose first byte is 1 when the test says so, and others immediately. */
const onWord = `
  const done = () => answer({ read: { format: 'done', snapshot: [], warnings: [] } });
  if (file[0] === 1) new BroadcastChannel("slow files").onmessage = done;
  else done();`;
const slow = Buffer.from(large);
slow[0] = 1;

/** Ends the slow files, including those that get a thread later. */
async function letEnd(files: readonly Promise<unknown>[]): Promise<void> {
  const channel = new BroadcastChannel("slow files");
  const word = setInterval(() => channel.postMessage("end"), 20);
  await Promise.allSettled(files);
  clearInterval(word);
  channel.close();
}

it("[C-9.65] a tenant's slow files leave a thread for another tenant's", async () => {
  const read = reader(onWord);
  let ended = 0;
  const stuck = ["a", "b", "c"].map((feed) => read(slow, "slow", feed).finally(() => (ended += 1)));
  expect(await read(large, "honest", "d")).toMatchObject({ format: "done" });
  expect(ended).toBe(0);
  await letEnd(stuck);
  expect(ended).toBe(3);
});

it("files wait in memory: of one tenant only some do", async () => {
  const read = reader(onWord);
  const all = Array.from({ length: 10 }, (_, feed) => read(slow, "one", `feed ${feed}`));
  const limit = { name: "feed_files_waiting", value: 8 };
  await expect(all[9]).rejects.toMatchObject({ code: "RATE_LIMITED", limit });
  await letEnd(all);
});

it("a mapping is tried in a thread however small the file is, and ends with its own limits, not those of reading", async () => {
  const small = { name: "file.csv", bytes: Buffer.from("a") };
  const given = createFeedReader(
    thread("answer({ tried: { faults: [workerData.trial] } })"),
    LIMITS,
    shippedOnly,
  ).trials;
  expect([await given.test(small, "m", 7), await given.draft(small), await given.faultsOf("m")]).toEqual([
    { faults: [{ stated: "m", limit: 7 }] },
    { faults: [{ draft: {} }] },
    [{ stated: "m" }],
  ]);
  const endless = createFeedReader(
    thread("for (;;);"),
    { ...LIMITS, trial: { seconds: 1, megabytes: 100 } },
    shippedOnly,
  ).trials;
  const refusal = endless.test(small, {}, 1);
  await expect(refusal).rejects.toBeInstanceOf(FeedRefusal);
  await expect(refusal).rejects.toMatchObject({ place: "file", reason: "takes longer than 1 seconds to read" });
});

it("[C-9.65] operators who try mappings leave a thread for the files of tenants", async () => {
  const body = `if ("trial" in workerData) new BroadcastChannel("slow files").onmessage = () => answer({ tried: {} });
    else answer({ read: { format: "done", snapshot: [], warnings: [] } });`;
  const { read, trials } = createFeedReader(thread(body), LIMITS, shippedOnly);
  let ended = 0;
  const stuck = [1, 2, 3].map(() => trials.draft({ name: "", bytes: slow }).finally(() => (ended += 1)));
  expect(await read({ name: "file", bytes: large }, { tenant_id: "honest", feed_id: "feed" })).toHaveLength(1);
  expect(ended).toBe(0);
  await letEnd(stuck);
  expect(ended).toBe(3);
});

it("a small file is read in a thread where its mapping may take long, and at once where it does not", async () => {
  const contains = Array.from({ length: 200 }, (_, n) => `x${n}`);
  const mapping = (rules: number) => ({
    language: 1,
    name: "fern",
    title: "Fern",
    recognise: { header: ["Day"] },
    delimiter: ";",
    values: { date: { column: "Day" }, cash: { column: "Cash" }, currency: { constant: "CHF" } },
    tables: [
      {
        rows: [
          ...Array.from({ length: rules }, () => ({ when: { column: "Day", contains }, is: "ignored" })),
          { is: "transaction" },
        ],
      },
    ],
  });
  const body = "answer({ read: { format: 'in a thread', snapshot: [], warnings: [] } })";
  const file = { name: "a.csv", bytes: Buffer.from(`Day;Cash\n${"2026-01-01;1.00\n".repeat(100)}`) };
  for (const [rules, format] of [
    [1, "mapping:fern"],
    [200, "in a thread"],
  ] as const) {
    const mappingsFor = () => [[mapping(rules)]];
    const { read } = createFeedReader(thread(body), LIMITS, { ...shippedOnly, mappingsFor });
    expect(await read(file, { tenant_id: "t", feed_id: "f" })).toMatchObject([{ read: { format } }]);
  }
});
