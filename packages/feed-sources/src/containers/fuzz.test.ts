// Containers have checksums, and encrypted messages have integrity protection: whatever happens to the bytes, a container never opens to other
// content.
import { gzipSync } from "node:zlib";
import { FeedRefusal } from "@org/provider-kit";
import fc from "fast-check";
import * as pgp from "openpgp";
import { expect, it } from "vitest";
import { zipOf } from "../testing/zip-of.js";
import { openContainer } from "./open-container.js";
import { isContainer } from "./read-parts.js";

const now = new Date("2026-11-22T00:00:00Z");
const texts = ["<OFX/>", `:20:1\n:25:1\n${"x".repeat(300)}`, "a,b\n1,2\n"];
const keys = await pgp.generateKey({
  userIDs: { name: "W" },
  date: new Date(now.getTime() - 86_400_000),
  format: "armored",
});
const encrypted = await pgp.encrypt({
  message: await pgp.createMessage({ binary: Buffer.from(texts[1] as string) }),
  encryptionKeys: await pgp.readKey({ armoredKey: keys.publicKey }),
  format: "binary",
  date: now,
});
const opening = { keys: { own: async () => [keys.privateKey], signers: [], mustBeSigned: false }, now };

const zip = zipOf(
  texts.map((text, index) => ({ name: `${index}.fin`, bytes: Buffer.from(text), streamed: index === 1 })),
);
const containers: readonly (readonly [name: string, bytes: Buffer, runs: number])[] = [
  ["zip", zip, 600],
  ["gzip", gzipSync(texts[1] as string), 300],
  ["gzip in zip", zipOf([{ name: "a.gz", bytes: gzipSync(texts[0] as string), method: 0 }]), 300],
  ["PGP", Buffer.from(encrypted as unknown as Uint8Array), 100],
];

it.each(containers)(
  "[C-9.262] bytes of %s that are changed, moved or lost: the same content, or a refusal",
  async (_, whole, runs) => {
    const edit = fc.record({
      at: fc.nat({ max: whole.length - 1 }),
      removed: fc.nat({ max: 12 }),
      inserted: fc.uint8Array({ maxLength: 12 }),
      from: fc.option(fc.nat({ max: whole.length - 1 }), { nil: undefined, freq: 3 }),
    });
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
        let bytes = whole;
        for (const { at, removed, inserted, from } of edits) {
          const piece = from === undefined ? inserted : whole.subarray(from, from + 40);
          bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + removed)]);
        }
        if (!isContainer(bytes)) return;
        try {
          const { files } = await openContainer({ name: "a", bytes }, opening);
          // A packed file changed into another container's bytes is that container.
          for (const file of files) expect(texts).toContain(Buffer.from(file.bytes).toString());
        } catch (error) {
          if (!(error instanceof FeedRefusal)) throw error;
          expect(error.message.length).toBeLessThan(2_000);
          refused += 1;
        }
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? runs) },
    );
    expect(refused).toBeGreaterThan(runs / 5);
  },
);
