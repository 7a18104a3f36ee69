import { timingSafeEqual } from "node:crypto";
import { type KeyedHash, storedHash } from "../keyed-hash.js";
import { bytesOfUuid, formatUuid, type RandomBytes, type Uuid } from "../uuid.js";

/** A refresh token as the store knows it. */
export interface RefreshTokenParts {
  readonly grant_id: Uuid;
  readonly token_hash: string;
}

/**
 * Makes an opaque refresh token of a grant: `wcr_` and, in base64url, key version, grant id, 256 random bits and a tag that
 * only this server can compute. The tag distinguishes a consumed token, which ends its family, from a guess, which must not,
 * without a row per token: a rotation changes one row and a family never grows.
 */
export function mintRefreshToken(
  hash: KeyedHash,
  grantId: Uuid,
  random: RandomBytes,
): RefreshTokenParts & { token: string } {
  const version = hash.activeVersion;
  const body = Buffer.concat([Buffer.of(version), bytesOfUuid(grantId), random(RANDOM_BYTES)]);
  const bytes = Buffer.concat([body, tagOf(hash, version, body) as Buffer]);
  const token_hash = storedHash(version, hash.digest(version, "refresh-token", bytes) as Buffer);
  return { grant_id: grantId, token_hash, token: PREFIX + bytes.toString("base64url") };
}

/** Parses a token issued here; null for anything else. The store knows whether it is still valid. */
export function readRefreshToken(hash: KeyedHash, token: string): RefreshTokenParts | null {
  if (!token.startsWith(PREFIX) || token.length !== TOKEN_LENGTH) return null;
  const bytes = Buffer.from(token.slice(PREFIX.length), "base64url");
  if (bytes.length !== TOKEN_BYTES || bytes.toString("base64url") !== token.slice(PREFIX.length)) return null;
  const body = bytes.subarray(0, TOKEN_BYTES - TAG_BYTES);
  const version = body[0] as number;
  const tag = tagOf(hash, version, body);
  const digest = hash.digest(version, "refresh-token", bytes);
  if (!tag || !digest || !timingSafeEqual(tag, bytes.subarray(body.length))) return null;
  return { grant_id: formatUuid(body.subarray(1, 17)), token_hash: storedHash(version, digest) };
}

function tagOf(hash: KeyedHash, version: number, body: Buffer): Buffer | undefined {
  return hash.digest(version, "refresh-token-tag", body)?.subarray(0, TAG_BYTES);
}

const PREFIX = "wcr_";
const RANDOM_BYTES = 32;
const TAG_BYTES = 16;
const TOKEN_BYTES = 1 + 16 + RANDOM_BYTES + TAG_BYTES;
const TOKEN_LENGTH = PREFIX.length + Math.ceil((TOKEN_BYTES * 4) / 3);
