import { createHmac } from "node:crypto";

/**
 * As docs/request-signatures says: keys sorted at every level, no blanks. Its example in Python escapes what is not ASCII, those in other
 * languages do not.
 */
export function canonicalJson(value: unknown, isAscii = false): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each, isAscii)).join(",")}]`;
  if (value === null || typeof value !== "object")
    return isAscii ? ascii(JSON.stringify(value)) : JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${canonicalJson(name, isAscii)}:${canonicalJson(member, isAscii)}`);
  return `{${members.join(",")}}`;
}

const ascii = (text: string) =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** HMAC-SHA256 of the canonical JSON in Base64. */
export function signatureOf(value: unknown, consumerKey: string, isAscii = false): string {
  return createHmac("sha256", consumerKey).update(canonicalJson(value, isAscii)).digest("base64");
}

/** What is signed of a request; a body of `{}` counts as none. */
export function signedParts(path: string, query: string, body: string) {
  const content: unknown = body === "" ? null : JSON.parse(body);
  return { content: canonicalJson(content) === "{}" ? null : content, path, query };
}
