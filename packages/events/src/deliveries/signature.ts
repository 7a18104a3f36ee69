import { createHmac, type KeyObject, sign } from "node:crypto";

/** What a delivery's signature covers. */
export interface SignedMessage {
  /** `webhook-id`: the event's. */
  readonly id: string;
  /** `webhook-timestamp`: when this try was made, in seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** Who signs: secrets of the endpoint (`whsec_…`) and Ed25519 keys of the installation. */
export interface Signers {
  readonly secrets: readonly string[];
  readonly keys: readonly KeyObject[];
}

/**
 * The `webhook-signature` of Standard Webhooks: one signature for each signer, separated by spaces. While a secret or a key is changed
 * both sign, and a receiver takes whichever it knows.
 */
export function signatureOf({ id, timestamp, body }: SignedMessage, { secrets, keys }: Signers): string {
  const content = Buffer.from(`${id}.${timestamp}.${body}`);
  const symmetric = secrets.map(
    (secret) => `v1,${createHmac("sha256", secretBytes(secret)).update(content).digest("base64")}`,
  );
  const asymmetric = keys.map((key) => `v1a,${sign(null, content, key).toString("base64")}`);
  return [...symmetric, ...asymmetric].join(" ");
}

const SECRET_PREFIX = "whsec_";

function secretBytes(secret: string): Buffer {
  if (!secret.startsWith(SECRET_PREFIX)) throw new Error(`a secret of an endpoint begins with ${SECRET_PREFIX}`);
  return Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
}
