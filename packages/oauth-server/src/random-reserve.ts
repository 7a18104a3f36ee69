import { randomBytes, randomFillSync } from "node:crypto";

/** A hundred exchanges' worth. */
const SIZE = 4_096;

/**
 * Random bytes as `randomBytes` answers them, from a reserve that is filled all at once: asking the system for a few costs as much as asking
 * for thousands. No byte is given out twice, and none stays in the reserve once it was given out.
 */
export function createRandomReserve(): (count: number) => Buffer {
  const reserve = Buffer.alloc(SIZE);
  let used = SIZE;
  return (count) => {
    if (count > SIZE) return randomBytes(count);
    if (used + count > SIZE) {
      randomFillSync(reserve);
      used = 0;
    }
    const bytes = Buffer.from(reserve.subarray(used, used + count));
    reserve.fill(0, used, used + count);
    used += count;
    return bytes;
  };
}
