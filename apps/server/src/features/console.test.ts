import { createMemoryOAuthStore } from "@org/oauth-server/memory";
import { expect, it } from "vitest";
import { guessCounter } from "./console.js";

const address = "203.0.113.9";
const at = new Date("2026-03-02T09:00:00Z");

it("[C-14.71] ten wrong proofs for a person or link, and a hundred for a network", async () => {
  const countGuess = guessCounter(createMemoryOAuthStore().guessLimits, () => at);
  const guess = (of: string | null, count: number) =>
    Array.from({ length: count }).reduce<Promise<void>>(
      (before) => before.then(() => countGuess({ address, of })),
      Promise.resolve(),
    );
  await guess("ada@example.com", 10);
  await expect(guess("ada@example.com", 1)).rejects.toMatchObject({
    code: "RATE_LIMITED",
    limit: { name: "failed_attempts_per_client", value: 10 },
  });
  await guess("bo@example.com", 10);
  await guess("an-invitation", 10);
  await guess(null, 70);
  await expect(guess("eve@example.com", 1)).rejects.toMatchObject({
    limit: { name: "failed_attempts_per_network", value: 100 },
  });
});
