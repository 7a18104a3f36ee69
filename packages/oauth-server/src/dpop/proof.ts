import { createPublicKey, hash, type KeyObject, verify } from "node:crypto";
import { PROOF_ALGORITHMS } from "@org/http";
import { z } from "zod";
import { OAuthError } from "../oauth-error.js";

/** The request that a proof has to be for. */
export interface ProvenRequest {
  /** Value of the header `DPoP`. Node joins repeated ones with commas, which no proof has. */
  readonly proof: string;
  readonly method: string;
  /** Its public address; query and fragment do not count. */
  readonly address: string;
  readonly at: Date;
  /** At a resource: the access token that the proof has to name, and its key. */
  readonly bound?: BoundToken;
}

/** An access token that is bound to a key. */
export interface BoundToken {
  readonly accessToken: string;
  /** Thumbprint of the key. */
  readonly jkt: string;
  /** The key, if it was imported for an earlier proof: importing one costs more than checking a signature. */
  readonly key?: KeyObject | undefined;
}

/** A valid proof. */
export interface Proof {
  /** Thumbprint of its key (RFC 7638). */
  readonly jkt: string;
  readonly key: KeyObject;
  /** Chosen by the client, unique for each request. */
  readonly jti: string;
  /** When it is refused for its age. Until then its id must be remembered. */
  readonly usableUntil: Date;
}

/**
 * Checks a DPoP proof as RFC 9449 §4.3 lists it, apart from whether its id was used before. Uses `node:crypto` directly: one proof per call of a
 * tool costs a third of what WebCrypto needs for it. Throws `invalid_dpop_proof`.
 */
export function checkProof({ proof, method, address, at, bound }: ProvenRequest): Proof {
  const jws = proof.length > MAX_PROOF_LENGTH ? null : JWS.exec(proof);
  if (!jws) throw proofRefused("malformed");
  const [, encodedHeader = "", encodedClaims = "", signature = ""] = jws;
  const header = headerSchema.safeParse(parsed(encodedHeader));
  if (!header.success) throw proofRefused(faultOfHeader(header.error));
  const { alg, jwk } = header.data;
  if ((alg === "ES256") !== (jwk.kty === "EC")) throw proofRefused("key");
  const jkt = thumbprintOf(jwk);
  // Checked first, so that a token alone, without its key, cannot make the server import keys.
  if (bound && bound.jkt !== jkt) throw proofRefused("binding");
  const key = bound?.key ?? publicKeyOf(jwk);
  const digest = alg === "ES256" ? "sha256" : null;
  const signed = Buffer.from(`${encodedHeader}.${encodedClaims}`);
  if (!verify(digest, signed, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url")))
    throw proofRefused("signature");

  const claims = claimsSchema.safeParse(parsed(encodedClaims));
  if (!claims.success) throw proofRefused("claims");
  const { jti, htm, htu, iat, ath } = claims.data;
  if (htm !== method) throw proofRefused("method");
  if (!isSameAddress(htu, address)) throw proofRefused("address");
  if (Math.abs(at.getTime() / 1000 - iat) > PROOF_SECONDS) throw proofRefused("time");
  if (bound && ath !== hash("sha256", bound.accessToken, "base64url")) throw proofRefused("token");
  return { jkt, key, jti, usableUntil: new Date((iat + PROOF_SECONDS) * 1000) };
}

/** What is wrong with a proof. */
export type ProofFault = keyof typeof FAULTS;

/** The refusal of a proof; the audit trail and metrics name its fault. */
export function proofRefused(fault: ProofFault): OAuthError {
  return new OAuthError("invalid_dpop_proof", FAULTS[fault], { detail: `dpop_${fault}` });
}

/** How far a proof's `iat` may be from this server's clock, in either direction. */
const PROOF_SECONDS = 60;

const FAULTS = {
  missing: "access tokens of this client are bound to a key, so the header DPoP must hold a proof (RFC 9449)",
  malformed: "the header DPoP must hold one signed JWT of at most 4096 characters",
  type: "typ must be dpop+jwt",
  algorithm: `alg must be one of ${PROOF_ALGORITHMS.join(", ")}`,
  key: "jwk must be the public key of alg, in canonical form and without private members",
  header: "the header of the proof must hold typ, alg and jwk, and no crit",
  signature: "the signature does not match jwk",
  claims: "the proof must hold jti, of 1 to 200 printable ASCII characters, htm, htu and iat",
  method: "htm is not the method of the request",
  address: "htu is not the public address of the request",
  time: `iat is more than ${PROOF_SECONDS} seconds away from the clock of the server`,
  token: "ath is not the hash of the access token",
  binding: "the access token is bound to another key",
  replayed: "jti was used before",
} as const;

const JWS = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const MAX_PROOF_LENGTH = 4096;

/**
 * 256 bits in base64url, the size of every coordinate of these curves and of a thumbprint. The last character has two bits to spare, which must
 * be zero (RFC 4648 §3.5): otherwise one key would have several thumbprints.
 */
export const BITS_256 = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
const coordinate = z.string().regex(BITS_256);
const absent = z.undefined().optional();
const headerSchema = z.object({
  typ: z.literal("dpop+jwt"),
  alg: z.enum(PROOF_ALGORITHMS),
  jwk: z.union([
    z.object({ kty: z.literal("EC"), crv: z.literal("P-256"), x: coordinate, y: coordinate, d: absent }),
    z.object({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: coordinate, d: absent }),
  ]),
  // Extensions that must be understood (RFC 7515 §4.1.11); none is.
  crit: absent,
});
type ProofKey = z.output<typeof headerSchema>["jwk"];

const claimsSchema = z.object({
  jti: z.string().regex(/^[\x20-\x7e]{1,200}$/),
  htm: z.string(),
  htu: z.string(),
  iat: z.number(),
  ath: z.string().optional(),
});

function parsed(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}

function faultOfHeader({ issues: [issue] }: z.ZodError): ProofFault {
  switch (issue?.path[0]) {
    case "typ":
      return "type";
    case "alg":
      return "algorithm";
    case "jwk":
      return "key";
    default:
      return "header";
  }
}

function publicKeyOf(jwk: ProofKey): KeyObject {
  try {
    const { d: _, ...key } = jwk;
    return createPublicKey({ key, format: "jwk" });
  } catch {
    throw proofRefused("key");
  }
}

/** RFC 7638 §3: the required members in lexicographic order. */
function thumbprintOf(jwk: ProofKey): string {
  const { kty, crv, x } = jwk;
  return hash("sha256", JSON.stringify("y" in jwk ? { crv, kty, x, y: jwk.y } : { crv, kty, x }), "base64url");
}

/** Whether both are the same address without query and fragment, as URL parsers write it (RFC 3986 §6.2.2, §6.2.3). */
function isSameAddress(one: string, other: string): boolean {
  const address = addressOf(one);
  return address !== null && address === addressOf(other);
}

function addressOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const address = new URL(text);
  address.search = "";
  address.hash = "";
  return address.href;
}
