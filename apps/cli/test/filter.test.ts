import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "./command-line.js";

const rows = [
  { id: "esp:sol", name: "Banco Sol", country: "Spain" },
  { id: "fra:bleue", name: "Banque Bleue", country: "FR", type: "psd2" },
  { id: "deu:alpen", name: "Alpenbank", countries: ["deu", "AUT"] },
  { id: "deu:closed", name: "Closed", country: "deu", available: false },
];
const onlyGerman = {
  rules: [
    { action: "exclude", field: "connector_id", value: "*" },
    { action: "include", field: "countries", value: "germany" },
  ],
};

const cli = commandLine();
beforeAll(() => {
  const files = {
    "rows.ndjson": `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`,
    "rows.json": JSON.stringify(rows, null, 2),
    "page.json": JSON.stringify({ items: rows, next_page_token: null }),
    "german.json": JSON.stringify(onlyGerman),
    "body.json": JSON.stringify({ configuration: { connector_filter: onlyGerman } }),
    "bad.json": JSON.stringify({
      rules: [
        { action: "drop", field: "type", value: "*" },
        { action: "include", field: "name", value: "x" },
      ],
    }),
    "broken.json": "{",
    "broken.ndjson": `{"id":"esp:a","name":"A","country":"es"}\n{"id":"nocolon","name":"A","country":"es"}\nnot json\n`,
  };
  for (const [name, text] of Object.entries(files)) cli.file(name, text);
});
afterAll(() => cli.remove());

/** A port where nothing listens: any attempt to use the network fails. */
const nowhere = {
  WEALTH_CONNECT_URL: "http://127.0.0.1:9",
  WEALTH_CONNECT_CLIENT_ID: "a",
  WEALTH_CONNECT_CLIENT_SECRET: "b",
};

describe("filter preview", () => {
  it.each([
    ["NDJSON rows", "rows.ndjson", "german.json"],
    ["a JSON list", "rows.json", "german.json"],
    ["an answer of the list endpoints", "page.json", "german.json"],
    ["a filter inside a session's body", "rows.ndjson", "body.json"],
  ])("[C-8.2] takes %s, without server and network", async (_, connectors, filter) => {
    const { code, document, stderr } = await cli.json(
      ["filter", "preview", "--connectors", connectors, "--filter", filter],
      { env: nowhere },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(document).toEqual({
      items: [{ id: "deu:alpen", name: "Alpenbank", type: "e-banking", countries: ["deu", "aut"], available: true }],
      total: 1,
    });
  });

  it("[C-8.11] prints a table by default", async () => {
    const { stdout } = await cli.run(["filter", "preview", "--connectors", "rows.ndjson", "--filter", "german.json"]);
    expect(stdout.split("\n").map((line) => line.trim().replace(/ {2,}/g, " | "))).toEqual([
      "ID | NAME | TYPE | COUNTRIES | AVAILABLE",
      "deu:alpen | Alpenbank | e-banking | deu, aut | yes",
      "1 connectors",
      "",
    ]);
  });

  it("[C-6.11] warns of a country that nothing matches", async () => {
    const stdin = JSON.stringify({ rules: [{ action: "exclude", field: "countries", value: ["spian", "Spain"] }] });
    const args = ["filter", "preview", "--connectors", "rows.ndjson", "--filter", "-"];
    expect(await cli.run(args, { stdin })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^warning: connector_filter\.rules\[0\]\.value\[0\]: spian is no country .*\n$/),
    });
    const { document, stderr } = await cli.json(args, { stdin });
    expect([document.total, document.warnings, stderr]).toEqual([
      2,
      [{ field: "connector_filter.rules[0].value[0]", message: expect.stringContaining("spian") }],
      "",
    ]);
  });

  it("reads the filter from standard input", async () => {
    const { document } = await cli.json(["filter", "preview", "--connectors", "rows.ndjson", "--filter", "-"], {
      stdin: JSON.stringify({ rules: [] }),
    });
    expect(document.items.map(({ id }: { id: string }) => id)).toEqual(["esp:sol", "fra:bleue", "deu:alpen"]);
  });

  it.each([
    [
      "a filter with faults, each with its path",
      ["--connectors", "rows.ndjson", "--filter", "bad.json"],
      [/rules\[0\]\.action/, /rules\[0\]\.value/, /rules\[1\]\.field/],
    ],
    [
      "a filter that is not JSON",
      ["--connectors", "rows.ndjson", "--filter", "broken.json"],
      [/broken\.json is not JSON/],
    ],
    [
      "a file that is not there",
      ["--connectors", "none.ndjson", "--filter", "german.json"],
      [/cannot read none\.ndjson: no such file/],
    ],
    [
      "rows with faults, each with its line",
      ["--connectors", "broken.ndjson", "--filter", "german.json"],
      [/line 2\.id must have the shape/, /line 3 is not JSON/],
    ],
  ])("[C-8.12] %s: exit 1, one line on stderr", async (_, args, faults) => {
    const { code, stdout, stderr } = await cli.run(["filter", "preview", ...args]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    for (const fault of faults) expect(stderr).toMatch(fault);
  });

  it("[C-8.12] without --filter: exit 2", async () => {
    const { code, stderr } = await cli.run(["filter", "preview", "--connectors", "rows.ndjson"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--filter")]);
  });
});

describe("filter explain", () => {
  it("[C-8.2] explains one connector, as docs/how-to/connect-a-bank.md shows it", async () => {
    const root = new URL("../../../", import.meta.url);
    const page = readFileSync(new URL("docs/how-to/connect-a-bank.md", root), "utf8");
    const [, shown = ""] = /^npm run cli -- (filter explain .*)$/m.exec(page) ?? [];
    for (const [, name = ""] of shown.matchAll(/examples\/(\S+)/g)) {
      mkdirSync(join(cli.folder, "examples"), { recursive: true });
      cli.file(`examples/${name}`, readFileSync(new URL(`examples/${name}`, root)));
    }
    const { code, stdout } = await cli.run(shown.split(" "), { env: nowhere });
    expect([code, stdout.trim().split("\n").at(-1)?.split(/ {2,}/)]).toEqual([
      0,
      ["esp:some-bank", "yes", "1", "rule 1 matches last: include countries"],
    ]);
  });

  it("[C-8.2] says for each connector which rule decided", async () => {
    const { code, document } = await cli.json(
      ["filter", "explain", "--connectors", "rows.ndjson", "--filter", "german.json"],
      { env: nowhere },
    );
    expect(code).toBe(0);
    const decided = document.items.map((item: Record<string, unknown>) => [
      item.connector_id,
      item.included,
      item.rule,
    ]);
    expect(decided).toEqual([
      ["esp:sol", false, 0],
      ["fra:bleue", false, 0],
      ["deu:alpen", true, 1],
      ["deu:closed", false, null],
    ]);
    expect(document.items.every((item: Record<string, unknown>) => typeof item.reason === "string")).toBe(true);
  });

  it("explains one connector, and says when it is not there", async () => {
    const args = ["filter", "explain", "--connectors", "rows.ndjson", "--filter", "german.json", "--connector"];
    expect((await cli.json([...args, "esp:sol"])).document.total).toBe(1);
    expect(await cli.run([...args, "esp:none"])).toMatchObject({
      code: 1,
      stderr: "error: there is no connector esp:none\n",
    });
  });
});
