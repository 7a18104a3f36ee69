import { CoreError, createConnectors } from "@org/core";
import { createTestRuntime } from "@org/core/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { catalogue, createWorld, type World } from "./world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof CoreError
    ? { code: error.code, details: error.details?.map(({ field, error_type }) => [field, error_type]) }
    : error;
};
const everything = { rules: [{ action: "include", field: "connector_id", value: "*" }] };
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({ id: `esp:${String(index).padStart(5, "0")}`, name: `Bank ${index}`, country: "ES" }),
  );

describe("svc-connectors' search", () => {
  it("[S1-2.2] [C-4.14] [C-4.8] matches names by substring without case, by id", async () => {
    expect(await world.connectors.search({ name: "BANCO", page: 1, page_size: 1 }, null)).toMatchObject({
      total: 2,
      pages: 2,
      items: [{ id: "esp:norte" }],
    });
    expect(
      (await world.connectors.search({ name: null, page: 1, page_size: 50 }, null)).items.map((item) => item.id),
    ).toEqual(catalogue.map((item) => item.id));
    expect(await world.connectors.search({ name: "zzz", page: 1, page_size: 5 }, null)).toMatchObject({
      total: 0,
      pages: 0,
      items: [],
    });
  });

  it("[C-4.85] suggests the banks of a country, and names with the longest beginning of a word", async () => {
    const suggested = async (name: string) => {
      const { country, connectors, total } = await world.connectors.suggest(name, null);
      return [country, connectors.map(({ id }) => id), total];
    };
    expect(await suggested("Spain")).toEqual(["esp", ["esp:norte", "esp:sur"], 2]);
    expect(await suggested("ES")).toEqual(["esp", ["esp:norte", "esp:sur"], 2]);
    expect(await suggested("Peru")).toEqual(["per", [], 0]);
    // A country is answered with what can be connected in it.
    expect(await suggested("France")).toEqual(["fra", ["fra:custody"], 1]);
    expect(await suggested("Fermees")).toEqual([null, ["fra:closed"], 1]);
    expect(await suggested("la depositaire")).toEqual([null, ["fra:custody"], 1]);
    expect(await suggested("zzz")).toEqual([null, [], 0]);
    await world.storage.catalogue.importAll(
      Array.from({ length: 8 }, (_, index) => ({
        ...(catalogue[0] as (typeof catalogue)[0]),
        id: `che:${index}`,
        name: `Cantonal ${index}`,
      })),
    );
    expect(await suggested("kantonal cantonale")).toEqual([null, [0, 1, 2, 3, 4].map((index) => `che:${index}`), 8]);
  });

  it("[C-4.14] finds what was imported before, also while an older catalogue is being read", async () => {
    let arrive = () => {};
    const late = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    let reads = 0;
    const connectors = createConnectors({
      catalogue: {
        ...world.storage.catalogue,
        async all() {
          reads += 1;
          const isFirst = reads === 1;
          const found = await world.storage.catalogue.all();
          if (isFirst) await late;
          return found;
        },
      },
      mac: createTestRuntime().mac,
      defaultProvider: "scripted",
    });
    const search = async () => (await connectors.search({ name: "new", page: 1, page_size: 5 }, null)).total;
    const older = search();
    await expect.poll(() => reads).toBe(1);
    await world.connectors.importLines([JSON.stringify({ id: "esp:new", name: "New", country: "ES" })]);
    const newer = search();
    arrive();
    expect(await Promise.all([older, newer])).toEqual([0, 1]);
    expect(reads).toBe(2);
  });
});

it("[C-9.27] [C-7.60] a row that is wrong is refused in our words", async () => {
  const sound = { id: "esp:new", name: "New", country: "ES" };
  const wrong = [null, [], "row", 7, {}].concat(
    Object.keys({ ...sound, countries: 0, type: 0, available: 0, provider: 0 }).flatMap(
      (name) => [null, 7, "", {}, [7], "x".repeat(400)].map((value) => ({ ...sound, [name]: value })) as never[],
    ),
  );
  const messages = new Set<string>();
  for (const row of wrong) {
    const error = await world.connectors.importLines([JSON.stringify(row)]).catch((reason: unknown) => reason);
    if (error instanceof CoreError) messages.add(error.message);
  }
  expect(messages.size).toBeGreaterThan(15);
  for (const message of messages) expect(message).not.toMatch(/Invalid|Too (small|big)|expected|received|Unrecognized/);
});

describe("the preview", () => {
  it("[C-7.22] of as many faulty rules as there may be the first thousand faults are listed", async () => {
    const rules = Array.from({ length: 1_000 }, () => ({ a: 1 }));
    const refused = await world.connectors
      .preview({ connector_filter: { rules } }, null)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "VALIDATION_ERROR" });
    expect((refused as { details: unknown[] }).details).toHaveLength(1_000);
  });

  it.each([
    ["more than 1,000 rules", Array(1_001).fill(["type", "psd2"]), "rules", "must be at most 1000 rules"],
    [
      "more than 10,000 connector ids",
      [
        ["connector_id", Array(10_000).fill("esp:x")],
        ["connector_id", "esp:y"],
      ],
      "rules[1].value",
      "must not be more than 10000 connector ids with those before",
    ],
    [
      "more than 1,000 countries and types",
      [
        ["countries", Array(600).fill("esp")],
        ["type", Array(401).fill("psd2")],
      ],
      "rules[1].value",
      "must not be more than 1000 countries and types with those before",
    ],
    ["long text", [["countries", ["esp", "x".repeat(201)]]], "rules[0].value", "must have at most 200 characters each"],
  ])("[C-9.400] refuses a filter with %s", async (_what, given, at, rule) => {
    const rules = given.map(([field, value]) => ({ action: "exclude", field, value }));
    const refused = await world.connectors
      .preview({ connector_filter: { rules } }, null)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ field: `connector_filter.${at}`, error_type: "InvalidValue", rule }],
    });
  });

  it("[S2-1.7] [S2-4.27] [C-6.2] yields what is available and included", async () => {
    const filter = { rules: [{ action: "exclude", field: "countries", value: "spain" }] };
    const { items } = await world.connectors.preview({ connector_filter: filter }, null);
    expect(items.map((item) => item.id)).toEqual(["deu:rhein", "fra:custody"]);
    expect(Object.keys(items[0] ?? {}).toSorted()).toEqual(["available", "countries", "id", "name", "type"]);
  });

  it("[C-6.9] [C-6.10] [S2-4.25] pages by 100 without a repeat or a gap while the catalogue changes", async () => {
    await world.connectors.importLines(rows(250));
    const seen: string[] = [];
    let page_token: string | null = null;
    let pages = 0;
    do {
      const page: Awaited<ReturnType<World["connectors"]["preview"]>> = await world.connectors.preview(
        { connector_filter: everything, page_token },
        null,
      );
      expect(page.items.length).toBeLessThanOrEqual(100);
      seen.push(...page.items.map((item) => item.id));
      page_token = page.next_page_token;
      pages += 1;
      if (pages === 1) await world.connectors.importLines(rows(3).map((line) => line.replace("esp:0000", "and:0000")));
    } while (page_token !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => /^esp:\d+$/.test(id))).toHaveLength(250);
  });

  it("[C-6.9] refuses a token of another filter, or a damaged one", async () => {
    await world.connectors.importLines(rows(150));
    const { next_page_token } = await world.connectors.preview({ connector_filter: everything }, null);
    const other = { rules: [{ action: "exclude", field: "type", value: "psd2" }] };
    for (const body of [
      { connector_filter: other, page_token: next_page_token },
      { connector_filter: everything, page_token: `${next_page_token}x` },
      { connector_filter: everything, page_token: "!" },
    ])
      expect(await failure(world.connectors.preview(body, null))).toEqual({
        code: "VALIDATION_ERROR",
        details: [["page_token", "InvalidValue"]],
      });
  });

  it.each<[unknown, string[][]]>([
    [{}, [["connector_filter", "RequiredField"]]],
    [{ connector_filter: { rules: 5 } }, [["connector_filter.rules", "InvalidValue"]]],
    [
      { connector_filter: { rules: [{ action: "keep", field: "name", value: "" }] }, extra: 1 },
      [
        ["extra", "UnknownField"],
        ["connector_filter.rules[0].action", "InvalidValue"],
        ["connector_filter.rules[0].field", "InvalidValue"],
        ["connector_filter.rules[0].value", "InvalidValue"],
      ],
    ],
    [
      { connector_filter: { rules: [{ action: "keep", field: "name", value: "" }] } },
      [
        ["connector_filter.rules[0].action", "InvalidValue"],
        ["connector_filter.rules[0].field", "InvalidValue"],
        ["connector_filter.rules[0].value", "InvalidValue"],
      ],
    ],
  ])("[C-6.7] [S2-4.24] refuses %j with the path of each fault", async (body, details) => {
    expect(await failure(world.connectors.preview(body, null))).toEqual({ code: "VALIDATION_ERROR", details });
  });

  it("[C-5.3] [C-5.5] lists by id, an empty list matching nothing", async () => {
    expect((await world.connectors.list({}, null)).items).toHaveLength(catalogue.length);
    expect(
      (
        await world.connectors.list({ query: { connector_id_in: ["esp:sur", "esp:none", "deu:rhein"] } }, null)
      ).items.map((item) => item.id),
    ).toEqual(["deu:rhein", "esp:sur"]);
    expect((await world.connectors.list({ query: { connector_id_in: [] } }, null)).items).toEqual([]);
  });
});

describe("importing a catalogue", () => {
  it("[C-9.26] [C-9.27] upserts by id with the documented defaults, other keys in metadata", async () => {
    const counts = await world.connectors.importLines([
      '{"id":"ita:uno","name":"Uno","country":"ITA","bic8":["UNOO"]}',
      "",
      '{"id":"esp:norte","name":"Norte II","countries":["Spain","fr"],"type":"psd2","available":false}',
    ]);
    expect(counts).toEqual({ inserted: 1, updated: 1, unchanged: 0, unserved_total: 0, unserved: [] });
    expect(await world.connectors.find("ita:uno")).toEqual({
      id: "ita:uno",
      name: "Uno",
      type: "e-banking",
      countries: ["ita"],
      available: true,
      provider: "scripted",
      provider_ref: null,
      metadata: { bic8: ["UNOO"] },
    });
    expect(await world.connectors.find("esp:norte")).toMatchObject({
      name: "Norte II",
      countries: ["esp", "fra"],
      type: "psd2",
      available: false,
    });
  });

  it("[C-9.42] what no provider serves is named, is not available, and is once there is one", async () => {
    const { catalogue, connectors } = world.servedBy("scripted");
    const row = (id: string, more: object) => JSON.stringify({ id, name: id, country: "ITA", ...more });
    const counts = await connectors.importLines([
      row("ita:due", { provider: "lighthouse" }),
      row("ita:uno", { provider: "lighthouse" }),
      row("ita:closed", { provider: "lighthouse", available: false }),
      row("ita:letters", { type: "datafeed" }),
      row("ita:served", {}),
    ]);
    const unserved = ["ita:due", "ita:uno"];
    expect(counts).toEqual({
      inserted: 5,
      updated: 0,
      unchanged: 0,
      unserved_total: 2,
      unserved: unserved.map((id) => ({ id, provider: "lighthouse" })),
    });
    const found = await connectors.search({ name: "ita:", page: 1, page_size: 50 }, null);
    expect(found.items.filter(({ available }) => available).map(({ id }) => id)).toEqual(["ita:letters", "ita:served"]);
    const missing = await connectors.search({ name: null, unserved: true, page: 1, page_size: 50 }, null);
    expect(missing.items.map(({ id }) => id)).toEqual(unserved);
    expect((await connectors.allowedBy(null, null)).map(({ id }) => id)).not.toContain("ita:uno");
    const later = world.servedBy("scripted", "lighthouse").connectors;
    expect((await later.find("ita:uno"))?.available).toBe(true);
    expect((await catalogue.find("ita:uno"))?.available).toBe(true);
  });

  it("[C-4.43] keeps no characters that are not shown", async () => {
    await world.connectors.importLines([
      String.raw`{"id":"ita:uno","name":"U\u202eno\u200b","country":"ITA","logo\u200b_url":"https://a.example/\u2066b"}`,
    ]);
    expect(await world.connectors.find("ita:uno")).toMatchObject({
      name: "Uno",
      metadata: { logo_url: "https://a.example/b" },
    });
  });

  it.each([
    [
      "an id with a character that is not shown",
      String.raw`{"id":"ita:\u200buno","name":"Uno","country":"ITA"}`,
      "line 2.id",
    ],
    ["a name of which nothing is shown", String.raw`{"id":"ita:uno","name":"\u200b","country":"ITA"}`, "line 2.name"],
    ["no JSON", "{", "line 2"],
    ["no name", '{"id":"ita:uno","country":"ITA"}', "line 2.name"],
    ["no country", '{"id":"ita:uno","name":"Uno"}', "line 2.country"],
    ["no such country", '{"id":"ita:uno","name":"Uno","country":"Atlantis"}', "line 2.country"],
    ["an id without a country", '{"id":"uno","name":"Uno","country":"it"}', "line 2.id"],
  ])("[C-9.27] [S2-2.21] refuses the whole file for %s, naming the line", async (_name, line, field) => {
    expect(await failure(world.connectors.importLines([rows(1)[0] as string, line]))).toMatchObject({
      code: "VALIDATION_ERROR",
      details: [[field, expect.any(String)]],
    });
    expect(await world.connectors.find("esp:00000")).toBeNull();
  });
});
