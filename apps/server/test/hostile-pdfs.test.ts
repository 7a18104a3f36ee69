import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateSync } from "node:zlib";
import { createPdfInspector, type ThreadedPdfInspector } from "@org/letter-documents";
import { plainPdf, signPdf } from "@org/letter-documents/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtServer } from "./built-server.js";
import { START_TIMEOUT } from "./harness.js";

const MEBIBYTE = 1024 * 1024;
/** Less than in production, so that endless work is cut off soon. */
const limits = {
  cpuMs: 2_000,
  timeMs: 60_000,
  uncountedTimeMs: 4_000,
  heapMegabytes: 64,
  allocationBytes: 64 * MEBIBYTE,
};

let pdfs: ThreadedPdfInspector;
let workerFile: URL;
beforeAll(async () => {
  workerFile = pathToFileURL(join(dirname(await builtServer()), "pdf-worker.js"));
  pdfs = createPdfInspector({ workerFile, limits });
}, START_TIMEOUT);
afterAll(() => pdfs.close());

it("a sound PDF comes back as it was, with what it shows of a signature", async () => {
  const pdf = signPdf(await plainPdf());
  const sent = Buffer.allocUnsafeSlow(pdf.length + 100).subarray(0, pdf.length);
  pdf.copy(sent);
  const found = await pdfs.inspect(sent, "one");
  expect(found).toEqual({ signature: "intact", bytes: pdf });
  expect(sent.length, "the bytes are handed over, not copied").toBe(0);
});

it("bytes that share their memory with others are copied", async () => {
  const pdf = await plainPdf();
  const shared = Buffer.concat([Buffer.from("before"), pdf]).subarray(6);
  expect(await pdfs.inspect(shared, "one")).toEqual({ signature: "none", bytes: pdf });
  expect(shared.length).toBe(pdf.length);
});

it.each<[string, () => Buffer]>([
  ["an object stream that unpacks to 256 MB", () => withStream(objectStream(), deflateSync(zeros(256)))],
  [
    "one packed twice, of a few kilobytes",
    () => withStream(objectStream("/Filter[/FlateDecode/FlateDecode]"), deflateSync(deflateSync(zeros(256)))),
  ],
  ["a thousand object streams of a megabyte each", () => withStream(objectStream(), deflateSync(zeros(1)), 1_000)],
  ["an object stream that claims two billion objects", () => withStream("/Type/ObjStm/N 2000000000/First 0", digits())],
  [
    "a cross-reference stream of two billion entries of no bytes",
    () => withStream("/Type/XRef/Size 2000000000/W[0 0 0]", Buffer.from("")),
  ],
  ["a page tree of thirty levels that each name the next one twice", doublingPageTree],
  ["arrays nested a million deep", () => withObject(`${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`)],
  ["dictionaries nested a million deep", () => withObject("<</A".repeat(1_000_000))],
  ["strings nested a million deep", () => withObject("(".repeat(1_000_000))],
  ["a million objects that never end", () => file("1 0 obj ".repeat(1_000_000))],
  ["a text of eight million digits", () => withObject(`<${"0".repeat(8_000_000)}>`)],
])("[C-7.2] %s stalls nobody: other documents are read, before it and after it", async (_name, make) => {
  const hostile = make();
  expect(hostile.length).toBeLessThan(10 * MEBIBYTE);
  const sound = await plainPdf();
  const [bad, beside] = await Promise.all([
    pdfs.inspect(hostile, "one").catch((error: unknown) => error),
    pdfs.inspect(Buffer.from(sound), "other"),
  ]);
  // Some are merely odd: they must finish and show nothing.
  expect([
    { signature: "none", bytes: expect.anything() },
    { rule: expect.any(String) },
    expect.objectContaining({ code: "UNAVAILABLE" }),
  ]).toContainEqual(bad);
  expect(beside).toEqual({ signature: "none", bytes: sound });
  expect(await pdfs.inspect(Buffer.from(sound), "one")).toMatchObject({ signature: "none" });
});

it("[C-7.2] what unpacks to more than there is room for is refused, though the parser would pass over it", async () => {
  const withPage = (await plainPdf()).toString("latin1").replace("%%EOF", "");
  const bomb = withStream(objectStream(), deflateSync(zeros(256)));
  expect(await pdfs.inspect(Buffer.concat([Buffer.from(withPage, "latin1"), bomb]), "one")).toEqual({
    rule: expect.stringMatching(/unpacks|memory/),
  });
});

it("[C-7.2] what takes more of a processor than a document may is refused for that, however busy the machine is", async () => {
  const busy = createPdfInspector({ workerFile, limits: { ...limits, cpuMs: 200 } });
  try {
    expect(await busy.inspect(file("1 0 obj ".repeat(1_000_000)), "one")).toEqual({
      rule: "must be a PDF that can be read within 0.2 s of a processor's time",
    });
  } finally {
    await busy.close();
  }
});

it("[C-9.65] no more than a number of one tenant's documents wait; another tenant's are looked into meanwhile", async () => {
  const sound = await plainPdf();
  const inspect = (whose: string) => pdfs.inspect(Buffer.from(sound), whose);
  const order: string[] = [];
  const many = Array.from({ length: 250 }, () => inspect("one").finally(() => order.push("one")));
  const others = Array.from({ length: 3 }, () => inspect("other").finally(() => order.push("other")));
  const outcomes = await Promise.allSettled(many);
  await Promise.all(others);
  const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  // One is inspected, since one thread is reserved for others, and 200 wait.
  expect(refused).toHaveLength(49);
  const limit = { name: "documents_waiting", value: 200 };
  for (const reason of refused) expect(reason).toMatchObject({ code: "RATE_LIMITED", limit, retryAfterSeconds: 10 });
  const served = order.slice(refused.length);
  expect(served.lastIndexOf("other")).toBeLessThan(served.lastIndexOf("one"));
});

function zeros(mebibytes: number): Buffer {
  return Buffer.alloc(mebibytes * MEBIBYTE);
}

function digits(): Buffer {
  return Buffer.from("1 0 ".repeat(1_000_000));
}

function objectStream(filter = "/Filter/FlateDecode"): string {
  return `/Type/ObjStm/N 1/First 5${filter}`;
}

function withStream(dictionary: string, contents: Buffer, times = 1): Buffer {
  const one = (number: number) => [
    Buffer.from(`${number} 0 obj<<${dictionary}/Length ${contents.length}>>stream\n`),
    contents,
    Buffer.from("\nendstream endobj\n"),
  ];
  return file(Buffer.concat(Array.from({ length: times }, (_, index) => one(10 + index)).flat()));
}

function withObject(text: string): Buffer {
  return file(`10 0 obj ${text} endobj\n`);
}

function doublingPageTree(): Buffer {
  const levels = Array.from(
    { length: 30 },
    (_, level) => `${level + 2} 0 obj<</Type/Pages/Count 2/Kids[${level + 3} 0 R ${level + 3} 0 R]>>endobj\n`,
  );
  return file(`1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n${levels.join("")}32 0 obj<</Type/Page>>endobj\n`);
}

function file(body: Buffer | string): Buffer {
  const end = "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj trailer<</Size 3/Root 1 0 R>>\nstartxref\n0\n%%EOF\n";
  return Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.from(body), Buffer.from(end)]);
}
