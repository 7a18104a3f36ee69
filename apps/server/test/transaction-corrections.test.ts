import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { backends } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";
import { ofxStatement } from "./ofx-statement.js";

const folder = mkdtempSync(join(tmpdir(), "told-bank-"));
afterAll(() => rmSync(folder, { recursive: true }));

const move = (key: string | null, balance: string, operation_date = "2026-02-02") => ({
  ...{ key, portfolio_key: "1", holding_key: null, operation_date, description: `says ${key}` },
  ...{ amount: null, balance, currency: "EUR", unit_price: null },
});
const named = (key: string) => ({ portfolio_key: "1", key });

describe.each(backends)("transactions that a bank corrects and takes back, on %s", (backend) => {
  let server: TestServer;
  beforeAll(async () => {
    const PROVIDERS = fileURLToPath(new URL("providers/told-bank.mjs", import.meta.url));
    server = await startTestServer({ backend, environment: { PROVIDERS, JOBS: "false" } });
    await server.operate("/operator/v1/providers/set", { name: "told-bank", settings: { folder } });
    await server.operate("/operator/v1/providers/sync", { name: "told-bank" });
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  const tell = (customer: string, told: object) =>
    writeFileSync(join(folder, `${customer}.json`), JSON.stringify(told));
  /** A new connection of a customer whose bank says this at first. */
  async function connect(customer: string, told: object): Promise<string> {
    tell(customer, told);
    const { id, widgetUrl } = await server.demo.openSession({ connector_id: "esp:told" });
    await connectBank(widgetUrl, { username: customer, password: "any" });
    const { status, connection_id } = await server.demo.tools.call("svc-session-status", { session_id: id });
    expect(status).toBe("Finished:OK");
    return connection_id;
  }
  const refresh = (connection_id: string) =>
    server.operator.post("/operator/v1/connections/refresh", { connection_id }).catch(() => null);
  const refreshed = async (customer: string, connection_id: string, told: object) => {
    tell(customer, told);
    return (await refresh(connection_id))?.body.outcome;
  };
  const rowsOf = async (credentials_token: string) => {
    const { items, totals } = await server.demo.tools.call("svc-investment-transactions", { credentials_token });
    const rest = await server.demo.post("/data/v1/list-transactions", { credentials_token });
    const plain = ({ id, description, balance }: Item) => ({ id, description, balance });
    expect(rest.body.items.map(plain)).toEqual(items.map(plain));
    return { rows: items.map(plain) as Item[], total: totals[0]?.balance };
  };
  const changesOf = async (object_id: string) => {
    const query = { object_id, type_in: ["data.changed"] };
    const { body } = await server.demo.post("/events/v1/list-events", { query, order: "asc" });
    return body.items.slice(1).map(({ data }: { data: object }) => data);
  };
  const textOf = ({ description, balance }: Item) => `${description} ${balance}`;

  it("[C-9.432] a key that comes again with other content is the same transaction, and an event counts it", async () => {
    const id = await connect("ada", { transactions: [move("a", "-1"), move("b", "-2")] });
    const before = await rowsOf(id);
    const again = [move("a", "-1"), move("a", "-1"), move("b", "-2.50")];
    expect(await refreshed("ada", id, { transactions: again })).toBe("refreshed");
    const { rows, total } = await rowsOf(id);
    expect(rows.map(({ id }) => id)).toEqual(before.rows.map(({ id }) => id));
    expect([rows.map(textOf).sort(), total]).toEqual([["says a -1", "says b -2.50"], "-3.50"]);
    expect(await changesOf(id)).toMatchObject([{ products: ["transactions"], corrected_transactions: 1 }]);
  });

  it("[C-9.432] unequal rows with one key refuse this answer alone; the key and both rows are named", async () => {
    const id = await connect("bea", { transactions: [move("a", "-1")] });
    expect(await refreshed("bea", id, { transactions: [move("x", "-9"), move("a", "-1"), move("a", "-2")] })).toBe(
      "failed",
    );
    expect((await rowsOf(id)).rows.map(textOf)).toEqual(["says a -1"]);
    await expect
      .poll(() => server.output())
      .toContain("snapshot.transactions.2.key: is that of snapshot.transactions.1, which says something else");
    expect(await changesOf(id)).toEqual([]);
  });

  it("[C-8.88] a correction under another key keeps the id, one of a correction too, and it can be withdrawn", async () => {
    const id = await connect("cleo", { transactions: [move("a", "-1"), move("b", "-2")] });
    const before = (await rowsOf(id)).rows.find(({ description }) => description === "says a")?.id;
    const corrected = [
      { ...named("a"), by: "a2" },
      { ...named("a2"), by: "a3" },
    ];
    const transactions = [move("a", "-1"), move("a2", "-4"), move("a3", "-5"), move("b", "-2")];
    expect(await refreshed("cleo", id, { transactions, corrected, withdrawn: [named("b"), named("c")] })).toBe(
      "refreshed",
    );
    expect(await rowsOf(id)).toEqual({ rows: [{ id: before, description: "says a3", balance: "-5" }], total: "-5" });
    expect(await changesOf(id)).toMatchObject([{ corrected_transactions: 1, withdrawn_transactions: 1 }]);
    // One that is there from the first answer on counts once.
    const other = await connect("cleo too", { transactions, corrected });
    expect((await rowsOf(other)).rows.map(textOf).sort()).toEqual(["says a3 -5", "says b -2"]);
  });

  it("[C-8.90] what a complete period does not have is withdrawn; what is before it stays", async () => {
    const stored = [move("old", "-1", "2026-01-31"), move(null, "-2"), move("gone", "-3"), move("kept", "-4")];
    const id = await connect("dora", { transactions: stored });
    const told = { transactions: [move("kept", "-4"), move("new", "-5")], complete_from: "2026-02-01" };
    expect(await refreshed("dora", id, told)).toBe("refreshed");
    const { rows, total } = await rowsOf(id);
    expect([rows.map(textOf).sort(), total]).toEqual([["says kept -4", "says new -5", "says old -1"], "-10"]);
    const [changed] = await changesOf(id);
    expect(changed).toMatchObject({ withdrawn_transactions: 2 });
    expect(changed).not.toHaveProperty("corrected_transactions");
  });

  it("[C-5.221] [C-5.223] what was corrected, withdrawn and brought back is shown with all that it said", async () => {
    const told = (balance: string) => ({ transactions: [move("a", balance), move("b", "-9")] });
    const id = await connect("fay", told("-1"));
    const { demo } = server;
    const fields = ["id", "description", "former_versions"];
    const list = async () => (await demo.post("/data/v1/list-transactions", { credentials_token: id, fields })).body;
    const counts = async () => {
      const rows: { description: string; former_versions: number }[] = (await list()).items;
      return Object.fromEntries(rows.map(({ description, former_versions }) => [description, former_versions]));
    };
    const transaction_id: string = (await list()).items.find(isOfA).id;
    const show = async () => {
      const { status, body } = await demo.post("/data/v1/show-transaction", { credentials_token: id, transaction_id });
      expect([status, body.id, body.credentials_token]).toEqual([200, transaction_id, id]);
      return body.versions as Version[];
    };
    expect(await counts()).toEqual({ "says a": 0, "says b": 0 });
    expect(await refreshed("fay", id, told("-2"))).toBe("refreshed");
    expect(await counts()).toEqual({ "says a": 1, "says b": 0 });
    // A login fetches too, and need not wait 15 minutes.
    const readAgain = async (next: object) => {
      tell("fay", next);
      const { widgetUrl } = await demo.openSession({ connection_id: id });
      await connectBank(widgetUrl, { username: "fay", password: "any" });
    };
    await readAgain({ transactions: [move("b", "-9")], complete_from: "2026-02-01" });
    expect((await show()).map(({ balance, ended_by }) => [balance, ended_by])).toEqual([
      ["-2", "withdrawn"],
      ["-1", "replaced"],
    ]);
    await readAgain(told("-3"));
    expect(await counts()).toEqual({ "says a": 2, "says b": 0 });
    const versions = await show();
    expect(versions.map(({ balance, ended_by }) => [balance, ended_by])).toEqual([
      ["-3", null],
      ["-2", "withdrawn"],
      ["-1", "replaced"],
    ]);
    const [third, second, first] = versions;
    expect(versions.map(({ operationDate, kind }) => [operationDate, kind])).toEqual(
      Array(3).fill(["2026-02-02", null]),
    );
    expect(first?.ended_at).toBe(second?.read_at);
    expect([String(second?.ended_at) < String(third?.read_at), third?.ended_at]).toEqual([true, null]);
    await demo.post("/data/v1/delete-connection", { credentials_token: id, confirm: true });
    const gone = await demo.post("/data/v1/show-transaction", { credentials_token: id, transaction_id });
    expect([gone.status, gone.body.error.details[0].field]).toEqual([404, "credentials_token"]);
  });

  it("[C-8.91] of what a custodian's files correct and take back the event tells as much", async () => {
    const letterId = await waitingLetter(server, server.demo, sandboxBanks.datafeed);
    const cash = (id: string, amount: string, more = "") =>
      `<INVBANKTRAN><STMTTRN><TRNTYPE>DEP<DTPOSTED>20240102<TRNAMT>${amount}<FITID>${id}${more}</STMTTRN><SUBACCTFUND>CASH</INVBANKTRAN>`;
    const send = async (...movements: string[]) =>
      (await ingest(server, { letter_id: letterId }, ofxStatement(1, movements.join("")))).body;
    const { connection_id } = await send(cash("a", "3.00"), cash("b", "4.00"));
    const correction = (of: string, action: string) => `<CORRECTFITID>${of}<CORRECTACTION>${action}`;
    await send(cash("a2", "3.50", correction("a", "REPLACE")), cash("b2", "4.00", correction("b", "DELETE")));
    expect(await changesOf(connection_id)).toMatchObject([
      { products: ["transactions"], corrected_transactions: 1, withdrawn_transactions: 1 },
    ]);
  });

  it("[C-8.91] a server that is killed in between leaves all of it or nothing", {
    timeout: 2 * START_TIMEOUT,
  }, async () => {
    const keys = Array.from({ length: 3_000 }, (_, index) => `k${index}`);
    const before = { transactions: keys.map((key) => move(key, "-1")) };
    const after = {
      transactions: keys
        .slice(0, 2_000)
        .map((key, index) => move(index === 0 ? "again" : key, index < 1_000 ? "-3" : "-1")),
      corrected: [{ ...named("k0"), by: "again" }],
      complete_from: "2026-02-01",
    };
    const sums = { before: "-3000", after: "-4000" };
    const first = await connect("emil", before);
    const started = performance.now();
    expect(await refreshed("emil", first, after)).toBe("refreshed");
    const usual = performance.now() - started;
    expect((await rowsOf(first)).total).toBe(sums.after);
    for (const part of [0.5, 0.8]) {
      const customer = `emil ${part}`;
      const id = await connect(customer, before);
      tell(customer, after);
      const refreshing = refresh(id);
      await delay(usual * part);
      await server.stop("SIGKILL");
      await refreshing;
      await server.start();
      const { total } = await rowsOf(id);
      const changes = await changesOf(id);
      if (total === sums.before) expect(changes).toEqual([]);
      else
        expect([total, changes]).toMatchObject([
          sums.after,
          [{ corrected_transactions: 1_000, withdrawn_transactions: 1_000 }],
        ]);
    }
  });
});

interface Version {
  readonly operationDate: string;
  readonly balance: string;
  readonly kind: string | null;
  readonly read_at: string;
  readonly ended_at: string | null;
  readonly ended_by: string | null;
}

const isOfA = ({ description }: { description: string }) => description === "says a";

interface Item {
  readonly id: string;
  readonly description: string;
  readonly balance: string;
}
