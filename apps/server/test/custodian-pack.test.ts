import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  hasArchivePrograms,
  never,
  openGnuPg,
  type SlowCustodian,
  startSlowCustodian,
  zipOf,
} from "@org/feed-sources/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type CustodianDay, custodianFiles } from "./custodian-days.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { ingest, letterNaming, waitingLetter } from "./letters.js";
import { type SftpServer, startSftpServer } from "./sftp-server.js";

// biome-ignore lint/suspicious/noExplicitAny: answers of tools
type Row = any;

/** Info-ZIP; if it is missing, files are sent unpacked. */
const ZIP = "/usr/bin/zip";
const NESTLE = "CH0038863350";
const APPLE = "US0378331005";

/**
 * Three clients at one custodian on the evening of a day: their holdings, movements and cash, worked out by hand. The second client's second day
 * has a purchase; the third client's fourth day arrives without the third.
 */
const first: readonly CustodianDay[] = [
  {
    depot: "0230-100001.S1",
    cash: "0230-100001.60A",
    day: "20240102",
    positions: [[NESTLE, "100,", "9850,"]],
    total: "9850,",
    opening: "2000,",
    closing: "1015,",
    bookings: [["D", "985,", "B1001", "Nestle 10"]],
    movements: [[NESTLE, "RECE", "10,", "985,", "T1001"]],
  },
  {
    depot: "0230-100002.S1",
    cash: "0230-100002.60A",
    day: "20240102",
    positions: [
      [NESTLE, "7,", "689,50"],
      [APPLE, "2,5", "412,75"],
    ],
    total: "1102,25",
    opening: "50,05",
    closing: "50,05",
  },
  {
    depot: "0230-100003.S1",
    cash: "0230-100003.60A",
    day: "20240102",
    positions: [],
    total: "0,",
    opening: "0,",
    closing: "400,",
    bookings: [["C", "400,", "B1003", "Apple"]],
    movements: [[APPLE, "DELI", "2,", "400,", "T1003"]],
  },
];
const second: readonly CustodianDay[] = [
  { ...(first[0] as CustodianDay), day: "20240103", opening: "1015,", closing: "1015,", bookings: [], movements: [] },
  {
    ...(first[1] as CustodianDay),
    day: "20240103",
    positions: [
      [NESTLE, "7,", "689,50"],
      [APPLE, "3,", "495,30"],
    ],
    total: "1184,80",
    opening: "50,05",
    closing: "0,05",
    bookings: [["D", "50,", "B2002", "Apple 0.5"]],
    movements: [[APPLE, "RECE", "0,5", "50,", "T2002"]],
  },
  { ...(first[2] as CustodianDay), day: "20240103", opening: "400,", closing: "400,", bookings: [], movements: [] },
];

/** A client without a rule, whose letter names both accounts. The third day has one more unit, and no movement explains it. */
const untold: CustodianDay = {
  depot: "0230-200004.S1",
  cash: "0230-200004.60A",
  day: "20240102",
  positions: [[NESTLE, "5,", "492,50"]],
  total: "492,50",
  opening: "0,",
  closing: "100,25",
  bookings: [["C", "100,25", "B4001", "Deposit"]],
};
const untoldLater: CustodianDay = {
  ...untold,
  day: "20240104",
  positions: [[NESTLE, "6,", "600,"]],
  total: "600,",
  opening: "100,25",
  closing: "100,25",
  bookings: [],
};

/** The third client's connector, with a rule that says which depot a cash account belongs to. */
const RULED = "che:regelbank";

/** A third-party format that blocks while the file `wait` exists, and reports that it is reading and has read. */
const slowFormat = (folder: string) => `
  import { existsSync, writeFileSync } from "node:fs";
  const at = (name) => ${JSON.stringify(`${folder}/`)} + name;
  export default {
    name: "slow", title: "Slow", recognises: (head) => head.startsWith("SLOW "),
    read(file) {
      const [, account, day, balance] = Buffer.from(file).toString().trim().split(" ");
      writeFileSync(at("reading"), "");
      while (existsSync(at("wait"))) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      writeFileSync(at("read"), "");
      const portfolio = { key: account, name: account, balance, currency: "CHF", ref_account: account, type: "S" };
      return { as_of: new Date(day), portfolios: [portfolio], holdings: [], transactions: [], warnings: [] };
    },
  };`;

/** Encrypted files beside those that matter. */
const COPIES = 120;

/** The processor time a process has used so far (proc(5): in hundredths of a second). */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

describe("a custodian's evenings", () => {
  let server: TestServer;
  let sftp: SftpServer;
  let custodian: SlowCustodian;
  const tenants: TestTenant[] = [];
  const letters: string[] = [];
  const formats = mkdtempSync(join(tmpdir(), "formats-"));

  beforeAll(async () => {
    writeFileSync(join(formats, "slow.mjs"), slowFormat(formats));
    server = await startTestServer({
      backend: oneBackend("what stores do is in their conformance suites, on both; here files travel"),
      environment: { METRICS: "true", JOBS: "false", FEED_FORMATS: join(formats, "slow.mjs") },
      schedule: { sourceSettle: 50 },
    });
    sftp = await startSftpServer();
    custodian = await startSlowCustodian();
    tenants.push(await server.createTenant("Family office"), await server.createTenant("Bank"));
    const account_rules = [{ cash: "^(\\d{4}-\\d{6})\\.60A$", depot: "$1.S1" }];
    const row = { id: RULED, name: "Regelbank", country: "che", type: "datafeed", account_rules };
    const headers = { "content-type": "application/x-ndjson" };
    const imported = await server.operator.post("/operator/v1/connectors/import", JSON.stringify(row), { headers });
    expect(imported.body).toMatchObject({ inserted: 1 });
    for (const index of [0, 1, 2])
      letters.push(await waitingLetter(server, tenantOf(index), index === 2 ? RULED : sandboxBanks.datafeed));
    const settings = { ...sftp.door, host_keys: [sftp.hostKey], min_age_seconds: 0, after: "move", move_to: sftp.done };
    const { source } = await server.operate("/operator/v1/sources/set", { source: "custodian", settings });
    expect(JSON.stringify(source)).not.toContain("PRIVATE KEY");
    for (const [index, { depot, cash }] of first.entries())
      for (const account of [depot, cash])
        await server.operate("/operator/v1/sources/add-route", {
          source: "custodian",
          when: { account },
          to: { letter_id: letters[index] },
        });
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
    await custodian?.end();
    await sftp?.stop();
    rmSync(formats, { recursive: true, force: true });
  });

  /** The first two clients belong to one tenant, the third to another. */
  const tenantOf = (index: number) => tenants[index === 2 ? 1 : 0] as TestTenant;
  const run = (source = "custodian") => server.operate("/operator/v1/sources/run", { source });

  /** Uploads the three files of an evening; returns their names. */
  const leave = (days: readonly CustodianDay[], prefix = ""): string[] =>
    Object.entries(custodianFiles(days)).map(([name, bytes]) => {
      sftp.put(prefix + name, bytes);
      return prefix + name;
    });

  /** The three files of an evening packed by Debian's zip, each encrypted if `encrypt` is given. */
  const packed = (days: readonly CustodianDay[], encrypt?: (bytes: Buffer) => Buffer): Buffer => {
    const folder = mkdtempSync(join(tmpdir(), "evening-"));
    const files = Object.entries(custodianFiles(days)).map(([name, bytes]) =>
      encrypt ? ([`${name}.pgp`, encrypt(bytes)] as const) : ([name, bytes] as const),
    );
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
    execFileSync(ZIP, ["-q", "evening.zip", ...files.map(([name]) => name)], { cwd: folder });
    const archive = readFileSync(join(folder, "evening.zip"));
    rmSync(folder, { recursive: true });
    return archive;
  };

  const shown = (index: number) => shownOf(tenantOf(index), letters[index] as string);
  const shownOf = async (tenant: TestTenant, letter: string) => {
    const { items } = (await tenant.post("/letters/v1/search-letters", { query: { id_in: [letter] } })).body;
    const [{ status, connection_id }] = items;
    if (connection_id === null) return { status };
    const read = async (tool: string) =>
      ((await tenant.tools.call(tool, { credentials_token: connection_id, page_size: 500 })) as Row).items;
    const [portfolios, holdings, movements] = await Promise.all(
      ["svc-portfolios", "svc-investments", "svc-investment-transactions"].map(read),
    );
    return {
      status,
      portfolios: portfolios.map((row: Row) => `${row.refAccount} ${row.balance} ${row.currency}`).sort(),
      holdings: holdings.map((row: Row) => `${row.isin} ${row.amount} ${row.balance} ${row.valuation_date}`).sort(),
      movements: movements.map((row: Row) => `${row.operationDate} ${row.amount} ${row.balance}`).sort(),
    };
  };

  /**
   * Creates the service's key and gives it to the custodian, whose own key signs from now on; returns how the custodian encrypts, with Debian's
   * GnuPG. Unsigned files of the source are refused until the test is over.
   */
  const exchangeKeys = async () => {
    const keys = (path: string, body: object) => server.operate(`/operator/v1/feed-keys/${path}`, body);
    const { gpg, close } = openGnuPg();
    onTestFinished(async () => {
      close();
      await keys("require", { source: "custodian", must_be_signed: false });
    });
    const { key } = await keys("generate", { name: "Wealth", email: "feeds@wealth.example" });
    gpg((await keys("show", { fingerprint: key.fingerprint })).key.public_key, "--import");
    const signer = "files@custodian.example";
    gpg("", "--passphrase", "", "--quick-generate-key", `Custodian <${signer}>`, "ed25519", "sign", "never");
    const public_key = gpg("", "--armor", "--export", signer).toString();
    // GnuPG uses the machine's clock; the server's may be slightly ahead or behind.
    const made = Math.max(Date.parse(key.created_at), Date.now());
    await eventually(() => Date.now() > made + 1_000, "both keys are a second old");
    await keys("trust", { public_key, source: "custodian" });
    await keys("require", { source: "custodian", must_be_signed: true });
    return (bytes: Buffer) => gpg(bytes, "--sign", "-u", signer, "--encrypt", "-r", "feeds@wealth.example");
  };

  it("[C-9.264] [C-9.265] a zip over SFTP of files that are encrypted and signed connects the letters of both tenants, each with its own accounts", async () => {
    const names = existsSync(ZIP) ? ["evening-0102.zip"] : leave(first);
    const encrypt = hasArchivePrograms() ? await exchangeKeys() : undefined;
    if (existsSync(ZIP)) sftp.put("evening-0102.zip", packed(first, encrypt));
    expect(await run()).toMatchObject({ found: names.length, taken: names.length, held: 0, failed: 0 });
    expect([sftp.names(), sftp.names("done")]).toEqual([[], names]);
    expect(await shown(0)).toEqual({
      status: "Connected",
      portfolios: ["0230-100001.60A 1015 CHF", "0230-100001.S1 9850 CHF"],
      holdings: ["CH0038863350 100 9850 2024-01-02", "null 1015 1015 2024-01-02"],
      movements: ["2024-01-02 10 -985", "2024-01-02 null -985"],
    });
    expect(await shown(2)).toMatchObject({
      status: "Connected",
      // Linked by the connector's rule.
      portfolios: ["0230-100003.S1 400 CHF"],
      movements: ["2024-01-02 -2 400", "2024-01-02 null 400"],
    });
  });

  it("the next evening, with cash and depot as one portfolio", async () => {
    await server.operate("/operator/v1/datafeeds/link-account", {
      connection_or_letter_id: letters[1],
      account: "0230-100002.60A",
      portfolio: "0230-100002.S1",
    });
    leave(second);
    expect(await run()).toMatchObject({ taken: 3, held: 0 });
    expect(await shown(1)).toEqual({
      status: "Connected",
      portfolios: ["0230-100002.S1 1184.85 CHF"],
      holdings: ["CH0038863350 7 689.50 2024-01-03", "US0378331005 3 495.30 2024-01-03", "null 0.05 0.05 2024-01-03"],
      movements: ["2024-01-03 0.5 -50", "2024-01-03 null -50"],
    });
  });

  it("the same evening three ways changes nothing", async () => {
    const before = await Promise.all([0, 1, 2].map(shown));
    leave(second, "again-");
    if (existsSync(ZIP)) sftp.put("evening-0103.zip", packed(second));
    expect(await run()).toMatchObject({ found: existsSync(ZIP) ? 4 : 3, held: 0, failed: 0 });
    // One client's own part of the files, by the operator API.
    for (const [name, file] of Object.entries(custodianFiles(second.slice(1, 2))))
      expect((await ingest(server, { letter_id: letters[1] as string }, file, name)).status).toBe(200);
    expect(await Promise.all([0, 1, 2].map(shown))).toEqual(before);
    const { items } = await server.operate("/operator/v1/datafeeds/list-pending", {});
    expect(items).toEqual([]);
  });

  it("[C-9.204] [C-9.163] [C-9.166] [C-9.168] files that are nobody's wait; one rule connects the letter that names their accounts, cash and depot as one; what does not follow from the day before is told", async () => {
    const tenant = tenantOf(0);
    const letter_id = await letterNaming(server, tenant, sandboxBanks.datafeed, [untold.depot, untold.cash]);
    leave([untold], "untold-");
    expect(await run()).toMatchObject({ taken: 0, held: 3 });
    const held = await server.operate("/operator/v1/datafeeds/list-pending", {});
    expect(held.items.map(({ findings }: Row) => findings[0].account).sort()).toEqual(
      [untold.cash, untold.depot, untold.depot].sort(),
    );
    expect(await shownOf(tenant, letter_id)).toEqual({ status: "WaitingForData" });
    const to = { connector_id: sandboxBanks.datafeed };
    expect(await server.operate("/operator/v1/sources/add-route", { source: "custodian", to })).toMatchObject({
      retried: 3,
      taken: 3,
    });
    expect(await shownOf(tenant, letter_id)).toEqual({
      status: "Connected",
      portfolios: ["0230-200004.S1 592.75 CHF"],
      holdings: ["CH0038863350 5 492.50 2024-01-02", "null 100.25 100.25 2024-01-02"],
      movements: ["2024-01-02 null 100.25"],
    });

    const [positions, movements, cash] = Object.entries(custodianFiles([untoldLater]));
    const take = async ([name, bytes]: [string, Buffer] = ["", Buffer.of()]) =>
      (await ingest(server, { letter_id }, bytes, name)).body;
    expect(await take(movements)).toMatchObject({ status: "ingested", differences: 0, gap_days: 0 });
    expect(await take(cash)).toMatchObject({ status: "ingested", differences: 0, gap_days: 1 });
    expect(await take(positions)).toMatchObject({ status: "ingested", differences: 1, gap_days: 1 });
    const days = { from_day: "2024-01-02", to_day: "2024-01-04" };
    const reconciled = await server.operate("/operator/v1/datafeeds/reconcile", { connection_or_letter_id: letter_id });
    expect(reconciled).toMatchObject({
      differences: [
        { account: untold.depot, isin: NESTLE, ...days, before: "5", moved: "0", stated: "6", difference: "1" },
      ],
    });
    expect(reconciled.gaps.map(({ account, days: missing }: Row) => `${account} ${missing}`).sort()).toEqual([
      `${untold.cash} 2024-01-03`,
      `${untold.depot} 2024-01-03`,
    ]);
  });

  it("[C-9.213] killed while a file is fetched, read, stored and moved away: it is there once, and whole; a format of somebody else's reads in a thread", {
    timeout: 300_000,
  }, async () => {
    const { files, settings } = custodian;
    await server.operate("/operator/v1/sources/set", { source: "slow", settings });
    for (const [index, { depot, cash }] of first.entries())
      for (const account of [depot, cash, ...(index === 2 ? ["SLOW.1"] : [])])
        await server.operate("/operator/v1/sources/add-route", {
          source: "slow",
          when: { account },
          to: { letter_id: letters[index] },
        });
    const evening = second.map((each, index) => ({
      ...each,
      day: "20240110",
      movements: [],
      opening: index === 1 ? "0,05" : each.closing,
      closing: index === 1 ? "0,05" : each.closing,
      bookings: [["C", "1,", "K1", "in"] as const, ["D", "1,", "L1", "out"] as const],
    }));
    const parts = Object.entries({
      ...custodianFiles(evening),
      "slow.txt": Buffer.from("SLOW SLOW.1 2024-01-10 7.50"),
    });
    files.set("out/evening.zip", zipOf(parts.map(([name, bytes]) => ({ name, bytes }))));

    const mark = (name: string) => join(formats, name);
    /** Drops the response to one request that follows another; resolves when the request has arrived. */
    const without = (wanted: string, after?: string) =>
      new Promise<void>((come) => {
        let isDue = after === undefined;
        custodian.beforeAnswer = (request) => {
          if (isDue && request === wanted) {
            come();
            return never;
          }
          isDue ||= request === after;
          return undefined;
        };
      });
    const untilMarked = async (name: string) => {
      await eventually(() => existsSync(mark(name)), name);
    };
    const moments: Readonly<Record<string, () => Promise<void>>> = {
      fetched: () => without("READ"),
      read() {
        writeFileSync(mark("wait"), "");
        return untilMarked("reading");
      },
      stored: () => untilMarked("read"),
      "stored, and still at the custodian's": () => without("LSTAT", "READ"),
      "moved away": () => without("RENAME"),
    };
    for (const [moment, reached] of Object.entries(moments)) {
      for (const name of ["reading", "read", "wait"]) rmSync(mark(name), { force: true });
      custodian.beforeAnswer = () => undefined;
      const come = reached();
      const began = run("slow").catch(() => null);
      await come;
      await server.stop("SIGKILL");
      expect([moment, await began]).toEqual([moment, null]);
      await server.start();
    }
    custodian.beforeAnswer = () => undefined;
    expect(await run("slow")).toMatchObject({ found: 0, failed: 0 });
    expect([...files.keys()]).toEqual(["done/evening.zip"]);
    for (const index of [0, 1, 2]) {
      const { movements = [] } = await shown(index);
      expect(movements.filter((row: string) => row.startsWith("2024-01-10"))).toHaveLength(2);
    }
    expect((await shown(2)).portfolios).toEqual(["0230-100003.S1 400 CHF", "SLOW.1 7.50 CHF"]);
    const { items } = await server.operate("/operator/v1/sources/list-files", { source: "slow" });
    expect(items).toMatchObject([{ name: "evening.zip", state: "taken" }]);
  });

  it.skipIf(!hasArchivePrograms() || process.platform !== "linux")(
    "[C-9.213] killed while what is encrypted is decrypted: it is there once, and whole",
    async () => {
      const encrypt = await exchangeKeys();
      const bookings = [["C", "7,", "P1", "in"] as const];
      const evening = [{ ...(second[0] as CustodianDay), day: "20240111", closing: "1022,", bookings, movements: [] }];
      const files = Object.entries(custodianFiles(evening)).map(([name, bytes]) => ({ name, bytes: encrypt(bytes) }));
      const cash = files.find(({ name }) => name.startsWith("MT940")) as (typeof files)[number];
      // The same statement many times: seconds of work before any of it is read.
      const copies = Array.from({ length: COPIES }, (_, index) => ({ name: `${index}.fin.pgp`, bytes: cash.bytes }));
      const slow = { name: "slow.txt.pgp", bytes: encrypt(Buffer.from("SLOW SLOW.1 2024-01-11 8.50")) };
      custodian.files.set("out/encrypted.zip", zipOf([...files, ...copies, slow]));
      for (const name of ["reading", "read", "wait"]) rmSync(join(formats, name), { force: true });
      const fetched = new Promise<void>((resolve) => {
        let isRead = false;
        custodian.beforeAnswer = (request) => {
          isRead ||= request === "READ";
          if (isRead && request === "CLOSE") resolve();
          return undefined;
        };
      });
      const began = run("slow").catch(() => null);
      await fetched;
      // Much less than all of them take on any machine.
      const spent = cpuSeconds(server.process.pid);
      await eventually(() => cpuSeconds(server.process.pid) > spent + 0.2, "it is being decrypted");
      await server.stop("SIGKILL");
      expect([existsSync(join(formats, "reading")), await began]).toEqual([false, null]);
      custodian.beforeAnswer = () => undefined;
      await server.start();
      expect(await run("slow")).toMatchObject({ found: 1, taken: 1, failed: 0 });
      expect(existsSync(join(formats, "read"))).toBe(true);
      const { movements = [], portfolios } = await shown(0);
      expect(movements.filter((row: string) => row.startsWith("2024-01-11"))).toEqual(["2024-01-11 null 7"]);
      expect(portfolios).toContain("0230-100001.60A 1022 CHF");
      expect((await shown(2)).portfolios).toContain("SLOW.1 8.50 CHF");
    },
  );
});
