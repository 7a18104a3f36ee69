import { CompactEncrypt, decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import { createKeyring, type Keyring } from "./create-keyring.js";

const bytes = (fill: number) => new Uint8Array(32).fill(fill);
const older = { id: "2025", key: bytes(1) };
const newer = { id: "2026", key: bytes(2) };
const keyring = createKeyring([newer, older]);
const context = { purpose: "bank-access", row: "0198-1" };
const text = "s3cret – ünïcode 🙂 \u0000";

function code(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "no error",
    (error) => error.code ?? error,
  );
}

describe("text: compact JWE, A256KW + A256GCM", () => {
  it("opens what it sealed", async () => {
    for (const plaintext of [text, "", "x".repeat(100_000)])
      expect(await keyring.open(await keyring.seal(plaintext, context), context)).toBe(plaintext);
  });

  it("names key, purpose and row in the protected header", async () => {
    const header = { alg: "A256KW", enc: "A256GCM", kid: "2026", ...context };
    expect(decodeProtectedHeader(await keyring.seal(text, context))).toEqual(header);
  });

  it("uses a fresh content key and iv each time", async () => {
    const [a, b] = [await keyring.seal(text, context), await keyring.seal(text, context)].map((jwe) => jwe.split("."));
    for (const part of [1, 2, 3, 4]) expect(a?.[part]).not.toBe(b?.[part]);
  });

  it("refuses another purpose and another row", async () => {
    const sealed = await keyring.seal(text, context);
    expect(await code(keyring.open(sealed, { ...context, purpose: "other" }))).toBe("wrong_context");
    expect(await code(keyring.open(sealed, { ...context, row: "0198-2" }))).toBe("wrong_context");
  });

  it("refuses a value with any part altered, header included", async () => {
    const parts = (await keyring.seal(text, context)).split(".");
    const moved = Buffer.from(JSON.stringify({ ...decodeProtectedHeader(parts.join(".")), row: "0198-2" }));
    const altered = parts.map((part, index) => {
      const flipped = index === 0 ? moved.toString("base64url") : `${part[0] === "A" ? "B" : "A"}${part.slice(1)}`;
      return parts.map((same, at) => (at === index ? flipped : same)).join(".");
    });
    for (const sealed of altered) {
      expect(await code(keyring.open(sealed, context))).toBe("tampered");
      expect(await code(keyring.open(sealed, { ...context, row: "0198-2" }))).toBe("tampered");
    }
  });

  it.each(["", "plain text", "a.b.c.d.e", "eyJhbGciOiJub25lIn0.e30.", `${"A".repeat(10)}.....`])(
    "refuses what is no JWE of ours: %j",
    async (sealed) => {
      expect(await code(keyring.open(sealed, context))).toBe("tampered");
      expect(() => keyring.keyIdOf(sealed)).toThrow(expect.objectContaining({ code: "tampered" }));
    },
  );

  it("refuses other algorithms, also under the right key", async () => {
    for (const [alg, enc] of [
      ["dir", "A256GCM"],
      ["A256GCMKW", "A256GCM"],
      ["A256KW", "A256CBC-HS512"],
    ] as const) {
      const jwe = await new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg, enc, kid: newer.id, ...context })
        .encrypt(newer.key);
      expect(await code(keyring.open(jwe, context))).toBe("tampered");
    }
  });
});

describe("sealing in place", () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 300_000])("%i bytes become the ciphertext and open again", async (size) => {
    const [given, kept] = [Buffer.from(bytes(size)), Buffer.from(bytes(size))];
    const sealed = await keyring.sealBytes(given, context, { mayOverwrite: true });
    expect(sealed.ciphertext).toBe(given);
    expect(size === 0 || !given.equals(kept)).toBe(true);
    expect(Buffer.from(await keyring.openBytes(sealed, context)).equals(kept)).toBe(true);
  });

  it("[C-9.602] goes back to the event loop after every four megabytes, and so does opening", async () => {
    let others = 0;
    let isOver = false;
    const count = () => {
      others += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const kept = bytes(9 * 1024 * 1024);
    const sealed = await keyring.sealBytes(Buffer.from(kept), context, { mayOverwrite: true });
    expect(others).toBeGreaterThanOrEqual(2);
    others = 0;
    expect(Buffer.from(kept).equals(await keyring.openBytes(sealed, context))).toBe(true);
    expect(others).toBeGreaterThanOrEqual(2);
    isOver = true;
  });

  it("leaves the bytes alone unless it may overwrite them", async () => {
    const given = Buffer.from(bytes(100));
    await keyring.sealBytes(given, context);
    expect(given).toEqual(Buffer.from(bytes(100)));
  });
});

describe("[C-1.15] rotation: the first key encrypts, all decrypt", () => {
  const before = createKeyring([older]);
  const after = keyring;
  const rings: [string, Keyring, string][] = [
    ["before", before, "2025"],
    ["after", after, "2026"],
  ];

  it.each(rings)("%s: seals under its first key", async (_, ring, id) => {
    expect(ring.activeKeyId).toBe(id);
    expect(ring.keyIdOf(await ring.seal(text, context))).toBe(id);
    expect(ring.keyIdOf((await ring.sealBytes(bytes(9), context)).key)).toBe(id);
  });

  it("opens values of the older key, and names it when it is gone", async () => {
    const [sealed, document] = [await before.seal(text, context), await before.sealBytes(bytes(9), context)];
    expect(after.keyIds).toEqual(["2026", "2025"]);
    expect(await after.open(sealed, context)).toBe(text);
    expect(await after.openBytes(document, context)).toEqual(Buffer.from(bytes(9)));
    const gone = createKeyring([newer]);
    await expect(gone.open(sealed, context)).rejects.toMatchObject({ code: "unknown_key" });
    await expect(gone.open(sealed, context)).rejects.toThrow('"2025"');
    expect(await code(gone.openBytes(document, context))).toBe("unknown_key");
  });

  it("calls it tampered when another key has taken the id", async () => {
    const swapped = createKeyring([{ id: "2026", key: bytes(3) }]);
    expect(await code(swapped.open(await after.seal(text, context), context))).toBe("tampered");
  });

  it("seals again under the first key, for the same purpose and row", async () => {
    const sealed = await createKeyring([older]).seal(text, context);
    const again = await keyring.reseal(sealed);
    expect([keyring.keyIdOf(again), await keyring.open(again, context)]).toEqual(["2026", text]);
    expect(await code(keyring.open(again, { ...context, row: "other" }))).toBe("wrong_context");
    expect(await keyring.reseal(again)).toBe(again);
    expect(await code(createKeyring([newer]).reseal(sealed))).toBe("unknown_key");
    expect(await code(createKeyring([newer, { ...older, key: bytes(3) }]).reseal(sealed))).toBe("tampered");
    const [header = "", ...rest] = sealed.split(".");
    const moved = Buffer.from(Buffer.from(header, "base64url").toString().replace("0198-1", "0198-2"));
    expect(await code(keyring.reseal([moved.toString("base64url"), ...rest].join(".")))).toBe("tampered");
  });

  it("needs only the document's key sealed again, not the document", async () => {
    const document = await before.sealBytes(bytes(9), context);
    const key = await after.seal(await after.open(document.key, context), context);
    const turned = createKeyring([newer]);
    expect(await turned.openBytes({ ...document, key }, context)).toEqual(Buffer.from(bytes(9)));
  });
});

describe("documents: AES-256-GCM under a key of their own", () => {
  it("opens what it sealed, and adds no length", async () => {
    for (const document of [new Uint8Array(), bytes(9), new Uint8Array(3_000_000).fill(5)]) {
      const sealed = await keyring.sealBytes(document, context);
      expect(sealed.ciphertext.byteLength).toBe(document.byteLength);
      expect(Buffer.compare(await keyring.openBytes(sealed, context), document)).toBe(0);
    }
  });

  it("refuses an altered document, a shortened one, another's key, another context", async () => {
    const [a, b] = [await keyring.sealBytes(bytes(1), context), await keyring.sealBytes(bytes(1), context)];
    const altered = Uint8Array.from(a.ciphertext, (byte, index) => (index === 3 ? byte ^ 1 : byte));
    expect(await code(keyring.openBytes({ ...a, ciphertext: altered }, context))).toBe("tampered");
    expect(await code(keyring.openBytes({ ...a, ciphertext: a.ciphertext.slice(1) }, context))).toBe("tampered");
    expect(await code(keyring.openBytes({ ...a, key: b.key }, context))).toBe("tampered");
    expect(await code(keyring.openBytes(a, { ...context, row: "0198-2" }))).toBe("wrong_context");
  });

  it("binds the ciphertext itself to its context, also when the key is sealed for another", async () => {
    const sealed = await keyring.sealBytes(bytes(1), context);
    const other = { ...context, row: "0198-2" };
    const moved = await keyring.seal(await keyring.open(sealed.key, context), other);
    expect(await code(keyring.openBytes({ ...sealed, key: moved }, other))).toBe("tampered");
  });

  it("refuses a sealed text that is no document key", async () => {
    for (const plaintext of [text, "null", "{}", '{"key":"AA","iv":"AA","tag":"AA"}']) {
      const key = await keyring.seal(plaintext, context);
      expect(await code(keyring.openBytes({ key, ciphertext: bytes(1) }, context))).toBe("tampered");
    }
  });
});
