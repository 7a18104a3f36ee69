import { afterAll, beforeAll, expect, it } from "vitest";
import { type Fixture, startFixture } from "./fixture.js";

let api: Fixture;
beforeAll(async () => {
  api = await startFixture();
});
afterAll(() => api.close());

const operate = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  api.post(`/operator/v1/rates${path}`, body, { token: api.tokens.operator, headers });
const send = (query: string, body: string) =>
  operate(`/import?${query}`, body, { "content-type": "application/octet-stream" });

it("[C-8.130] [C-8.134] a file is imported under its name, and its rates are listed by day", async () => {
  const lines = ["2025-12-30,EUR,USD,1.10", "2025-12-31,EUR,USD,1.20", "2025-12-31,EUR,CHF,0.930"];
  const first = await send("name=a.csv", lines.join("\n"));
  const imported = { rows: 3, replaced: 0, first_date: "2025-12-30", last_date: "2025-12-31" };
  expect([first.status, first.body]).toEqual([200, imported]);
  // Of two of the same day and pair the last counts.
  const again = await send("name=b.xml", "2025-12-31,EUR,USD,9\n2025-12-31,EUR,USD,1.25");
  expect(again.body).toEqual({ rows: 1, replaced: 1, first_date: "2025-12-31", last_date: "2025-12-31" });

  const row = (date: string, quote: string, rate: string, source: string) => ({
    date,
    base: "EUR",
    quote,
    rate,
    source,
  });
  const newest = [row("2025-12-31", "CHF", "0.930", "a.csv"), row("2025-12-31", "USD", "1.25", "b.xml")];
  const before = row("2025-12-30", "USD", "1.10", "a.csv");
  expect((await operate("/list", {})).body).toEqual({
    items: [...newest, before],
    page: 1,
    page_size: 50,
    pages: 1,
    total: 3,
  });
  expect((await operate("/list", { date: "2025-12-31", page: 2, page_size: 1 })).body).toEqual({
    items: [newest[1]],
    page: 2,
    page_size: 1,
    pages: 2,
    total: 2,
  });
  expect((await operate("/list", { date: "2025-12-29" })).body).toMatchObject({ items: [], pages: 0, total: 0 });
  expect((await operate("/list-days", {})).body).toEqual({
    items: [
      {
        date: "2025-12-31",
        sources: [
          { source: "a.csv", rates: 1 },
          { source: "b.xml", rates: 1 },
        ],
        previous_date: "2025-12-30",
      },
      { date: "2025-12-30", sources: [{ source: "a.csv", rates: 1 }], previous_date: null },
    ],
    next_page_token: null,
  });
});

it("[C-8.134] days come in pages", async () => {
  const days = Array.from({ length: 60 }, (_, index) =>
    new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10),
  );
  await send("name=days.csv", days.map((day) => `${day},XAU,USD,1`).join("\n"));
  const first = (await operate("/list-days", {})).body;
  expect(first.items).toHaveLength(50);
  const { body: second } = await operate("/list-days", { page_token: first.next_page_token });
  expect(second.next_page_token).toBeNull();
  const listed = [...first.items, ...second.items].map(({ date }) => date);
  expect(listed.filter((day) => day.startsWith("2024"))).toEqual(days.reverse());
  const { status, body } = await operate("/list-days", { page_token: "nonsense" });
  expect([status, body.error.details[0].field]).toEqual([400, "page_token"]);
});

it("[C-8.133] a file with a fault is refused whole by its place, and so are no file, no name and a day that is none", async () => {
  const refused = await send("name=bad.csv", "2025-11-03,EUR,USD,1.1\n2025-11-04,EUR,USD,");
  expect(refused.status).toBe(400);
  expect(refused.body.error.details).toMatchObject([{ field: "line 2.rate", error_type: "InvalidValue" }]);
  expect((await operate("/list", { date: "2025-11-03" })).body.total).toBe(0);
  const fieldOf = (answer: { status: number; body: { error: { details: { field: string }[] } } }) => [
    answer.status,
    answer.body.error.details[0]?.field,
  ];
  expect(fieldOf(await send("name=empty.csv", ""))).toEqual([400, "file"]);
  expect(fieldOf(await send("", "x"))).toEqual([400, "name"]);
  expect(fieldOf(await send("name=a&more=1", "x"))).toEqual([400, "more"]);
  expect(fieldOf(await operate("/list", { date: "2025-02-30" }))).toEqual([400, "date"]);
  expect((await send("name=large.csv", "x".repeat(16 * 1024 * 1024 + 1))).status).toBe(413);
  expect((await operate("/import?name=a.csv", "x")).status).toBe(415);
});

it("[C-8.138] an import is one line of the audit trail, with what came of it", async () => {
  await send("name=traced.csv", "2023-05-02,EUR,USD,1\n2023-05-03,EUR,USD,1");
  await send("name=traced.csv", "2023-05-03,EUR,USD,2");
  const { body } = await api.post(
    "/operator/v1/audit/list",
    { action: "rates.import" },
    { token: api.tokens.operator },
  );
  const facts = { name: "traced.csv", rows: 1, replaced: 1, first_date: "2023-05-03", last_date: "2023-05-03" };
  expect(body.items[0]).toMatchObject({ tenant_id: null, object_type: "rates", object_id: "traced.csv", facts });
});
