import { timingSafeEqual } from "node:crypto";
import { type KeyedHash, storedHash } from "../keyed-hash.js";
import { bytesOfUuid, formatUuid, type Uuid } from "../uuid.js";

/** An authorization code as the store knows it. */
export interface CodeParts {
  readonly request_id: Uuid;
  readonly code_hash: string;
}

/**
 * Makes the code of a request: `wcc_` and, in base64url, key version, request id, 256 bits that only this server can compute,
 * and only for the browser that holds `browserSecret`, and a tag by which a made-up code is refused without a query. The same approval of a request always gives the same code, so
 * that a second click on Approve gets the same answer without storing the code; an approval of other scopes, for other clients, or by
 * another login, gives a different one.
 */
export function mintCode(
  hash: KeyedHash,
  requestId: Uuid,
  approved: { browserSecret: string; by: string; scopes: readonly string[]; client_refs: readonly string[] | null },
): CodeParts & { code: string } {
  const version = hash.activeVersion;
  const { browserSecret, by, scopes, client_refs } = approved;
  const facts = JSON.stringify([requestId, browserSecret, by, scopes, client_refs]);
  const secret = hash.digest(version, "authorization-code-secret", facts) as Buffer;
  const body = Buffer.concat([Buffer.of(version), bytesOfUuid(requestId), secret]);
  const bytes = Buffer.concat([body, tagOf(hash, version, body) as Buffer]);
  return {
    request_id: requestId,
    code_hash: hashOf(hash, version, bytes) as string,
    code: PREFIX + bytes.toString("base64url"),
  };
}

/** Parses a code made here; null for anything else. The store knows whether it was issued. */
export function readCode(hash: KeyedHash, code: string): CodeParts | null {
  if (!code.startsWith(PREFIX)) return null;
  const bytes = Buffer.from(code.slice(PREFIX.length), "base64url");
  if (bytes.length !== CODE_BYTES || bytes.toString("base64url") !== code.slice(PREFIX.length)) return null;
  const [version, body] = [bytes[0] as number, bytes.subarray(0, CODE_BYTES - TAG_BYTES)];
  const tag = tagOf(hash, version, body);
  if (!tag || !timingSafeEqual(tag, bytes.subarray(body.length))) return null;
  return { request_id: formatUuid(bytes.subarray(1, 17)), code_hash: hashOf(hash, version, bytes) as string };
}

function tagOf(hash: KeyedHash, version: number, body: Buffer): Buffer | undefined {
  return hash.digest(version, "authorization-code-tag", body)?.subarray(0, TAG_BYTES);
}

function hashOf(hash: KeyedHash, version: number, bytes: Buffer): string | null {
  const digest = hash.digest(version, "authorization-code", bytes);
  return digest && storedHash(version, digest);
}

const PREFIX = "wcc_";
const TAG_BYTES = 16;
const CODE_BYTES = 1 + 16 + 32 + TAG_BYTES;
