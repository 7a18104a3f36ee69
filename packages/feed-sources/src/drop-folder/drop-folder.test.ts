import { execFileSync } from "node:child_process";
import {
  existsSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFeed } from "@org/bank-providers";
import { CoreError, type LetterRecord, type Uuid } from "@org/core";
import { createMemoryStorage, createTestRuntime } from "@org/core/testing";
import { createDataFeeds, createGiveUp, type FeedReport, readPart, type SentFile } from "@org/data-feeds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIntake } from "../intake.js";
import { createSourceOperations } from "../source-operations.js";
import { createMemorySourceStores } from "../testing/memory-source-stores.js";
import { createDropFolder, type DropFolderLog, prepareDropFolder } from "./drop-folder.js";
import { forgetGoneFeeds } from "./forget-gone-feeds.js";

const readParts = ({ name, bytes }: SentFile) => {
  if (isBusy) throw new CoreError("RATE_LIMITED", "too many files wait to be read", { retryAfterSeconds: 1 });
  return [readPart(name, bytes, readFeed)];
};
const TENANT = "01990000-0000-7000-8000-000000000001" as Uuid;
const LETTER = "01990000-0000-7000-8000-000000000002" as Uuid;
const UNKNOWN = "01990000-0000-7000-8000-00000000ffff";
const LATE = "01990000-0000-7000-8000-000000000003" as Uuid;

let dir: string;
let storage: ReturnType<typeof createMemoryStorage>;
let stores: ReturnType<typeof createMemorySourceStores>;
/** The room for held files. */
let maxBytes: number;
let reports: FeedReport[];
/** What the source of the drop folder says became of its files. */
let settled: string[];
/** Whether the reader has no room. */
let isBusy: boolean;
let errors: unknown[][];
let runtime: ReturnType<typeof createTestRuntime>;
/** How far ahead the folder's clock is, in milliseconds. */
let ahead: number;
/** Called right before a file is ingested. */
let beforeTaking: (name: string) => Promise<void>;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "drop-"));
  await prepareDropFolder(dir);
  storage = createMemoryStorage();
  stores = createMemorySourceStores();
  maxBytes = 100_000_000;
  runtime = createTestRuntime();
  await storage.tenants.create({ tenant_id: TENANT, name: "Tenant", created_at: new Date(0) });
  await keepLetter(LETTER, "WaitingForData");
  await keepLetter(LATE, "Signed");
  [reports, errors, recorded, settled, isBusy] = [[], [], [], [], false];
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
    client_ref: null,
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

const bankOf = async () => "Bank";
const onFile = (report: FeedReport) => void reports.push(report);
const feedsOf = () => createDataFeeds({ storage, runtime, bankOf, readParts, onFile });

function intake() {
  const holding = { days: 30, maxBytes };
  const lettersOf = async () => [];
  return createIntake({
    stores,
    runtime,
    feeds: feedsOf(),
    readParts: async (file) => readParts(file),
    lettersOf,
    holding,
    onFile: ({ outcome }) => settled.push(outcome),
  });
}

function replica() {
  const feeds = feedsOf();
  const log = { info() {}, warn() {}, error: (...line: unknown[]) => errors.push(line) } as DropFolderLog;
  const folder = createDropFolder({
    dir,
    feeds: {
      ingest: async (...call) => {
        await beforeTaking(call[2].name);
        return feeds.ingest(...call);
      },
    },
    intake: intake(),
    giveUp: createGiveUp({ storage, bankOf, onFile }),
    inlineBytes: 128 * 1024,
    clock: () => new Date(Date.now() + ahead),
    log,
  });
  const look = () => folder.poll(new AbortController().signal);
  return { look, twice: async () => [await look(), await look()] };
}

const operator = { application_id: "operator", trace_id: null, address: null };
let recorded: { action: string }[] = [];

/** The operators' functions for held files. */
function operations() {
  return createSourceOperations({
    stores,
    runtime,
    intake: intake(),
    newSecret: () => "secret",
    open: () => Promise.reject(new Error("nothing is connected to")),
    record: async (entry) => void recorded.push(entry),
  });
}

async function held() {
  const { items } = await operations().held({ source: null, limit: 1_000 });
  return items.map(({ file_id, source, name, size, findings }) => ({
    file_id,
    source,
    name,
    size,
    reason: findings[0]?.reason,
  }));
}
const namesHeld = async () => (await held()).map(({ name }) => name).sort();

const statement = (balance: string) =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
  <GrpHdr><CreDtTm>2024-01-31T00:00:00Z</CreDtTm></GrpHdr><Stmt><Id>1</Id><Acct><Id><IBAN>CH1</IBAN></Id></Acct>
  <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">${balance}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-01-31</Dt></Dt></Bal>
  </Stmt></BkToCstmrStmt></Document>`;

/** Writes a file as an upload that ended a while ago would. */
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

/** The files below a folder; moved files without the timestamp and number in their names. */
function filesIn(place: string): string[] {
  const path = join(dir, place);
  if (!existsSync(path)) return [];
  return (readdirSync(path, { recursive: true, withFileTypes: true }) as { name: string; isDirectory(): boolean }[])
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name.replace(/^\d{8}T[\d.]+Z-\d+-/, ""))
    .sort();
}

it("[C-1.24] a file that two looks find unchanged is taken and moved to done", async () => {
  drop(LETTER, "a.xml", statement("10.50"));
  expect(await replica().twice()).toEqual([0, 1]);
  expect(reports).toMatchObject([{ outcome: "ingested", format: "camt.053", name: "a.xml" }]);
  expect([filesIn(LETTER), filesIn("done"), await held()]).toEqual([[], ["a.xml"], []]);
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
  await expect.poll(held).toHaveLength(1);
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
  expect(await namesHeld()).toEqual([`${LETTER}/empty.xml`, `${LETTER}/growing.xml`]);
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
  ["a format that is not known", LETTER, "Date,Amount", /none of the formats that can be read/],
  ["a fault in a file", LETTER, statement("1e5"), /line 3, column \d+, .*Amt: "1e5" is not a decimal/],
  ["an id that nothing has", UNKNOWN, statement("1"), /no connection and no letter has this id/],
  ["a folder that is no id", "reports", statement("1"), /no connection and no letter has this id/],
  ["a letter that is not that far", LATE, statement("1"), /from WaitingForData on; this one is Signed/],
])("%s: the file is held, sealed, and leaves the folder", async (_, folder, text, reason) => {
  drop(folder, "a.xml", text);
  expect(await replica().twice()).toEqual([0, 1]);
  expect([filesIn(folder), filesIn("done"), filesIn("unfit")]).toEqual([[], [], []]);
  expect(await held()).toEqual([
    {
      file_id: expect.any(String),
      source: "drop-folder",
      name: `${folder}/a.xml`,
      size: text.length,
      reason: expect.stringMatching(reason),
    },
  ]);
  expect(reports).toMatchObject([{ outcome: "refused" }]);
  const [file] = await stores.files.held({ source: "drop-folder", limit: 1 });
  const kept = await stores.files.heldContent(file?.file_id as Uuid);
  expect(Buffer.from(kept?.content.ciphertext ?? []).includes(text)).toBe(false);
});

it("where there is no room to hold a file it stays, and is tried again later", async () => {
  maxBytes = 1;
  drop(LETTER, "a.xml", "nonsense");
  const watching = replica();
  expect(await watching.twice()).toEqual([0, 0]);
  expect([filesIn(LETTER), await held(), errors.length]).toEqual([["a.xml"], [], 1]);
  ahead = 600_000;
  await watching.look();
  expect(errors).toHaveLength(2);
  expect(reports).toMatchObject([{ outcome: "refused" }]);
});

it("[C-9.201] a file that a killed server has held and not removed is removed, and counts once", async () => {
  const path = drop(LETTER, "a.xml", "nonsense");
  const { mtime } = statSync(path);
  await replica().twice();
  writeFileSync(path, "nonsense");
  utimesSync(path, mtime, mtime);
  expect(await replica().twice()).toEqual([0, 1]);
  expect([filesIn(LETTER), await namesHeld()]).toEqual([[], [`${LETTER}/a.xml`]]);
  expect(reports).toMatchObject([{ outcome: "refused" }]);
  expect(settled).toEqual(["held"]);
});

it("a file for which the server has no room at the moment is not refused", async () => {
  drop(LETTER, "a.xml", statement("1"));
  isBusy = true;
  const watching = replica();
  expect(await watching.twice()).toEqual([0, 0]);
  expect([filesIn(LETTER), reports]).toEqual([["a.xml"], []]);
  isBusy = false;
  expect(await watching.look()).toBe(1);
  expect(reports).toMatchObject([{ outcome: "ingested" }]);
});

it("links, pipes, folders in folders and files that are too large are set aside unread; what lies outside of folders is held", async () => {
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
  expect(filesIn("unfit")).toEqual([UNKNOWN, "huge.xml", "link.xml", "pipe.xml"]);
  expect(await held()).toMatchObject([
    { name: "outside.xml", reason: "lies outside of the folders that are named by a connection's or a letter's id" },
  ]);
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
  expect(await namesHeld()).toEqual(["11.xml", "3.xml", "7.xml"].map((name) => `${LETTER}/${name}`));
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
  expect([filesIn(LETTER), await held(), errors.length]).toEqual([["a.xml"], [], 1]);
  beforeTaking = async () => {};
  expect(await watching.look()).toBe(1);
});

it("[C-9.430] a file that meets a defect is tried again after growing pauses, then held, counted and told", async () => {
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
  expect([filesIn(LETTER), await held(), reports]).toEqual([["a.xml"], [], []]);
  // An unavailable database is no internal error and does not count as a try.
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
  expect(await held()).toMatchObject([{ reason: "internal error, 4 times", name: `${LETTER}/a.xml` }]);
  expect(reports).toMatchObject([{ outcome: "refused", name: "a.xml", reason: "internal error, 4 times" }]);
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
  expect(await replica().twice()).toEqual([0, 1]);
  expect(filesIn("done")).toEqual([`${"€".repeat(48)}.xml`]);
  expect(errors).toEqual([]);
});

it("files that cannot be moved away leave the next look to others, and are tried again later", async () => {
  writeFileSync(join(dir, "unfit", UNKNOWN), "where a folder should be");
  mkdirSync(join(dir, UNKNOWN));
  for (let n = 0; n < 201; n += 1) {
    symlinkSync("/etc/hostname", join(dir, UNKNOWN, `${n}.xml`));
    settle(join(dir, UNKNOWN, `${n}.xml`), 90);
  }
  symlinkSync("/etc/hostname", join(dir, UNKNOWN, "oldest.xml"));
  settle(join(dir, UNKNOWN, "oldest.xml"), 3_600);
  drop(LETTER, "a.xml", statement("1"));
  const watching = replica();
  expect(await watching.twice()).toEqual([0, 1]);
  expect(errors).toHaveLength(199);
  await watching.look();
  expect(errors).toHaveLength(202);
  await watching.look();
  expect(errors).toHaveLength(202);
  rmSync(join(dir, "unfit", UNKNOWN));
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

describe("[C-7.37] a held file of the drop folder", () => {
  const refusal = (work: Promise<unknown>) => work.catch((error: { code?: string }) => error.code);
  const heldFile = async (folder: string, text: string) => {
    drop(folder, "a.xml", text);
    await replica().twice();
    return (await held()).at(-1)?.file_id as Uuid;
  };
  const retry = (file: Uuid, target: { letter_id: string } | null = null) =>
    operations().retryHeld(operator, file, target);

  it("is taken once its cause is gone, for another letter too, and by whom is in the audit trail", async () => {
    const early = await heldFile(LATE, statement("1"));
    expect(await retry(early)).toMatchObject({ outcome: "held", findings: [{ reason: /Signed/ }] });
    expect(await retry(early, { letter_id: LETTER })).toMatchObject({ outcome: "taken", delivered: 1 });
    expect([await held(), reports.at(-1)]).toMatchObject([[], { outcome: "ingested", name: "a.xml" }]);
    expect(await refusal(retry(early))).toBe("NOT_FOUND");
    const misplaced = await heldFile("reports", statement("1"));
    expect(await retry(misplaced, { letter_id: LETTER })).toMatchObject({ outcome: "taken" });
    expect(reports.at(-1)).toMatchObject({ outcome: "duplicate" });
  });

  it("[C-14.63] shows a piece of its text around the fault, which is recorded", async () => {
    const text = statement("1").replace("<Amt Ccy", `${"<!-- -->".repeat(5_000)}<Amt Cy`);
    const { excerpt } = await operations().showHeld(operator, await heldFile(LETTER, text));
    expect(excerpt).toMatchObject({ place: { line: 3, column: expect.any(Number) }, is_text: true });
    expect(excerpt.lines.find(({ line }) => line === 3)?.text).toContain("<Amt Cy=");
    expect(JSON.stringify(excerpt).length).toBeLessThan(3_000);
    expect(recorded).toMatchObject([{ action: "source.show-held" }]);
  });

  it("[C-9.290] says what it lacks, and is tried again where that has come", async () => {
    await heldFile(LETTER, "nonsense");
    expect([await operations().countLacking(["format"]), await operations().countLacking(["key"])]).toEqual([1, 0]);
    const told = [reports.length, (await storage.eventsOf(TENANT)).length];
    expect(await operations().retryLacking(["format"])).toEqual({ retried: 1, taken: 0 });
    // A repeated refusal is not reported again.
    expect([reports.length, (await storage.eventsOf(TENANT)).length]).toEqual(told);
    expect(await operations().retryLacking(["key"])).toEqual({ retried: 0, taken: 0 });
  });

  it("is deleted, which is recorded; sent again it is held again", async () => {
    const file = await heldFile(LETTER, "nonsense");
    await operations().dropHeld(operator, file);
    expect([await held(), stores.entries.map(({ action }) => action)]).toEqual([
      [],
      ["source.set", "source.drop-held"],
    ]);
    expect(await refusal(operations().dropHeld(operator, file))).toBe("NOT_FOUND");
    expect(await heldFile(LETTER, "nonsense")).toBe(file);
  });

  it("that was left outside of a folder has to be given a letter", async () => {
    const outside = await heldFile("", statement("1"));
    expect(await retry(outside)).toMatchObject({ outcome: "held", findings: [{ reason: /^lies outside/ }] });
    expect(await retry(outside, { letter_id: LETTER })).toMatchObject({ outcome: "taken" });
  });

  it("is of a source that operators see and cannot set; one of another source is routed by rules", async () => {
    await heldFile(LETTER, "nonsense");
    expect(await operations().show("drop-folder")).toMatchObject({ kind: "folder", settings: { kind: "folder" } });
    expect(await refusal(operations().set(operator, "drop-folder", { kind: "push" }, true))).toBe("VALIDATION_ERROR");
    expect(await refusal(operations().createToken(operator, "drop-folder", { name: "a", days: null }))).toBe(
      "CONFLICT",
    );
    await operations().set(operator, "custodian", { kind: "push" }, true);
    const { file } = await intake().receive("custodian", { name: "b.xml", bytes: Buffer.from("b"), modified_at: null });
    expect(await refusal(retry(file.file_id, { letter_id: LETTER }))).toBe("VALIDATION_ERROR");
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
  const hold = async (folder: string) => {
    const file = { bytes: Buffer.from(folder), modified_at: null };
    await intake().hold(folder === "" ? "loose" : `${folder}/a.xml`, file, { reason: "is odd" });
  };
  const forget = () => forgetGoneFeeds({ dir, feeds: feedsOf(), files: stores.files, runtime, log: { info() {} } });

  it("stays while its letter may deliver, and goes with it, held files too", async () => {
    lay(`done/${LETTER}`);
    for (const folder of [LETTER, LATE]) await hold(folder);
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
    expect([readdirSync(join(dir, "done")), await held()]).toEqual([[], []]);
  });

  it("of an id that nobody knows any more goes, of one that never delivered stays", async () => {
    lay(`done/${UNKNOWN}`);
    for (const folder of [UNKNOWN, "nonsense", LATE, ""]) await hold(folder);
    expect(await forget()).toBe(1);
    expect(readdirSync(join(dir, "done"))).toEqual([]);
    expect(await namesHeld()).toEqual([`${LATE}/a.xml`, "loose", "nonsense/a.xml"]);
  });
});
