import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { StoredSigningKey } from "../ports/signing-key-store.js";
import { atOnce, type Cases, later, noon } from "./conformance-fixture.js";

/** Cases of the signing keys. To the store an algorithm is free text, so the cases use unique names. */
export function signingKeyCases(cases: () => Cases): void {
  const keys = () => cases().store.signingKeys;
  const key = (algorithm: string, change: Partial<StoredSigningKey> = {}): StoredSigningKey => ({
    kid: randomUUID(),
    algorithm,
    public_jwk: { kty: "EC", crv: "P-256", x: "x", y: "y" },
    sealed_private_key: "sealed",
    created_at: noon,
    signs_from: null,
    ...change,
  });
  const ofAlgorithm = async (algorithm: string) =>
    (await keys().listSigningKeys()).filter((stored) => stored.algorithm === algorithm);

  it("lets exactly one of ten replicas bring the first keys of an algorithm", async () => {
    const algorithm = `case-${randomUUID()}`;
    const pairs = Array.from({ length: 10 }, () => [key(algorithm, { signs_from: noon }), key(algorithm)]);
    const kept = await atOnce(10, (index) => keys().insertFirstSigningKeys(algorithm, pairs[index] ?? []));
    expect(kept.filter(Boolean)).toHaveLength(1);
    const expected = pairs[kept.indexOf(true)] ?? [];
    expect(await ofAlgorithm(algorithm)).toEqual(expect.arrayContaining(expected));
    expect(await ofAlgorithm(algorithm)).toHaveLength(2);
  });

  it("lists the oldest first", async () => {
    const algorithm = `case-${randomUUID()}`;
    const [young, old] = [key(algorithm, { created_at: later(1), signs_from: later(2) }), key(algorithm)];
    await keys().insertFirstSigningKeys(algorithm, [young, old]);
    expect(await ofAlgorithm(algorithm)).toEqual([old, young]);
  });

  it("promotes the waiting key once, however many ask", async () => {
    const algorithm = `case-${randomUUID()}`;
    const waiting = key(algorithm);
    await keys().insertFirstSigningKeys(algorithm, [waiting]);
    const successors = Array.from({ length: 5 }, () => key(algorithm, { created_at: later(1) }));
    const done = await atOnce(5, (index) =>
      keys().promoteSigningKey(waiting.kid, later(index), successors[index] ?? waiting),
    );
    const winner = done.indexOf(true);
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await ofAlgorithm(algorithm)).toEqual([{ ...waiting, signs_from: later(winner) }, successors[winner]]);
    expect(await keys().promoteSigningKey(randomUUID(), noon, key(algorithm))).toBe(false);
  });

  it("[C-8.20] revokes a key and lets the next one sign in the same moment, once, however many ask", async () => {
    const algorithm = `case-${randomUUID()}`;
    const [active, waiting] = [key(algorithm, { signs_from: noon }), key(algorithm)];
    await keys().insertFirstSigningKeys(algorithm, [active, waiting]);
    const successors = Array.from({ length: 5 }, () => key(algorithm, { created_at: later(1) }));
    const done = await atOnce(5, (index) =>
      keys().revokeSigningKey(active.kid, {
        at: later(9),
        signs_now: waiting.kid,
        successors: [successors[index] ?? waiting],
      }),
    );
    expect(done.filter(Boolean)).toHaveLength(1);
    const expected = [{ ...waiting, signs_from: later(9) }, successors[done.indexOf(true)]];
    expect(await ofAlgorithm(algorithm)).toEqual(expected);
  });

  it("[C-8.20] revokes nothing when the key that is to sign is not waiting any more", async () => {
    const algorithm = `case-${randomUUID()}`;
    const [old, active] = [key(algorithm, { signs_from: noon }), key(algorithm, { signs_from: later(1) })];
    await keys().insertFirstSigningKeys(algorithm, [old, active]);
    const replacement = { at: later(9), successors: [] };
    for (const signs_now of [active.kid, randomUUID()])
      expect(await keys().revokeSigningKey(old.kid, { ...replacement, signs_now })).toBe(false);
    expect(await ofAlgorithm(algorithm)).toHaveLength(2);
    expect(await keys().revokeSigningKey(old.kid, { ...replacement, signs_now: null })).toBe(true);
    expect(await ofAlgorithm(algorithm)).toEqual([active]);
  });

  it("removes keys", async () => {
    const algorithm = `case-${randomUUID()}`;
    const [one, two] = [key(algorithm, { signs_from: noon }), key(algorithm)];
    await keys().insertFirstSigningKeys(algorithm, [one, two]);
    await keys().removeSigningKeys([one.kid, randomUUID()]);
    expect(await ofAlgorithm(algorithm)).toEqual([two]);
  });
}
