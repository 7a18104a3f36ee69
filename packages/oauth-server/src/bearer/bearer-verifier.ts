import { hash, type KeyObject } from "node:crypto";
import { type AuthenticatedRequest, andThen, type BearerRefusal, isDpop, type MaybePromise } from "@org/http";
import { createLazyLru } from "../clients/lazy-lru.js";
import { checkProof, proofRefused } from "../dpop/proof.js";
import { createUsedProofs } from "../dpop/used-proofs.js";
import type { KeySource } from "../keys/key-source.js";
import { OAuthError } from "../oauth-error.js";
import {
  EXPIRY_LEEWAY_SECONDS,
  readAccessToken,
  type VerifiedPrincipal,
  type VerifiedToken,
} from "./access-token-claims.js";
import type { EndedGrants } from "./ended-grants.js";

/** What a resource server configures its verifier with. */
export interface BearerVerifierOptions {
  /** Byte-equal to the issuer's metadata. */
  readonly issuer: string;
  /** Public address of the resource server without path and trailing slash, with which proofs are compared; the issuer by default. */
  readonly publicUrl?: string;
  /** Audiences that this resource accepts; a token must contain one of them. */
  readonly audience: string | readonly string[];
  readonly keys: KeySource;
  /** Without it a token is valid until it expires. */
  readonly endedGrants?: EndedGrants;
  readonly clock: () => Date;
  /** Names the person who approved a token's grant, by their id. Without it the application stands for them. */
  readonly actorOf?: (personId: string) => string;
  /** The clients that an application or a grant is limited to at this moment; null = no limit. Without it limited ones reach nothing. */
  readonly clientRefsOf?: Record<"application" | "grant", (id: string) => Promise<readonly string[] | null>>;
  /** How many verified tokens are cached; 10,000 by default. */
  readonly cacheSize?: number;
  /**
   * How many ids of proofs are remembered, so that none is accepted twice; 50,000 by default, 400 a second for as long as a proof is accepted.
   * Beyond it, the tenant that used most is forgotten first.
   */
  readonly rememberedProofs?: number;
}

/** The result of a verifier: an `Authentication` of `@org/http`, whose principal also says until when its token is valid. */
export type BearerResult =
  | { readonly principal: VerifiedPrincipal }
  | { readonly refusal: BearerRefusal; readonly fault?: string };

/**
 * Checks the access token of requests, which it reads from nowhere but the Authorization header: a bearer token (RFC 6750), or one that is bound
 * to a key, with a proof of that key (RFC 9449 §7). Neither kind is accepted as the other.
 */
export interface BearerVerifier {
  /**
   * An `Authenticate` of `@org/http`, which returns at once when the token, its key and the ended grants are cached. It rejects only when
   * keys or ended grants cannot be read, never because of what a client sent.
   */
  verify(request: AuthenticatedRequest): MaybePromise<BearerResult>;
}

/**
 * Creates a verifier that caches tokens by their hash. A cached token needs no signature check, but its expiry, its key and the
 * end of its grant are checked every time, and so is the proof for one that is bound to a key.
 */
export function createBearerVerifier(options: BearerVerifierOptions): BearerVerifier {
  const { issuer, publicUrl = issuer, keys, endedGrants, clock, actorOf, cacheSize = 10_000 } = options;
  const { rememberedProofs = 50_000 } = options;
  const audience = typeof options.audience === "string" ? [options.audience] : options.audience;
  const verified = createLazyLru<VerifiedToken>({ max: cacheSize });
  const usedProofs = createUsedProofs(rememberedProofs);
  const proofKeys = createLazyLru<KeyObject>({ max: cacheSize });

  return {
    verify(request) {
      const { authorization } = request.headers;
      const [scheme = "", token = ""] = (authorization ?? "").split(/ +(.*)/s);
      const isProven = isDpop(authorization);
      if (!isProven && scheme.toLowerCase() !== "bearer") return { refusal: "missing" };
      const hashed = hash("sha256", token, "base64url");
      const known = verified.get(hashed);
      const checked = known ? checkKnown(known) : checkNew(token, hashed);
      return andThen(checked, (valid) => {
        if (valid === null || (valid.jkt !== null) !== isProven) return INVALID;
        const fault = valid.jkt === null ? null : proofFault(valid.principal, valid.jkt, token, request);
        return fault === null ? unlessEnded(valid) : { refusal: "invalid_proof", fault };
      });
    },
  };

  async function checkNew(token: string, hashed: string): Promise<VerifiedToken | null> {
    if (!TOKEN.test(token)) return null;
    const at = clock();
    const read = await readAccessToken(token, { issuer, audience, keys, actorOf }, at);
    if (!read || hasExpired(read.principal, at)) return null;
    verified.set(hashed, read);
    return read;
  }

  function checkKnown(known: VerifiedToken): MaybePromise<VerifiedToken | null> {
    if (hasExpired(known.principal, clock())) return null;
    return andThen(keys.isTrusted(known.kid), (isTrusted) => (isTrusted ? known : null));
  }

  /** What is wrong with the proof that a request sends with its token; null when it is valid, and used for the first time here. */
  function proofFault(
    { tenant_id, application_id }: VerifiedPrincipal,
    jkt: string,
    accessToken: string,
    { headers, method = "", url = "" }: AuthenticatedRequest,
  ): string | null {
    const at = clock();
    try {
      const bound = { accessToken, jkt, key: proofKeys.get(jkt) };
      const proof = checkProof({ proof: String(headers.dpop ?? ""), method, address: publicUrl + url, at, bound });
      proofKeys.set(jkt, proof.key);
      if (!usedProofs.use(tenant_id ?? application_id, proof, at)) throw proofRefused("replayed");
      return null;
    } catch (error) {
      if (error instanceof OAuthError) return error.message;
      throw error;
    }
  }

  function unlessEnded({ principal, subject, isLimited }: VerifiedToken): MaybePromise<BearerResult> {
    return andThen(endedGrants?.refresh(), () => {
      if (endedGrants?.has(principal.grant_id)) return INVALID;
      const limits = endedGrants?.limitsOn(subject, principal.client_id) ?? [];
      return isLimited || limits.length > 0 ? limited(principal, isLimited, limits) : { principal };
    });
  }

  /** What a limit has is read for every request: it changes with the clients' references. Several narrow each other. */
  async function limited(
    principal: VerifiedPrincipal,
    isLimited: boolean,
    applications: readonly string[],
  ): Promise<BearerResult> {
    const { clientRefsOf } = options;
    const none = async () => [];
    const reads = applications.map((id) => () => (clientRefsOf?.application ?? none)(id));
    if (isLimited) reads.push(() => (clientRefsOf?.grant ?? none)(principal.grant_id));
    let client_refs: readonly string[] | null = null;
    for (const read of reads) {
      const more = await read();
      client_refs = client_refs && more ? client_refs.filter((ref) => more.includes(ref)) : (client_refs ?? more);
    }
    return { principal: client_refs === null ? principal : { ...principal, client_refs } };
  }
}

const INVALID = { refusal: "invalid" } as const;

function hasExpired(principal: VerifiedPrincipal, at: Date): boolean {
  return at.getTime() >= principal.expires_at.getTime() + EXPIRY_LEEWAY_SECONDS * 1000;
}

/** The b64token of RFC 6750 §2.1, up to a length that our tokens never reach. */
const TOKEN = /^[A-Za-z0-9\-._~+/]{1,8192}=*$/;
