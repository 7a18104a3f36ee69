import { createHash } from "node:crypto";
import { PDFDocument } from "@cantoo/pdf-lib";
import forge from "node-forge";

/** How to sign a PDF: the format's subfilter and the digest. */
export interface Signing {
  readonly subFilter?: "adbe.pkcs7.detached" | "ETSI.CAdES.detached" | "adbe.pkcs7.sha1" | "ETSI.RFC3161";
  readonly digest?: "sha1" | "sha256" | "sha512";
  /** A CMS without signed attributes has no digest. */
  readonly hasAttributes?: boolean;
  /** Changes the CMS (DER) before it is inserted. */
  readonly alterCms?: (der: Buffer) => Buffer;
}

/** Space reserved for the CMS, in bytes. */
const ROOM = 4_096;
const RANGE = "[0000000000 0000000000 0000000000 0000000000]";

let identity: { key: forge.pki.rsa.PrivateKey; certificate: forge.pki.Certificate } | undefined;

/** Makes a PDF with a single page, whose objects are readable as text. */
export async function plainPdf(text = "An authorization letter"): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.setTitle(text);
  document.addPage().drawText(text);
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

/** Adds a revision with a signature over the whole file (ISO 32000-2 §12.8), signed with a generated key. */
export function signPdf(pdf: Buffer, signing: Signing = {}): Buffer {
  const { subFilter = "adbe.pkcs7.detached" } = signing;
  const placeholder = `<${"0".repeat(2 * ROOM)}>`;
  const type = subFilter === "ETSI.RFC3161" ? "DocTimeStamp" : "Sig";
  const dictionary = `<</Type/${type}/Filter/Adobe.PPKLite/SubFilter/${subFilter}/ByteRange ${RANGE}/Contents ${placeholder}>>`;
  const revised = addRevision(pdf, (number) => [
    dictionary,
    `<</Type/Annot/Subtype/Widget/FT/Sig/T(Signature ${number})/Rect[0 0 0 0]/V ${number} 0 R>>`,
  ]);
  const hole = revised.indexOf(placeholder);
  const after = hole + placeholder.length;
  const range = [0, hole, after, revised.length - after].map((value) => String(value).padStart(10, "0")).join(" ");
  revised.write(`[${range}]`, revised.lastIndexOf(RANGE), "latin1");
  const der = cmsOf([revised.subarray(0, hole), revised.subarray(after)], signing);
  revised.write((signing.alterCms?.(der) ?? der).toString("hex"), hole + 1, "latin1");
  return revised;
}

/** Appends objects with the next numbers and their own cross-reference section, like any editor that saves incrementally. */
export function addRevision(pdf: Buffer, objectsFrom: (number: number) => readonly string[]): Buffer {
  const text = pdf.toString("latin1");
  const first = Number(
    text
      .match(/\/Size (\d+)/g)
      ?.at(-1)
      ?.slice(6),
  );
  const root = text
    .match(/\/Root (\d+ \d+ R)/g)
    ?.at(-1)
    ?.slice(6);
  const previous = text
    .match(/startxref\s+(\d+)/g)
    ?.at(-1)
    ?.match(/\d+/)?.[0];
  let body = "\n";
  const entries = objectsFrom(first).map((object, index) => {
    const entry = `${String(pdf.length + body.length).padStart(10, "0")} 00000 n \n`;
    body += `${first + index} 0 obj\n${object}\nendobj\n`;
    return entry;
  });
  const xref = pdf.length + body.length;
  body += `xref\n${first} ${entries.length}\n${entries.join("")}`;
  body += `trailer\n<</Size ${first + entries.length}/Root ${root}/Prev ${previous}>>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.concat([pdf, Buffer.from(body, "latin1")]);
}

/** Makes a CMS with a library that shares no code with the one under test. */
function cmsOf(covered: readonly Buffer[], { subFilter, digest = "sha256", hasAttributes = true }: Signing): Buffer {
  identity ??= newIdentity();
  const { key, certificate } = identity;
  const contents = {
    "adbe.pkcs7.sha1": () => createHash("sha1").update(Buffer.concat(covered)).digest(),
    "ETSI.RFC3161": () => timestampOf(createHash("sha256").update(Buffer.concat(covered)).digest()),
  };
  const inside = contents[subFilter as keyof typeof contents];
  const content = inside?.() ?? Buffer.concat(covered);
  const { oids } = forge.pki;
  const cms = forge.pkcs7.createSignedData();
  cms.content = forge.util.createBuffer(content.toString("latin1"));
  cms.addCertificate(certificate);
  cms.addSigner({
    key,
    certificate,
    digestAlgorithm: oids[digest] as string,
    authenticatedAttributes: hasAttributes
      ? [{ type: oids.contentType as string, value: oids.data as string }, { type: oids.messageDigest as string }]
      : [],
  });
  cms.sign({ detached: !inside });
  return Buffer.from(forge.asn1.toDer(cms.toAsn1()).getBytes(), "latin1");
}

/** Makes a TSTInfo (RFC 3161 §2.4.2) for a SHA-256. */
function timestampOf(imprint: Buffer): Buffer {
  const { asn1 } = forge;
  const { Class, Type } = asn1;
  const node = (type: forge.asn1.Type, value: string | forge.asn1.Asn1[]) =>
    asn1.create(Class.UNIVERSAL, type, Array.isArray(value), value);
  const oid = (id: string) => node(Type.OID, asn1.oidToDer(id).getBytes());
  const info = node(Type.SEQUENCE, [
    node(Type.INTEGER, asn1.integerToDer(1).getBytes()),
    oid("1.2.3.4.1"),
    node(Type.SEQUENCE, [
      node(Type.SEQUENCE, [oid(forge.pki.oids.sha256 as string)]),
      node(Type.OCTETSTRING, imprint.toString("latin1")),
    ]),
    node(Type.INTEGER, asn1.integerToDer(7).getBytes()),
    node(Type.GENERALIZEDTIME, "20260301120000Z"),
  ]);
  return Buffer.from(asn1.toDer(info).getBytes(), "latin1");
}

function newIdentity() {
  const { privateKey, publicKey } = forge.pki.rsa.generateKeyPair(2048);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = "01";
  certificate.setSubject([{ name: "commonName", value: "Somebody" }]);
  certificate.setIssuer(certificate.subject.attributes);
  certificate.sign(privateKey, forge.md.sha256.create());
  return { key: privateKey, certificate };
}
