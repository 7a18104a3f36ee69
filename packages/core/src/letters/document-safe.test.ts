import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { hashing } from "./document-safe.js";

it.each([
  [0, 0],
  [1, 1],
  [1024 * 1024, 1],
  [2.5 * 1024 * 1024, 3],
])("[C-9.602] a document of %i bytes is hashed in %i steps", (size, steps) => {
  const bytes = Buffer.alloc(size, "letter");
  const hash = hashing(bytes);
  let taken = 0;
  let step = hash.next();
  for (; !step.done; step = hash.next()) taken += 1;
  expect([taken, step.value]).toEqual([steps, createHash("sha256").update(bytes).digest("hex")]);
});
