import { FeedRefusal } from "@org/provider-kit";

/** Ends each refusal of a whole file: it says where to read which format to request from the custodian instead. */
export const formatHint = 'see "What is refused" in docs/reference/data-feeds.md';

/**
 * The refusal of a file that no parser recognises. It names the format if it is a known one.
 * @param head the first bytes as Latin-1, without zero bytes
 * @param readable names of the formats that can be read
 */
export function refuseUnread(head: string, readable: readonly string[]): FeedRefusal {
  const start = head.replace(/^(?:\u00EF\u00BB\u00BF|\u00FF\u00FE|\u00FE\u00FF)/, "");
  const name = formats.map((nameIn) => nameIn(start)).find((found) => found !== null);
  const which = name === undefined ? "is" : `is ${name}, which is`;
  return new FeedRefusal(
    "file",
    `${which} in none of the formats that can be read: ${readable.join(", ")}; ${formatHint}`,
    "format",
  );
}

/** Names the format of a file from its head, or null. */
type NameIn = (head: string) => string | null;

/** A format recognised by a pattern. */
function named(name: string, pattern: RegExp): NameIn {
  return (head) => (pattern.test(head) ? name : null);
}

/** A format whose files begin with certain bytes. */
function signed(name: string, ...signatures: readonly string[]): NameIn {
  return (head) => (signatures.some((signature) => head.startsWith(signature)) ? name : null);
}

/** Most specific first. */
const formats: readonly NameIn[] = [
  named("an empty file", /^\s*$/),
  named("a PDF document", /^[\s\S]{0,1023}?%PDF-/),
  // Only the beginning of the archive is here, without the directory at its end, but it names the first parts.
  named("an Excel workbook (XLSX)", /^PK[\s\S]*?(?:xl\/|\[Content_Types\]\.xml)/),
  signed("a zip archive", "PK\u0003\u0004", "PK\u0005\u0006"),
  signed("an Excel workbook (XLS)", "\u00D0\u00CF\u0011\u00E0"),
  signed("a compressed file (gzip)", "\u001F\u008B"),
  signed("a compressed file (7z)", "7z\u00BC\u00AF"),
  signed("a picture", "\u0089PNG", "\u00FF\u00D8\u00FF", "GIF8"),
  named("an encrypted file (PGP)", /^\s*-----BEGIN PGP/),
  named(
    "an encrypted or signed file (S/MIME)",
    /^\s*-----BEGIN (?:PKCS7|CMS)|^[\s\S]{0,2000}?application\/(?:x-)?pkcs7/,
  ),
  named("an e-mail", /^(?:Return-Path|Received|Delivered-To|MIME-Version|From|Subject): /i),
  swiftMessage,
  iso20022Message,
  named("a web page (HTML)", /^[\s\S]{0,1000}?(?:<!doctype html|<html[\s>])/i),
  xmlDocument,
  named("JSON", /^\s*(?:\{\s*"|\[\s*[[{"])/),
  named("a QIF file", /^\s*!(?:Type|Account|Option):/i),
  named("an EDIFACT message", /^\s*UN[AB][+:]/),
  named("an activity statement of Interactive Brokers as CSV", /^"?Statement"?,"?Header"?,/),
  commaSeparated,
];

const swiftTitles: Readonly<Record<string, string>> = {
  "941": "an MT941 balance report (SWIFT)",
  ...Object.fromEntries(
    ["540", "541", "542", "543"].map((type) => [type, `an MT${type}, an instruction of the customer's own (SWIFT)`]),
  ),
};

function swiftMessage(head: string): string | null {
  const number = cashMessageType(head) ?? /\{2:[IO](\d{3})/.exec(head)?.[1] ?? announcedType(head);
  return number === null || number === undefined ? null : (swiftTitles[number] ?? `an MT${number} message (SWIFT)`);
}

/** The message number that some banks put on a line before the first field. */
function announcedType(head: string): string | null {
  const lines = linesOf(head).slice(0, 4);
  return lines.map((line) => /^:?(9[45]\d)(?::| \d\d)?$/.exec(line)?.[1]).find((type) => type !== undefined) ?? null;
}

/** Which readable message about cash accounts a file has, by the network's headers, that line, or its fields. */
export function cashMessageType(head: string): "940" | "942" | "950" | null {
  const types = ["940", "950", "942"] as const;
  if (/^[^\w:{]{0,16}\{1:/.test(head)) return types.find((type) => new RegExp(`\\{2:[IO]${type}`).test(head)) ?? null;
  const announced = announcedType(head);
  if (announced !== null) return types.find((type) => type === announced) ?? null;
  if (!/^[^\w<{]{0,16}:(?:20|25P?|28C?|60[FM]|61|62[FM]|64|86):/.test(head)) return null;
  if (/:6[02][FM]:/.test(head)) return "940";
  if (/:(?:13D|34F):/.test(head)) return "942";
  return /:61:|:86:/.test(head) ? "940" : null;
}

/** Why reports of an unfinished day are refused. */
export function interimRefusal(name: string): string {
  return `is an interim report (${name}): what it tells of an unfinished day may still change; where FEED_INTERIM or the connector's metadata asks for such reports, their booked movements are taken`;
}

/** Messages about securities and payments, by root element for files without a namespace. */
const isoRoots: Readonly<Record<string, string>> = {
  SctiesTxPdgRpt: "semt.018",
  CstmrCdtTrfInitn: "pain.001",
  CstmrPmtStsRpt: "pain.002",
};

function iso20022Message(head: string): string | null {
  const namespace = /iso:20022:tech:xsd:([a-z]{4}\.\d{3})/.exec(head)?.[1];
  const root = /<(?:[\w.-]+:)?([A-Z][A-Za-z]+)[\s>]/.exec(head.replace(/<(?:[\w.-]+:)?Document\b[^<>]*>/, ""))?.[1];
  const message = namespace ?? (root !== undefined && Object.hasOwn(isoRoots, root) ? isoRoots[root] : undefined);
  return message === undefined ? null : `a ${message} message (ISO 20022)`;
}

function xmlDocument(head: string): string | null {
  const root = /^\s*(?:<[?!][^>]*>\s*)*<([A-Za-z_][\w.:-]{0,59})[\s/>]/.exec(head)?.[1];
  return root === undefined ? null : `an XML document <${root}>`;
}

/** Text in columns: the first lines all have the same separator, or lines one below the other, perhaps below titles, have equally many. */
function commaSeparated(head: string): string | null {
  const lines = linesOf(head, MAX_TITLE_LINES).map((line) => line.replace(/"[^"]*"/g, ""));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what holds them is no text
  if (/[\u0000-\u0008\u000E-\u001F]/.test(head) || lines.length === 0) return null;
  const sign = [";", "\t", ",", "|"].find(
    (candidate) => lines.slice(0, 3).every((line) => line.includes(candidate)) || isTable(lines, candidate),
  );
  return sign === undefined ? null : "CSV (text in columns)";
}

/** Lines in which titles may stand above a table's header, with some of its rows. */
const MAX_TITLE_LINES = 100;
/** Whether two or more lines with equally many separators follow one another. Sentences, too, have commas. */
function isTable(lines: readonly string[], sign: string): boolean {
  const min = sign === "," ? 4 : 2;
  let [before, sum] = [0, 0];
  for (const line of lines) {
    const count = line.split(sign).length - 1;
    sum = count === before ? sum + count : count;
    before = count;
    // One line alone is no table.
    if (sum >= min && sum > count) return true;
  }
  return false;
}

/** The first lines that are not blank. */
function linesOf(head: string, most = 20): readonly string[] {
  return head.split(/\r\n?|\n/, most).flatMap((line) => line.trim() || []);
}
