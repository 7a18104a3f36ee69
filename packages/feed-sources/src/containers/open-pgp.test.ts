import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import { FeedRefusal } from "@org/provider-kit";
import * as pgp from "openpgp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hasArchivePrograms, openGnuPg } from "../testing/gnupg.js";
import { zipOf } from "../testing/zip-of.js";
import { openContainer } from "./open-container.js";
import type { PgpKeys, SignerKey } from "./open-pgp.js";

const now = new Date("2026-11-22T12:00:00Z");
const DAY_MS = 86_400_000;
const statement = Buffer.from(":20:statement\r\n:86:Z\xfcrich\r\n".repeat(20), "latin1");

async function keyOf(name: string, { days = 0, from = new Date(now.getTime() - 30 * DAY_MS) } = {}) {
  const made = await pgp.generateKey({
    userIDs: [{ name }],
    type: "ecc",
    date: from,
    keyExpirationTime: days * 86_400,
    format: "object",
  });
  return { ...made, private: made.privateKey.armor(), public: made.publicKey.armor() };
}
type Keys = Awaited<ReturnType<typeof keyOf>>;
let ours: Keys;
let before: Keys;
let expired: Keys;
let custodian: Keys;
let stranger: Keys;
let gone: Keys;
beforeAll(async () => {
  ours = await keyOf("ours");
  before = await keyOf("before");
  expired = await keyOf("expired", { days: 10 });
  custodian = await keyOf("custodian");
  stranger = await keyOf("stranger");
  gone = await keyOf("gone", { days: 10 });
});

async function message(options: {
  to?: readonly Keys[];
  by?: Keys;
  bytes?: Uint8Array;
  /** Instead of `bytes`. */
  content?: pgp.Message<Uint8Array>;
  armoured?: boolean;
  config?: pgp.PartialConfig;
  passwords?: string;
  at?: Date;
  wildcard?: boolean;
}) {
  const {
    to = [ours],
    by,
    bytes = statement,
    content = await pgp.createMessage({ binary: bytes }),
    armoured = false,
    config = {},
    passwords,
    at = new Date(now.getTime() - DAY_MS),
    wildcard = false,
  } = options;
  const written = await pgp.encrypt({
    message: content,
    encryptionKeys: to.map(({ publicKey }) => publicKey),
    ...(by && { signingKeys: by.privateKey }),
    ...(passwords && { passwords }),
    format: armoured ? "armored" : "binary",
    date: at,
    wildcard,
    config,
  } as Parameters<typeof pgp.encrypt>[0]);
  return Buffer.from(written as unknown as Uint8Array);
}
/** Keys as texts; own keys are found by the ids that a message names, as on a server. */
interface GivenKeys {
  readonly own?: readonly string[];
  readonly signers?: readonly (string | SignerKey)[];
  readonly mustBeSigned?: boolean;
}
const open = (bytes: Uint8Array, keys: GivenKeys = {}, name = "day.fin.pgp", at = now) => {
  const { own = [ours.private, before.private], signers = [custodian.public], mustBeSigned = false } = keys;
  return openContainer(
    { name, bytes },
    { keys: { own: findingIn(own), signers: signers.map(counting), mustBeSigned }, now: at },
  );
};
const findingIn =
  (armoured: readonly string[]): PgpKeys["own"] =>
  async (ids) => {
    const keys = await Promise.all(armoured.map((armoredKey) => pgp.readPrivateKey({ armoredKey })));
    const has = (key: pgp.PrivateKey) => key.getKeyIDs().some((id) => ids?.includes(id.toHex().toUpperCase()) ?? true);
    return armoured.filter((_, index) => has(keys[index] as pgp.PrivateKey));
  };
const counting = (key: string | SignerKey): SignerKey =>
  typeof key === "string" ? { public_key: key, expires_at: null, revoked_at: null } : key;
const refusal = (bytes: Uint8Array, keys: GivenKeys = {}) => {
  const outcome = expect(open(bytes, keys)).rejects;
  return { toThrow: async (reason: RegExp) => void (await outcome.toThrow(reason)) };
};

it("[C-9.264] a message is decrypted, armoured or binary, compressed or not, for a key of now or one of before", async () => {
  for (const options of [
    { by: custodian },
    { by: custodian, armoured: true },
    { by: custodian, to: [before] },
    { by: custodian, to: [stranger, ours] },
    { by: custodian, config: { preferredCompressionAlgorithm: pgp.enums.compression.zlib } },
  ])
    expect(await open(await message(options), { mustBeSigned: true })).toEqual({
      files: [{ name: "day.fin", bytes: new Uint8Array(statement) }],
      warnings: [],
    });
});

it("a message may be signed without being encrypted", async () => {
  const signed = (await pgp.sign({
    message: await pgp.createMessage({ binary: statement }),
    signingKeys: custodian.privateKey,
    format: "binary",
    date: now,
  } as Parameters<typeof pgp.sign>[0])) as unknown as Uint8Array;
  expect((await open(signed, { mustBeSigned: true })).files).toHaveLength(1);
});

it("[C-9.260] a zip of PGP of gzip is opened to its end", async () => {
  const archive = zipOf([
    { name: "x/day.fin.gz.pgp", bytes: await message({ by: custodian, bytes: gzipSync(statement) }) },
  ]);
  expect(await open(archive, { mustBeSigned: true }, "day.zip")).toEqual({
    files: [{ name: "x/day.fin", bytes: statement }],
    warnings: [],
  });
});

it("[C-9.283] a message for very many keys, or for several that it does not name, is refused before any is tried", async () => {
  const many = await message({ to: Array.from({ length: 101 }, () => ours) });
  await refusal(many).toThrow(/is encrypted for more than 100 keys/);
  const hidden = await message({ to: Array.from({ length: 6 }, () => ours), wildcard: true });
  await refusal(hidden).toThrow(/is encrypted for more than 5 keys that it does not name/);
});

it("[C-9.264] what cannot be opened is refused with its reason", async () => {
  await refusal(await message({ to: [stranger] })).toThrow(
    /^file: is encrypted for [0-9A-F]{16}, and none of our keys is that one/,
  );
  const old = await message({ to: [expired], at: new Date(now.getTime() - 25 * DAY_MS) });
  await refusal(old, { own: [expired.private] }).toThrow(
    /our key [0-9A-F]{40}, for which it is encrypted, has expired on 2026-11-02/,
  );
  const revoked = await pgp.revokeKey({ key: before.privateKey, format: "armored", date: now });
  await refusal(await message({ to: [before] }), { own: [revoked.privateKey] }).toThrow(
    /for which it is encrypted, was revoked/,
  );
  await refusal(await message({ to: [], passwords: "secret" })).toThrow(
    /is encrypted with a password, which is not tried/,
  );
  const [whole, armoured] = [await message({ by: custodian }), await message({ by: custodian, armoured: true })];
  const changed = Buffer.from(whole);
  changed[changed.length - 40] = (changed[changed.length - 40] ?? 0) ^ 1;
  await refusal(changed).toThrow(/was changed on its way: its integrity is broken/);
  await refusal(Buffer.concat([armoured, Buffer.from("more")])).toThrow(/cut off, or that something follows/);
  await refusal(Buffer.concat([armoured, armoured])).toThrow(/holds more than one PGP message/);
  await refusal(Buffer.concat([whole, whole])).toThrow(/PGP message that is damaged|cannot be decrypted/);
  const clear = Buffer.from("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\na\n-----BEGIN PGP SIGNATURE-----\n");
  await refusal(clear).toThrow(/is signed in clear/);
});

it("[C-9.264] a message without protection of its integrity is refused", async () => {
  // A session key packet for us, and a packet of tag 9 (RFC 9580 §5.7).
  const whole = await message({});
  const key = await pgp.readMessage({ binaryMessage: whole });
  const session = key.packets
    .filterByTag(pgp.enums.packet.publicKeyEncryptedSessionKey)
    .write() as unknown as Uint8Array;
  const plain = Buffer.concat([session, Buffer.from([0xc9, 40]), Buffer.alloc(40, 7)]);
  await refusal(plain).toThrow(/without protection of its integrity \(MDC\)/);
});

it("[C-9.262] a compressed message is a bomb like any other", async () => {
  for (const compression of [pgp.enums.compression.zip, pgp.enums.compression.zlib]) {
    const bomb = await message({
      bytes: Buffer.alloc(9_000_000, 65),
      config: { preferredCompressionAlgorithm: compression },
    });
    await refusal(bomb).toThrow(/^file: is more than 250 times as large when it is unpacked/);
  }
});

it("[C-9.262] a message of very many packets, or pieces of packets, is refused before they are read", async () => {
  const packet = (tag: number, body: Uint8Array) => {
    const head = Buffer.from([0xc0 | tag, 255, 0, 0, 0, 0]);
    head.writeUInt32BE(body.length, 2);
    return Buffer.concat([head, body]);
  };
  const compressed = (inner: Uint8Array) => packet(8, Buffer.concat([Buffer.from([1]), deflateRawSync(inner)]));
  const literal = packet(11, Buffer.concat([Buffer.from([0x62, 1, 0x78, 0, 0, 0, 0]), statement]));
  const many = (bytes: readonly number[]) => Buffer.concat([...Array(2_000).fill(Buffer.from(bytes)), literal]);
  const unknown = many([0xc0 | 60, 0]);
  const pieces = Buffer.concat([
    Buffer.from([0xcb]),
    Buffer.from([0xe0, 0x62].concat(...Array(2_000).fill([0xe0, 1]))),
    Buffer.from([0]),
  ]);
  const content = await pgp.readMessage({ binaryMessage: compressed(unknown) });
  // Forces recompression.
  Object.assign(content.packets[0] as object, { compressed: null });
  const cases = [
    compressed(unknown),
    compressed(many([0xc0 | 10, 3, 0x50, 0x47, 0x50])),
    compressed(many([0x80 | (10 << 2), 3, 0x50, 0x47, 0x50])),
    compressed(many([0xc0 | 21, 0])),
    compressed(pieces),
    Buffer.concat([compressed(literal), unknown]),
    await message({ content }),
  ];
  for (const bytes of cases) await refusal(bytes).toThrow(/is a PGP message of very many packets/);
  const few = Buffer.concat([Buffer.from([0xc0 | 60, 0, 0xc0 | 21, 0]), literal]);
  expect((await open(compressed(few))).files).toMatchObject([{ bytes: new Uint8Array(statement) }]);
});

it("[C-9.265] a signature that has to be there is there, is right, and is by a key in force that is trusted", async () => {
  const must = { mustBeSigned: true };
  await refusal(await message({}), must).toThrow(/^file: is not signed; files of this custodian have to be/);
  await refusal(statement, must).toThrow(/^file: is not signed; files of this custodian have to be/);
  await refusal(gzipSync(statement), must).toThrow(/^part day.fin.pgp: is not signed/);
  await refusal(await message({ by: stranger }), must).toThrow(
    /is signed with key [0-9A-F]{16}, which is none of those that are trusted/,
  );
  await refusal(await message({ by: gone, at: new Date(now.getTime() - 25 * DAY_MS) }), {
    signers: [gone.public],
  }).toThrow(/is signed with key [0-9A-F]{40}, which has expired on 2026-11-02/);
  const revoked = await pgp.revokeKey({ key: custodian.privateKey, format: "armored", date: now });
  await refusal(await message({ by: custodian }), { signers: [revoked.publicKey] }).toThrow(/which was revoked/);
  // The operators' expiry and revocation count too, unless the same key is registered twice and one of them is accepted.
  const ended = { public_key: custodian.public, expires_at: now, revoked_at: null };
  await refusal(await message({ by: custodian }), { signers: [ended] }).toThrow(/which has expired on 2026-11-22/);
  const taken = { ...ended, expires_at: null, revoked_at: now };
  await refusal(await message({ by: custodian }), { signers: [taken] }).toThrow(/which was revoked/);
  expect(
    (await open(await message({ by: custodian }), { ...must, signers: [taken, custodian.public] })).files,
  ).toHaveLength(1);
});

it("[C-9.265] where a signature is not asked for, one that is missing or unknown is a warning, and one that is wrong a refusal", async () => {
  expect((await open(await message({}))).warnings).toEqual([
    { place: "file", message: "is not signed, as its sender's files can be" },
  ]);
  expect((await open(await message({ by: stranger }))).warnings).toMatchObject([
    { message: expect.stringMatching(/^is signed with key [0-9A-F]{16}, which is none/) },
  ]);
  expect((await open(await message({}), { signers: [] })).warnings).toEqual([]);
  // The signature of one text over another, in an intact message.
  const [one, other] = await Promise.all(
    ["one", "other"].map((text) => pgp.createMessage({ binary: Buffer.from(text) })),
  );
  const signed = (await pgp.sign({
    message: one,
    signingKeys: custodian.privateKey,
    format: "object",
    date: now,
  } as Parameters<typeof pgp.sign>[0])) as unknown as pgp.Message<Uint8Array>;
  const literal = signed.packets.findIndex((packet) => packet instanceof pgp.LiteralDataPacket);
  signed.packets[literal] = (other as pgp.Message<Uint8Array>).packets[0] as pgp.LiteralDataPacket;
  const forged = await pgp.encrypt({
    message: signed,
    encryptionKeys: ours.publicKey,
    format: "binary",
    date: now,
  } as Parameters<typeof pgp.encrypt>[0]);
  await refusal(forged as unknown as Uint8Array).toThrow(/has a wrong signature of key [0-9A-F]{40}/);
});

it("[C-9.262] a message that is cut off anywhere is refused", async () => {
  const armoured = (await message({ by: custodian, armoured: true })).toString().trimEnd();
  for (const whole of [await message({ by: custodian }), Buffer.from(armoured)])
    for (let end = 40; end < whole.byteLength; end += 7)
      await expect(open(whole.subarray(0, end))).rejects.toBeInstanceOf(FeedRefusal);
});

/** Uses the programs that custodians use. */
const real = hasArchivePrograms() ? it : it.skip;
let custodians: ReturnType<typeof openGnuPg> | null = null;
afterAll(() => custodians?.close());

real("[C-9.264] GnuPG's messages are opened, and its signatures verified", async () => {
  custodians = openGnuPg();
  const { gpg } = custodians;
  gpg(ours.public, "--import");
  gpg(
    "",
    "--passphrase",
    "",
    "--quick-generate-key",
    "Custodian <files@custodian.example>",
    "ed25519",
    "sign",
    "never",
  );
  const signers = [gpg("", "--armor", "--export", "custodian").toString()];
  const id = ours.publicKey.getFingerprint();
  const encrypted = ["--encrypt", "-r", id];
  const at = new Date();
  for (const options of [
    ["--sign", ...encrypted],
    ["--armor", "--sign", ...encrypted],
    ["--sign", "--compress-algo", "none", ...encrypted],
    ["--sign", "--compress-algo", "bzip2", ...encrypted],
    ["--sign", "--hidden-recipient", id, "--encrypt"],
    ["--sign"],
  ])
    expect(
      await open(gpg(statement, ...options), { signers, mustBeSigned: true }, "a.pgp", at),
      options.join(" "),
    ).toEqual({
      files: [{ name: "a", bytes: new Uint8Array(statement) }],
      warnings: [],
    });
  const unsafe = gpg(statement, "--rfc2440", "--cipher-algo", "CAST5", "--disable-mdc", ...encrypted);
  await expect(open(unsafe, {}, "a.pgp", at)).rejects.toThrow(
    /without protection of its integrity|cannot be decrypted/,
  );
  for (const algorithm of ["zip", "zlib", "bzip2"]) {
    const bomb = gpg(Buffer.alloc(9_000_000, 65), "--compress-algo", algorithm, ...encrypted);
    await expect(open(bomb, {}, "a.pgp", at), algorithm).rejects.toThrow(/is more than 250 times as large/);
  }
  await expect(open(gpg(statement, "--clearsign"), { signers }, "a.asc", at)).rejects.toThrow(/is signed in clear/);
  for (const options of [[], ["--armor"]]) {
    const whole = gpg(statement, ...options, "--sign", ...encrypted);
    for (const share of [0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 0.999])
      await expect(
        open(whole.subarray(0, Math.floor(whole.length * share)), { signers }, "a.pgp", at),
        `${options} ${share}`,
      ).rejects.toBeInstanceOf(FeedRefusal);
  }
  // An archive in a message in an archive.
  const archive = zipOf([{ name: "b.fin", bytes: statement }]);
  const outer = zipOf([{ name: "a.zip.pgp", bytes: gpg(archive, "--sign", ...encrypted) }]);
  expect((await open(outer, { signers, mustBeSigned: true }, "all.zip", at)).files).toEqual([
    { name: "a.zip/b.fin", bytes: statement },
  ]);
});

real(
  "Info-ZIP's archives are opened: in folders, from a pipe with ZIP64 and data descriptors, not with a password",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "zip-"));
    try {
      writeFileSync(join(folder, "Z\u00fcrich.fin"), statement);
      const zip = (...args: string[]) =>
        execFileSync("zip", ["-q", ...args], { cwd: folder, ...(args.includes("-") && { input: statement }) });
      zip("plain.zip", "Z\u00fcrich.fin");
      zip("secret.zip", "-P", "secret", "Z\u00fcrich.fin");
      const inside = async (bytes: Uint8Array) => (await open(bytes, {}, "day.zip")).files;
      expect(await inside(readFileSync(join(folder, "plain.zip")))).toEqual([
        { name: "Z\u00fcrich.fin", bytes: statement },
      ]);
      zip("-fz", "large.zip", "Z\u00fcrich.fin");
      expect(await inside(readFileSync(join(folder, "large.zip")))).toHaveLength(1);
      expect(await inside(zip("-", "-"))).toEqual([{ name: "-", bytes: statement }]);
      await expect(inside(readFileSync(join(folder, "secret.zip")))).rejects.toThrow(/is encrypted with a password/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
