import { createHash } from "node:crypto";
import { compactVerify, decodeProtectedHeader, importJWK, type JWK } from "jose";
import { expect, it } from "vitest";
import { HOOK, openDesk } from "./plaid-desk.js";
import type { PlaidDelivery } from "./plaid-webhooks.js";

const event = { webhook_type: "ITEM", webhook_code: "LOGIN_REPAIRED", item_id: "1", environment: "production" };

/** What the steps of plaid.com/docs/api/webhooks/webhook-verification find. */
async function verifier() {
  const plaid = await openDesk();
  async function fault({ headers, body }: PlaidDelivery, now = "2026-11-20T15:00:00Z"): Promise<string | null> {
    const token = headers["plaid-verification"];
    if (token === undefined) return "no token";
    const header = (() => {
      try {
        return decodeProtectedHeader(token);
      } catch {
        return null;
      }
    })();
    if (!header) return "no token";
    if (header.alg !== "ES256") return "algorithm";
    const answer = await plaid.post("/webhook_verification_key/get", { key_id: header.kid });
    if (answer.status !== 200) return answer.body.error_code;
    if (answer.body.key.expired_at !== null) return "expired key";
    const verified = await compactVerify(token, await importJWK(answer.body.key as JWK, "ES256")).catch(() => null);
    if (!verified) return "signature";
    const claims = JSON.parse(new TextDecoder().decode(verified.payload));
    if (Math.abs(Date.parse(now) / 1000 - claims.iat) > 300) return "time";
    return claims.request_body_sha256 === createHash("sha256").update(body).digest("hex") ? null : "body";
  }
  return { ...plaid, fault };
}

it("Plaid: webhooks are signed with ES256 over a body in two spaces, by keys that are asked for by their id", async () => {
  const plaid = await verifier();
  const first = await plaid.webhooks.send(HOOK, event);
  expect(first).toMatchObject({ status: 200, event });
  expect(first.body).toBe(JSON.stringify(event, null, 2));
  expect(await plaid.fault(first)).toBeNull();
  const { kid } = plaid.webhooks;
  plaid.webhooks.rotate();
  expect(plaid.webhooks.kid).not.toBe(kid);
  expect(await plaid.fault(await plaid.webhooks.send(HOOK, event))).toBeNull();
  const { key } = await plaid.well("/webhook_verification_key/get", { key_id: kid });
  expect(key).toMatchObject({ kid, alg: "ES256", crv: "P-256", use: "sig", expired_at: 1795186800 });
  expect(await plaid.fault(first)).toBe("expired key");
  expect(await plaid.refused("/webhook_verification_key/get", { key_id: "none" })).toBe(
    "400 INVALID_INPUT INVALID_WEBHOOK_VERIFICATION_KEY_ID",
  );
});

it("Plaid: webhooks that are not Plaid's, for another body, of another time, or sent again", async () => {
  const plaid = await verifier();
  const found = [];
  for (const signature of ["unsigned", "garbage", "forged", "unknown_key", "other_body", "old", "early"] as const)
    found.push(await plaid.fault(await plaid.webhooks.send(HOOK, event, signature)));
  expect(found).toEqual([
    ...["no token", "no token", "signature", "INVALID_WEBHOOK_VERIFICATION_KEY_ID", "body", "time", "time"],
  ]);
  expect(await plaid.fault(await plaid.webhooks.send(HOOK, event, "none"))).toBe("algorithm");
  expect(await plaid.fault(await plaid.webhooks.send(HOOK, event, "hmac"))).toBe("algorithm");
  expect(await plaid.fault(await plaid.webhooks.send(HOOK, event, "expired_key"))).toBe("expired key");
  const sent = await plaid.webhooks.send(HOOK, event);
  plaid.later(6 * 60_000);
  const [replayed, retried] = [await plaid.webhooks.replay(sent), await plaid.webhooks.retry(sent)];
  expect(replayed).toEqual(sent);
  expect(await plaid.fault(replayed, "2026-11-20T15:06:00Z")).toBe("time");
  expect(await plaid.fault(retried, "2026-11-20T15:06:00Z")).toBeNull();
});

it("Plaid: a webhook that nobody takes is noted, and webhooks can stay away", async () => {
  const plaid = await openDesk({ deliver: () => Promise.reject(new Error("refused")) });
  expect((await plaid.webhooks.send(HOOK, event)).status).toBeNull();
  plaid.webhooks.pause();
  plaid.webhooks.announce(HOOK, event);
  plaid.webhooks.resume();
  plaid.webhooks.announce(HOOK, event);
  await plaid.webhooks.settled();
  expect(plaid.webhooks.sent.map(({ status }) => status)).toEqual([null, null]);
});
