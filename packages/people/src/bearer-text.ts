import { timingSafeEqual } from "node:crypto";
import { parseUuid, type Runtime, type Uuid } from "@org/core";

/** The kinds of secrets that {@link newBearer} and {@link readBearer} handle. */
type Kind = "invitation" | "session";

const prefixes: Readonly<Record<Kind, string>> = { invitation: "wci_", session: "wcp_" };

/** Format of a session's cookie. Invitations have the same: a prefix, the tenant's id, the expiry, a secret of 256 bits, and a MAC of these. */
export const SESSION_COOKIE = /^wcp_[A-Za-z0-9_-]{22}[A-Za-z0-9_-]{6}[A-Za-z0-9_-]{43}[A-Za-z0-9_-]{22}$/;

/**
 * Creates a secret that contains its tenant, so that it is looked up in that tenant only, its expiry, and a MAC: one that somebody made up, or
 * that has expired, is refused without a query and uses nothing of the tenant's share of the database.
 * @returns the text for its holder, and the hash to store
 */
export function newBearer(
  runtime: Runtime,
  kind: Kind,
  { tenant_id, expires_at }: { readonly tenant_id: Uuid; readonly expires_at: Date },
): { text: string; hash: string } {
  const [tenant, expiry] = [bytesOf(tenant_id), Buffer.alloc(4)];
  expiry.writeUInt32BE(Math.ceil(expires_at.getTime() / 1000));
  const named = `${prefixes[kind]}${tenant.toString("base64url")}${expiry.toString("base64url")}${runtime.newSecret()}`;
  const text = named + proofOf(runtime, named).toString("base64url");
  return { text, hash: hashOf(runtime, kind, text) };
}

/** Parses a secret; null for anything that is not of this kind, was not made here, or has expired. */
export function readBearer(runtime: Runtime, kind: Kind, text: string): { tenant_id: Uuid; hash: string } | null {
  const match = /^((wc[ip]_)([A-Za-z0-9_-]{22})([A-Za-z0-9_-]{6})[A-Za-z0-9_-]{43})([A-Za-z0-9_-]{22})$/.exec(text);
  if (!match || match[2] !== prefixes[kind]) return null;
  const [, named = "", , tenant = "", expiry = "", proof = ""] = match;
  if (!timingSafeEqual(proofOf(runtime, named), Buffer.from(proof, "base64url"))) return null;
  if (Buffer.from(expiry, "base64url").readUInt32BE() * 1000 <= runtime.clock().getTime()) return null;
  const tenant_id = idOf(Buffer.from(tenant, "base64url"));
  return tenant_id && { tenant_id, hash: hashOf(runtime, kind, text) };
}

/** The id of a person where otherwise an application's id is, as in the audit trail. */
export function actorIdOf(personId: Uuid): string {
  return `${PERSON}${personId}`;
}

/** The person named by {@link actorIdOf}; null for an application or any other actor. */
export function personIdOf(actorId: string): Uuid | null {
  return actorId.startsWith(PERSON) ? parseUuid(actorId.slice(PERSON.length)) : null;
}

const PERSON = "person:";

/** The user handle of a person's passkeys (WebAuthn Level 3 §5.4.3): the tenant's id and the person's, 32 bytes. */
export function userHandle(person: { readonly tenant_id: Uuid; readonly person_id: Uuid }): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...bytesOf(person.tenant_id), ...bytesOf(person.person_id)]);
}

/** Parses a user handle; null when it is not one of these. @param handle base64url */
export function readUserHandle(handle: string | undefined): { tenant_id: Uuid; person_id: Uuid } | null {
  const bytes = Buffer.from(handle ?? "", "base64url");
  if (bytes.length !== 32) return null;
  const [tenant_id, person_id] = [idOf(bytes.subarray(0, 16)), idOf(bytes.subarray(16))];
  return tenant_id && person_id && { tenant_id, person_id };
}

function hashOf(runtime: Runtime, kind: Kind, text: string): string {
  return runtime.mac("people", `${kind} ${text}`);
}

function proofOf(runtime: Runtime, named: string): Buffer {
  return Buffer.from(runtime.mac("people", `proof ${named}`), "hex").subarray(0, 16);
}

function bytesOf(id: Uuid): Buffer {
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

function idOf(bytes: Buffer): Uuid | null {
  const hex = bytes.toString("hex");
  return parseUuid([hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-"));
}
