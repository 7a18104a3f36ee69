import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { commandLine } from "./command-line.js";
import { refusal, startStub } from "./stub-server.js";

const imported = { rows: 31, replaced: 2, first_date: "2026-03-02", last_date: "2026-03-03" };
const rate = { date: "2026-03-03", base: "EUR", quote: "USD", rate: "1.0500", source: "eurofxref.csv" };
const page = { items: [rate], page: 1, page_size: 50, pages: 1, total: 1 };

const cli = commandLine();
const stub = await startStub({
  "/operator/v1/rates/import": { body: imported },
  "/operator/v1/rates/list": { body: page },
});
const env = cli.dataFolder(stub.url, "t");
afterAll(async () => {
  await stub.stop();
  cli.remove();
});
beforeEach(() => {
  stub.sent.length = 0;
});

describe("[C-8.139] rates", () => {
  it("import sends the file as it is under its name, and says what came of it", async () => {
    const file = cli.file("eurofxref.csv", "Date, USD, \n2 March 2026, 1.05, \n");
    const { code, stdout } = await cli.run(["rates", "import", file], { env });
    expect([code, stdout]).toEqual([0, "31 rates from 2026-03-02 to 2026-03-03, 2 of them replaced\n"]);
    const [call] = stub.calls();
    expect([call?.path, call?.query.get("name")]).toEqual(["/operator/v1/rates/import", "eurofxref.csv"]);
    expect(call?.headers["content-type"]).toBe("application/octet-stream");
    expect(call?.body.toString()).toContain("2 March 2026, 1.05");
    expect((await cli.json(["rates", "import", file], { env })).document).toEqual(imported);
  });

  it("import passes on the line that is wrong, and says where there is no file", async () => {
    const details = [{ field: "line 2.USD", error_type: "InvalidValue", rule: "must be a number above 0" }];
    stub.answers["/operator/v1/rates/import"] = {
      status: 400,
      body: refusal("VALIDATION_ERROR", undefined, details),
    };
    const { code, stderr } = await cli.run(["rates", "import", cli.file("bad.csv", "x")], { env });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/line 2\.USD must be a number above 0/)]);
    expect(await cli.run(["rates", "import", "nowhere.csv"], { env })).toMatchObject({ code: 1, stdout: "" });
  });

  it("list asks for a day and a page, and prints rates or the answer", async () => {
    const { code, stdout } = await cli.run(["rates", "list", "--date", "2026-03-03", "--page-size", "7"], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/2026-03-03 +EUR +USD +1\.0500 +eurofxref\.csv/);
    expect(stub.calls().map(({ body }) => JSON.parse(body.toString()))).toEqual([
      { date: "2026-03-03", page: 1, page_size: 7 },
    ]);
    expect((await cli.json(["rates", "list"], { env })).document).toEqual(page);
  });
});
