import { CoreError } from "@org/core";
import type { RegistrationTokenOperations } from "../src/index.js";

/** One initial access token in memory. */
export function memoryRegistrationTokens(): RegistrationTokenOperations {
  const [created_at, expires_at] = ["2026-01-01T00:00:00.000Z", "2026-01-31T00:00:00.000Z"];
  const one = { token_id: "one", name: "Laptops", created_at, expires_at };
  return {
    create: async (_operator, { name }) => ({ registration_token: { ...one, name }, token: "wci_x" }),
    list: async () => [one],
    async revoke(_operator, tokenId) {
      if (tokenId !== "one") throw new CoreError("NOT_FOUND", "there is no registration token with this id");
    },
  };
}
