import { FeedRefusal } from "@org/core";
import { expect, it } from "vitest";
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
