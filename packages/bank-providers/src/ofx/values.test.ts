import { describe, expect, it } from "vitest";
import type { MarkupElement } from "../markup/element.js";
import { childOf, requiredText, textOf } from "../markup/values.js";
import { readElements } from "./ofx-elements.js";
import { requiredDate, requiredDecimal, requiredInstant } from "./values.js";

const holding = (value: string): MarkupElement => readElements(Buffer.from(`<OFX><V>${value}</V></OFX>`));

describe("decimals", () => {
  it.each([
    ["+00000000000115.8331", "115.8331"],
    ["-0000000000008.00000", "-8.00000"],
    ["000000025.635000000", "25.635000000"],
    ["1,05", "1.05"],
    [".5", "0.5"],
    ["-,5", "-0.5"],
    ["10.", "10"],
    ["-0.00", "0.00"],
    ["1,234.56", "1234.56"],
    ["-12.345.678,90", "-12345678.90"],
    ["-1 234,56", "-1234.56"],
    ["1\u00a0000", "1000"],
    ["12'345.60", "12345.60"],
    ["1,234,567", "1234567"],
    ["1.650", "1.650"],
    ["0,125", "0.125"],
    [`${"9".repeat(28)}.${"9".repeat(20)}`, `${"9".repeat(28)}.${"9".repeat(20)}`],
  ])("[C-4.18] %s keeps its digits as %s", (text, decimal) => {
    expect(requiredDecimal(holding(text), "V")).toBe(decimal);
  });

  it.each([
    "$120",
    "1,2,3",
    "1.2.3",
    "1,234,56",
    "1.234.5",
    "12,34.5",
    "1 23",
    "1,234.567.890",
    "N/A",
    "1e5",
    "--1",
    "+",
    ".",
    ",",
    "NaN",
    "0x10",
    "１",
    "9".repeat(29),
    `0.${"1".repeat(21)}`,
  ])("%s is refused", (text) => {
    expect(() => requiredDecimal(holding(text), "V")).toThrow(
      /^line 1, column 6, OFX\/V: ".*" is not a decimal number$/,
    );
  });
});

describe("[C-9.435] a comma before three digits", () => {
  const file = (text: string, ...others: string[]) =>
    readElements(
      Buffer.from(`<OFX><V>${text}</V>${others.map((other) => `<TRNAMT>${other}</TRNAMT>`).join("")}</OFX>`),
    );
  it.each([
    ["-1,650", ["100.00"], "-1650"],
    ["-1,650", ["100,5"], "-1.650"],
    ["-1,650", ["1,234.56", "7"], "-1650"],
  ])("of %s is what %s of the same file say", (text, others, decimal) => {
    expect(requiredDecimal(file(text, ...others), "V")).toBe(decimal);
  });
  it.each([[["5"]], [["1.00", "1,00"]], [[]]])("is refused where %s say nothing", (others) => {
    expect(() => requiredDecimal(file("-1,650", ...others), "V")).toThrow("may be thousands or decimals");
  });
});

describe("dates", () => {
  it.each([
    ["20240131", "2024-01-31", "2024-01-31T00:00:00.000Z"],
    ["20240229120000", "2024-02-29", "2024-02-29T12:00:00.000Z"],
    ["202402291200", "2024-02-29", "2024-02-29T12:00:00.000Z"],
    ["20120908190849.317[-4:EDT]", "2012-09-08", "2012-09-08T23:08:49.317Z"],
    ["20121231235959[-5:EST]", "2012-12-31", "2013-01-01T04:59:59.000Z"],
    ["20130101000000.1[+9:JST]", "2013-01-01", "2012-12-31T15:00:00.100Z"],
    ["20130101000000[-3.50:NST]", "2013-01-01", "2013-01-01T03:30:00.000Z"],
    ["20130101000000 [0:GMT]", "2013-01-01", "2013-01-01T00:00:00.000Z"],
    ["20130101[-5]", "2013-01-01", "2013-01-01T05:00:00.000Z"],
    ["20130101000000[:UTC]", "2013-01-01", "2013-01-01T00:00:00.000Z"],
    ["20130101000000[-0500]", "2013-01-01", "2013-01-01T05:00:00.000Z"],
    ["20130101000000GMT", "2013-01-01", "2013-01-01T00:00:00.000Z"],
    ["20130101000000+0130", "2013-01-01", "2012-12-31T22:30:00.000Z"],
    ["2024-01-31", "2024-01-31", "2024-01-31T00:00:00.000Z"],
    ["2024-01-31T12:00:00Z", "2024-01-31", "2024-01-31T12:00:00.000Z"],
  ])("[C-9.29] %s is the day %s, at %s", (text, date, instant) => {
    expect(requiredDate(holding(text), "V")).toBe(date);
    expect(requiredInstant(holding(text), "V").toISOString()).toBe(instant);
  });

  it.each(["20230229", "20240431", "20241301", "20240100", "00000000", "201120000000"])(
    "%s is a date that does not exist",
    (text) => {
      expect(() => requiredDate(holding(text), "V")).toThrow("is a date that does not exist");
    },
  );

  it.each(["20240131240000", "20240131126000"])("[C-9.435] %s has a time of day that does not exist", (text) => {
    expect(() => requiredDate(holding(text), "V")).toThrow("has a time of day that does not exist");
  });

  it.each(["2024-0131", "2024013", "31.01.2024", "20240131X120000", "today", "20240131[-5:EST"])(
    "%s is not a date",
    (text) => {
      expect(() => requiredDate(holding(text), "V")).toThrow("is not a date");
    },
  );

  it("an offset beyond the real ones is refused", () => {
    expect(() => requiredInstant(holding("20240131[+15]"), "V")).toThrow("[+15] is no offset from UTC");
  });
});

it("empty and absent values are told apart in the refusal only", () => {
  const element = readElements(Buffer.from("<OFX><A></A></OFX>"));
  expect([textOf(element, "A"), textOf(element, "B")]).toEqual([null, null]);
  expect(() => requiredText(element, "A")).toThrow("line 1, column 6, OFX/A: A is empty");
  expect(() => requiredText(element, "B")).toThrow("line 1, column 1, OFX: B is missing");
});

it("a value given twice, or an aggregate where a value belongs, is refused", () => {
  const element = readElements(Buffer.from("<OFX><A>1<A>2<B><C>1</B></OFX>"));
  expect(() => childOf(element, "A")).toThrow("OFX/A[2]: A appears twice in OFX");
  expect(() => textOf(element, "B")).toThrow("OFX/B: holds elements where a value is expected");
});
