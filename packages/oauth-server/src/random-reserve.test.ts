import { expect, it } from "vitest";
import { createRandomReserve } from "./random-reserve.js";

it("answers as many bytes as are asked for, none of them twice, across its fillings", () => {
  const random = createRandomReserve();
  const lengths = [0, 1, 10, 32, 4_096, 4_097, 100_000];
  expect(lengths.map((count) => random(count).length)).toEqual(lengths);
  const ids = Array.from({ length: 2_000 }, () => random(16).toString("hex"));
  expect(new Set(ids).size).toBe(ids.length);
});

it("gives out bytes that nothing changes afterwards: not others that were given out, not its next fillings", () => {
  const random = createRandomReserve();
  const [one, other] = [random(32), random(32)];
  const before = other.toString("hex");
  one.fill(0);
  for (let count = 0; count < 1_000; count += 1) random(32);
  expect(other.toString("hex")).toBe(before);
});

it("uses every bit", () => {
  const random = createRandomReserve();
  const [set, unset] = [Buffer.alloc(32), Buffer.alloc(32, 0xff)];
  for (let count = 0; count < 500; count += 1)
    random(32).forEach((byte, at) => {
      set[at] = (set[at] as number) | byte;
      unset[at] = (unset[at] as number) & byte;
    });
  expect([set.toString("hex"), unset.toString("hex")]).toEqual(["ff".repeat(32), "00".repeat(32)]);
});
