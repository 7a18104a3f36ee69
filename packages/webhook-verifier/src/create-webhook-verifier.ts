import type { WebhookEvent } from "./event.js";
import { decodeBase64, type PublicKeys, publicKeys, secretKeys, type VerificationKey } from "./keys.js";
import { WebhookVerificationError } from "./verification-error.js";

/** Whom to trust: a secret, a public key, or several of both. One signature that fits one of them is enough. */
export interface WebhookVerifierOptions {
  /** The endpoint's `whsec_…`; during a rotation the old one and the new one. */
  readonly secrets?: string | readonly string[] | undefined;
  /** The installation's `whpk_…`, several of them, or its key document as you fetched and parsed it. */
  readonly publicKeys?: PublicKeys | undefined;
  /** How far `webhook-timestamp` may be from now, either way, in seconds; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** The present time; the machine's clock by default. */
  readonly now?: (() => Date) | undefined;
}

/** Headers of a request: those of fetch, or an object such as Node's, in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The bytes of the body as they arrived. A text is taken as UTF-8. */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

/** What a delivery says beside its body. */
export interface WebhookMessage {
  /** The event's id, the same at every try: keep it, and pass over what has been done already. */
  readonly id: string;
  /** When this try was made. */
  readonly timestamp: Date;
}

/** Checks deliveries of one endpoint. */
export interface WebhookVerifier {
  /**
   * Checks a delivery and reads its event. Types that this version does not know come as well: keep a `default` where you switch on `type`.
   * @throws WebhookVerificationError
   */
  verify(body: WebhookBody, headers: WebhookHeaders): Promise<WebhookEvent>;
  /**
   * Checks a delivery and leaves its body alone, whatever it is.
   * @throws WebhookVerificationError
   */
  verifySignature(body: WebhookBody, headers: WebhookHeaders): Promise<WebhookMessage>;
}

/** More than a rotation of all keys needs, and few enough that a forged header costs nothing. */
const MAX_SIGNATURES = 16;
const LENGTHS = { v1: 32, v1a: 64 } as const;

/** @throws TypeError when there is nothing to check with, or a key that is none */
export function createWebhookVerifier(options: WebhookVerifierOptions): WebhookVerifier {
  // The one package that asks the clock by itself: a receiver that forgot to give it one would take any old delivery.
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
    // Secrets come first: with one of them a runtime without Ed25519 will do.
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

/** Signatures of schemes that are not known are passed over: a sender may use more of them some day. */
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

/** A parsed body is refused in words: signing what it is written as again is the mistake that most receivers make first. */
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
