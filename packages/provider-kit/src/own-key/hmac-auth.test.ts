import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { hmacAuth } from "./hmac-auth.js";

const auth = hmacAuth<"id" | "secret">({
  digest: "sha512",
  nonce: "nonce",
  id: { header: "API-Key", field: "id" },
  secret: { field: "secret", encoding: "base64" },
  signature: "API-Sign",
  signed: ({ path, nonce, body }) =>
    Buffer.concat([Buffer.from(path), createHash("sha256").update(`${nonce}${body}`).digest()]),
});
const key = {
  id: "id-of-ada",
  secret: "kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg==",
};
const url = new URL("https://api.bank.example/0/private/AddOrder");
const order = { ordertype: "limit", pair: "XBTUSD", price: "37500", type: "buy", volume: "1.25" };
const nonceOf = (now: number) =>
  Number(auth({ method: "POST", url, headers: {}, form: {} }, key, new Date(now)).form?.nonce);

it("[C-5.157] a form is signed over path, nonce and body, as in the example that Kraken publishes", () => {
  const now = new Date(1_616_492_376);
  // The example's nonce is in milliseconds: the 594th after this one.
  for (let before = 0; before < 594; before += 1) nonceOf(now.getTime());
  const sent = auth({ method: "POST", url, headers: { accept: "*/*" }, form: order }, key, now);
  expect(sent.form).toEqual({ nonce: "1616492376594", ...order });
  expect(sent.headers).toEqual({
    accept: "*/*",
    "API-Key": "id-of-ada",
    "API-Sign": "4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ==",
  });
});

it("[C-5.157] a nonce is the time, and grows in a process whose clock stands still or goes back; what is public is not signed", () => {
  const now = Date.parse("2026-03-02T09:00:00.000Z");
  expect([nonceOf(now), nonceOf(now), nonceOf(now - 60_000), nonceOf(now + 1)]).toEqual([
    now * 1_000,
    now * 1_000 + 1,
    now * 1_000 + 2,
    (now + 1) * 1_000,
  ]);
  const plain = { method: "GET", url, headers: {} } as const;
  expect(auth(plain, key, new Date(now))).toBe(plain);
});
