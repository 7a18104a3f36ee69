import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as facts from "../../../packages/wealth/test/cases/build.js";
import { answerOf, reference } from "../../../packages/wealth/test/reference/index.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { backends } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";

const days = ["2026-02-27", "2026-03-02", "2026-03-03", "2026-03-06"];
const accounts = ["1001", "1002"];
const isin = "US0378331005";
const kinds = ["deposit", "withdrawal", "dividend", "fee"] as const;
const header = "Row,Account,Day,ISIN,Units,Amount,Currency,Taxes";
const mapping = {
  language: 1,
  name: "judged",
  title: "Statements with movements",
  recognise: { header: header.split(",") },
  delimiter: ",",
  decimal: ".",
  dates: ["yyyy-MM-dd"],
  account: { number: { column: "Account" }, currency: { constant: "EUR" } },
  values: { date: { column: "Day" }, currency: { column: "Currency" } },
  tables: [
    {
      rows: [
        {
          when: { column: "Row", is: "holding" },
          is: "holding",
          type: "F",
          values: {
            isin: { column: "ISIN" },
            name: { column: "ISIN" },
            units: { column: "Units" },
            value: { column: "Amount" },
          },
        },
        { when: { column: "Row", is: "cash" }, is: "cash", values: { value: { column: "Amount" } } },
        ...kinds.map((kind) => ({
          when: { column: "Row", is: kind },
          is: "transaction",
          kind,
          values: { cash: { column: "Amount" }, taxes: { column: "Taxes" } },
        })),
      ],
    },
  ],
};

/** The same ones on every run: what random histories show is in packages/wealth, this is about the way of the facts through the store. */
const histories = fc.sample(
  fc.record({
    statements: fc.tuple(...days.map(() => fc.tuple(...accounts.map(() => fc.option(statement(), { freq: 6 }))))),
    movements: fc.array(
      fc.record({
        day: fc.constantFrom(...days.slice(1)),
        account: fc.constantFrom(...accounts),
        kind: fc.constantFrom(...kinds),
        cents: fc.integer({ min: 1, max: 9000 }),
        taxes: fc.option(fc.integer({ min: 1, max: 900 })),
      }),
      { minLength: 2, maxLength: 6 },
    ),
  }),
  { numRuns: 3, seed: 41 },
);

function statement() {
  return fc.record({
    held: fc.integer({ min: 100, max: 90_000 }),
    cash: fc.integer({ min: 0, max: 90_000 }),
    currency: fc.constantFrom("EUR", "USD"),
  });
}

type History = (typeof histories)[number];

const money = (cents: number) => facts.pointed(BigInt(cents), 2);
const signed = ({ kind, cents }: History["movements"][number]) =>
  money(kind === "withdrawal" || kind === "fee" ? -cents : cents);

/** A file of each day, in an order of its own: the second day's comes last. */
function filesOf({ statements, movements }: History): string[] {
  const files = days.map((day, at) => {
    const stated = (statements[at] ?? []).flatMap((one, index) =>
      one === null
        ? []
        : [
            `holding,${accounts[index]},${day},${isin},2,${money(one.held)},${one.currency},`,
            `cash,${accounts[index]},${day},,,${money(one.cash)},EUR,`,
          ],
    );
    const moved = movements
      .filter((each) => each.day === day)
      .map((each) => {
        const taxes = each.kind === "dividend" && each.taxes !== null ? money(each.taxes) : "";
        return `${each.kind},${each.account},${day},,,${signed(each)},EUR,${taxes}`;
      });
    return [header, ...stated, ...moved, ""].join("\n");
  });
  const [first = "", second = "", ...others] = files;
  return [first, ...others, second].filter((file) => file.includes("\n", header.length + 1));
}

describe.each(backends)("figures of files, by REST, on %s", (backend) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ backend });
    await server.operate("/operator/v1/datafeed-mappings/set", { connector_id: sandboxBanks.datafeed, mapping });
    const rates = ["date,base,quote,rate", ...days.map((day) => `${day},EUR,USD,1.0${Number(day.slice(-2))}7`), ""];
    const octets = { headers: { "content-type": "application/octet-stream" } };
    await server.operator.post("/operator/v1/rates/import?name=rates.csv", rates.join("\n"), octets);
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  it.each(histories.map((history, index) => [index + 1, history] as const))(
    "[C-8.153] are those of the reference, digit by digit: history %i",
    async (index, history) => {
      const tenant = await server.createTenant(`Judged ${index}`);
      const letter_id = await waitingLetter(server, tenant, sandboxBanks.datafeed);
      for (const [at, file] of filesOf(history).entries()) {
        const taken = await ingest(server, { letter_id }, Buffer.from(file), `day-${at}.csv`);
        expect([file, taken.status, taken.body]).toMatchObject([file, 200, { status: "ingested" }]);
      }
      const { items } = (await tenant.post("/data/v1/list-portfolios", {})).body;
      const known = factsOf(
        history,
        new Map(items.map((row: { refAccount: string; id: string }) => [row.refAccount, row.id])),
      );
      const period = { from: "2026-02-28", to: "2026-03-06", currency: "EUR" };
      const date = { date: "2026-03-04", currency: "EUR" };
      const performance = { ...period, allow_gaps: true };
      for (const [question, path, asked] of [
        ["history", "list-history", { ...period, include_coverage: true }],
        ["summary", "summary", { ...date, by: "currency" }],
        ["summary", "summary", { ...date, by: "type" }],
        ["performance", "performance", { ...performance, method: "twr" }],
        ["performance", "performance", { ...performance, method: "mwr" }],
        ["income", "income", { ...period, by: "kind" }],
      ] as const) {
        const { body } = await tenant.post(`/data/v1/${path}`, asked);
        const answer = answerOf(reference, question, known, asked, facts.today) as Record<string, unknown>;
        // Random statements do not follow from random movements: what the server finds of that is not asked here.
        const { gaps: _, ...expected } = answer;
        if (!("method" in asked && asked.method === "mwr")) expect(body).not.toHaveProperty("error");
        const got = "error" in body ? { code: body.error.code, details: body.error.details?.missing } : body;
        expect([question, got]).toMatchObject([question, expected]);
      }
    },
  );
});

function factsOf({ statements, movements }: History, ids: ReadonlyMap<string, string>) {
  const idOf = (number: string) => ids.get(number) ?? number;
  const stated = accounts.flatMap((number, index) => {
    const values = days.flatMap((day, at) => {
      const one = statements[at]?.[index];
      if (!one) return [];
      const holdings = [
        facts.holding(isin, { isin, amount: "2", balance: money(one.held), currency: one.currency, type: "F" }),
        facts.holding("EUR", { balance: money(one.cash), type: "L" }),
      ];
      return [[day, holdings] as const];
    });
    return values.length === 0 ? [] : [facts.account(idOf(number), { values: Object.fromEntries(values) })];
  });
  const moved = movements.map((each, index) =>
    facts.movement(idOf(each.account), each.day, {
      id: `${index}`,
      kind: each.kind,
      balance: signed(each),
      taxes: each.kind === "dividend" && each.taxes !== null ? money(each.taxes) : null,
    }),
  );
  const rates = days.map((day) => facts.rate(day, "EUR/USD", `1.0${Number(day.slice(-2))}7`));
  return facts.facts(stated, moved, rates);
}
