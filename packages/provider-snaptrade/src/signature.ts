import { createHmac, timingSafeEqual } from "node:crypto";
import { type KeyAuth, parseNumbers } from "@org/provider-kit";

/** What every signed path begins with, also where the address has none of it. */
const SIGNED_BASE = "/api/v1";

/** JSON as SnapTrade signs it: names sorted at every level, no spaces. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(",")}}`;
}

function signatureOf(text: string, consumerKey: string): Buffer {
  return createHmac("sha256", consumerKey).update(text).digest();
}

/** Characters beyond ASCII as Python's `json.dumps`, with which SnapTrade signs, writes them. */
function inAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Adds the client, the time and, where there is one, the user to the query, and signs body, path and query. */
export function signedAs(
  client: { readonly client_id: string; readonly consumer_key: string; readonly base_url: string },
  user: SnapTradeUser | null,
): KeyAuth {
  const base = new URL(client.base_url).pathname.replace(/\/$/, "");
  return (request, _, now) => {
    const url = new URL(request.url);
    url.searchParams.set("clientId", client.client_id);
    url.searchParams.set("timestamp", String(Math.floor(now.getTime() / 1_000)));
    if (user !== null) {
      url.searchParams.set("userId", user.id);
      url.searchParams.set("userSecret", user.secret);
    }
    const signed = {
      content: request.json ?? null,
      path: `${SIGNED_BASE}${url.pathname.slice(base.length)}`,
      query: url.search.slice(1),
    };
    const Signature = signatureOf(inAscii(canonicalJson(signed)), client.consumer_key).toString("base64");
    return { ...request, url, headers: { ...request.headers, Signature } };
  };
}

/** A user of SnapTrade, whose secret every request for their data has. */
export interface SnapTradeUser {
  readonly id: string;
  readonly secret: string;
}

/** Whether a notification's signature is that of its content, whatever the order and spacing of its JSON. Numbers count as they are written. */
export function isSignedBy(consumerKey: string, json: string, signature: string): boolean {
  const given = Buffer.from(signature, "base64");
  const marked = parseNumbers(json, ([text]) => `\\u0000${text}`);
  const canonical = canonicalJson(marked).replace(/"\\u0000([^"]*)"/g, "$1");
  return [inAscii(canonical), canonical].some((text) => {
    const expected = signatureOf(text, consumerKey);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
