import { feedFormatCases } from "@org/provider-kit/testing";
import { describe, it } from "vitest";
import { camt053Format, mt535Format, mt940Format, ofxFormat } from "../src/index.js";
import { feedFixture } from "./feed-files.js";

const statement = (day: string, number: string) =>
  Buffer.from(
    `:20:1\r\n:25:12030000/202051\r\n:28C:${number}/1\r\n:60F:C2401${day}EUR1,\r\n:61:2401${day}01${day}RCR2,50NTRFREF//B${number}\r\nmore\r\n:86:166?00A?20SVWZ+B?32C\r\n:62F:D2401${day}EUR1,50\r\n-\r\n`,
  );

describe.each([
  { format: mt940Format, files: [statement("30", "1")], days: [statement("30", "1"), statement("31", "2")] as const },
  { format: camt053Format, files: [feedFixture("statement.camt053.xml")] },
  { format: mt535Format, files: [feedFixture("holdings.mt535")] },
  { format: ofxFormat, files: [feedFixture("brokerage-sgml.ofx")] },
])("$format.name", (setup) => {
  it.each(feedFormatCases(setup))("$name", ({ run }) => run());
});
