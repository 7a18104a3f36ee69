import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";

const samples = process.env.SAMPLES_DIR ?? fileURLToPath(new URL("../../../../shared/samples", import.meta.url));
const folder = `${samples}/ofx`;
const there = existsSync(folder);
const names = there
  ? (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith(".ofx")).sort()
  : [];

/** Investment statements with the total that each states for its account, or else the exact sum of its holdings, taken by hand. */
const balances: Readonly<Record<string, string | null>> = {
  "fidelity-savings.ofx": null,
  "fidelity.ofx": "32993.79",
  "investment_401k.ofx": "1000.00",
  "td_ameritrade.ofx": "2000",
  "vanguard.ofx": "24479.72",
};
const readable = Object.keys(balances);

/** A bank account alone; the formats' tests cover what is read from it. */
const cashOnly = "checking.ofx";

/** Bank accounts whose movements cannot be read; the formats' tests say because of which fields. */
const unreadable = ["fail_nice/date_missing.ofx", "fail_nice/decimal_error.ofx"];

/** Refused files, with the place that the refusal names. */
const refusals: Readonly<Record<string, RegExp>> = {
  "error_message.ofx": /line 22, column 13, .*the bank reports error 2000/,
  "fail_nice/empty_balance.ofx": /line 38, column 17, .*BALAMT is empty/,
  "signon_fail.ofx": /line 11, column 29, .*the bank reports error 15500/,
};

const DATABASE = oneBackend("files are read before anything is stored; letter-story stores one on both");

describe.skipIf(!there).each([DATABASE])(`custodian files${there ? "" : ` (no folder ${folder})`} on %s`, (backend) => {
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    server = await startTestServer({ backend });
    tenant = await server.createTenant("Family office");
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  it("are all accounted for", () => {
    expect(names).toEqual([...readable, cashOnly, ...unreadable, ...Object.keys(refusals)].sort());
  });

  it.each(readable)(
    "[C-4.18] [C-9.29] [C-9.30] [C-7.18] %s reads back as the file has it, to the last digit",
    async (name) => {
      const bytes = readFileSync(`${folder}/${name}`);
      const text = bytes.toString("latin1");
      const positions = parts(text, "INVPOS");
      // Cash is a holding too: as many units as it is worth.
      const cash = values(text, "AVAILCASH").filter((value) => /[1-9]/.test(value));
      const unitsHeld = [...positions.flatMap((part) => values(part, "UNITS")), ...cash];
      const worth = [...positions.flatMap((part) => values(part, "MKTVAL")), ...cash];
      const movements = text.match(/<INVTRANLIST>.*<\/INVTRANLIST>/s)?.[0] ?? "";
      const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
      const taken = await ingest(server, { letter_id: letterId }, bytes, name);
      expect([taken.status, taken.body]).toMatchObject([200, { status: "ingested", format: "ofx", portfolios: 1 }]);
      const { connection_id } = taken.body;
      const all = await everything(tenant, connection_id);

      const [portfolio] = all.portfolios.items;
      expect(portfolio.refAccount).toBe(values(text, "ACCTID").at(-1));
      expect(portfolio.currency).toBe(values(text, "CURDEF").at(-1));
      expect(portfolio.balance).toBe(balances[name]);
      expect(all.investments.total).toBe(positions.length + cash.length);
      expect(exact(all.investments.items, "amount")).toEqual(figures(unitsHeld));
      expect(exact(all.investments.items, "balance")).toEqual(figures(worth));
      expect(sum(all.investments.totals.map(({ balance }: Row) => balance))).toBe(sum(worth));
      expect(all.transactions.total).toBe(values(movements, "FITID").length);
      expect(exact(all.transactions.items, "amount")).toEqual(figures(values(movements, "UNITS")));
      expect(exact(all.transactions.items, "unitPrice")).toEqual(figures(values(movements, "UNITPRICE")));
      expect(exact(all.transactions.items, "balance")).toEqual(figures(values(movements, "TOTAL|TRNAMT")));
      expect(all.transactions.items.map(({ operationDate }: Row) => operationDate?.replaceAll("-", "")).sort()).toEqual(
        values(movements, "DTTRADE|DTPOSTED")
          .map((date) => date.slice(0, 8))
          .sort(),
      );
      const [letter] = (await tenant.post("/letters/v1/search-letters", { query: { id_in: [letterId] } })).body.items;
      expect(letter).toMatchObject({ status: "Connected", connection_id });
    },
  );

  it.each(readable)("[C-9.31] [C-9.32] %s taken a second time is a duplicate and changes nothing", async (name) => {
    const bytes = readFileSync(`${folder}/${name}`);
    const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    const first = (await ingest(server, { letter_id: letterId }, bytes)).body;
    const before = await everything(tenant, first.connection_id);
    const { transactions, kept } = first;
    const again = { ...first, status: "duplicate", transactions: 0, kept: transactions + kept };
    for (const target of [{ letter_id: letterId }, { connection_id: first.connection_id }])
      expect((await ingest(server, target, bytes, "another-name.ofx")).body).toEqual(again);
    expect(await everything(tenant, first.connection_id)).toEqual(before);
  });

  it.each(Object.entries(refusals))(
    "%s is refused with the place of the fault and changes nothing",
    async (name, place) => {
      const bytes = readFileSync(`${folder}/${name}`);
      const waiting = await waitingLetter(server, tenant, sandboxBanks.datafeed);
      const fed = await waitingLetter(server, tenant, sandboxBanks.datafeed);
      const good = readFileSync(`${folder}/${readable[0]}`);
      const { connection_id } = (await ingest(server, { letter_id: fed }, good)).body;
      const before = await everything(tenant, connection_id);

      for (const target of [{ letter_id: waiting }, { letter_id: fed }, { connection_id }]) {
        const { status, body } = await ingest(server, target, bytes);
        expect(status).toBe(400);
        expect(body.error.details).toMatchObject([{ field: "file", error_type: "InvalidValue" }]);
        expect(JSON.stringify(body.error)).toMatch(place);
      }
      expect(await everything(tenant, connection_id)).toEqual(before);
      const [letter] = (await tenant.post("/letters/v1/search-letters", { query: { id_in: [waiting] } })).body.items;
      expect(letter).toMatchObject({ status: "WaitingForData", connection_id: null });
    },
  );

  it("pages of a statement in files of their own are shown when the last has come", async () => {
    const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    const page = (number: string, name: string) =>
      Buffer.from(
        [
          `:16R:GENL\n:28E:${number}\n:23G:NEWM\n:98A::STAT//20240131\n:97A::SAFE//42\n:17B::ACTI//Y\n:16S:GENL`,
          `:16R:FIN\n:35B:${name}\n:93B::AGGR//UNIT/1,\n:19A::HOLD//EUR10,5\n:16S:FIN`,
        ].join("\n"),
      );
    const last = (await ingest(server, { letter_id: letterId }, page("2/LAST", "SECOND"), "2.fin")).body;
    expect(last).toMatchObject({ status: "ingested", portfolios: 0, warnings: [{ place: "line 2, :28E:" }] });
    expect((await everything(tenant, last.connection_id)).portfolios.items).toEqual([]);
    const first = (await ingest(server, { letter_id: letterId }, page("1/MORE", "FIRST"), "1.fin")).body;
    expect(first).toMatchObject({ status: "ingested", portfolios: 1, holdings: 2, warnings: [] });
    const all = await everything(tenant, last.connection_id);
    expect(all.portfolios.items).toMatchObject([{ balance: "21.0" }]);
    expect(all.investments.items.map(({ name }: Row) => name)).toEqual(["FIRST", "SECOND"]);
  });

  it("[C-9.431] [C-9.433] numbers that the bank uses again, corrections and rows that cannot be read, from file to tool and back to the operator", async () => {
    const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    const row = (day: string, amount: string, rest: string) =>
      `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}${rest}</STMTTRN>`;
    const statement = (...rows: string[]) =>
      Buffer.from(`OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>USD
<BANKACCTFROM><BANKID>1<ACCTID>2<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${rows.join("\n")}</BANKTRANLIST>
<LEDGERBAL><BALAMT>55.00<DTASOF>20240331</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`);
    const send = async (...rows: string[]) => (await ingest(server, { letter_id: letterId }, statement(...rows))).body;
    const none = { transactions: 0, repeated: 0, corrected: 0, kept: 0, left_out: 0 };
    const [shop, bus] = [row("20240205", "-10.00", "<FITID>1"), row("20240210", "-20.00", "<FITID>2")];
    const { connection_id } = await send(shop, bus);
    expect(await send(row("20240305", "-7.00", "<FITID>1"), shop, shop)).toMatchObject({
      ...none,
      transactions: 1,
      kept: 1,
      repeated: 1,
    });
    const correction = row("20240210", "-21.50", "<FITID>3<CORRECTFITID>2<CORRECTACTION>REPLACE");
    const odd = await send(correction, row("20240311", "ten", "<FITID>4"));
    expect(odd).toMatchObject({ ...none, corrected: 1, left_out: 1, refused_accounts: [] });
    const { transactions } = await everything(tenant, connection_id);
    expect(transactions.items.map(({ balance }: Row) => balance)).toEqual(["-7.00", "-21.50", "-10.00"]);
    const found = await server.operator.post("/operator/v1/datafeeds/reconcile", {
      connection_or_letter_id: connection_id,
    });
    expect(found.body.left_out).toMatchObject([
      { field: "TRNAMT", place: expect.stringContaining("STMTTRN[2]/TRNAMT") },
    ]);
  });

  it("[C-9.433] [C-9.437] SWIFT messages of which an account and a movement cannot be read, from file to operator", async () => {
    const letterId = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    const swift = (type: string, ...lines: string[]) =>
      `{1:F01CUSTCHZZAXXX0000000000}{2:O${type}0000260729CUSTCHZZAXXX00000000002607290000N}{4:\n${lines.join("\n")}\n-}`;
    const general = (account: string, ...more: string[]) => [
      ...[":16R:GENL", ":28E:1/ONLY", ":23G:NEWM", ...more, `:97A::SAFE//${account}`, ":17B::ACTI//Y", ":16S:GENL"],
    ];
    const held = (account: string, units: string) =>
      swift(
        "535",
        ...general(account, ":98A::STAT//20260729"),
        ":16R:FIN",
        ":35B:A",
        `:93B::AGGR//UNIT/${units}`,
        ":16S:FIN",
      );
    const posted = (units: string) =>
      [":16R:TRAN", ":16R:TRANSDET", `:36B::PSTA//UNIT/${units}`, ":22H::REDE//RECE", ":98A::ESET//20260729"].concat([
        ":16S:TRANSDET",
        ":16S:TRAN",
      ]);
    const send = async (text: string) => (await ingest(server, { letter_id: letterId }, Buffer.from(text))).body;
    const taken = await send(`${held("P1", "2,")}$${held("P2", "two")}`);
    expect(taken).toMatchObject({ status: "ingested", portfolios: 1, holdings: 1, refused_accounts: ["P2"] });
    expect(taken.warnings.at(-1).message).toContain('the account "P2" is refused, the others are taken');
    const movements = [":16R:FIN", ":35B:A", ...posted("2,"), ...posted("two"), ":16S:FIN"];
    const moved = swift("536", ...general("P1", ":69A::STAT//20260701/20260729"), ...movements);
    expect(await send(moved)).toMatchObject({ transactions: 1, left_out: 1, refused_accounts: [] });
    const reconciled = await server.operator.post("/operator/v1/datafeeds/reconcile", {
      connection_or_letter_id: taken.connection_id,
    });
    expect(reconciled.body.left_out).toMatchObject([{ field: ":36B::PSTA" }]);
  });

  it("a letter that is not yet waiting for data takes no file", async () => {
    const { body } = await tenant.post("/letters/v1/search-letters", { query: {}, page_size: 1 });
    const discontinued = body.items[0].id;
    await tenant.post("/letters/v1/discontinue-letter", { letter_id: discontinued });
    const bytes = readFileSync(`${folder}/${readable[0]}`);
    expect((await ingest(server, { letter_id: discontinued }, bytes)).status).toBe(409);
    expect(server.faults()).toEqual([]);
  });
});

type Row = Readonly<Record<string, string | null>>;

async function everything({ tools }: TestTenant, connectionId: string) {
  const read = (tool: string) => tools.call(tool, { credentials_token: connectionId, page_size: 500 });
  return {
    portfolios: await read("svc-portfolios"),
    investments: await read("svc-investments"),
    transactions: await read("svc-investment-transactions"),
    status: await tools.call("svc-credential-status", { credentials_token: connectionId }),
  };
}

/** The content of every element with that name, by plain text search. */
function parts(text: string, name: string): string[] {
  return [...text.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, inside = ""]) => inside);
}

/** Every value of elements of these names, in file order. */
function values(text: string, elements: string): string[] {
  return [...text.matchAll(new RegExp(`<(?:${elements})>([^<\\r\\n]*)`, "g"))].map(([, value = ""]) => value.trim());
}

/** Numbers of a column as sign, digits and scale, whatever their order. */
function exact(rows: readonly Row[], column: string) {
  return figures(rows.flatMap((row) => row[column] ?? []));
}

/** Numbers without plus signs and leading zeros, which carry no meaning. */
function figures(numbers: readonly string[]): string[] {
  return numbers.map((text) => text.replace(/^([+-]?)0*(?=\d)/, "$1").replace("+", "")).sort();
}

function sum(numbers: readonly (string | null | undefined)[]): bigint {
  return numbers.reduce((total, text) => {
    const [whole = "0", fraction = ""] = (text ?? "0").replace(/^[+-]/, "").split(".");
    const scaled = BigInt(whole + fraction.padEnd(12, "0"));
    return total + (text?.startsWith("-") ? -scaled : scaled);
  }, 0n);
}
