/** The document that an installation serves at `/.well-known/webhooks-keys.json`. */
export interface WebhookKeyDocument {
  readonly keys: readonly {
    readonly kid: string;
    /** `whpk_` and base64. */
    readonly public_key: string;
    /** When it starts to sign, in RFC 3339; null = from the beginning. */
    readonly since: string | null;
    /** When it stops signing, in RFC 3339; null while it has no successor. */
    readonly until: string | null;
  }[];
}

/** `whpk_…` texts, or the parsed document of an installation. */
export type PublicKeys = string | readonly string[] | WebhookKeyDocument;

/** A key for verifying signatures. */
export interface VerificationKey {
  /** Identifier of the scheme in `webhook-signature`. */
  readonly scheme: "v1" | "v1a";
  /** The latest timestamp, in Unix seconds, of a delivery signed with it. */
  readonly until: number;
  verify(signature: Uint8Array, content: Uint8Array): Promise<boolean>;
}

/** @throws TypeError with the fault of a secret, without the secret */
export function secretKeys(secrets: string | readonly string[] = []): VerificationKey[] {
  return [secrets].flat().map((text) => {
    const bytes = decodeKey(text, "whsec_", "secret");
    if (bytes.length < 24 || bytes.length > 64)
      throw new TypeError(`A webhook secret has 24 to 64 bytes; this one has ${bytes.length}.`);
    return verificationKey("v1", { name: "HMAC", hash: "SHA-256" }, bytes);
  });
}

/** @throws TypeError with the fault of a key */
export function publicKeys(keys: PublicKeys = []): VerificationKey[] {
  return listed(keys).map(({ public_key, until }) => {
    const bytes = decodeKey(public_key, "whpk_", "public key");
    if (bytes.length !== 32) throw new TypeError(`An Ed25519 public key has 32 bytes; this one has ${bytes.length}.`);
    return verificationKey(
      "v1a",
      { name: "Ed25519" },
      bytes,
      until === null ? Number.POSITIVE_INFINITY : secondsOf(until),
    );
  });
}

function listed(keys: PublicKeys): readonly { readonly public_key: string; readonly until: string | null }[] {
  if (typeof keys === "string") return [{ public_key: keys, until: null }];
  // An array has a `keys` too, its method.
  return isDocument(keys) ? keys.keys : keys.map((public_key) => ({ public_key, until: null }));
}

function isDocument(keys: PublicKeys): keys is WebhookKeyDocument {
  return typeof keys === "object" && !Array.isArray(keys);
}

/** The bytes of base64 text, padded or not; null when it is invalid. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function decodeKey(text: unknown, prefix: string, what: string): Uint8Array<ArrayBuffer> {
  if (typeof text !== "string" || !text.startsWith(prefix))
    throw new TypeError(`A webhook ${what} begins with ${prefix}.`);
  const bytes = decodeBase64(text.slice(prefix.length).trimEnd());
  if (bytes === null) throw new TypeError(`What follows ${prefix} in a webhook ${what} is base64; this one is not.`);
  return bytes;
}

/** The key is imported once, at its first use. `subtle.verify` compares in constant time. */
function verificationKey(
  scheme: "v1" | "v1a",
  algorithm: { name: string; hash?: string },
  bytes: Uint8Array<ArrayBuffer>,
  until = Number.POSITIVE_INFINITY,
): VerificationKey {
  let imported: ReturnType<typeof crypto.subtle.importKey> | undefined;
  return {
    scheme,
    until,
    async verify(signature, content) {
      imported ??= crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]).catch((cause: unknown) => {
        throw new Error(`This runtime's WebCrypto has no ${algorithm.name}: check with the endpoint's secret.`, {
          cause,
        });
      });
      return crypto.subtle.verify(algorithm, await imported, signature, content);
    },
  };
}

function secondsOf(moment: string): number {
  const milliseconds = Date.parse(moment);
  if (Number.isNaN(milliseconds))
    throw new TypeError("`until` of a webhook key is a date and time of ISO 8601, or null.");
  return milliseconds / 1000;
}
