import { decimalString, FeedRefusal } from "@org/provider-kit";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  draftMapping,
  FeedMappingError,
  parseFeedMapping,
  readByMapping,
  shippedMappings,
  testMapping,
} from "../src/index.js";

/** Small tables that shipped mappings read: one with quotes, one with thousands separators, one with several tables. */
const tables = [
  [
    '"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"',
    '"11/01/2025","Reinvest Shares","VLM","VELMORA 2" FUND","1,259.59","$1.00","","-$1,259.59"',
    '"08/22/2025 as of 08/19/2025","Sell","VLM","VELMORA","2","$8.46","$1.00","$15.92"',
  ],
  [
    "Date;Order #;Transaction;Symbol;Name;ISIN;Quantity;Unit price;Costs;Accrued Interest;Net Amount;Balance;Currency",
    "09-08-2025 12:22:24;77;Buy;VLM;Velmora;US0378331005;3.0;31.255;4.35;0.00;-98.115;1'614.40;CHF",
    "29-06-2025 11:17:26;00;Dividend;VLM;Velmora;US0378331005;1.0;7.24;0.00;0.00;7.24;9.56;USD",
  ],
  [
    "Statement,Header,Field Name,Field Value",
    'Statement,Data,Period,"January 1, 2026 - January 31, 2026"',
    "Open Positions,Header,DataDiscriminator,Asset Category,Currency,Symbol,Quantity",
    "Open Positions,Data,Summary,Stocks,USD,AMZN,10.5041",
  ],
].map((lines) => `${lines.join("\n")}\n`);

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat({ max: 12 }),
  inserted: fc.oneof(
    fc.constantFrom(
      ";",
      ",",
      '"',
      '""',
      "\n",
      "\r",
      "\t",
      "'",
      "-",
      "(",
      ")",
      ".",
      "1,234",
      "1e9",
      "31-02-2025",
      "\u0000",
      "\uFEFF",
      "Data,",
      "€",
      "",
    ),
    fc.record({ from: fc.double({ min: 0, max: 1, noNaN: true }), length: fc.nat({ max: 80 }) }),
  ),
}); // prettier-ignore

it("[C-9.191] [C-9.192] mutated tables are read with decimals that are ones, or refused with a place; a draft of them is made, or refused", () => {
  const outcomes = { read: 0, refused: 0 };
  const shipped = shippedMappings();
  fc.assert(
    fc.property(fc.constantFrom(...tables), fc.array(edit, { minLength: 1, maxLength: 3 }), (whole, edits) => {
      let text = whole;
      for (const { at, removed, inserted } of edits) {
        const offset = Math.floor(at * text.length);
        const piece =
          typeof inserted === "string"
            ? inserted
            : text.slice(Math.floor(inserted.from * text.length)).slice(0, inserted.length);
        text = text.slice(0, offset) + piece + text.slice(offset + removed);
      }
      const file = Buffer.from(text);
      try {
        const { holdings, transactions } = readByMapping(file, shipped)?.snapshot ?? { holdings: [], transactions: [] };
        for (const { amount, balance } of [...(holdings ?? []), ...(transactions ?? [])])
          for (const figure of [amount, balance])
            expect(figure === null || decimalString.safeParse(figure).success).toBe(true);
        outcomes.read += 1;
      } catch (error) {
        if (!(error instanceof FeedRefusal)) throw error;
        expect(error.place && error.reason).toBeTruthy();
        outcomes.refused += 1;
      }
      try {
        testMapping(file, parseFeedMapping(draftMapping(file, "x.csv").mapping));
      } catch (error) {
        if (!(error instanceof FeedRefusal) && !(error instanceof FeedMappingError)) throw error;
      }
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 300) },
  );
  expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(30);
});
