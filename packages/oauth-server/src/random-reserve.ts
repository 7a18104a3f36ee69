import { randomBytes, randomFillSync } from "node:crypto";

/** Enough for about a hundred token exchanges. */
const SIZE = 4_096;

/**
 * Random bytes like those of `randomBytes`, from a buffer that is filled in one call, because a system call for a few bytes
 * costs as much as one for thousands. No byte is returned twice, and returned bytes are erased from the buffer.
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
