import { compactVerify, createLocalJWKSet, errors, type JSONWebKeySet } from "jose";
import { publicJwksSchema } from "../clients/client-metadata.js";
import { createDocumentCache } from "../clients/document-cache.js";
import { createDocumentFetch, type DocumentFetchOptions, fault } from "../clients/fetch-document.js";
import { OAuthError } from "../oauth-error.js";
import type { TrustedIssuer } from "../ports/trusted-issuer-store.js";
import { assertionRefused } from "./identity-assertion.js";

type KeyPlace = Pick<TrustedIssuer, "issuer" | "jwks" | "jwks_uri" | "algorithms">;

/** Public keys of identity providers. */
export interface IssuerKeys {
  /**
   * Verifies the signature of an assertion with the keys of its issuer, selected by `kid` or because only one fits. Throws
   * `invalid_grant` when it is invalid, and `temporarily_unavailable` when the keys cannot be read.
   */
  verify(assertion: string, trusted: KeyPlace, at: Date): Promise<void>;
  /** Reads the keys now, in the same way as for an assertion. Throws `invalid_trust` with what is wrong. */
  look(trusted: KeyPlace): Promise<{ readonly jwks_uri: string | null; readonly keys: readonly KeyView[] }>;
}

/** The public facts of a key. */
export interface KeyView {
  readonly kid: string | null;
  readonly kty: string;
  readonly alg: string | null;
}

/** Options for reading keys. */
export interface IssuerKeysOptions {
  readonly clock: () => Date;
  /** Null = nothing is fetched: only issuers with inline keys work. */
  readonly fetching: DocumentFetchOptions | null;
}

/**
 * Keys are fetched only over TLS, with concurrent callers sharing one fetch. They are kept for one to ten minutes whatever
 * their headers say, and reloaded for an unknown key id at most every ten seconds. Stale keys are never used when the provider
 * is down, because nobody gets an assertion from it then.
 */
export function createIssuerKeys({ clock, fetching }: IssuerKeysOptions): IssuerKeys {
  const source = fetching && documentsOf(clock, fetching);
  const keySets = source && createDocumentCache(source, (content) => keySetOf(content));
  const metadata = source && createDocumentCache(source, (content) => content);
  const nobody = { address: null, at: clock() };

  const addressOf = async ({ issuer, jwks_uri }: KeyPlace): Promise<string> => {
    if (jwks_uri !== null) return jwks_uri;
    if (!metadata) throw fault("nothing is fetched by this server");
    const found = await firstOf(metadataAddresses(issuer), (address) => metadata.get(address, nobody));
    if (found.issuer !== issuer) throw fault("the issuer in its metadata is another one");
    if (typeof found.jwks_uri !== "string" || !isKeysAddress(found.jwks_uri))
      throw fault("its metadata name no https address of keys");
    return found.jwks_uri;
  };
  const given = new WeakMap<object, KeySet>();
  const keysOf = async (trusted: KeyPlace, readAfter?: Date): Promise<KeySet> => {
    const { jwks } = trusted;
    if (jwks) {
      const known = given.get(jwks) ?? keySetOf(jwks);
      given.set(jwks, known);
      return known;
    }
    if (!keySets) throw fault("nothing is fetched by this server");
    return keySets.get(await addressOf(trusted), nobody, readAfter);
  };

  return {
    async verify(assertion, trusted, at) {
      const verifyWith = ({ resolve }: KeySet) =>
        compactVerify(assertion, resolve, { algorithms: [...trusted.algorithms] });
      const keys = await orUnavailable(() => keysOf(trusted));
      try {
        await verifyWith(keys);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw assertionRefused("signature", error);
        const newer = await orUnavailable(() => keysOf(trusted, new Date(at.getTime() - MIN_REFRESH_SECONDS * 1000)));
        if (newer === keys) throw assertionRefused("signature", error);
        await verifyWith(newer).catch((cause: unknown) => {
          throw assertionRefused("signature", cause);
        });
      }
    },
    async look(trusted) {
      try {
        const { keys } = await keysOf(trusted, clock());
        return { jwks_uri: trusted.jwks === null ? await addressOf(trusted) : null, keys };
      } catch (cause) {
        if (!(cause instanceof OAuthError)) throw cause;
        throw new OAuthError("invalid_trust", cause.message.replace(SUBJECT, "the keys cannot be used: "), { cause });
      }
    },
  };
}

interface KeySet {
  readonly resolve: ReturnType<typeof createLocalJWKSet>;
  readonly keys: readonly KeyView[];
}

function keySetOf(content: unknown): KeySet {
  const parsed = publicJwksSchema.safeParse(content);
  if (!parsed.success) throw fault("it is not a set of public keys");
  const keys = parsed.data.keys.map(({ kid, kty, alg }) => ({
    kid: kid ?? null,
    kty,
    alg: typeof alg === "string" ? alg : null,
  }));
  return { resolve: createLocalJWKSet(parsed.data as unknown as JSONWebKeySet), keys };
}

function documentsOf(clock: () => Date, fetching: DocumentFetchOptions) {
  const fetch = createDocumentFetch(clock, fetching);
  return {
    clock,
    // The URLs come from operators, or from issuers they trust: there are few, and each is fetched rarely.
    limit: async () => undefined,
    async fetch(address: string, network: string) {
      const fetched = await fetch(address, network);
      const maxAgeSeconds = Math.min(Math.max(fetched.maxAgeSeconds, MIN_SECONDS), MAX_SECONDS);
      return { ...fetched, maxAgeSeconds };
    },
  };
}

/** OpenID Connect Discovery §4, and RFC 8414 §3 with the path after the well-known part. */
function metadataAddresses(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

/** The result of the first address that succeeds; the first fault when none does. */
async function firstOf<T>(addresses: readonly string[], get: (address: string) => Promise<T>): Promise<T> {
  let first: unknown;
  for (const address of addresses)
    try {
      return await get(address);
    } catch (error) {
      first ??= error;
    }
  throw first;
}

/** Whether a URL may be used for fetching keys. */
export function isKeysAddress(text: string): boolean {
  if (text.length > 2048 || text.includes("#") || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === "https:" && username === "" && password === "";
}

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof OAuthError)) throw cause;
    throw new OAuthError("temporarily_unavailable", "the keys of the identity provider cannot be read at the moment", {
      cause,
      isUnavailable: true,
      retryAfterSeconds: AWAY_SECONDS,
      detail: "assertion_keys_away",
    });
  }
}

/** Prefix of document faults, which elsewhere are about clients. */
const SUBJECT = /^the document of this client cannot be used: /;
const MIN_REFRESH_SECONDS = 10;
const AWAY_SECONDS = 10;
const MIN_SECONDS = 60;
const MAX_SECONDS = 600;
