import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import { type SessionKeys, type SessionOwner, sessionKeyRing } from "./session-ids.js";

/**
 * State that a client carries from one round of a request to the next (2026-07-28 "Multi round-trip requests"): JSON, signed, and valid
 * only for the application, tenant and purpose that it was made for. A client can read it.
 */
export interface RequestStates {
  /** @param purpose what it may be used for, such as `tools/call svc-create-connect-session` */
  mint(purpose: string, payload: unknown): string;
  /** Returns the minted payload; null when the state is damaged, expired, another owner's or for another purpose. */
  read(purpose: string, state: unknown): { readonly payload: unknown; readonly expiresAt: Date } | null;
}

/** How long a person may take to answer. */
const LIFE_SECONDS = 3_600;
/** Key id, expiry (Unix seconds), payload, MAC. */
const SHAPE = /^wcr1\.([\w-]{1,40})\.(\d{1,12})\.([\w-]{1,20000})\.([\w-]{43})$/;

/** Makes the {@link RequestStates} of a request's sender. @param keys those of session ids: the first signs, all verify */
export function createRequestStates(deps: {
  keys: SessionKeys;
  clock: () => Date;
}): (owner: SessionOwner) => RequestStates {
  const ring = sessionKeyRing(deps.keys);
  const now = () => Math.floor(deps.clock().getTime() / 1000);

  return (owner) => ({
    mint(purpose, payload) {
      const { id, key } = ring().signing;
      const json = Buffer.from(JSON.stringify(payload)).toString("base64url");
      const signed = `wcr1.${id}.${now() + LIFE_SECONDS}.${json}`;
      return `${signed}.${macOf(key, signed, owner, purpose).toString("base64url")}`;
    },
    read(purpose, state) {
      const [text = "", id = "", expires = "", json = "", mac = ""] =
        (typeof state === "string" && SHAPE.exec(state)) || [];
      const key = ring().byId.get(id);
      if (!key || Number(expires) <= now()) return null;
      const expected = macOf(key, text.slice(0, -mac.length - 1), owner, purpose);
      if (!timingSafeEqual(expected, Buffer.from(mac, "base64url"))) return null;
      const payload: unknown = JSON.parse(Buffer.from(json, "base64url").toString("utf8"));
      return { payload, expiresAt: new Date(Number(expires) * 1000) };
    },
  });
}

/** The purpose and the owner are signed but not included, so the state does not verify under any other. */
function macOf(key: KeyObject, signed: string, { application_id, tenant_id }: SessionOwner, purpose: string): Buffer {
  const bound = JSON.stringify(["request state", application_id, tenant_id, purpose]);
  return createHmac("sha256", key).update(`${signed}\n${bound}`).digest();
}
