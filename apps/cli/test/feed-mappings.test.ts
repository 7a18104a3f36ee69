import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { commandLine } from "./command-line.js";
import { operator, startStub } from "./stub-server.js";

const cli = commandLine();
afterAll(() => cli.remove());

const csv = "Konto;Buchungstag;Buchungsart;Betrag;Währung\n77;31.01.2026;Gebühr;-1,50;EUR\n";
const mapping = {
  language: 1,
  name: "fernbank",
  title: "Fern Bank",
  recognise: { header: ["Buchungstag", "Betrag"] },
  delimiter: ";",
  decimal: ",",
  dates: ["dd.MM.yyyy"],
  account: { number: { column: "Konto" }, currency: { column: "Währung" } },
  values: { date: { column: "Buchungstag" }, cash: { column: "Betrag" }, description: { column: "Buchungsart" } },
  tables: [{ rows: [{ is: "transaction", kind: "fee" }] }],
};

describe("[C-9.199] datafeed mappings", () => {
  const file = cli.file("fern.csv", csv);
  const good = cli.file("good.json", JSON.stringify(mapping));
  const currency = { constant: "XXX" };
  const open = cli.file("open.json", JSON.stringify({ ...mapping, values: { ...mapping.values, currency } }));

  it("a draft needs no server, and says what is left to decide", async () => {
    const { code, stdout, stderr } = await cli.run(["datafeed", "mappings", "draft", file]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ name: "fern", delimiter: ";", dates: ["dd.MM.yyyy"] });
    expect(stderr).toContain("likely: values.cash");
    expect((await cli.json(["datafeed", "mappings", "draft", file])).document.guesses.length).toBeGreaterThan(3);
    const other = cli.file("other.csv", "Konto;Stichtag;ISIN;Stk.;Wert\n77;31.01.2026;US0378331005;2;5\n");
    expect((await cli.run(["datafeed", "mappings", "draft", other])).stderr).toContain('not read: "Stk.", "Wert"\n');
  });

  it("a test shows the rows as they would be read, and fails with every fault's place", async () => {
    const test = ["datafeed", "mappings", "test", file];
    const { code, stdout } = await cli.run([...test, "--file", good]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/2026-01-31 .*fee .*-1.50 .*EUR/);
    const wrong = cli.file("wrong.json", JSON.stringify({ ...mapping, decimal: "." }));
    const failed = await cli.run([...test, "--file", wrong]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('fault: line 2, column "Betrag"');
    const partly = cli.file("partly.csv", `${csv}77;30.01.2026;Gebühr;x;EUR\n`);
    const leaving = await cli.run(["datafeed", "mappings", "test", partly, "--file", good]);
    expect([leaving.code, leaving.stderr]).toEqual([1, expect.stringContaining("1 rows would be left out")]);
    expect(leaving.stderr).toContain('fault: line 3, column "Betrag"');
    const undecided = await cli.run([...test, "--file", open]);
    expect([undecided.code, undecided.stderr]).toEqual([1, expect.stringContaining("the currency is not decided")]);
    const bad = cli.file("bad.json", JSON.stringify({ ...mapping, tables: [{ rows: [{ is: "gift" }] }] }));
    expect((await cli.run([...test, "--file", bad])).stderr).toContain("tables[0].rows[0].is: must be one of");
    expect((await cli.run(test)).stderr).toContain("no mapping that comes with the server recognises this file");
    expect((await cli.run([...test, "--file", good, "--name", "x"])).code).toBe(2);
  });

  it("mappings of the server are listed, shown, kept and removed for a connector or a connection", async () => {
    const row = {
      name: "fernbank",
      title: "Fern Bank",
      connector_id: "che:fern",
      connection_id: null,
      changed_at: "2026-01-31T00:00:00Z",
    };
    const stub = await startStub({
      "/operator/v1/datafeed-mappings/list": { body: { items: [row] } },
      "/operator/v1/datafeed-mappings/show": { body: { mapping: { ...row, mapping } } },
      "/operator/v1/datafeed-mappings/set": { body: { mapping: row } },
      "/operator/v1/datafeed-mappings/remove": { body: { success: true } },
    });
    onTestFinished(() => stub.stop());
    const server = ["--url", stub.url, "--client-id", operator.client_id, "--client-secret", operator.client_secret];
    const run = (...args: string[]) => cli.run(["datafeed", "mappings", ...args, ...server]);
    expect((await run("list")).stdout).toMatch(/fernbank +che:fern +Fern Bank/);
    expect(JSON.parse((await run("show", "fernbank", "--connector", "che:fern")).stdout)).toEqual(mapping);
    expect((await run("set", good, "--connection", "x")).stdout).toBe("fernbank is kept\n");
    expect((await run("remove", "fernbank", "--connector", "che:fern")).stdout).toBe("removed\n");
    expect((await run("test", file, "--name", "fernbank", "--connector", "che:fern")).code).toBe(0);
    expect((await run("set", good)).code).toBe(2);
    expect((await run("set", open, "--connection", "x")).stderr).toContain("the currency is not decided");
    expect(stub.calls().map(({ body }) => JSON.parse(body.toString()))).toEqual([
      {},
      { connector_id: "che:fern", name: "fernbank" },
      { connection_id: "x", mapping },
      { connector_id: "che:fern", name: "fernbank" },
      { connector_id: "che:fern", name: "fernbank" },
    ]);
  });
});
