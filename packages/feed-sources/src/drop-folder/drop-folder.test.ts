import { execFileSync } from "node:child_process";
import {
  existsSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFeed } from "@org/bank-providers";
import {
  createDataFeeds,
  createGiveUp,
  type FeedReport,
  type LetterRecord,
  readPart,
  type SentFile,
  type Uuid,
} from "@org/core";
import { createMemoryStorage, createTestRuntime } from "@org/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDropFolder, type DropFolderLog, prepareDropFolder } from "./drop-folder.js";
import { forgetGoneFeeds } from "./forget-gone-feeds.js";
import { createQuarantine } from "./quarantine.js";

const readParts = ({ name, bytes }: SentFile) => [readPart(name, bytes, readFeed)];
const TENANT = "01990000-0000-7000-8000-000000000001" as Uuid;
const LETTER = "01990000-0000-7000-8000-000000000002" as Uuid;
const UNKNOWN = "01990000-0000-7000-8000-00000000ffff";
const LATE = "01990000-0000-7000-8000-000000000003" as Uuid;

let dir: string;
let storage: ReturnType<typeof createMemoryStorage>;
let reports: FeedReport[];
let errors: unknown[][];
let runtime: ReturnType<typeof createTestRuntime>;
/** How far ahead the folder's clock is, ms. */
let ahead: number;
/** What happens right before a file is taken. */
let beforeTaking: (name: string) => Promise<void>;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "drop-"));
  await prepareDropFolder(dir);
  storage = createMemoryStorage();
  runtime = createTestRuntime();
  await storage.tenants.create({ tenant_id: TENANT, name: "Tenant", created_at: new Date(0) });
  await keepLetter(LETTER, "WaitingForData");
  await keepLetter(LATE, "Signed");
  [reports, errors, dropped] = [[], [], []];
  ahead = 0;
  beforeTaking = async () => {};
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function keepLetter(letter_id: Uuid, status: LetterRecord["status"]) {
  const at = new Date(0);
  const letter: LetterRecord = {
    letter_id,
    connector_id: "fra:custody",
    status,
    previous_status: null,
    ever_connected: false,
    labels: {},
    contact_info: {},
    connection_id: null,
    observations: null,
    created_at: at,
    updated_at: at,
    status_since: at,
    version: 0,
  };
  const move = {
    move_id: `${letter_id}-1`,
    letter_id,
    at,
    actor: "a",
    event: "sign",
    from: null,
    to: status,
    note: null,
    connection_id: null,
  };
  await storage.inTenant(TENANT, ({ letters }) => letters.create(letter, [], move));
}

/** A replica that watches the folder. */
function replica() {
  const feeds = createDataFeeds({
    storage,
    runtime,
    bankOf: async () => "Bank",
    readParts,
    onFile: (report) => reports.push(report),
  });
  const giveUp = createGiveUp({ storage, bankOf: async () => "Bank", onFile: (report) => reports.push(report) });
  const log = { info() {}, warn() {}, error: (...line: unknown[]) => errors.push(line) } as DropFolderLog;
  const folder = createDropFolder({
    dir,
    feeds: {
      ...feeds,
      ingest: async (...call) => {
        await beforeTaking(call[2].name);
        return feeds.ingest(...call);
      },
    },
    giveUp,
    formats: ["camt.053"],
    inlineBytes: 128 * 1024,
    clock: () => new Date(Date.now() + ahead),
    log,
  });
  const look = () => folder.poll(new AbortController().signal);
  return { look, twice: async () => [await look(), await look()] };
}

const operator = { application_id: "operator", trace_id: null, address: null };
let dropped: unknown[] = [];

function quarantine(folder: string | null = dir, formats: readonly string[] = ["camt.053"]) {
  const feeds = createDataFeeds({ storage, runtime, bankOf: async () => "Bank", readParts });
  const record = async (...line: unknown[]) => void dropped.push(line);
  return createQuarantine({ dir: folder, feeds, formats, clock: () => new Date(Date.now() + ahead), record });
}

const statement = (balance: string) =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
  <GrpHdr><CreDtTm>2024-01-31T00:00:00Z</CreDtTm></GrpHdr><Stmt><Id>1</Id><Acct><Id><IBAN>CH1</IBAN></Id></Acct>
  <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">${balance}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-01-31</Dt></Dt></Bal>
  </Stmt></BkToCstmrStmt></Document>`;

/** Leaves a file as an upload that ended a while ago would. */
function drop(folder: string, name: string, text: string, secondsAgo = 60): string {
  const path = join(dir, folder, name);
  mkdirSync(join(dir, folder), { recursive: true });
  writeFileSync(path, text);
  settle(path, secondsAgo);
  return path;
}

function settle(path: string, secondsAgo = 60): void {
  const at = Date.now() / 1000 - secondsAgo;
  lutimesSync(path, at, at);
}

/** Files below a folder, without the moment and the number in the names of those that were moved. */
function filesIn(place: string): string[] {
  const path = join(dir, place);
  if (!existsSync(path)) return [];
  return (readdirSync(path, { recursive: true, withFileTypes: true }) as { name: string; isDirectory(): boolean }[])
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name.replace(/^\d{8}T[\d.]+Z-\d+-/, ""))
    .sort();
}

function reasons(): Record<string, unknown>[] {
  const place = join(dir, "quarantine");
  return (readdirSync(place, { recursive: true }) as string[])
    .filter((name) => name.endsWith(".reason.json"))
    .map((name) => {
      // What a file lacks is not shown; a test of its own is about it.
      const { lack: _, formats: __, ...shown } = JSON.parse(readFileSync(join(place, name), "utf8"));
      return shown;
    });
}

it("[C-1.24] a file that two looks find unchanged is taken and moved to done", async () => {
  drop(LETTER, "a.xml", statement("10.50"));
  expect(await replica().twice()).toEqual([0, 1]);
  expect(reports).toMatchObject([{ outcome: "ingested", format: "camt.053", name: "a.xml" }]);
  expect([filesIn(LETTER), filesIn("done"), filesIn("quarantine")]).toEqual([[], ["a.xml"], []]);
});

it("files are taken in the order in which they were left, also for the connection that the first one made", async () => {
  drop(LETTER, "b.xml", statement("1"), 90);
  drop(LETTER, "a.xml", statement("2"), 60);
  const watching = replica();
  await watching.twice();
  drop(String(reports[0]?.connection_id), "c.xml", statement("3"));
  await watching.twice();
  expect(reports.map(({ name, outcome }) => [name, outcome])).toEqual([
    ["b.xml", "ingested"],
    ["a.xml", "ingested"],
    ["c.xml", "ingested"],
  ]);
});

it("[C-9.65] a large file that takes long holds up its own folder only, where later files wait for it", async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  beforeTaking = async (name) => {
    if (name === "1-large.xml") await gate;
  };
  drop(LETTER, "1-large.xml", statement("1") + " ".repeat(200_000), 90);
  drop(LETTER, "2-small.xml", statement("2"), 80);
  drop(UNKNOWN, "other.xml", statement("3"), 70);
  const { look } = replica();
  await look();
  const second = look();
  await expect.poll(() => reasons()).toHaveLength(1);
  expect(filesIn("done")).toEqual([]);
  open();
  expect(await second).toBe(3);
  expect(filesIn("done")).toEqual(["1-large.xml", "2-small.xml"]);
});

it("a file that is still being written, is hidden, or has a name of unfinished uploads stays", async () => {
  const watching = replica();
  const growing = drop(LETTER, "growing.xml", "<Docu", 0);
  for (const name of [".hidden.xml", "a.xml.part", "b.tmp", "c.xml.filepart", "d.xml~"])
    drop(LETTER, name, statement("1"));
  drop(LETTER, "empty.xml", "");
  for (let look = 0; look < 4; look += 1) {
    expect(await watching.look()).toBe(0);
    writeFileSync(growing, "x", { flag: "a" });
    settle(growing, 30 - look);
  }
  expect(reports).toEqual([]);
  settle(join(dir, LETTER, "empty.xml"), 3_600);
  await watching.twice();
  expect(reasons()).toMatchObject([{ name: "empty.xml" }, { name: "growing.xml" }]);
});

it("a file that changes while it is read is not taken", async () => {
  const path = drop(LETTER, "a.xml", statement("1"));
  const watching = replica();
  await watching.look();
  writeFileSync(path, statement("22"));
  settle(path, 59);
  expect(await watching.look()).toBe(0);
  expect(await watching.look()).toBe(1);
  expect(reports).toHaveLength(1);
});

it.each([
  ["a format that is not known", LETTER, "VALIDATION_ERROR", "Date,Amount", /none of the formats that can be read/],
  [
    "a fault in a file",
    LETTER,
    "VALIDATION_ERROR",
    statement("1e5"),
    /line 3, column \d+, .*Amt: "1e5" is not a decimal/,
  ],
  ["an id that nothing has", UNKNOWN, "NOT_FOUND", statement("1"), /no connection and no letter has this id/],
  ["a folder that is no id", "reports", "NOT_FOUND", statement("1"), /no connection and no letter has this id/],
  ["a letter that is not that far", LATE, "CONFLICT", statement("1"), /from WaitingForData on; this one is Signed/],
])("%s: the file is in quarantine with its reason beside it", async (_, folder, code, text, reason) => {
  drop(folder, "a.xml", text);
  expect(await replica().twice()).toEqual([0, 1]);
  expect(filesIn("quarantine")).toEqual(["a.xml", "a.xml.reason.json"]);
  expect(reasons()).toEqual([
    {
      name: "a.xml",
      folder,
      refused_at: expect.any(String),
      code,
      reason: expect.stringMatching(reason),
      size: text.length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
  expect(reports).toMatchObject([{ outcome: "refused" }]);
  const { items, ...counts } = await quarantine().list(10);
  expect(counts).toEqual({ watched: true, total: 1 });
  expect(items).toEqual([{ ...reasons()[0], moved_to: expect.stringMatching(/^quarantine\/.+-a\.xml$/) }]);
  expect(readFileSync(join(dir, items[0]?.moved_to ?? ""), "utf8")).toBe(text);
});

it("links, pipes, folders in folders, files outside of folders and files that are too large are quarantined unread", async () => {
  const secret = join(dir, "..", `${LETTER}-secret-${process.pid}`);
  writeFileSync(secret, statement("1"));
  mkdirSync(join(dir, LETTER, "inner"), { recursive: true });
  symlinkSync(secret, join(dir, LETTER, "link.xml"));
  symlinkSync(join(dir, "done"), join(dir, UNKNOWN));
  drop(".", "outside.xml", statement("1"));
  truncateSync(drop(LETTER, "huge.xml", ""), 64 * 1024 * 1024 + 1);
  settle(join(dir, LETTER, "huge.xml"));
  settle(join(dir, LETTER, "inner"));
  execFileSync("mkfifo", [join(dir, LETTER, "pipe.xml")]);
  for (const node of [join(dir, LETTER, "link.xml"), join(dir, LETTER, "pipe.xml"), join(dir, UNKNOWN)])
    settle(node, 3_600);
  const watching = replica();
  await watching.twice();
  expect(Object.fromEntries(reasons().map(({ name, reason }) => [name, reason]))).toEqual({
    "link.xml": "is a symbolic link, which is not followed",
    [UNKNOWN]: "is a symbolic link, which is not followed",
    "pipe.xml": "is no regular file",
    inner: "is a folder inside a folder; files lie right in the folder of their connection or letter",
    "outside.xml": "lies outside of the folders that are named by a connection's or a letter's id",
    "huge.xml": "is larger than 64 MiB",
  });
  expect(readFileSync(secret, "utf8")).toBe(statement("1"));
  expect(reports).toEqual([]);
  rmSync(secret);
});

it("two replicas that look at once take each file once, and none is lost", async () => {
  const names = Array.from({ length: 12 }, (_, n) => `${n}.xml`);
  for (const [n, name] of names.entries()) drop(LETTER, name, n % 4 === 3 ? "nonsense" : statement(String(n)), 100 - n);
  const replicas = [replica(), replica(), replica()];
  for (let look = 0; look < 3; look += 1) await Promise.all(replicas.map((watching) => watching.look()));
  const ingested = reports.filter(({ outcome }) => outcome === "ingested").map(({ name }) => name);
  expect(ingested.sort()).toEqual(names.filter((_, n) => n % 4 !== 3).sort());
  expect([filesIn(LETTER), filesIn("done").length]).toEqual([[], 9]);
  expect(filesIn("quarantine").filter((name) => !name.endsWith(".json"))).toEqual(["11.xml", "3.xml", "7.xml"]);
  expect(reasons()).toHaveLength(3);
  expect(errors).toEqual([]);
});

it("a crash between taking a file and moving it away leaves a duplicate that changes nothing", async () => {
  const path = drop(LETTER, "a.xml", statement("1"));
  await replica().twice();
  writeFileSync(path, statement("1"));
  settle(path);
  await replica().twice();
  expect(reports.map(({ outcome }) => outcome)).toEqual(["ingested", "duplicate"]);
  expect([filesIn(LETTER), filesIn("done")]).toEqual([[], ["a.xml", "a.xml"]]);
});

it("a database that is away leaves the file where it is, for the next look", async () => {
  drop(LETTER, "a.xml", statement("1"));
  beforeTaking = async () => {
    throw Object.assign(new Error("away"), { code: "unavailable" });
  };
  const watching = replica();
  expect(await watching.twice()).toEqual([0, 0]);
  expect([filesIn(LETTER), filesIn("quarantine"), errors.length]).toEqual([["a.xml"], [], 1]);
  beforeTaking = async () => {};
  expect(await watching.look()).toBe(1);
});

it("[C-9.430] a file that meets a defect is tried again after growing pauses, then quarantined, counted and told", async () => {
  drop(LETTER, "a.xml", statement("1"));
  let tries = 0;
  beforeTaking = async (name) => {
    if (name === "a.xml") tries += 1;
    if (name === "a.xml") throw new RangeError("Maximum call stack size exceeded");
  };
  const watching = replica();
  await watching.twice();
  for (const [minutes, tried] of [
    [0.9, 1],
    [1.1, 2],
    [6, 2],
    [6.2, 3],
    [31, 3],
  ] as const) {
    ahead = minutes * 60_000;
    await watching.twice();
    expect(tries).toBe(tried);
  }
  expect([filesIn(LETTER), filesIn("quarantine"), reports]).toEqual([["a.xml"], [], []]);
  // An absent database is no defect, and no try.
  beforeTaking = async () => {
    throw Object.assign(new Error("away"), { code: "unavailable" });
  };
  ahead = 32 * 60_000;
  await watching.twice();
  expect(filesIn(LETTER)).toEqual(["a.xml"]);
  beforeTaking = async () => {
    throw new RangeError("Maximum call stack size exceeded");
  };
  expect(await watching.look()).toBe(1);
  expect(reasons()).toMatchObject([
    { code: "INTERNAL_ERROR", reason: "met a defect of the server 4 times", folder: LETTER },
  ]);
  expect(reports).toMatchObject([{ outcome: "refused", name: "a.xml", reason: "met a defect of the server 4 times" }]);
  expect((await storage.eventsOf(TENANT)).filter(({ type }) => type === "feed.file_refused")).toMatchObject([
    { data: { letter_id: LETTER, reason: "unreadable" } },
  ]);
  drop(LETTER, "a.xml", statement("2"));
  beforeTaking = async () => {};
  await watching.twice();
  expect(filesIn("done")).toEqual(["a.xml"]);
});

it("names with control characters and of any length are moved under names that can be read", async () => {
  drop(LETTER, `a\nb\u001b${"x".repeat(200)}.xml`, statement("1"));
  drop(LETTER, "constructor", statement("2"));
  await replica().twice();
  expect(filesIn("done").map((name) => name.slice(-10))).toEqual(["constructor".slice(-10), "xxxxxx.xml"]);
  expect(reports.map(({ name }) => /^[^\p{Cc}]+$/u.test(name))).toEqual([true, true]);
});

it("[C-9.281] a name that is not UTF-8 is a name like any other", async () => {
  const path = Buffer.concat([Buffer.from(`${join(dir, LETTER)}/`), Buffer.from("Depot M\xfcller.xml", "latin1")]);
  mkdirSync(join(dir, LETTER));
  writeFileSync(path, statement("1"));
  const before = new Date(Date.now() - 60_000);
  utimesSync(path, before, before);
  expect(await replica().twice()).toEqual([0, 1]);
  expect(reports).toMatchObject([{ outcome: "ingested", name: "Depot Müller.xml" }]);
  expect(filesIn("done")).toEqual(["Depot Müller.xml"]);
});

it("a name of many bytes is cut by bytes, and no character in two", async () => {
  const name = `${"€".repeat(80)}.xml`;
  drop(LETTER, name, statement("1"));
  drop(UNKNOWN, `x${name}`, statement("1"));
  expect(await replica().twice()).toEqual([0, 2]);
  const kept = `${"€".repeat(48)}.xml`;
  expect([filesIn("done"), filesIn("quarantine")]).toEqual([[kept], [kept, `${kept}.reason.json`]]);
  expect(errors).toEqual([]);
});

it("files that cannot be moved away leave the next look to others, and are tried again later", async () => {
  writeFileSync(join(dir, "quarantine", UNKNOWN), "where a folder should be");
  for (let n = 0; n < 201; n += 1) drop(UNKNOWN, `${n}.xml`, "garbage", 90);
  drop(UNKNOWN, "oldest.xml", "garbage", 3_600);
  drop(LETTER, "a.xml", statement("1"));
  const watching = replica();
  expect(await watching.twice()).toEqual([0, 1]);
  expect(errors).toHaveLength(199);
  await watching.look();
  expect(errors).toHaveLength(202);
  await watching.look();
  expect(errors).toHaveLength(202);
  rmSync(join(dir, "quarantine", UNKNOWN));
  ahead += 600_001;
  expect(await watching.look()).toBe(200);
  expect(await watching.look()).toBe(2);
});

it("a folder of very many files leaves room for the others", async () => {
  const full = "00000000-0000-7000-8000-000000000000";
  mkdirSync(join(dir, full));
  for (let n = 0; n < 10_050; n += 1) writeFileSync(join(dir, full, String(n)), "");
  drop(LETTER, "a.xml", statement("1"));
  drop(".", "outside.xml", statement("1"));
  expect(await replica().twice()).toEqual([0, 2]);
  expect([filesIn("done"), readdirSync(join(dir, full)).length]).toEqual([["a.xml"], 10_050]);
});

it("the quarantine is listed newest first; what is no reason is left out; without a drop folder there is none", async () => {
  const place = join(dir, "quarantine");
  for (const name of ["1.xml", "2.xml", "3.xml"]) {
    drop(UNKNOWN, name, statement("1"));
    await replica().twice();
  }
  writeFileSync(join(place, "stray.reason.json"), "{}");
  const listed = await quarantine().list(3);
  expect([listed.total, listed.items.map(({ name }) => name)]).toEqual([4, ["3.xml", "2.xml"]]);
  expect(await quarantine(null).list(3)).toEqual({ watched: false, items: [], total: 0 });
});

describe("[C-7.37] a file in quarantine", () => {
  const refusal = (work: Promise<unknown>) => work.catch((error: { code?: string }) => error.code);
  const quarantined = async (folder: string, text: string) => {
    drop(folder, "a.xml", text);
    await replica().twice();
    return (await quarantine().list(1)).items[0]?.moved_to as string;
  };

  it("is taken once its cause is gone, for another letter too, and is in done then", async () => {
    const early = await quarantined(LATE, statement("1"));
    ahead = 60_000;
    expect(await refusal(quarantine().retry(operator, early, null))).toBe("CONFLICT");
    expect(Date.parse(reasons()[0]?.refused_at as string)).toBeGreaterThan(Date.now());
    expect(filesIn("quarantine")).toEqual(["a.xml", "a.xml.reason.json"]);
    const taken = await quarantine().retry(operator, early, { letter_id: LETTER });
    expect(taken).toMatchObject({ status: "ingested", format: "camt.053" });
    expect([filesIn("quarantine"), filesIn(`done/${LETTER}`)]).toEqual([[], ["a.xml"]]);
    expect(await refusal(quarantine().retry(operator, early, null))).toBe("NOT_FOUND");
    const misplaced = await quarantined("reports", statement("1"));
    expect(await quarantine().retry(operator, misplaced, { letter_id: LETTER })).toMatchObject({ status: "duplicate" });
  });

  it("[C-14.63] shows a piece of its text around the fault, which is recorded; what is no file shows none", async () => {
    const path = await quarantined(LETTER, statement("1").replace("<Amt Ccy", `${"<!-- -->".repeat(5_000)}<Amt Cy`));
    const { file, excerpt } = await quarantine().show(operator, path);
    expect(file).toEqual({ ...reasons()[0], moved_to: path });
    expect(excerpt).toMatchObject({ place: { line: 3, column: expect.any(Number) }, is_text: true });
    expect(excerpt.lines.find(({ line }) => line === 3)?.text).toContain("<Amt Cy=");
    expect(JSON.stringify(excerpt).length).toBeLessThan(3_000);
    expect(dropped).toEqual([[operator, "datafeed.show", expect.objectContaining({ folder: LETTER })]]);
    rmSync(join(dir, path));
    symlinkSync("/etc/hostname", join(dir, path));
    expect((await quarantine().show(operator, path)).excerpt).toMatchObject({ is_text: false, lines: [] });
    expect(await refusal(quarantine().show(operator, "quarantine/../a.xml"))).toBe("NOT_FOUND");
  });

  it("[C-9.290] that lacks a format is tried again by a server that reads more; one of a version that did not say what it lacks is, once", async () => {
    const path = await quarantined(LETTER, "nonsense");
    const more = ["camt.053", "mine"];
    const tried = async (formats?: readonly string[]) =>
      (await quarantine(dir, formats).retryForFormats(operator)).retried;
    expect([await tried(), await tried(more), await tried(more), await tried()]).toEqual([0, 1, 0, 0]);
    expect([await quarantine().countLacking(["format"]), await quarantine().countLacking(["key"])]).toEqual([1, 0]);
    const { lack: _, formats: __, ...before } = JSON.parse(readFileSync(join(dir, `${path}.reason.json`), "utf8"));
    writeFileSync(join(dir, `${path}.reason.json`), JSON.stringify(before));
    expect([await tried(), await tried()]).toEqual([1, 0]);
    const broken = await quarantined(LETTER, statement("x"));
    writeFileSync(join(dir, `${broken}.reason.json`), JSON.stringify({ ...before, code: "CONFLICT" }));
    expect([await tried(), await quarantine().countLacking(["format"])]).toEqual([0, 1]);
  });

  it("is deleted with its reason, which is recorded", async () => {
    const path = await quarantined(LETTER, "nonsense");
    await quarantine().drop(operator, path);
    expect(filesIn("quarantine")).toEqual([]);
    expect(dropped).toEqual([[operator, "datafeed.drop", expect.objectContaining({ folder: LETTER })]]);
    expect(await refusal(quarantine().drop(operator, path))).toBe("NOT_FOUND");
  });

  it("that was left outside of a folder, or is no file, has to be given a letter, or can only be dropped", async () => {
    const outside = await quarantined("", statement("1"));
    expect(await refusal(quarantine().retry(operator, outside, null))).toBe("VALIDATION_ERROR");
    expect(await quarantine().retry(operator, outside, { letter_id: LETTER })).toMatchObject({ status: "ingested" });
    mkdirSync(join(dir, LETTER));
    symlinkSync("/etc/hostname", join(dir, LETTER, "link.xml"));
    settle(join(dir, LETTER, "link.xml"));
    await replica().twice();
    const [link] = (await quarantine().list(1)).items;
    expect(await refusal(quarantine().retry(operator, link?.moved_to as string, null))).toBe("CONFLICT");
    await quarantine().drop(operator, link?.moved_to as string);
    expect([filesIn("quarantine"), existsSync("/etc/hostname")]).toEqual([[], true]);
  });

  it.each([
    "a.xml",
    "quarantine",
    "quarantine/../a.xml",
    "quarantine/./a.xml",
    "done/x/a.xml",
    "/etc/hostname",
    "quarantine/a/b/c",
  ])("%s is none", async (path) => {
    drop("", "a.xml", "kept");
    writeFileSync(join(dir, "a.xml.reason.json"), "{}");
    for (const work of [quarantine().retry(operator, path, null), quarantine().drop(operator, path)])
      expect(await refusal(work)).toBe("NOT_FOUND");
    expect(await refusal(quarantine(null).drop(operator, path))).toBe("NOT_FOUND");
    expect(existsSync(join(dir, "a.xml"))).toBe(true);
  });
});

it("a folder that cannot be used is refused, and which one", async () => {
  const path = join(dir, "missing");
  await expect(prepareDropFolder(path)).rejects.toMatchObject({ code: "ENOENT", path });
});

describe("what was kept of files", () => {
  const lay = (place: string) => {
    mkdirSync(join(dir, place), { recursive: true });
    writeFileSync(join(dir, place, "file"), "private");
  };
  const UNKNOWN = "019b2c6e-0000-7000-8000-00000000dead";
  const forget = () => {
    const feeds = createDataFeeds({ storage, runtime, bankOf: async () => "Bank", readParts });
    const log = { info() {} };
    return forgetGoneFeeds({ dir, feeds, log });
  };

  it("stays while its letter may deliver, and goes with it, refused files too", async () => {
    for (const place of [`done/${LETTER}`, `quarantine/${LETTER}`, `quarantine/${LATE}`]) lay(place);
    expect(await forget()).toBe(0);
    const end = async (letterId: Uuid) =>
      storage.inTenant(TENANT, async ({ letters, letterMoves }) => {
        const letter = (await letters.find(letterId)) as LetterRecord;
        const move = {
          move_id: `${letterId}-2`,
          letter_id: letterId,
          at: new Date(1),
          actor: "a",
          note: null,
          connection_id: null,
        };
        const ended = { ...letter, status: "Cancelled" as const };
        return letterMoves.record(ended, { ...move, event: "discontinue", from: letter.status, to: "Cancelled" });
      });
    expect([await end(LETTER), await end(LATE)]).toEqual([true, true]);
    expect(await forget()).toBe(2);
    expect([readdirSync(join(dir, "done")), readdirSync(join(dir, "quarantine"))]).toEqual([[], []]);
  });

  it("of an id that nobody knows any more goes, of one that never delivered stays", async () => {
    for (const place of [`done/${UNKNOWN}`, `quarantine/${UNKNOWN}`, "quarantine/nonsense"]) lay(place);
    writeFileSync(join(dir, "quarantine", "loose"), "nobody's");
    expect(await forget()).toBe(1);
    expect(readdirSync(join(dir, "done"))).toEqual([]);
    expect(readdirSync(join(dir, "quarantine")).sort()).toEqual(["loose", "nonsense"]);
  });
});
