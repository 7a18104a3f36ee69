import { gzipSync } from "node:zlib";
import { readFeed, recognisesFeed } from "@org/bank-providers";
import { FeedRefusal, MAX_FEED_BYTES } from "@org/provider-kit";
import { expect, it } from "vitest";
import { type ZipEntry, zipOf } from "../testing/zip-of.js";
import { createBounds } from "./bounds.js";
import { openContainer } from "./open-container.js";
import { isContainer, readParts } from "./read-parts.js";

const none = { keys: { own: async () => [], signers: [], mustBeSigned: false }, now: new Date("2026-11-22T00:00:00Z") };
const file = (name: string, text = name): ZipEntry => ({ name, bytes: Buffer.from(text) });
const opened = async (bytes: Uint8Array, name = "day.zip") => {
  const { files, warnings } = await openContainer({ name, bytes }, none);
  return {
    files: files.map((one) => `${one.name} = ${Buffer.from(one.bytes).toString().slice(0, 20)}`),
    warnings: warnings.map(({ place, message }) => `${place}: ${message}`),
  };
};
const refusal = (bytes: Uint8Array) => expect(opened(bytes)).rejects;

it("[C-9.260] a plain file is itself", async () => {
  for (const text of ["<OFX/>", "{1:F01", "", "PK", "Ein Paket", "\u00a31,50", "a,b\n1,2"]) {
    expect(isContainer(Buffer.from(text, "latin1"))).toBe(false);
    expect((await openContainer({ name: "a", bytes: Buffer.from(text) }, none)).files).toEqual([
      { name: "a", bytes: Buffer.from(text) },
    ]);
  }
});

it("a workbook is a zip archive too, and no container", () => {
  expect(isContainer(zipOf([file("[Content_Types].xml"), file("xl/workbook.xml")]))).toBe(false);
});

it("[C-9.260] files of a zip archive, packed or stored, streamed, in folders, and of archives in it", async () => {
  const inner = zipOf([file("c.xml")]);
  const archive = zipOf([
    file("a.xml"),
    { ...file("stored.xml"), method: 0 },
    { ...file("streamed.xml"), streamed: true },
    file("2026/", ""),
    file("2026/b.xml"),
    { name: "more.zip", bytes: inner },
    { name: "d.xml.gz", bytes: gzipSync("d") },
  ]);
  expect(await opened(archive)).toEqual({
    files: [
      "a.xml = a.xml",
      "stored.xml = stored.xml",
      "streamed.xml = streamed.xml",
      "2026/b.xml = 2026/b.xml",
      "more.zip/c.xml = c.xml",
      "d.xml = d",
    ],
    warnings: [],
  });
});

it("[C-9.261] what people and systems put beside statements is left out, with a warning", async () => {
  const ignored = ["__MACOSX/._a.xml", "._a.xml", ".DS_Store", "README.txt", "liesmich", "a.xml.sha256"].map((name) =>
    file(name),
  );
  const archive = zipOf([
    ...ignored,
    file("cover.pdf", "%PDF-1.7"),
    file("done.ok", ""),
    file("a.xml.asc", "-----BEGIN PGP SIGNATURE-----"),
    file("a.xml"),
  ]);
  const { files, warnings } = await opened(archive);
  expect(files).toEqual(["a.xml = a.xml"]);
  expect(warnings.map((warning) => warning.split(",")[0])).toEqual([
    "part __MACOSX/._a.xml: belongs to macOS",
    "part ._a.xml: belongs to macOS",
    "part .DS_Store: belongs to the system that packed it",
    "part README.txt: is for people to read",
    "part liesmich: is for people to read",
    "part a.xml.sha256: holds checksums",
    "part cover.pdf: is a PDF document",
    "part done.ok: is empty",
    "part a.xml.asc: is a signature or key beside the files",
  ]);
  await refusal(zipOf([file("README.txt")])).toThrow(
    "file: is a container without any statement in it, only README.txt",
  );
});

const bomb = (bytes: number) => Buffer.alloc(bytes, 65);
it.each<[string, Uint8Array, RegExp]>([
  ["no end", zipOf([file("a")]).subarray(0, -1), /End of central directory/],
  ["something behind its end", Buffer.concat([zipOf([file("a")]), Buffer.from("more")]), /something follows its end/],
  [
    "something before its beginning",
    Buffer.concat([Buffer.from("PK\x03\x04"), zipOf([file("a")])]),
    /cannot be opened/,
  ],
  ["a path that climbs", zipOf([file("../a")]), /invalid relative path/],
  ["an absolute path", zipOf([file("/etc/a")]), /absolute path/],
  ["a drive", zipOf([file("C:a")]), /absolute path/],
  ["a path that climbs with backslashes", zipOf([file("a\\..\\..\\b")]), /invalid relative path/],
  ["two files of one name", zipOf([file("a"), file("a", "b")]), /two files with the name "a"/],
  ["a password", zipOf([{ ...file("a"), flags: 1 }]), /^part a: is encrypted with a password/],
  ["strong encryption", zipOf([{ ...file("a"), flags: 0x41 }]), /strong encryption/],
  ["another compression", zipOf([{ ...file("a"), method: 14 }]), /cannot be opened/],
  ["a wrong checksum", zipOf([{ ...file("a"), crc: 1 }]), /^part a: is damaged: its checksum is wrong/],
  ["a size that is too small", zipOf([{ ...file("a", "0123456789"), size: 3 }]), /cannot be opened/],
  ["a size that is too large", zipOf([{ ...file("a"), size: 30 }]), /cannot be opened/],
  ["a link", zipOf([{ ...file("a"), attributes: 0o120777 << 16 }]), /^part a: is a symbolic link/],
  ["more files than there are", zipOf([file("a")], 2), /cannot be opened/],
  ["too many files", zipOf([file("a")], 1_001), /^file: holds more than 1000 files/],
  [
    "a file that claims to be huge",
    zipOf([{ ...file("a"), size: MAX_FEED_BYTES + 1 }]),
    /^part a: is more than 250 times/,
  ],
  ["a bomb", zipOf([{ name: "a", bytes: bomb(9_000_000) }]), /^part a: is more than 250 times as large when/],
  ["a bomb of gzip", gzipSync(bomb(9_000_000)), /^file: is more than 250 times as large when/],
  [
    "a bomb of gzip in zip",
    zipOf([{ name: "a.gz", bytes: gzipSync(bomb(9_000_000)) }]),
    /^part a.gz: is more than 250 times/,
  ],
])("[C-9.262] an archive with %s is refused whole", async (_, bytes, message) => {
  await refusal(bytes).toBeInstanceOf(FeedRefusal);
  await refusal(bytes).toThrow(message);
});

it("[C-9.262] containers in one another are opened to a depth of five, and counted together", async () => {
  const nested = (depth: number): Buffer => (depth === 0 ? Buffer.from("a") : gzipSync(nested(depth - 1)));
  expect((await opened(nested(5))).files).toHaveLength(1);
  await refusal(nested(6)).toThrow(/is the 6th container in one another; 5 are opened/);
  const many = zipOf(Array.from({ length: 600 }, (_, index) => file(String(index))));
  await refusal(
    zipOf([
      { name: "1.zip", bytes: many },
      { name: "2.zip", bytes: many },
    ]),
  ).toThrow(/more than 1000 files/);
});

it("[C-9.262] a file is bounded when it is unpacked, and so is everything in it", () => {
  const bounds = createBounds();
  expect(() => bounds.count("part a", MAX_FEED_BYTES, MAX_FEED_BYTES + 1)).toThrow(
    "part a: is larger than 64 MiB when",
  );
  for (let layer = 0; layer < 3; layer += 1) bounds.count("part a", MAX_FEED_BYTES, MAX_FEED_BYTES);
  expect(() => bounds.count("part b", 1, 1)).toThrow(
    "part b: comes to more than 192 MiB with everything in it unpacked",
  );
});

it("gzip may have several members and zeros behind them, and nothing else", async () => {
  const two = Buffer.concat([gzipSync("first "), gzipSync("second")]);
  expect((await opened(Buffer.concat([two, Buffer.alloc(512)]), "a.xml.gz")).files).toEqual(["a.xml = first second"]);
  await refusal(Buffer.concat([two, Buffer.from("more")])).toThrow(/cannot be opened: incorrect header check/);
});

it("[C-9.262] a container that is cut off anywhere is refused, or is no container", async () => {
  for (const whole of [zipOf([file("a.xml")]), gzipSync("statement")]) {
    for (let end = 4; end < whole.byteLength; end += 1)
      await refusal(whole.subarray(0, end)).toBeInstanceOf(FeedRefusal);
  }
});

const fin = (type: string, text: string) =>
  `{1:F01BANKCHZZAXXX0000000000}{2:O${type}0000261122BANKCHZZAXXX00000000002611220000N}{4:\n${text}\n-}`;
const reader = (known: readonly string[]) => {
  const typeOf = (bytes: Uint8Array) => /\{2:O(\d{3})/.exec(Buffer.from(bytes).toString())?.[1] ?? "";
  return {
    recognises: (bytes: Uint8Array) => known.includes(typeOf(bytes)),
    read: (bytes: Uint8Array) => {
      if (!known.includes(typeOf(bytes))) throw new FeedRefusal("file", "is unknown");
      const nothing = { as_of: none.now, portfolios: [], holdings: [], transactions: [] };
      return {
        format: `${typeOf(bytes)} ${Buffer.from(bytes)
          .toString()
          .match(/:20:\w/g)}`,
        snapshot: nothing,
        warnings: [],
      };
    },
  };
};
const partsOf = async (text: string, known: readonly string[]) =>
  (await readParts({ name: "day.fin", bytes: Buffer.from(text) }, none, reader(known))).map((part) =>
    "read" in part ? `${part.name}: ${part.read.format}` : `${part.name}: refused`,
  );

it("[C-9.263] SWIFT messages of several types in one file are a part for each type that is read", async () => {
  const batch = [fin("535", ":20:a"), fin("940", ":20:b"), fin("535", ":20:c"), fin("599", ":20:d")].join("$");
  expect(await partsOf(batch, ["535", "940"])).toEqual([
    "day.fin (MT535): 535 :20:a,:20:c,:20:d",
    "day.fin (MT940): 940 :20:b",
  ]);
  expect(await partsOf(batch, ["535"])).toEqual(["day.fin: 535 :20:a,:20:b,:20:c,:20:d"]);
  expect(await partsOf(fin("940", ":20:a"), ["940"])).toEqual(["day.fin: 940 :20:a"]);
  expect(await partsOf(batch, [])).toEqual(["day.fin: refused"]);
});

it("[C-9.437] an account that cannot be read is refused alone across the types of messages in a file", async () => {
  const message = (type: string, ...fields: string[]) =>
    `{1:F01AAAABBCCXXXX0000000000}{2:O${type}0000000000AAAABBCCXXXX00000000000000000000N}{4:\r\n${fields.join("\r\n")}\r\n-}`;
  const cash = (opening: string) =>
    message("940", ":20:S", ":25:DE02120300000000202051", ":28C:1/1", `:60F:${opening}`, ":62F:C240131EUR1,");
  const depot = (end: string) =>
    message(
      "535",
      ...[":16R:GENL", ":28E:1/ONLY", ":20C::SEME//P", ":23G:NEWM", ":98A::STAT//20240131", ":22F::STTY//CUST"],
      ...[":97A::SAFE//42", ":17B::ACTI//Y", ":16S:GENL", ":16R:SUBSAFE", ":16R:FIN", ":35B:ISIN US0378331005"],
      ...[end, ":19A::HOLD//USD20,", ":16S:FIN", ":16S:SUBSAFE"],
    );
  const reading = { interim: false };
  const read = async (...messages: string[]) =>
    readParts({ name: "a.fin", bytes: Buffer.from(messages.join("$\r\n")) }, none, {
      recognises: (bytes) => recognisesFeed(bytes, reading),
      read: (bytes) => readFeed(bytes, reading),
    });
  const [units, noUnits] = [":93B::AGGR//UNIT/10,", ":93B::AGGR//UNIT/?"];
  expect(await read(cash("?"), depot(units))).toMatchObject([
    {
      name: "a.fin (MT535)",
      read: {
        refused_accounts: ["DE02120300000000202051"],
        warnings: [
          {
            place: "part a.fin (MT940): line 5, :60F:",
            message: expect.stringMatching(/the account "DE02120300000000202051" is refused, the others are taken$/),
          },
        ],
      },
    },
  ]);
  const [taken, ...others] = await read(cash("C240130EUR1,"), depot(noUnits));
  expect([taken, others]).toMatchObject([{ name: "a.fin (MT940)", read: { refused_accounts: ["42"] } }, []]);
  expect(await read(cash("?"), depot(noUnits))).toMatchObject([{ refusal: {} }, { refusal: {} }]);
  expect(await read(cash("C240130EUR1,"), depot(":16S:X"))).toMatchObject([
    { read: {} },
    { refusal: { faults: null } },
  ]);
});
