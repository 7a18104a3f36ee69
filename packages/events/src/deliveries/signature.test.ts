import { createPublicKey, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signatureOf } from "./signature.js";
import { createWebhookSigningKeys, type SigningSeed } from "./signing-keys.js";

/** The test vectors of the reference implementations of Standard Webhooks. */
const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const v1 = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const seed = Buffer.from("6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbc=", "base64");
const v1a = "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==";
const publicKey = "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=";

const day = (number: number) => new Date(Date.UTC(2026, 2, number));
const keysAt = (now: Date, ...seeds: SigningSeed[]) =>
  createWebhookSigningKeys(
    () => seeds,
    () => now,
  );
const first: SigningSeed = { key: seed, active_from: null, until: null };

describe("[C-11.60] signatures of Standard Webhooks", () => {
  it("v1 and v1a are those of the published vectors", () => {
    const keys = keysAt(day(1), first).signing();
    expect(signatureOf(message, { secrets: [secret], keys: [] })).toBe(v1);
    expect(signatureOf(message, { secrets: [], keys })).toBe(v1a);
    expect(signatureOf(message, { secrets: [secret, secret], keys })).toBe(`${v1} ${v1} ${v1a}`);
  });

  it("cover the body byte by byte", () => {
    const body = '{"name":"Zürich 🏦"}';
    const keys = keysAt(day(1), first);
    const [, signed = ""] = signatureOf({ ...message, body }, { secrets: [], keys: keys.signing() }).split(",");
    const key = createPublicKey({ key: keys.published()[0]?.jwk ?? {}, format: "jwk" });
    const content = Buffer.from(`${message.id}.${message.timestamp}.${body}`);
    expect(verify(null, content, key, Buffer.from(signed, "base64"))).toBe(true);
  });

  it("no other secret than one of an endpoint is taken", () =>
    expect(() => signatureOf(message, { secrets: ["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], keys: [] })).toThrow("whsec_"));
});

describe("[C-11.62] keys of the installation", () => {
  const next: SigningSeed = { key: Buffer.alloc(32, 7), active_from: day(10), until: null };
  const rotated = [{ ...first, until: day(17) }, next];

  it("are published as Standard Webhooks and RFC 8037 write them; the thumbprint is the one of RFC 8037 A.3", () => {
    expect(keysAt(day(1), first).published()[0]?.public_key).toBe(publicKey);
    const key = Buffer.from("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", "base64url");
    const kid = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";
    const x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    expect(keysAt(day(1), { ...first, key }).published()).toEqual([
      {
        kid,
        public_key: `whpk_${Buffer.from(x, "base64url").toString("base64")}`,
        since: null,
        until: null,
        jwk: { kty: "OKP", crv: "Ed25519", x, kid, alg: "Ed25519", use: "sig" },
      },
    ]);
  });

  it.each([
    ["before the next one signs", day(9), 1],
    ["from when it does: both sign", day(10), 2],
    ["until the former one ends", day(17), 1],
  ])("overlap: %s", (_, now, signing) => {
    const keys = keysAt(now, ...rotated);
    expect(keys.signing()).toHaveLength(signing);
    // A key is published before it signs.
    expect(keys.published().map(({ since, until }) => [since, until])).toEqual([
      [day(10).toISOString(), null],
      [null, day(17).toISOString()],
    ]);
  });

  it("are the same on every server", () =>
    expect(keysAt(day(1), ...rotated).published()).toEqual(keysAt(day(1), ...rotated).published()));
});
