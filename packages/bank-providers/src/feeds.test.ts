import { FeedRefusal } from "@org/core";
import { expect, it } from "vitest";
import { feedFixture, refusalOfFeed } from "../test/feed-files.js";
import { fixture } from "../test/ofx-files.js";
import { feedParsers, readFeed } from "./feeds.js";

it("a file is read by the parser that recognises it", () => {
  expect(readFeed(fixture("brokerage-sgml.ofx"))).toMatchObject({
    format: "ofx",
    snapshot: { portfolios: [{ ref_account: "77-1" }] },
  });
  expect(readFeed(fixture("brokerage-xml.ofx"))).toMatchObject({ format: "ofx" });
});

it.each(["", "%PDF-1.7", "Date,Symbol,Amount\n", '<?xml version="1.0"?><Document/>', "OFX without brackets"])(
  "a file that starts with %j is in no known format",
  (text) => {
    expect(() => readFeed(Buffer.from(text))).toThrow(FeedRefusal);
    expect(() => readFeed(Buffer.from(text))).toThrow("file: is in none of the formats that can be read: ofx");
  },
);

it("formats have names of their own", () => {
  expect(new Set(feedParsers.map(({ format }) => format)).size).toBe(feedParsers.length);
});

// By the square of their number these would take hours: the test's own limit tells.
const MANY = 2_000_000;

it("white space that is a control character costs time in proportion to its length, after a document and inside", () => {
  const statement = feedFixture("statement.camt053.xml");
  const feed = readFeed(statement);
  const padding = Buffer.alloc(MANY, "\u000B");
  const endOfFile = Buffer.from("\u001A");
  expect(readFeed(Buffer.concat([statement, padding]))).toEqual(feed);
  expect(readFeed(Buffer.concat([statement, endOfFile, padding]))).toEqual(feed);
  expect(refusalOfFeed(Buffer.concat([statement, padding, endOfFile]))).toMatch(/^line \d+, column \d+: a control/);
  expect(refusalOfFeed(Buffer.concat([padding, statement]))).toMatch(/formats that can be read/);
});

it("a file of very many accounts costs time in proportion to their number", () => {
  const accounts = Array.from({ length: 150_000 }, (_, n) => `:16R:SUBSAFE\n:97A::SAFE//${n}\n:16S:SUBSAFE\n`);
  const head = ":16R:GENL\n:28E:00001/ONLY\n:23G:NEWM\n:98A::STAT//20240131\n:97A::SAFE//A\n:17B::ACTI//N\n:16S:GENL\n";
  expect(readFeed(Buffer.from(head + accounts.join(""))).snapshot.portfolios).toHaveLength(accounts.length);
});
