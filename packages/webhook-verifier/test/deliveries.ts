import type { webcrypto } from "node:crypto";
import type { WebhookEvent } from "../src/index.js";

/** A secret from the tests of the Standard Webhooks repository. */
export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export const otherSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

export const event = {
  id: "019abcde-0000-7000-8000-000000000001",
  type: "connection.needs_relogin",
  created_at: "2026-11-22T12:00:00.000Z",
  tenant_id: "019abcde-0000-7000-8000-0000000000aa",
  sequence: 42,
  data: {
    connection_id: "019abcde-0000-7000-8000-0000000000bb",
    connector_id: "esp:banco-penaclarin",
    client_ref: null,
    status: "needs_relogin",
    letter_id: null,
    reason: "sca_required",
  },
} as const satisfies WebhookEvent;

export const now = new Date("2026-11-22T12:00:01.000Z");
export const timestamp = String(now.getTime() / 1000);

/** The fetch `Headers` of a delivery with these signatures. */
export function headersOf(signatures: readonly string[], more: Readonly<Record<string, string>> = {}): Headers {
  return new Headers({
    "webhook-id": event.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
    ...more,
  });
}

/** An Ed25519 key pair with its public half as `whpk_…`, and a function that signs. */
export async function createSigner() {
  const pair = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
  const { privateKey, publicKey } = pair as webcrypto.CryptoKeyPair;
  const raw = await crypto.subtle.exportKey("raw", publicKey);
  return {
    publicKey: `whpk_${Buffer.from(raw).toString("base64")}`,
    async sign(body: string, id: string = event.id, at = timestamp): Promise<string> {
      const content = new TextEncoder().encode(`${id}.${at}.${body}`);
      const signature = await crypto.subtle.sign({ name: "Ed25519" }, privateKey, content);
      return `v1a,${Buffer.from(signature).toString("base64")}`;
    },
  };
}
