import { feedFormatCases } from "@org/provider-kit/testing";
import { expect, it } from "vitest";
import harbour from "../src/index.js";

const statement = (day: string, ...rows: string[]) =>
  Buffer.from([`HARBOUR 1|77-1|EUR|${day}|1510.50`, ...rows, `END|${rows.length}`, ""].join("\n"));
const friday = statement("2026-01-30", "H|NL0000235190|Airbus SE|10|1510.50", "T|900|2026-01-30|Dividend|12.00");

it.each(
  feedFormatCases({
    format: harbour,
    files: [friday, statement("2026-01-31")],
    days: [friday, statement("2026-02-02", "H|NL0000235190|Airbus SE|11|1661.55")],
    others: [Buffer.from("HARBOUR 2|77-1")],
    broken: [
      Buffer.from("HARBOUR 1|77-1|EUR|2026-01-30|1,5\nEND|0"),
      friday.subarray(0, -10),
      statement("2026-02-30"),
      statement("2026-01-30", "X|1"),
    ],
  }),
)("$name", ({ run }) => run());

it("a line becomes a holding, digit by digit", () => {
  const { portfolios, holdings, transactions } = harbour.read(friday, { interim: false });
  expect(portfolios?.[0]).toMatchObject({ key: "77-1:EUR", balance: "1510.50" });
  expect(holdings?.[0]).toMatchObject({ isin: "NL0000235190", amount: "10", balance: "1510.50" });
  expect(transactions?.[0]).toMatchObject({ key: "900", balance: "12.00" });
});
