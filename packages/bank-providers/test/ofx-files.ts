import { readFileSync } from "node:fs";
import { type FeedContent, FeedRefusal } from "@org/provider-kit";
import { ofxFormat } from "../src/ofx/ofx-format.js";

/** A fixture's bytes. */
export function fixture(name: string): Buffer {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url));
}

/** An OFX 1.x file with one investment statement that contains `inside`; `after` follows the statement's message set. */
export function statementFile(inside: string, after = ""): string {
  return `OFXHEADER:100\nENCODING:USASCII\nCHARSET:1252\n\n<OFX>${investmentStatement(inside)}${after}</OFX>\n`;
}

/** The message set of one investment statement. */
export function investmentStatement(inside: string): string {
  return `<INVSTMTMSGSRSV1>${statementResponse(inside)}</INVSTMTMSGSRSV1>`;
}

/** One statement of a message set: as of 31 January 2024, in US dollars, account 1 at the broker `b`. */
export function statementResponse(inside: string, account = "<BROKERID>b<ACCTID>1"): string {
  return `<INVSTMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><INVSTMTRS><DTASOF>20240131<CURDEF>USD
<INVACCTFROM>${account}</INVACCTFROM>${inside}</INVSTMTRS></INVSTMTTRNRS>`;
}

/** A security reference. */
export function securityId(number: string, scheme = "PRIVATE"): string {
  return `<SECID><UNIQUEID>${number}<UNIQUEIDTYPE>${scheme}</SECID>`;
}

/** A fund position of one unit worth `value`; `extra` goes into the position. */
export function fundPosition(number: string, value: string, extra = "", scheme = "PRIVATE"): string {
  return `<POSMF><INVPOS>${securityId(number, scheme)}<UNITS>1<UNITPRICE>${value}<MKTVAL>${value}<DTPRICEASOF>20240131${extra}</INVPOS></POSMF>`;
}

export function parse(text: string): FeedContent {
  return ofxFormat.read(Buffer.from(text, "latin1"));
}

/** The refusal of a file as text, or "not refused". */
export function accessRefusal(file: string | Uint8Array): string {
  try {
    ofxFormat.read(typeof file === "string" ? Buffer.from(file, "latin1") : file);
    return "not refused";
  } catch (error) {
    if (error instanceof FeedRefusal) return error.message;
    throw error;
  }
}
