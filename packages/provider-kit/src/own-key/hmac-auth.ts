import { createHmac } from "node:crypto";
import type { KeyAuth } from "./key-auth.js";

/** How an institution wants a form signed. */
export interface HmacRules<Field extends string> {
  readonly digest: "sha256" | "sha384" | "sha512";
  /** The member of the form with the nonce, which the institution wants to grow with every request of a key. */
  readonly nonce: string;
  /** The header for the key's name, and the field that has it. */
  readonly id: { readonly header: string; readonly field: Field };
  /** The field with the key's secret; `base64` if its bytes are written so. */
  readonly secret: { readonly field: Field; readonly encoding: "utf8" | "base64" };
  /** The header for the signature, in base64. */
  readonly signature: string;
  /** What is signed. `body` is the form as it is sent, the nonce included. */
  signed(request: { readonly path: string; readonly nonce: string; readonly body: string }): string | Uint8Array;
}

/**
 * Signs forms with a secret (HMAC, RFC 2104), for institutions that also want a nonce that always grows. Requests without a form are public and stay
 * as they are.
 *
 * The nonce is the time in microseconds. Within a process no two are equal. Two processes that use one key at the same moment must not overtake each
 * other on the way: the provider sets `spacing_ms`, so that their requests leave one after the other, and gives the institution's code for a nonce that
 * is too low the meaning `repeat`.
 */
export function hmacAuth<Field extends string>(rules: HmacRules<Field>): KeyAuth<Field> {
  const { digest, id, secret } = rules;
  let last = 0;

  return (request, key, now) => {
    if (request.form === undefined) return request;
    last = Math.max(last + 1, now.getTime() * 1_000);
    const nonce = String(last);
    const form = { [rules.nonce]: nonce, ...request.form };
    const body = new URLSearchParams(form).toString();
    const message = rules.signed({ path: request.url.pathname, nonce, body });
    const signature = createHmac(digest, Buffer.from(key[secret.field], secret.encoding)).update(message);
    const headers = { [id.header]: key[id.field], [rules.signature]: signature.digest("base64") };
    return { ...request, headers: { ...request.headers, ...headers }, form };
  };
}
