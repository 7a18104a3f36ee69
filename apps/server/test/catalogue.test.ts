import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";

const samples = process.env.SAMPLES_DIR ?? fileURLToPath(new URL("../../../../shared/samples", import.meta.url));
const file = `${samples}/catalog/institutions.ndjson`;
const there = existsSync(file);
const ROWS = 38_540;
const LONG = 120_000;

interface Row {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly [key: string]: unknown;
}

const DATABASE = oneBackend(
  "imports and pages are in the stores' conformance suite; this is about a catalogue of real size",
);

describe.skipIf(!there).each([DATABASE])(
  `a catalogue of ${ROWS} institutions${there ? "" : ` (no file ${file})`} on %s`,
  (backend) => {
    let server: TestServer;
    let rows: Row[];
    let text: string;
    /** Everything that svc-connectors returns after the import. */
    let found: Item[];

    beforeAll(async () => {
      server = await startTestServer({ backend, environment: { SANDBOX: "true" } });
      text = readFileSync(file, "utf8");
      rows = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    }, START_TIMEOUT);
    afterAll(() => server?.remove());

    const importLines = (lines: string) =>
      server.operator.post("/operator/v1/connectors/import", lines, {
        headers: { "content-type": "application/x-ndjson" },
      });

    it("[C-9.27] a bad line in the middle refuses all of it with its number", { timeout: LONG }, async () => {
      const before = await pages(server, {});
      const lines = text.trimEnd().split("\n");
      const bad = lines.with(19_999, '{"id":"esp:bad","name":"Bad","country":"Atlantis"}').join("\n");
      const { status, body } = await importLines(bad);
      expect(status).toBe(400);
      expect(body.error.details).toMatchObject([{ field: "line 20000.country", error_type: "InvalidValue" }]);
      expect(await pages(server, {})).toEqual(before);
    });

    it("[C-9.26] [C-9.27] is imported in one go, and rows that come again are replaced", {
      timeout: LONG,
    }, async () => {
      expect(rows).toHaveLength(ROWS);
      const ids = new Set(rows.map(({ id }) => id));
      expect((await importLines(text)).body).toMatchObject({ inserted: ids.size, updated: 0, unserved_total: 0 });
      const again = rows.slice(0, 1_000).map((row) => JSON.stringify(row));
      expect((await importLines(again.join("\n"))).body).toMatchObject({ inserted: 0, updated: 0, unchanged: 1_000 });
    });

    it("[S1-4.5] [C-4.8] svc-connectors pages through all of it without a repeat or a gap", {
      timeout: LONG,
    }, async () => {
      found = await pages(server, {});
      const ids = found.map(({ connector_id }) => connector_id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual([...ids].sort(byCodePoint));
      const missing = new Set(rows.map(({ id }) => id));
      for (const id of ids) missing.delete(id);
      expect([...missing]).toEqual([]);
    });

    it("[C-4.34] [C-9.26] every row comes back as it was written, with its own keys in metadata; line breaks are spaces, other control characters gone", {
      timeout: LONG,
    }, async () => {
      const items = new Map(found.map((item) => [item.connector_id, item]));
      const changed = [...new Map(rows.map((row) => [row.id, row])).values()].filter(
        ({ id, name, country, ...metadata }) => {
          const expected = { ...metadata, type: "e-banking", countries: [country.toLowerCase()], available: true };
          const item = items.get(id);
          const shown = name.replaceAll(/[\t\n\r]+/g, " ").replaceAll(/\p{Cc}/gu, "");
          return item?.name !== shown || sorted(item.metadata) !== sorted(expected);
        },
      );
      expect(changed).toEqual([]);
    });

    it("[S1-2.2] [C-4.14] a search finds every name that holds the text, in any case", { timeout: LONG }, async () => {
      const wanted = rows.filter(({ name }) => name.toLowerCase().includes("sparkasse")).map(({ id }) => id);
      const matches = (await pages(server, { name: "SparKasse" })).map(({ connector_id }) => connector_id);
      expect(wanted.length).toBeGreaterThan(100);
      expect(matches).toEqual([...new Set(wanted)].sort(byCodePoint));
    });

    it("[S2-4.25] [C-6.9] [C-6.10] the preview walks all of it, 100 at a time, without a repeat or a gap", {
      timeout: LONG,
    }, async () => {
      const expected = found.filter(({ metadata }) => metadata.available).map(({ connector_id }) => connector_id);
      expect(await previewed(server, [])).toEqual(expected);
    });

    it("[S2-4.33] [C-6.6] a filter by country leaves exactly its banks", { timeout: LONG }, async () => {
      const ids = await previewed(server, [
        { action: "exclude", field: "connector_id", value: "*" },
        { action: "include", field: "countries", value: ["Germany", "AT"] },
      ]);
      const wanted = rows.filter(({ country }) => ["DEU", "AUT"].includes(country)).map(({ id }) => id);
      expect(wanted.filter((id) => !ids.includes(id))).toEqual([]);
      expect(ids.filter((id) => !/^(deu|aut|lux|nld|che|fra|swe|nor):/.test(id))).toEqual([]);
      expect(new Set(ids).size).toBe(ids.length);
    });
  },
);

interface Item {
  readonly connector_id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * All pages of svc-connectors. Starts with 500 rows a page; if an answer would be too long [C-4.24], it starts again with the size that the
 * refusal names, as a client has to.
 */
async function pages(server: TestServer, query: { name?: string }): Promise<Item[]> {
  for (let size = 500; ; ) {
    try {
      return await pagesOf(server, { ...query, page_size: size });
    } catch (error) {
      const most = Number(
        /^VALIDATION_ERROR: page_size: must be at most (\d+)/.exec(String((error as Error).message))?.[1],
      );
      if (!(most < size)) throw error;
      size = most;
    }
  }
}

async function pagesOf({ demo }: TestServer, query: { name?: string; page_size: number }): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await demo.tools.call("svc-connectors", { ...query, page });
    expect(answer.pages).toBe(Math.ceil(answer.total / query.page_size));
    items.push(...answer.items);
    if (page >= answer.pages) {
      expect(items).toHaveLength(answer.total);
      return items;
    }
  }
}

/** Ids on all pages of the preview. */
async function previewed({ demo }: TestServer, rules: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  for (let page_token: string | null = null; ; ) {
    const request = { connector_filter: { rules }, ...(page_token && { page_token }) };
    const { status, body } = await demo.post("/connect/v2/connectors/preview-connector-filter", request);
    expect(status).toBe(200);
    if (body.next_page_token !== null) expect(body.items).toHaveLength(100);
    ids.push(...body.items.map(({ id }: { id: string }) => id));
    page_token = body.next_page_token;
    if (page_token === null) return ids;
  }
}

function sorted(value: object): string {
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => byCodePoint(a, b)));
}

function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
