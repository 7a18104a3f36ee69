import { createHmac, type KeyObject, sign } from "node:crypto";

/** The parts of a delivery that its signature covers. */
export interface SignedMessage {
  /** `webhook-id`: the id of the event. */
  readonly id: string;
  /** `webhook-timestamp`: the time of this attempt, in seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** Signers: secrets of the endpoint (`whsec_…`) and Ed25519 keys of the installation. */
export interface Signers {
  readonly secrets: readonly string[];
  readonly keys: readonly KeyObject[];
}

/**
 * The `webhook-signature` of Standard Webhooks: one signature per signer, separated by spaces. During the rotation of a secret
 * or key both sign, and a receiver accepts the one it knows.
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
