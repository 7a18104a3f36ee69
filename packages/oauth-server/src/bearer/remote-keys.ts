import { importJWK, type JWK } from "jose";
import { z } from "zod";
import type { KeySource, TokenVerificationKey } from "../keys/key-source.js";

/** Options for reading the keys of another server. */
export interface RemoteKeysOptions {
  /** `jwks_uri` of the issuer's metadata. */
  readonly jwksUri: string;
  readonly clock: () => Date;
  readonly fetch?: typeof fetch;
}

/**
 * Keys of another issuer, read from its JWKS document. They are reloaded after ten minutes, and for an unknown key id at most
 * every ten seconds. Keys without `alg` are skipped, because an algorithm is never taken from a token. Rejects when the issuer
 * does not answer.
 */
export function createRemoteKeys({ jwksUri, clock, fetch = globalThis.fetch }: RemoteKeysOptions): KeySource {
  let loaded: { keys: ReadonlyMap<string, TokenVerificationKey>; at: number } | undefined;
  let loading: Promise<ReadonlyMap<string, TokenVerificationKey>> | undefined;

  const load = async () => {
    const response = await fetch(jwksUri, { redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`${jwksUri} answered ${response.status}`);
    const keys = await importAll(jwksSchema.parse(await response.json()).keys);
    loaded = { keys, at: clock().getTime() };
    return keys;
  };
  const current = async (maxAgeSeconds: number) => {
    if (loaded && clock().getTime() - loaded.at < maxAgeSeconds * 1000) return loaded.keys;
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  };
  return {
    async publicKey(kid) {
      return (await current(RELOAD_SECONDS)).get(kid) ?? (await current(MIN_REFRESH_SECONDS)).get(kid) ?? null;
    },
    isTrusted(kid) {
      if (loaded && clock().getTime() - loaded.at < RELOAD_SECONDS * 1000) return loaded.keys.has(kid);
      return current(RELOAD_SECONDS).then((keys) => keys.has(kid));
    },
  };
}

async function importAll(
  jwks: readonly z.infer<typeof jwkSchema>[],
): Promise<ReadonlyMap<string, TokenVerificationKey>> {
  const usable = jwks.filter(({ kid, alg, use }) => kid && alg && (use ?? "sig") === "sig");
  const imported = await Promise.all(
    usable.map(async (jwk): Promise<[string, TokenVerificationKey][]> => {
      // A key of a kind that this runtime does not support must not affect the others.
      const publicKey = await importJWK(jwk as JWK).catch(() => null);
      if (!publicKey || publicKey instanceof Uint8Array || publicKey.type !== "public") return [];
      return [[jwk.kid as string, { algorithm: jwk.alg as string, publicKey }]];
    }),
  );
  return new Map(imported.flat());
}

const jwkSchema = z.looseObject({
  kty: z.string(),
  kid: z.string().optional(),
  alg: z.string().optional(),
  use: z.string().optional(),
});
const jwksSchema = z.object({ keys: z.array(jwkSchema) });
const RELOAD_SECONDS = 600;
const MIN_REFRESH_SECONDS = 10;
const TIMEOUT_MS = 5_000;
