import { createLocalJWKSet, decodeProtectedHeader, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { OAuthError } from "../oauth-error.js";
import type { AssertionStore } from "../ports/client-store.js";
import { publicJwksSchema } from "./client-metadata.js";
import { createDocumentCache, type DocumentCache, type DocumentSource } from "./document-cache.js";
import { fault } from "./fetch-document.js";
import type { LookupCaller, OAuthClient } from "./oauth-client.js";

/** Checks client assertions (RFC 7523 §3). */
export interface ClientAssertions {
  /**
   * Whether an assertion proves that its sender is this client. Returns true at most once for each assertion. Throws
   * `temporarily_unavailable` when its keys must be fetched and the fetch limit is reached.
   */
  accept(client: OAuthClient, assertion: string, from: LookupCaller): Promise<boolean>;
}

/** Dependencies of the check. */
export interface ClientAssertionsOptions {
  readonly issuer: string;
  readonly store: Pick<AssertionStore, "useAssertion">;
  /** Null = keys are never fetched. */
  readonly documents: DocumentSource | null;
}

/** Signature algorithms of assertions; shared-secret algorithms are excluded. */
export const ASSERTION_ALGORITHMS = ["ES256", "ES384", "RS256", "PS256", "EdDSA", "Ed25519"] as const;

/**
 * Checks assertions of the method `private_key_jwt`. The key is one that the client published, selected by `kid` or because
 * only one fits, and never one that the assertion contains.
 */
export function createClientAssertions({ issuer, store, documents }: ClientAssertionsOptions): ClientAssertions {
  const fetched = documents && createDocumentCache(documents, keySetOf);
  return {
    async accept(client, assertion, from) {
      const claims = await verified(client, assertion, { issuer, from, fetched });
      if (!claims || !isSound(claims, issuer, from.at)) return false;
      const usableUntil = new Date((claims.exp + LEEWAY_SECONDS) * 1000);
      return store.useAssertion(client.client_id, claims.jti, usableUntil);
    },
  };
}

type Claims = JWTPayload & { readonly exp: number; readonly jti: string };

async function verified(
  client: OAuthClient,
  assertion: string,
  facts: { issuer: string; from: LookupCaller; fetched: DocumentCache<JSONWebKeySet> | null },
): Promise<Claims | null> {
  const { client_id, jwks, jwks_uri } = client;
  const verifyWith = async (keys: JSONWebKeySet) => {
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(keys), {
      algorithms: [...ASSERTION_ALGORITHMS],
      issuer: client_id,
      subject: client_id,
      audience: [facts.issuer, `${facts.issuer}/token`],
      currentDate: facts.from.at,
      clockTolerance: LEEWAY_SECONDS,
      requiredClaims: ["exp", "jti"],
    });
    return payload as Claims;
  };
  try {
    if (jwks) return await verifyWith(jwks as unknown as JSONWebKeySet);
    if (!jwks_uri || !facts.fetched || !isSupported(assertion)) return null;
    const keys = await facts.fetched.get(jwks_uri, facts.from);
    return await verifyWith(keys).catch(async (error) => {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !facts.fetched) throw error;
      // A key may have been added since. Invented key ids cause a fetch every ten seconds at most.
      const readAfter = new Date(facts.from.at.getTime() - MIN_REFRESH_SECONDS * 1000);
      const newer = await facts.fetched.get(jwks_uri, facts.from, readAfter);
      if (newer === keys) throw error;
      return verifyWith(newer);
    });
  } catch (error) {
    if (error instanceof OAuthError && error.code === "temporarily_unavailable") throw error;
    // Strangers make both the assertion and the keys, and each runtime has its own errors for malformed ones.
    return null;
  }
}

/** What JWT libraries do not check: a single audience, a short lifetime, and an id that can be stored. */
function isSound({ aud, exp, iat, jti }: Claims, issuer: string, at: Date): boolean {
  const now = at.getTime() / 1000;
  const [audience, ...others] = [aud].flat();
  const isForUs = others.length === 0 && (audience === issuer || audience === `${issuer}/token`);
  const isShort = exp <= now + MAX_LIFE_SECONDS + LEEWAY_SECONDS && (iat === undefined || iat <= now + LEEWAY_SECONDS);
  return isForUs && isShort && typeof jti === "string" && /^[\x20-\x7e]{1,200}$/.test(jti);
}

/** Whether fetching keys is worthwhile. */
function isSupported(assertion: string): boolean {
  const algorithms: readonly (string | undefined)[] = ASSERTION_ALGORITHMS;
  return algorithms.includes(decodeProtectedHeader(assertion).alg);
}

function keySetOf(content: unknown): JSONWebKeySet {
  const parsed = publicJwksSchema.safeParse(content);
  if (!parsed.success) throw fault("it is not a set of public keys");
  return parsed.data as unknown as JSONWebKeySet;
}

const LEEWAY_SECONDS = 5;
const MAX_LIFE_SECONDS = 600;
const MIN_REFRESH_SECONDS = 10;
