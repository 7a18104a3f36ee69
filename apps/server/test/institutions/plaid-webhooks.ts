import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import type { JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import { PlaidRefusal } from "./plaid-errors.js";

interface Key {
  readonly kid: string;
  readonly created_at: number;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  expired_at: number | null;
}

/** How a webhook is signed; the first is as documented. */
export type Signature =
  | "signed"
  /** No Plaid-Verification header. */
  | "unsigned"
  /** A header that is no token. */
  | "garbage"
  /** By somebody else's key, under Plaid's key id. */
  | "forged"
  /** By somebody else's key, under an id that Plaid does not know. */
  | "unknown_key"
  /** By a key of Plaid's that has expired. */
  | "expired_key"
  /** For another body. */
  | "other_body"
  /** Six minutes ago. */
  | "old"
  /** In six minutes. */
  | "early"
  /** With `alg` none and no signature. */
  | "none"
  /** With HS256, by the public key as the secret. */
  | "hmac";

/** A webhook as it was sent. */
export interface PlaidDelivery {
  readonly url: string;
  readonly event: JsonObject;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What came back; null if nothing did. */
  readonly status: number | null;
}

/** What hands a webhook over; a test may reach its server by another address. */
export type Deliver = (
  url: string,
  init: { readonly method: "POST"; readonly headers: Readonly<Record<string, string>>; readonly body: string },
) => Promise<{ readonly status: number }>;

const SIX_MINUTES = 360;
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const newKey = (now: number): Key => ({
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }),
  kid: randomUUID(),
  created_at: now,
  expired_at: null,
});

/** Plaid's webhooks: signed as documented, or not quite. */
export class PlaidWebhooks {
  readonly sent: PlaidDelivery[] = [];
  readonly #clock: () => Date;
  readonly #deliver: Deliver;
  readonly #keys: Key[];
  #waiting: Promise<unknown>[] = [];
  #isPaused = false;

  constructor(clock: () => Date, deliver: Deliver = (url, init) => fetch(url, init)) {
    this.#clock = clock;
    this.#deliver = deliver;
    this.#keys = [newKey(this.#now)];
  }

  get #now(): number {
    return Math.floor(this.#clock().getTime() / 1000);
  }

  get #current(): Key {
    return this.#keys.at(-1)!;
  }

  /** Of the key that signs from now on. */
  get kid(): string {
    return this.#current.kid;
  }

  /** A new key signs; the one before is answered with the time at which it expired. */
  rotate(): void {
    this.#current.expired_at = this.#now;
    this.#keys.push(newKey(this.#now));
  }

  /** The answer of `/webhook_verification_key/get`; an unknown id is refused. */
  keyAnswer(kid: string): JsonObject {
    const found = this.#keys.find((key) => key.kid === kid);
    if (!found) throw new PlaidRefusal("INVALID_WEBHOOK_VERIFICATION_KEY_ID");
    const { x = "", y = "" } = found.publicKey.export({ format: "jwk" });
    const { created_at, expired_at } = found;
    return { key: { alg: "ES256", created_at, crv: "P-256", expired_at, kid, kty: "EC", use: "sig", x, y } };
  }

  /** Webhooks that Plaid would send by itself are left out until `resume`. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
  }

  /** What an occurrence of the stand-in sends; `settled` waits for it. */
  announce(url: string | null, event: JsonObject): void {
    if (url === null || this.#isPaused) return;
    this.#waiting.push(this.send(url, event));
  }

  /** Waits until everything announced so far has been handed over, whatever came back. */
  async settled(): Promise<void> {
    while (this.#waiting.length > 0) await Promise.all(this.#waiting.splice(0));
  }

  async send(url: string, event: JsonObject, signature: Signature = "signed"): Promise<PlaidDelivery> {
    // "sensitive to the whitespace in the webhook body and uses a tab-spacing of 2"
    const body = JSON.stringify(event, null, 2);
    const token = this.#token(body, signature);
    return this.#hand({
      url,
      event,
      body,
      headers: { "content-type": "application/json", ...(token !== null && { "plaid-verification": token }) },
    });
  }

  /** The same bytes under the same signature. */
  async replay({ url, event, body, headers }: PlaidDelivery): Promise<PlaidDelivery> {
    return this.#hand({ url, event, body, headers });
  }

  /** The next try after an answer other than 200 or none: the same body, signed now. */
  async retry(delivery: PlaidDelivery): Promise<PlaidDelivery> {
    return this.send(delivery.url, delivery.event);
  }

  async #hand(delivery: Omit<PlaidDelivery, "status">): Promise<PlaidDelivery> {
    const { url, headers, body } = delivery;
    const status = await this.#deliver(url, { method: "POST", headers, body }).then(
      (answer) => answer.status,
      () => null,
    );
    const done = { ...delivery, status };
    this.sent.push(done);
    return done;
  }

  #token(body: string, signature: Signature): string | null {
    if (signature === "unsigned") return null;
    if (signature === "garbage") return "not-a-token";
    const isStranger = signature === "forged" || signature === "unknown_key";
    if (signature === "expired_key" && this.#keys.length === 1) this.rotate();
    const key = signature === "expired_key" ? this.#keys[0]! : this.#current;
    const signer = isStranger ? newKey(this.#now) : key;
    const shift = { old: -SIX_MINUTES, early: SIX_MINUTES }[signature as string] ?? 0;
    const alg = { none: "none", hmac: "HS256" }[signature as string] ?? "ES256";
    const hashed = signature === "other_body" ? body.replace("{", "{ ") : body;
    const kid = signature === "unknown_key" ? signer.kid : key.kid;
    const claims = { iat: this.#now + shift, request_body_sha256: createHash("sha256").update(hashed).digest("hex") };
    const signed = `${encoded({ alg, kid, typ: "JWT" })}.${encoded(claims)}`;
    if (alg === "none") return `${signed}.`;
    const pem = key.publicKey.export({ type: "spki", format: "pem" });
    const made =
      alg === "HS256"
        ? createHmac("sha256", pem).update(signed).digest()
        : sign("sha256", Buffer.from(signed), { key: signer.privateKey, dsaEncoding: "ieee-p1363" });
    return `${signed}.${made.toString("base64url")}`;
  }
}
