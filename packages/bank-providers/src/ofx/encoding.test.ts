import { MAX_FEED_BYTES } from "@org/provider-kit";
import { expect, it } from "vitest";
import { accessRefusal } from "../../test/ofx-files.js";
import { decodeOfx } from "./encoding.js";

const UTF8 = Buffer.from("é€", "utf8");
const WINDOWS_1252 = Buffer.from([0xe9, 0x80]);

const file = (header: string, value: Uint8Array) =>
  Buffer.concat([Buffer.from(`${header}<OFX><A>`), value, Buffer.from("</A></OFX>")]);

it.each([
  ["ENCODING:USASCII\nCHARSET:1252\n", WINDOWS_1252],
  ["ENCODING:USASCIICHARSET:1252COMPRESSION:NONE", WINDOWS_1252],
  ["ENCODING:USASCII\nCHARSET:NONE\n", WINDOWS_1252],
  ["ENCODING:USASCII\nCHARSET:windows-1252\n", WINDOWS_1252],
  ["ENCODING:UTF-8\nCHARSET:NONE\n", UTF8],
  ["ENCODING:UNICODE\nCHARSET:NONE\n", UTF8],
  ["ENCODING:USASCII\nCHARSET:UTF-8\n", UTF8],
  ["\u{FEFF}", UTF8],
  ["", UTF8],
  ["", WINDOWS_1252],
  ['<?xml version="1.0"?>', UTF8],
  ['<?OFX OFXHEADER="200"?>', UTF8],
  ["<?xml version='1.0' encoding='utf8'?>", UTF8],
  ['<?xml version="1.0" encoding="windows-1252"?>', WINDOWS_1252],
  ["ENCODING:ASCII\nCHARSET:1252\n", WINDOWS_1252],
  ["ENCODING:US-ASCII\nCHARSET:ASCII\n", WINDOWS_1252],
  ['<?xml version="1.0" encoding="ASCII"?>', WINDOWS_1252],
  ['<?xml version="1.0" encoding="utf-16"?>', UTF8],
  ['<?xml version="1.0" encoding="UTF-16"?>', WINDOWS_1252],
  ["ENCODING:UTF-16\nCHARSET:NONE\n", UTF8],
])("header %j is respected", (header, value) => {
  const { text, offset } = decodeOfx(file(header, value));
  expect(text.slice(offset)).toBe("<OFX><A>é€</A></OFX>");
});

it.each(["\uFEFF", ""])("a file that really is UTF-16 is read as it, with mark %j", (mark) => {
  const wide = Buffer.from(`${mark}<?xml version="1.0" encoding="utf-16"?><OFX><A>é€</A></OFX>`, "utf16le");
  expect(decodeOfx(wide).text).toContain("<OFX><A>é€</A></OFX>");
  expect(decodeOfx(wide.swap16()).text).toContain("<OFX><A>é€</A></OFX>");
});

it("other code pages are read as named", () => {
  expect(decodeOfx(file("CHARSET:1251\n", Buffer.from([0xc6]))).text).toContain("<A>Ж</A>");
  expect(decodeOfx(file("CHARSET:ISO-8859-15\n", Buffer.from([0xa4]))).text).toContain("<A>€</A>");
});

it("refuses encodings that are unknown or not kept to", () => {
  expect(accessRefusal(file("CHARSET:base64\n", UTF8))).toBe('header: names an encoding that is not known: "base64"');
  expect(accessRefusal(file("ENCODING:UTF-8\n", WINDOWS_1252))).toContain("bytes that are not UTF-8");
});

it("refuses a file above the size limit unread", () => {
  expect(accessRefusal(new Uint8Array(MAX_FEED_BYTES + 1))).toBe("file: is larger than 64 MiB");
});
