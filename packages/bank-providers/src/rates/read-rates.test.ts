import { FeedRefusal } from "@org/provider-kit";
import { describe, expect, it } from "vitest";
import { readRates } from "./read-rates.js";

const now = new Date("2026-11-30T10:00:00.000Z");
const read = (text: string) => [...readRates(Buffer.from(text), now)];
const refusalOf = (text: string) => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof FeedRefusal) return `${error.place}: ${error.reason}`;
    throw error;
  }
  throw new Error("was read");
};
const euro = (date: string, quote: string, rate: string) => ({ date, base: "EUR", quote, rate });

const envelope = (days: string, prefix = "gesmes:") =>
  `<?xml version="1.0" encoding="UTF-8"?>
<${prefix}Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
${days}
	</Cube>
</${prefix}Envelope>`;
const day = (time: string, ...rates: readonly [string, string][]) =>
  `<Cube time='${time}'>\n${rates.map(([code, rate]) => `<Cube currency='${code}' rate='${rate}'/>`).join("\n")}\n</Cube>`;

describe("a file of exchange rates", () => {
  it("[C-8.131] of the European Central Bank is read as it is published: daily and history, CSV and XML", () => {
    const rates = [euro("2026-11-27", "USD", "1.0561"), euro("2026-11-27", "JPY", "160.20")];
    const before = [euro("1999-01-04", "USD", "1.1789")];
    expect(read("Date, USD, JPY, \n27 November 2026, 1.0561, 160.20, \n")).toEqual(rates);
    expect(read("Date,USD,JPY,\r\n2026-11-27,1.0561,160.20,\r\n1999-01-04,1.1789,N/A,\r\n")).toEqual([
      ...rates,
      ...before,
    ]);
    expect(read("\uFEFFDate, USD, \n7 May 2026, 1.1, \n")).toEqual([euro("2026-05-07", "USD", "1.1")]);
    const daily = day("2026-11-27", ["USD", "1.0561"], ["JPY", "160.20"]);
    expect(read(envelope(daily))).toEqual(rates);
    expect(read(envelope(`${daily}\n${day("1999-01-04", ["USD", "1.1789"], ["JPY", "N/A"])}`))).toEqual([
      ...rates,
      ...before,
    ]);
  });

  it("[C-8.132] with the columns date, base, quote and rate has any pair, and each rate as it is stated", () => {
    const wide = `${"9".repeat(20)}.${"1".repeat(20)}`;
    const text = `Date, Base, Quote, Rate\n2026-11-27,USD,CHF,0.8800\n\n"2026-12-01","CHF","JPY","${wide}"\n2026-11-26,XAU,BTC,007\n`;
    expect(read(text)).toEqual([
      { date: "2026-11-27", base: "USD", quote: "CHF", rate: "0.8800" },
      { date: "2026-12-01", base: "CHF", quote: "JPY", rate: wide },
      { date: "2026-11-26", base: "XAU", quote: "BTC", rate: "7" },
    ]);
  });

  const own = (...lines: readonly string[]) => ["date,base,quote,rate", ...lines].join("\n");
  it.each([
    ["nothing", "", /^line 1: must be the heading/],
    ["another heading", "day,from,to,rate\n2026-11-27,USD,CHF,1\n", /^line 1: must be the heading/],
    ["the heading only", own(), /^file: must hold at least one rate$/],
    [
      "a day that does not exist",
      own("2026-02-30,USD,CHF,1"),
      /^line 2\.date: must be a date that exists, not "2026-02-30"$/,
    ],
    ["a day in the future", own("2026-12-02,USD,CHF,1"), /^line 2\.date: must not be in the future, as 2026-12-02 is$/],
    [
      "small letters",
      own("2026-11-27,USD,CHF,1", "2026-11-27,usd,CHF,1"),
      /^line 3\.base: must be a currency of three/,
    ],
    ["a long code", own("2026-11-27,USD,USDT,1"), /^line 2\.quote: must be a currency of three/],
    ["one currency twice", own("2026-11-27,USD,USD,1"), /^line 2\.quote: must be another currency than USD$/],
    ["zero", own("2026-11-27,USD,CHF,0.00"), /^line 2\.rate: must be a number above 0/],
    ["a negative rate", own("2026-11-27,USD,CHF,-1"), /^line 2\.rate: /],
    ["an exponent", own("2026-11-27,USD,CHF,1e3"), /^line 2\.rate: .*not "1e3"$/],
    ["21 digits", own(`2026-11-27,USD,CHF,${"1".repeat(21)}`), /^line 2\.rate: /],
    ["21 digits behind the point", own(`2026-11-27,USD,CHF,0.${"1".repeat(21)}`), /^line 2\.rate: /],
    ["a comma in the rate", own("2026-11-27,USD,CHF,0,88"), /^line 2: must have 4 columns, not 5$/],
    ["a missing rate", own("2026-11-27,USD,CHF,"), /^line 2\.rate: /],
    ["a heading that is no code", "Date, USD, Yen, \n27 November 2026, 1, 2, \n", /^line 1: must be a currency/],
    ["a row that is too short", "Date,USD,JPY,\n2026-11-27,1.1,\n", /^line 2: must have 3 columns, not 2$/],
    ["an empty rate", "Date,USD,JPY,\n2026-11-27,,1.1,\n", /^line 2\.USD: must be a number above 0/],
    ["another language's month", "Date,USD,\n27 novembre 2026,1.1,\n", /^line 2\.Date: must be a date/],
    ["the euro itself", "Date,EUR,\n2026-11-27,1,\n", /^line 2\.EUR: must be another currency than EUR$/],
    ["another document", "<OFX></OFX>", /^line 1, column 1, OFX: is no eurofxref/],
    [
      "XML that ends",
      envelope("<Cube time='2026-11-27'>").split("\n\t</Cube>")[0] ?? "",
      /the file ends before this element is closed/,
    ],
    ["XML without a day", envelope(""), /^file: must hold at least one rate$/],
    ["a future day in XML", envelope(day("2027-01-01", ["USD", "1"])), /^line 8, column 1, .*Cube\.time: must not be/],
    [
      "a wrong rate in XML",
      envelope(day("2026-11-27", ["USD", "1"], ["JPY", "x"])),
      /^line 10, .*\.rate: must be a number/,
    ],
    ["a wrong code in XML", envelope(day("2026-11-27", ["US", "1"])), /^line 9, .*\.currency: must be a currency/],
    ["bytes that are no UTF-8", Buffer.from([0x44, 0xff, 0xfe]).toString("latin1"), /line 1/],
  ])("[C-8.133] with %s is refused by the line and the field", (_name, text, refusal) => {
    expect(refusalOf(text)).toMatch(refusal);
  });
});
