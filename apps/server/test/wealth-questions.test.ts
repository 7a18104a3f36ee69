import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { connectClient, type ToolCaller, ToolRefusal } from "./mcp-clients.js";
import { deliver } from "./wealth-files.js";

const quarter = { from: "2026-01-01", to: "2026-03-31" };
const wealth = { client_ref: "M-17", currency: "EUR" };

/** A quarter of weekly statements: 500 are paid in, a depot goes from 500 to 560, and 40 of dividends come. The last one was corrected. */
function statements(): readonly (readonly string[])[] {
  const weeks = Array.from({ length: 13 }, (_, week) => {
    const day = new Date(Date.UTC(2025, 11, 31 + 7 * week)).toISOString().slice(0, 10);
    const cash = 1_000 + (week >= 5 ? 500 : 0) + (week >= 8 ? 15 : 0) + (week >= 12 ? 25 : 0);
    const depot = week >= 12 ? 560 : week >= 6 ? 520 : 500;
    return [
      `${day};cash;1;;${cash}.00;EUR;;`,
      `${day};holding;2;Fern;${depot}.00;EUR;450.00;`,
      ...(week === 5 ? [`${day};deposit;1;;500.00;EUR;;`] : []),
      ...(week === 8 ? [`${day};dividend;1;Fern;15.00;EUR;;5.00`] : []),
      ...(week === 12 ? [`${day};dividend;1;Fern;25.00;EUR;;8.00`] : []),
    ];
  });
  const last = weeks.at(-1) ?? [];
  return [...weeks.slice(0, -1), last.map((line) => line.replace("560.00", "550.00")), last];
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Found = any;
interface Question {
  readonly words: string;
  /** Maximum length of its answers together. */
  readonly characters: number;
  /** Tools in the order in which they are called, those of `/mcp` begin with `svc-`. */
  readonly calls: readonly (readonly [tool: string, argumentsAfter: (before: Found) => object])[];
  /** What the last answer says, or the code and details of its refusal. */
  readonly answer: (last: Found) => unknown;
  readonly right: unknown;
}

const questions: readonly Question[] = [
  {
    words: "What is client M-17 worth in EUR, and in what?",
    characters: 900,
    calls: [["wealth-summary", () => ({ ...wealth, date: quarter.to, by: "type" })]],
    answer: ({ totals, items }) => [totals[0].balance, items.map(({ key, share }: Found) => [key, share])],
    right: [
      "2100.00",
      [
        ["L", "0.733333"],
        ["VI", "0.266667"],
      ],
    ],
  },
  {
    words: "How did M-17 do this quarter?",
    characters: 1_000,
    calls: [["wealth-performance", () => ({ ...wealth, ...quarter })]],
    answer: ({ return: share, gain, flows }) => [share, gain, flows.in],
    right: ["0.050000", "100.00", "500.00"],
  },
  {
    words: "What income did M-17 have, by month?",
    characters: 900,
    calls: [["wealth-income", () => ({ ...wealth, ...quarter, by: "month" })]],
    answer: ({ items }) => items.map(({ key, totals: [{ net, gross }] }: Found) => [key, net, gross]),
    right: [
      ["2026-02", "15.00", "20.00"],
      ["2026-03", "25.00", "33.00"],
    ],
  },
  {
    words: "How did its value develop, week by week?",
    characters: 2_600,
    calls: [["wealth-history", () => ({ ...wealth, ...quarter, interval: "week" })]],
    answer: ({ items, pages }) => [pages, items.length, items.at(-1).totals[0].balance],
    right: [1, 14, "2100.00"],
  },
  {
    words: "Where does the figure of its holding Fern come from, and was it corrected?",
    characters: 1_400,
    calls: [
      ["svc-investments", () => ({ client_ref: "M-17", name: "Fern", fields: ["id", "name", "balance"] })],
      ["wealth-why", ({ items }) => ({ id: items[0].id })],
    ],
    answer: ({ versions }) =>
      versions.map(({ balance, current, source }: Found) => [balance, current, source.name, source.place]),
    right: [
      ["560.00", true, "M-17 13.csv", "line 3"],
      ["550.00", false, "M-17 12.csv", "line 3"],
    ],
  },
  {
    words: "Which is its largest position?",
    characters: 600,
    calls: [
      [
        "svc-investments",
        () => ({ client_ref: "M-17", sort: "-balance", page_size: 1, fields: ["name", "balance", "currency"] }),
      ],
    ],
    answer: ({ items }) => items,
    right: [{ name: "Cash EUR", balance: "1540.00", currency: "EUR" }],
  },
  {
    words: "How much did M-17 pay in this quarter?",
    characters: 500,
    calls: [
      [
        "svc-investment-transactions",
        () => ({
          client_ref: "M-17",
          kind: "deposit",
          start_date: quarter.from,
          end_date: quarter.to,
          totals_only: true,
        }),
      ],
    ],
    answer: ({ totals }) => totals.map(({ currency, balance, rows }: Found) => [currency, balance, rows]),
    right: [["EUR", "500.00", 1]],
  },
  {
    words: "Which client has the most with us?",
    characters: 1_600,
    calls: [["wealth-summary", () => ({ currency: "EUR", date: quarter.to, by: "client" })]],
    answer: ({ items }) => items.map(({ key, totals: [total] }: Found) => [key, total?.balance]),
    right: [
      ["M-17", "2100.00"],
      ["M-18", "210.00"],
    ],
  },
  {
    words: "Is anything missing from the total of all clients?",
    characters: 1_500,
    calls: [["wealth-summary", () => ({ currency: "EUR", date: quarter.to, by: "bank" })]],
    answer: ({ complete, coverage: { details } }) => [complete, details[0].state, details[0].since, details[0].reason],
    right: [false, "missing", "2026-03-02", "stale"],
  },
  {
    words: "How did M-18 do this quarter? (It has no value before.)",
    characters: 200,
    calls: [["wealth-performance", () => ({ ...wealth, ...quarter, client_ref: "M-18" })]],
    answer: (refusal) => [refusal.code, refusal.details],
    right: ["INSUFFICIENT_DATA", [{ reason: "no_opening_value", date: "2025-12-31", first_valuation: "2026-03-30" }]],
  },
];

describe("questions of a wealth manager's assistant", () => {
  let server: TestServer;
  let clients: Readonly<Record<"svc" | "wealth", ToolCaller & { close(): Promise<void> }>>;
  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("what a figure is made of is in the tests of figures") });
    await server.operator.post(
      "/operator/v1/rates/import?name=rates.csv",
      "date,base,quote,rate\n2026-03-31,EUR,USD,1.2\n",
      {
        headers: { "content-type": "application/octet-stream" },
      },
    );
    await deliver(server, server.demo, "M-17", statements());
    await deliver(server, server.demo, "M-18", [["2026-03-30;cash;3;;252.00;USD;;"]]);
    await deliver(server, server.demo, "M-19", [["2026-03-02;cash;4;;100.00;EUR;;"]]);
    clients = {
      svc: await connectClient("modern", server.mcpUrl, server.demo.token),
      wealth: await connectClient("modern", `${server.mcpUrl}/analytics`, server.demo.token),
    };
  }, START_TIMEOUT);
  afterAll(async () => {
    await clients?.svc.close();
    await clients?.wealth.close();
    await server?.remove();
  });

  const page = readFileSync(new URL("../../../docs/reference/wealth.md", import.meta.url), "utf8");

  it.each(questions)("[C-8.171] $words", async ({ words, characters, calls, answer, right }) => {
    let last: Found;
    let length = 0;
    for (const [tool, argumentsAfter] of calls) {
      const client = clients[tool.startsWith("svc-") ? "svc" : "wealth"];
      last = await client.call(tool, argumentsAfter(last)).catch((error: unknown) => {
        if (error instanceof ToolRefusal) return { code: error.code, details: error.details };
        throw error;
      });
      length += JSON.stringify(last).length;
    }
    expect(answer(last)).toEqual(right);
    expect(length).toBeLessThanOrEqual(characters);
    const tools = calls.map(([tool]) => `\`${tool}\``).join(", ");
    expect(page).toContain(`| ${words} | ${tools} | ${calls.length} | ${characters.toLocaleString("en")} |`);
  });
});
