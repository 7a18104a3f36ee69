import { createHash } from "node:crypto";

/** A sequence of numbers that is the same for the same seed on every machine. Not for secrets. */
export interface SeededRandom {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** sfc32 (PractRand's small fast counter) started from the SHA-256 of the seed. */
export function seededRandom(seed: string): SeededRandom {
  const digest = createHash("sha256").update(seed).digest();
  let a = digest.readInt32LE(0);
  let b = digest.readInt32LE(4);
  let c = digest.readInt32LE(8);
  let counter = digest.readInt32LE(12);
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  const below = (limit: number) => next() % limit;
  return { below, pick: (items) => items[below(items.length)] ?? items[0] };
}
