import type { WebhookEvent } from "./event.js";
import { decodeBase64, type PublicKeys, publicKeys, secretKeys, type VerificationKey } from "./keys.js";
import { WebhookVerificationError } from "./verification-error.js";

/** What to verify with: a secret, a public key, or several of both. One signature that matches one of them is enough. */
export interface WebhookVerifierOptions {
  /** The endpoint's `whsec_…`; during a rotation both the old and the new one. */
  readonly secrets?: string | readonly string[] | undefined;
  /** The installation's `whpk_…`, one or several, or its key document as fetched and parsed. */
  readonly publicKeys?: PublicKeys | undefined;
  /** Maximum difference between `webhook-timestamp` and now, in either direction, in seconds; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** Returns the current time; the machine's clock by default. */
  readonly now?: (() => Date) | undefined;
}

/** Headers of a request: fetch `Headers`, or an object such as Node's with names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The bytes of the body as received. A string is encoded as UTF-8. */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

/** The contents of a delivery besides its body. */
export interface WebhookMessage {
  /** The event's id, the same for every attempt: store it, and skip events that you have already handled. */
  readonly id: string;
  /** When this attempt was made. */
  readonly timestamp: Date;
}

/** Verifies deliveries to one endpoint. */
export interface WebhookVerifier {
  /**
   * Verifies a delivery and parses its event. It may have a type that this version does not know: keep a `default` when you
   * switch on `type`.
   * @throws WebhookVerificationError
   */
  verify(body: WebhookBody, headers: WebhookHeaders): Promise<WebhookEvent>;
  /** Verifies a delivery without parsing its body. @throws WebhookVerificationError */
  verifySignature(body: WebhookBody, headers: WebhookHeaders): Promise<WebhookMessage>;
}

/** More than a rotation of all keys needs, and few enough that a forged header is cheap to check. */
const MAX_SIGNATURES = 16;
const LENGTHS = { v1: 32, v1a: 64 } as const;

/** @throws TypeError when there is no secret or key, or an invalid one */
export function createWebhookVerifier(options: WebhookVerifierOptions): WebhookVerifier {
  // The only package that reads the clock itself: a receiver that forgot to pass one would accept old deliveries.
  const { toleranceSeconds = 300, now = () => new Date() } = options;
  const keys = [...secretKeys(options.secrets), ...publicKeys(options.publicKeys)];
  if (keys.length === 0) throw new TypeError("Give a secret (`secrets`), a public key (`publicKeys`), or both.");
  if (!(toleranceSeconds >= 0)) throw new TypeError("`toleranceSeconds` is a number of seconds.");

  async function verifySignature(body: WebhookBody, headers: WebhookHeaders): Promise<WebhookMessage> {
    const bytes = bytesOf(body);
    const id = headerOf(headers, "webhook-id");
    if (!/^[\x21-\x2d\x2f-\x7e]{1,256}$/.test(id))
      throw malformed("webhook-id", "is 1 to 256 printable characters without a full stop");
    const timestamp = headerOf(headers, "webhook-timestamp");
    if (!/^[0-9]{1,11}$/.test(timestamp)) throw malformed("webhook-timestamp", "is a number of seconds since 1970");
    const signatures = readSignatures(headerOf(headers, "webhook-signature"));
    checkTime(Number(timestamp), now().getTime() / 1000, toleranceSeconds);
    const content = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
    const current = keys.filter(({ until }) => Number(timestamp) <= until);
    // Secrets come first, so that with a secret a runtime without Ed25519 works too.
    for (const key of current)
      for (const { scheme, signature } of signatures)
        if (key.scheme === scheme && (await key.verify(signature, content)))
          return { id, timestamp: new Date(Number(timestamp) * 1000) };
    throw mismatch(signatures, current);
  }

  return {
    verifySignature,
    async verify(body, headers) {
      await verifySignature(body, headers);
      return readEvent(bytesOf(body));
    },
  };
}

interface Signature {
  readonly scheme: "v1" | "v1a";
  readonly signature: Uint8Array;
}

/** Signatures of unknown schemes are skipped, because a sender may use others in the future. */
function readSignatures(header: string): Signature[] {
  const listed = header.split(" ").filter((text) => text !== "");
  if (listed.length > MAX_SIGNATURES)
    throw malformed("webhook-signature", `has at most ${MAX_SIGNATURES} signatures; this one has ${listed.length}`);
  return listed.flatMap((text) => {
    const [, scheme, encoded] = /^(v1a?),(.+)$/.exec(text) ?? [];
    if (scheme !== "v1" && scheme !== "v1a") return [];
    const signature = decodeBase64(encoded ?? "");
    return signature?.length === LENGTHS[scheme] ? [{ scheme, signature }] : [];
  });
}

function checkTime(timestamp: number, now: number, tolerance: number): void {
  const age = Math.round(now - timestamp);
  if (age > tolerance)
    throw new WebhookVerificationError(
      "TOO_OLD",
      `The delivery was made ${age} s ago; at most ${tolerance} s are allowed.`,
    );
  if (-age > tolerance)
    throw new WebhookVerificationError(
      "TOO_NEW",
      `The delivery says that it was made in ${-age} s; at most ${tolerance} s are allowed. Is this machine's clock right?`,
    );
}

function mismatch(signatures: readonly Signature[], keys: readonly VerificationKey[]): WebhookVerificationError {
  const schemes = (list: readonly { scheme: string }[]) =>
    [...new Set(list.map(({ scheme }) => scheme))].sort().join(" and ") || "none";
  const fits = signatures.some(({ scheme }) => keys.some((key) => key.scheme === scheme));
  return new WebhookVerificationError(
    "SIGNATURE_MISMATCH",
    fits
      ? "No signature fits these bytes: another secret or key, or a body that was changed or parsed and written again."
      : `No signature can be checked: webhook-signature has ${schemes(signatures)}, and keys are given for ${schemes(keys)}.`,
  );
}

function readEvent(bytes: Uint8Array): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new WebhookVerificationError("MALFORMED_BODY", "The body is no JSON.", { cause });
  }
  const { id, type, data } = Object(event);
  if (typeof id !== "string" || typeof type !== "string" || Object(data) !== data)
    throw new WebhookVerificationError("MALFORMED_BODY", "The body is no event: `id`, `type` or `data` is missing.");
  return event as WebhookEvent;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const found = isFetchHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (found === undefined || found === null || found === "")
    throw new WebhookVerificationError("MISSING_HEADER", `There is no header ${name}.`);
  if (typeof found !== "string") throw malformed(name, "stands once");
  return found;
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === "function";
}

function malformed(name: string, rule: string): WebhookVerificationError {
  return new WebhookVerificationError("MALFORMED_HEADER", `The header ${name} ${rule}.`);
}

/** A parsed body gets a clear error: verifying its re-serialized form is the most common mistake of receivers. */
function bytesOf(body: WebhookBody): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError("Give the body as it arrived: its bytes or its text, and not what a JSON parser made of it.");
}

function concatenate(head: Uint8Array, body: Uint8Array): Uint8Array {
  const whole = new Uint8Array(head.length + body.length);
  whole.set(head);
  whole.set(body, head.length);
  return whole;
}
