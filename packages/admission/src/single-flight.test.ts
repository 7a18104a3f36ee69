import { expect, it } from "vitest";
import { singleFlight } from "./single-flight.js";

it("runs once for all who asked before it began, and once more for those who asked meanwhile", async () => {
  const ends: ((result: number) => void)[] = [];
  const ask = singleFlight(() => new Promise<number>((resolve) => ends.push(resolve)));
  const first = ask();
  await Promise.resolve();
  const meanwhile = [ask(), ask()];
  await Promise.resolve();
  expect(ends).toHaveLength(1);
  ends[0]?.(1);
  expect(await first).toBe(1);
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.(2);
  expect(await Promise.all(meanwhile)).toEqual([2, 2]);
});

it("begins the next run even if the present one fails", async () => {
  let runs = 0;
  const ask = singleFlight(async () => {
    runs += 1;
    if (runs === 1) throw new Error("no");
    return runs;
  });
  const failing = ask();
  await expect(failing).rejects.toThrow("no");
  expect(await ask()).toBe(2);
});
