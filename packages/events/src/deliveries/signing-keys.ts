import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** One version of the key that signs the installation's deliveries. */
export interface SigningSeed {
  /** The Ed25519 seed: 32 bytes. */
  readonly key: Uint8Array;
  /** When it starts to sign; null = from the beginning. */
  readonly active_from: Date | null;
  /** When it stops signing, once it has a successor; null while it has none. */
  readonly until: Date | null;
}

/** A public key as receivers see it; times are RFC 3339. */
export interface PublishedKey {
  /** Thumbprint of the key (RFC 7638). */
  readonly kid: string;
  /** In the format of Standard Webhooks: `whpk_` and the base64 of 32 bytes. */
  readonly public_key: string;
  /** When it starts to sign; null = from the beginning. May be in the future. */
  readonly since: string | null;
  /** When it stops signing; null while it has no successor. */
  readonly until: string | null;
  /** The same key in the format of RFC 8037. */
  readonly jwk: Readonly<Record<"kty" | "crv" | "x" | "kid" | "alg" | "use", string>>;
}

/** The installation's Ed25519 keys. */
export interface WebhookSigningKeys {
  /** The keys that sign now, newest first. */
  signing(): readonly KeyObject[];
  /** The keys that sign now or soon, newest first. */
  published(): readonly PublishedKey[];
}

/**
 * Derives key pairs from the seeds that the installation stores. Every server has the same seeds, and therefore the same keys.
 * @param seeds returns the current and future seeds; called each time
 */
export function createWebhookSigningKeys(seeds: () => readonly SigningSeed[], clock: () => Date): WebhookSigningKeys {
  const pairs = new Map<string, Pair>();

  return {
    signing() {
      const now = clock();
      return newestFirst(seeds())
        .filter(({ active_from, until }) => (active_from === null || active_from <= now) && (!until || until > now))
        .map((seed) => pairOf(seed).privateKey);
    },
    published: () =>
      newestFirst(seeds()).map((seed) => {
        const { kid, x } = pairOf(seed);
        return {
          kid,
          public_key: `whpk_${Buffer.from(x, "base64url").toString("base64")}`,
          since: seed.active_from?.toISOString() ?? null,
          until: seed.until?.toISOString() ?? null,
          jwk: { kty: "OKP", crv: "Ed25519", x, kid, alg: "Ed25519", use: "sig" },
        };
      }),
  };

  function pairOf({ key }: SigningSeed): Pair {
    const name = Buffer.from(key).toString("base64");
    const known = pairs.get(name);
    if (known) return known;
    const pair = makePair(key);
    pairs.set(name, pair);
    return pair;
  }
}

interface Pair {
  readonly privateKey: KeyObject;
  /** The public key in base64url. */
  readonly x: string;
  readonly kid: string;
}

/** The PKCS #8 prefix of the 32 bytes (RFC 8410 §7). */
const BEFORE_SEED = Buffer.from("302e020100300506032b657004220420", "hex");

function makePair(seed: Uint8Array): Pair {
  if (seed.length !== 32) throw new Error("an Ed25519 key has 32 bytes");
  const privateKey = createPrivateKey({ key: Buffer.concat([BEFORE_SEED, seed]), format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  const thumbprint = JSON.stringify({ crv: "Ed25519", kty: "OKP", x });
  return { privateKey, x, kid: createHash("sha256").update(thumbprint).digest("base64url") };
}

function newestFirst(seeds: readonly SigningSeed[]): readonly SigningSeed[] {
  return seeds.toSorted((a, b) => (b.active_from?.getTime() ?? 0) - (a.active_from?.getTime() ?? 0));
}
