import { expect, it } from "vitest";
import { csvOf } from "./csv.js";

it("[C-14.51] an export has every digit as it came, quotes what needs it, and runs nothing in a spreadsheet", () => {
  const columns = [
    { header: "name", text: ({ name }: { name: string | null }) => name },
    { header: "balance", text: ({ balance }: { balance: string }) => balance },
  ];
  const rows = [
    { name: 'Fund "A", B', balance: "-12345678901234567890.10" },
    { name: "=HYPERLINK(1)", balance: "+1.50" },
    { name: "-1+2", balance: "0.10" },
    { name: null, balance: "" },
  ];
  expect(csvOf(columns, rows)).toBe(
    ["name,balance", '"Fund ""A"", B",-12345678901234567890.10', "'=HYPERLINK(1),+1.50", "'-1+2,0.10", ",", ""].join(
      "\r\n",
    ),
  );
});
