import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { providerFor, refusal, startScriptedPlaid } from "./scripted-plaid.js";

const NOW = Date.parse("2026-03-10T18:00:00Z") / 1_000;
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const jwk = { ...publicKey.export({ format: "jwk" }), alg: "ES256", use: "sig", created_at: 1 };
const update = {
  webhook_type: "HOLDINGS",
  webhook_code: "DEFAULT_UPDATE",
  item_id: "item-1",
  environment: "production",
};
let expired: Record<string, number> = {};
let bank: Awaited<ReturnType<typeof startScriptedPlaid>>;
let at: Awaited<ReturnType<typeof providerFor>>;

beforeEach(async () => {
  expired = {};
  bank = await startScriptedPlaid({
    "/webhook_verification_key/get": ({ key_id }) =>
      String(key_id).startsWith("key-")
        ? { key: { ...jwk, kid: key_id, expired_at: expired[String(key_id)] ?? null }, request_id: "r" }
        : refusal(400, "INVALID_INPUT", "INVALID_WEBHOOK_VERIFICATION_KEY_ID"),
  });
  at = await providerFor(bank.base_url);
});

afterEach(async () => {
  await at.http.close();
  bank.close();
});

interface Sent {
  kid?: string;
  alg?: string;
  iat?: number;
  body?: object;
  signed?: object;
  key?: KeyObject;
  hash?: string;
}

function notify({
  kid = "key-1",
  alg = "ES256",
  iat = NOW,
  body = update,
  signed = body,
  key = privateKey,
  hash = createHash("sha256").update(JSON.stringify(signed)).digest("hex"),
}: Sent = {}) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg, kid, typ: "JWT" })}.${part({ iat, request_body_sha256: hash })}`;
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
  return at.provider.notify?.({
    headers: { "plaid-verification": `${text}.${signature}` },
    body: Buffer.from(JSON.stringify(body)),
    signal: new AbortController().signal,
  });
}

const unverified = { kind: "unverified" };
const keysAsked = () => bank.to("/webhook_verification_key/get").length;

it("[C-5.256] a webhook with Plaid's signature names the Item that changed, and its key is asked for once; replayed, it says the same", async () => {
  const changed = { kind: "changed", references: ["item-1"] };
  const together = await Promise.all(Array.from({ length: 10 }, () => notify()));
  expect(together).toEqual(Array.from({ length: 10 }, () => changed));
  for (let time = 0; time < 3; time += 1) expect(await notify()).toEqual(changed);
  expect(keysAsked()).toBe(1);
});

it.each([
  ["ITEM", "ERROR", true],
  ["ITEM", "LOGIN_REPAIRED", true],
  ["ITEM", "PENDING_EXPIRATION", true],
  ["ITEM", "PENDING_DISCONNECT", true],
  ["ITEM", "USER_PERMISSION_REVOKED", true],
  ["ITEM", "NEW_ACCOUNTS_AVAILABLE", true],
  ["INVESTMENTS_TRANSACTIONS", "DEFAULT_UPDATE", true],
  ["INVESTMENTS_TRANSACTIONS", "HISTORICAL_UPDATE", true],
  ["ITEM", "WEBHOOK_UPDATE_ACKNOWLEDGED", false],
  ["TRANSACTIONS", "SYNC_UPDATES_AVAILABLE", false],
  ["LINK", "SESSION_FINISHED", false],
])("[C-5.256] %s %s changes an Item: %s", async (webhook_type, webhook_code, isChange) => {
  const answer = await notify({ body: { ...update, webhook_type, webhook_code } });
  expect(answer).toEqual({ kind: "changed", references: isChange ? ["item-1"] : [] });
});

it("[C-5.256] one that is old, of another body, of another key or algorithm, or no JWT is not believed", async () => {
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  expect(await notify({ iat: NOW - 301 })).toEqual(unverified);
  expect(await notify({ iat: NOW + 301 })).toEqual(unverified);
  expect(await notify({ signed: { ...update, item_id: "item-2" } })).toEqual(unverified);
  for (const hash of ["", "0".repeat(64), "é".repeat(64)]) expect(await notify({ hash })).toEqual(unverified);
  expect(await notify({ alg: "none" })).toEqual(unverified);
  expect(await notify({ kid: "../item/remove" })).toEqual(unverified);
  // None of these has made us ask for a key.
  expect(keysAsked()).toBe(0);
  expect(await notify({ key: other })).toEqual(unverified);
  const { signal } = new AbortController();
  for (const text of ["", "a.b", "a.b.c", "a.b.c.d", "e30.e30.e30"])
    expect(
      await at.provider.notify?.({ headers: { "plaid-verification": text }, body: Buffer.from("{}"), signal }),
    ).toEqual(unverified);
});

it("[C-5.256] a flood of made-up key ids is five requests a minute, and known keys go on", async () => {
  expect(await notify()).toMatchObject({ kind: "changed" });
  for (let index = 0; index < 200; index += 1) expect(await notify({ kid: `forged-${index}` })).toEqual(unverified);
  expect(keysAsked()).toBe(5);
  expect(await notify()).toMatchObject({ kind: "changed" });
});

it("[C-5.256] keys rotate: a new one is asked for, and one that has expired is refused within the hour", async () => {
  expect(await notify({ kid: "key-1" })).toMatchObject({ kind: "changed" });
  expect(await notify({ kid: "key-2" })).toMatchObject({ kind: "changed" });
  expired = { "key-1": NOW };
  at.time.now = new Date((NOW + 3_600) * 1_000);
  expect(await notify({ kid: "key-1", iat: NOW + 3_600 })).toEqual(unverified);
  expect(await notify({ kid: "key-2", iat: NOW + 3_600 })).toMatchObject({ kind: "changed" });
});
