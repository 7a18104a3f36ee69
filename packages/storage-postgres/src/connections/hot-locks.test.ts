import { expect, it } from "vitest";
import { createHotLocks } from "./hot-locks.js";

const timeout = Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });

it("[C-9.573] what one tenant finds locked is refused to that one alone, until another finds it locked too", async () => {
  const locks = createHotLocks();
  locks.failed("update", "one", timeout);
  await expect(locks.pass("update", "one")).rejects.toMatchObject({ code: "unavailable" });
  expect(locks.pass("update", "other")).toBeUndefined();

  locks.failed("update", "other", timeout);
  for (const key of ["one", "other", "third"])
    await expect(locks.pass("update", key)).rejects.toMatchObject({ code: "unavailable" });
  expect(locks.pass("another statement", "one")).toBeUndefined();

  locks.done("update");
  expect(locks.pass("update", "one")).toBeUndefined();
});
