import { expect, it } from "vitest";
import { documentAnswer } from "./letter-documents.js";

it.each([
  [0, 0],
  [1, 1],
  [786_432, 1],
  [2_000_000, 3],
])("[C-9.602] the answer with a document of %i bytes is made in %i steps", (size, steps) => {
  const bytes = Buffer.alloc(size, "letter");
  const facts = { letter_id: "7", kind: "annex", size };
  const answer = documentAnswer(facts, bytes);
  let taken = 0;
  let step = answer.next();
  for (; !step.done; step = answer.next()) taken += 1;
  expect(taken).toBe(steps);
  expect(Buffer.from(step.value.text).toString()).toBe(JSON.stringify({ ...facts, data: bytes.toString("base64") }));
});
