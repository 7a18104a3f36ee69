import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CustodianDay, custodianFiles } from "./custodian-days.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";
import { isSshdThere, type SftpServer, startSftpServer } from "./sftp-server.js";

// biome-ignore lint/suspicious/noExplicitAny: answers of tools
type Row = any;

/** Info-ZIP; where it is missing, files come as they are. */
const ZIP = "/usr/bin/zip";
const NESTLE = "CH0038863350";
const APPLE = "US0378331005";

/**
 * Three clients at one custodian, on the evening of a day: what they hold, what moved and their cash, worked out by hand. The second
 * client's second day has a purchase; the third one's fourth day comes without its third.
 */
const first: readonly CustodianDay[] = [
  {
    ...{ depot: "0230-100001.S1", cash: "0230-100001.60A", day: "20240102" },
    positions: [[NESTLE, "100,", "9850,"]],
    ...{ total: "9850,", opening: "2000,", closing: "1015," },
    bookings: [["D", "985,", "B1001", "Nestle 10"]],
    movements: [[NESTLE, "RECE", "10,", "985,", "T1001"]],
  },
  {
    ...{ depot: "0230-100002.S1", cash: "0230-100002.60A", day: "20240102" },
    positions: [
      [NESTLE, "7,", "689,50"],
      [APPLE, "2,5", "412,75"],
    ],
    ...{ total: "1102,25", opening: "50,05", closing: "50,05" },
  },
  {
    ...{ depot: "0230-100003.S1", cash: "0230-100003.60A", day: "20240102" },
    ...{ positions: [], total: "0,", opening: "0,", closing: "400," },
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
    ...{ total: "1184,80", opening: "50,05", closing: "0,05" },
    bookings: [["D", "50,", "B2002", "Apple 0.5"]],
    movements: [[APPLE, "RECE", "0,5", "50,", "T2002"]],
  },
  { ...(first[2] as CustodianDay), day: "20240103", opening: "400,", closing: "400,", bookings: [], movements: [] },
];

describe.skipIf(!isSshdThere)(
  `a custodian's evenings${isSshdThere ? "" : " (no sshd: install openssh-server)"}`,
  () => {
    let server: TestServer;
    let sftp: SftpServer;
    const tenants: TestTenant[] = [];
    const letters: string[] = [];

    beforeAll(async () => {
      server = await startTestServer({
        backend: oneBackend("what stores do is in their conformance suites, on both; here files travel"),
        environment: { METRICS: "true", JOBS: "false" },
      });
      sftp = await startSftpServer();
      tenants.push(await server.createTenant("Family office"), await server.createTenant("Bank"));
      for (const index of [0, 1, 2]) letters.push(await waitingLetter(server, tenantOf(index), sandboxBanks.datafeed));
      const { source } = await server.operate("/operator/v1/sources/set", {
        source: "custodian",
        settings: sftp.settings,
      });
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
      await sftp?.end();
    });

    /** The first two clients are one tenant's, the third is another's. */
    const tenantOf = (index: number) => tenants[index === 2 ? 1 : 0] as TestTenant;
    const run = () => server.operate("/operator/v1/sources/run", { source: "custodian" });

    /** Leaves the three files of an evening; returns their names. */
    const leave = (days: readonly CustodianDay[], prefix = ""): string[] =>
      Object.entries(custodianFiles(days)).map(([name, bytes]) => {
        sftp.put(prefix + name, bytes);
        return prefix + name;
      });

    /** What Debian's zip makes of the three files of an evening. */
    const packed = (days: readonly CustodianDay[]): Buffer => {
      const folder = mkdtempSync(join(tmpdir(), "evening-"));
      const files = custodianFiles(days);
      for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
      execFileSync(ZIP, ["-q", "evening.zip", ...Object.keys(files)], { cwd: folder });
      const archive = readFileSync(join(folder, "evening.zip"));
      rmSync(folder, { recursive: true });
      return archive;
    };

    const shown = async (index: number) => {
      const tenant = tenantOf(index);
      const { items } = (await tenant.post("/letters/v1/search-letters", { query: { id_in: [letters[index]] } })).body;
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

    it("files over SFTP connect the letters of both tenants, each with its own accounts", async () => {
      const names = existsSync(ZIP) ? ["evening-0102.zip"] : leave(first);
      if (existsSync(ZIP)) sftp.put("evening-0102.zip", packed(first));
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
        portfolios: ["0230-100003.60A 400 CHF", "0230-100003.S1 0 CHF"],
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
      // One client's own part of it, by the operator API.
      for (const [name, file] of Object.entries(custodianFiles(second.slice(1, 2))))
        expect((await ingest(server, { letter_id: letters[1] as string }, file, name)).status).toBe(200);
      expect(await Promise.all([0, 1, 2].map(shown))).toEqual(before);
      const { items } = await server.operate("/operator/v1/sources/list-held", {});
      expect(items).toEqual([]);
    });

    it("killed while a file is fetched, read, stored or moved: it is there once, and whole", {
      timeout: 300_000,
    }, async () => {
      const day = (n: number): readonly CustodianDay[] =>
        second.map((each, index) => ({
          ...each,
          day: `202401${String(10 + n)}`,
          opening: index === 1 ? "0,05" : each.closing,
          closing: index === 1 ? "0,05" : each.closing,
          bookings: [
            ["C", "1,", `K${n}`, "in"],
            ["D", "1,", `L${n}`, "out"],
          ],
          movements: [],
        }));
      for (const [n, milliseconds] of [40, 1_700].entries()) {
        const names = leave(day(n));
        const began = run().catch(() => null);
        await delay(milliseconds);
        await server.stop("SIGKILL");
        await began;
        await server.start();
        for (let tries = 0; sftp.names().length > 0 && tries < 20; tries += 1) {
          await run();
          if (sftp.names().length > 0) await delay(500);
        }
        expect([sftp.names(), sftp.names("done")]).toEqual([[], expect.arrayContaining(names)]);
        const { movements = [] } = await shown(2);
        expect(movements.filter((row: string) => row.startsWith(`2024-01-${10 + n}`))).toHaveLength(2);
      }
    });
  },
);
