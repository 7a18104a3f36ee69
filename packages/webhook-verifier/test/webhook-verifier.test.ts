import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { createWebhookVerifier, type WebhookVerifierOptions } from "../src/index.js";
import { createSigner, event, headersOf, now, otherSecret, secret, timestamp } from "./deliveries.js";

const body = JSON.stringify(event);
const signed = (by = secret, text = body, at = now) => new Webhook(by).sign(event.id, at, text);
const verifierOf = (options: WebhookVerifierOptions) => createWebhookVerifier({ now: () => now, ...options });
const code = (expected: string) => expect.objectContaining({ name: "WebhookVerificationError", code: expected });

describe("[C-11.80] a delivery signed with the endpoint's secret", () => {
  it("by npm's standardwebhooks is that event", async () => {
    expect(await verifierOf({ secrets: secret }).verify(body, headersOf([signed()]))).toEqual(event);
  });

  it("is what npm's standardwebhooks takes as well", () => {
    const at = new Date();
    const headers = {
      "webhook-id": event.id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": signed(secret, body, at),
    };
    expect(new Webhook(secret).verify(body, headers)).toEqual(event);
  });

  it.each([
    ["bytes", new TextEncoder().encode(body)],
    ["Node's buffer", Buffer.from(body)],
    ["an ArrayBuffer", new TextEncoder().encode(body).buffer],
    ["a text", body],
  ])("is taken as %s", async (_, bytes) => {
    expect(await verifierOf({ secrets: secret }).verify(bytes, headersOf([signed()]))).toEqual(event);
  });

  it("is taken with headers in any case, as Node or a gateway has them", async () => {
    const headers = {
      "Webhook-Id": event.id,
      "WEBHOOK-TIMESTAMP": timestamp,
      "webhook-signature": signed(),
      accept: ["a", "b"],
    };
    expect(await verifierOf({ secrets: secret }).verify(body, headers)).toEqual(event);
  });

  it("is taken while secrets rotate: one of several signatures, one of several secrets", async () => {
    const headers = headersOf(["v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=", signed(otherSecret), signed()]);
    for (const secrets of [secret, otherSecret, [otherSecret, secret]])
      expect(await verifierOf({ secrets }).verify(body, headers)).toEqual(event);
  });

  it("is refused when a byte is another, the secret is another, or the body was written again", async () => {
    const { verify } = verifierOf({ secrets: secret });
    await expect(verify(`${body} `, headersOf([signed()]))).rejects.toEqual(code("SIGNATURE_MISMATCH"));
    await expect(verify(body, headersOf([signed(otherSecret)]))).rejects.toEqual(code("SIGNATURE_MISMATCH"));
    await expect(verify(body, headersOf([signed()], { "webhook-id": "another" }))).rejects.toEqual(
      code("SIGNATURE_MISMATCH"),
    );
    await expect(
      verify(body, headersOf([signed()], { "webhook-timestamp": String(Number(timestamp) - 1) })),
    ).rejects.toEqual(code("SIGNATURE_MISMATCH"));
    await expect(verify(event as never, headersOf([signed()]))).rejects.toThrow("as it arrived");
  });
});

describe("[C-11.81] a delivery signed with the installation's key", () => {
  it("is taken with its whpk_ key, with several of them, or with the key document", async () => {
    const [one, other] = [await createSigner(), await createSigner()];
    const headers = headersOf([signed(), await one.sign(body)]);
    const document = {
      keys: [
        { kid: "2", public_key: other.publicKey, since: "2026-11-22T00:00:00Z", until: null },
        { kid: "1", public_key: one.publicKey, since: null, until: "2026-11-23T00:00:00Z" },
      ],
    };
    for (const publicKeys of [one.publicKey, [other.publicKey, one.publicKey], document])
      expect(await verifierOf({ publicKeys }).verify(body, headers)).toEqual(event);
    await expect(verifierOf({ publicKeys: other.publicKey }).verify(body, headers)).rejects.toEqual(
      code("SIGNATURE_MISMATCH"),
    );
  });

  it("is refused with a key whose time had ended when the delivery was made", async () => {
    const signer = await createSigner();
    const publicKeys = (until: string) => ({
      keys: [{ kid: "1", public_key: signer.publicKey, since: "2026-11-01T00:00:00Z", until }],
    });
    const headers = headersOf([await signer.sign(body)]);
    expect(await verifierOf({ publicKeys: publicKeys("2026-11-22T12:00:01Z") }).verify(body, headers)).toEqual(event);
    await expect(verifierOf({ publicKeys: publicKeys("2026-11-22T12:00:00Z") }).verify(body, headers)).rejects.toEqual(
      code("SIGNATURE_MISMATCH"),
    );
  });

  it("is not taken for one of a secret, nor the other way round", async () => {
    const signer = await createSigner();
    const headers = headersOf([signed()]);
    await expect(verifierOf({ publicKeys: signer.publicKey }).verify(body, headers)).rejects.toThrow(
      "webhook-signature has v1, and keys are given for v1a",
    );
    await expect(verifierOf({ secrets: secret }).verify(body, headersOf([await signer.sign(body)]))).rejects.toThrow(
      "has v1a, and keys are given for v1",
    );
    await expect(
      verifierOf({ secrets: secret }).verify(body, headersOf([signed().replace("v1,", "v1a,")])),
    ).rejects.toEqual(code("SIGNATURE_MISMATCH"));
  });
});

describe("[C-11.82] a delivery's time", () => {
  it.each([
    [-301, "TOO_OLD"],
    [-300, null],
    [300, null],
    [301, "TOO_NEW"],
  ])("%s seconds from now: %s", async (seconds, refused) => {
    const at = new Date(now.getTime() + seconds * 1000);
    const headers = headersOf([signed(secret, body, at)], { "webhook-timestamp": String(at.getTime() / 1000) });
    const verified = verifierOf({ secrets: secret }).verify(body, headers);
    await (refused === null
      ? expect(verified).resolves.toEqual(event)
      : expect(verified).rejects.toEqual(code(refused)));
  });

  it("may be farther away where the caller says so", async () => {
    const at = new Date(now.getTime() - 3_000_000);
    const headers = headersOf([signed(secret, body, at)], { "webhook-timestamp": String(at.getTime() / 1000) });
    expect(await verifierOf({ secrets: secret, toleranceSeconds: 3_000 }).verify(body, headers)).toEqual(event);
  });
});

describe("headers that are wrong", () => {
  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("%s is missing", async (name) => {
    const headers = headersOf([signed()]);
    headers.delete(name);
    const refused = verifierOf({ secrets: secret }).verify(body, headers);
    await expect(refused).rejects.toEqual(code("MISSING_HEADER"));
    await expect(refused).rejects.toThrow(name);
  });

  it.each([
    ["webhook-id", "with.a.stop"],
    ["webhook-id", "x".repeat(257)],
    ["webhook-timestamp", "hello"],
    ["webhook-timestamp", "1e9"],
    ["webhook-timestamp", "-5"],
    ["webhook-timestamp", `${timestamp} and more`],
    ["webhook-signature", Array(17).fill("v1,AA==").join(" ")],
  ])("%s: %s", async (name, text) => {
    await expect(verifierOf({ secrets: secret }).verify(body, headersOf([signed()], { [name]: text }))).rejects.toEqual(
      code("MALFORMED_HEADER"),
    );
  });

  it("a header that stands twice", async () => {
    const headers = {
      "webhook-id": [event.id, event.id],
      "webhook-timestamp": timestamp,
      "webhook-signature": signed(),
    };
    await expect(verifierOf({ secrets: secret }).verify(body, headers)).rejects.toEqual(code("MALFORMED_HEADER"));
  });

  it.each([
    "v1,",
    "v1,dawfeoifkpqwoekfpqoekf",
    "v1",
    ",",
    "v1,%%%",
    "v2,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=",
    signed().slice(0, 8),
  ])("a signature that is none: %s", async (text) => {
    await expect(verifierOf({ secrets: secret }).verify(body, headersOf([text]))).rejects.toEqual(
      code("SIGNATURE_MISMATCH"),
    );
  });
});

describe("vectors of the Standard Webhooks repository", () => {
  it.each([
    [
      secret,
      "msg_p5jXN8AQM9LWM0D4loKWxJek",
      1614265330,
      '{"test": 2432232314}',
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    ],
    [
      otherSecret,
      "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk",
      1649367553,
      '{"email":"test@example.com","username":"test_user"}',
      "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=",
    ],
  ])("%s", async (key, id, at, payload, signature) => {
    const verifier = createWebhookVerifier({ secrets: key, now: () => new Date(at * 1000) });
    const headers = { "webhook-id": id, "webhook-timestamp": String(at), "webhook-signature": signature };
    expect(await verifier.verifySignature(payload, headers)).toEqual({ id, timestamp: new Date(at * 1000) });
    await expect(verifier.verify(payload, headers)).rejects.toEqual(code("MALFORMED_BODY"));
  });
});

it("a body that is well signed and no JSON is refused as that", async () => {
  for (const text of ["", "null", "[]", '{"id":1}', "{"]) {
    const headers = headersOf([signed(secret, text)]);
    await expect(verifierOf({ secrets: secret }).verify(text, headers)).rejects.toEqual(code("MALFORMED_BODY"));
  }
});

it.each<[WebhookVerifierOptions, string]>([
  [{}, "Give a secret"],
  [{ secrets: [] }, "Give a secret"],
  [{ secrets: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }, "begins with whsec_"],
  [{ secrets: "whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }, "begins with whsec_"],
  [{ secrets: "whsec_" }, "is base64"],
  [{ secrets: "whsec_AAAA" }, "24 to 64 bytes"],
  [{ publicKeys: "whpk_AAAA" }, "32 bytes"],
  [{ publicKeys: { keys: [] } }, "Give a secret"],
  [{ secrets: secret, toleranceSeconds: Number.NaN }, "toleranceSeconds"],
])("keys that are none are refused before any delivery: %j", (options, message) => {
  expect(() => createWebhookVerifier(options)).toThrow(message);
});
