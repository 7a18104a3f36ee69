import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { addRevision, plainPdf, type Signing, signPdf } from "../testing/index.js";
import { inspectPdf } from "./inspect-pdf.js";

const evidence = async (pdf: Buffer) => ((await inspectPdf(pdf)) as { signature?: string }).signature;
const altered = (pdf: Buffer, from: string, to: string) => {
  const copy = Buffer.from(pdf);
  const at = copy.indexOf(from);
  expect(at).toBeGreaterThan(0);
  copy.write(to, at, "latin1");
  return copy;
};
const dictionaryOf = (name: string) => `<</Type/${name}/ByteRange[0 1 2 3]/Contents<00>>>`;

describe("what a PDF shows of a signature", () => {
  it("none: a PDF without one", async () => {
    expect(await evidence(await plainPdf())).toBe("none");
  });

  it.each<[string, Signing]>([
    ["a detached CMS", {}],
    ["a CAdES signature (PAdES)", { subFilter: "ETSI.CAdES.detached", digest: "sha512" }],
    ["SHA-1", { digest: "sha1" }],
    ["the old way, with the digest inside", { subFilter: "adbe.pkcs7.sha1" }],
  ])("intact: signed with %s", async (_name, signing) => {
    expect(await evidence(signPdf(await plainPdf(), signing))).toBe("intact");
  });

  it("intact: several people signed one after the other", async () => {
    expect(await evidence(signPdf(signPdf(signPdf(await plainPdf())), { digest: "sha512" }))).toBe("intact");
  });

  it("intact: a time stamp of the whole file after the signature (PAdES for archives); it alone is none", async () => {
    const timestamp: Signing = { subFilter: "ETSI.RFC3161" };
    expect(await evidence(signPdf(signPdf(await plainPdf()), timestamp))).toBe("intact");
    expect(await evidence(signPdf(await plainPdf(), timestamp))).toBe("none");
    const stamped = signPdf(signPdf(await plainPdf()), timestamp);
    expect(await evidence(altered(stamped, "/MediaBox", "/MediaBax"))).toBe("present");
  });

  it("intact: bytes before the file's own, as some tools leave them there when they sign", async () => {
    expect(await evidence(signPdf(Buffer.concat([Buffer.from("\n\n"), await plainPdf()])))).toBe("intact");
  });

  it.each<[string, (signed: Buffer) => Buffer]>([
    ["a byte of a page was changed", (signed) => altered(signed, "/MediaBox", "/MediaBax")],
    ["a byte after the signature was changed", (signed) => altered(signed, "/T(Signature", "/T(Sagnature")],
    ["a revision was added after it was signed", (signed) => addRevision(signed, () => ["<</Added true>>"])],
    ["a line end was added", (signed) => Buffer.concat([signed, Buffer.from("\n")])],
    ["the first of two signatures was for other bytes", (signed) => signPdf(altered(signed, "/MediaBox", "/MediaBax"))],
    [
      "the hole was made larger than the signature, and filled",
      (signed) => {
        const text = signed.toString("latin1");
        const [, before, afterStart, after] = /ByteRange \[(\d+) (\d+) (\d+) (\d+)\]/.exec(text)?.slice(1) ?? [];
        const moved = [0, Number(before) - 5, Number(afterStart), Number(after)];
        return altered(
          signed,
          `[0000000000 ${before} ${afterStart}`,
          `[${moved
            .slice(0, 3)
            .map((n) => String(n).padStart(10, "0"))
            .join(" ")}`,
        );
      },
    ],
  ])("present, not intact: %s", async (_name, change) => {
    expect(await evidence(change(signPdf(await plainPdf())))).toBe("present");
  });

  it.each<[string, Signing]>([
    ["has no signed attributes, so that it names no digest", { hasAttributes: false }],
    ["is no CMS", { alterCms: (der) => Buffer.from("00".repeat(der.length), "hex") }],
    ["is cut off", { alterCms: (der) => der.subarray(0, 200) }],
  ])("present, not intact: the signature's value %s", async (_name, signing) => {
    expect(await evidence(signPdf(await plainPdf(), signing))).toBe("present");
  });

  it.each([
    ["Sig", "present"],
    ["DocTimeStamp", "none"],
    ["Annot", "none"],
  ])("a dictionary of type %s with a made-up range: %s", async (type, expected) => {
    expect(await evidence(addRevision(await plainPdf(), () => [dictionaryOf(type)]))).toBe(expected);
  });

  it("a signature dictionary inside its field counts", async () => {
    expect(await evidence(addRevision(await plainPdf(), () => [`<</FT/Sig/V ${dictionaryOf("Sig")}>>`]))).toBe(
      "present",
    );
  });

  it("a page that only speaks of signatures has none", async () => {
    expect(await evidence(await plainPdf("/Type /Sig /ByteRange [0 1 2 3] /Contents <00>"))).toBe("none");
  });
});

describe("PDFs that cannot be taken", () => {
  it.each<[string, () => Promise<Buffer> | Buffer, RegExp]>([
    ["no pages", async () => Buffer.from(await (await PDFDocument.create()).save({ addDefaultPage: false })), /page/],
    ["encryption", encrypted, /encrypted/],
    ["a header only", () => Buffer.from("%PDF-1.7\n%%EOF\n"), /read/],
    ["text", () => Buffer.from("not a PDF at all"), /read/],
    ["a page tree that goes round in a circle", () => pageTree("[2 0 R]"), /read|page/],
    ["a page tree of numbers", () => pageTree("[1 2 3]"), /read|page/],
  ])("[C-7.2] %s", async (_name, make, rule) => {
    expect(await inspectPdf(await make())).toEqual({ rule: expect.stringMatching(rule) });
  });
});

async function encrypted(): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage();
  document.encrypt({ ownerPassword: "owner", userPassword: "user" });
  return Buffer.from(await document.save());
}

function pageTree(kids: string): Buffer {
  return Buffer.from(
    `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids${kids}>>endobj\ntrailer<</Size 3/Root 1 0 R>>\nstartxref\n0\n%%EOF\n`,
  );
}
