import type { Actor } from "@org/core";
import { z } from "zod";

/** An initial access token (RFC 7591 §3) as an operator sees it: never the token itself. Times are RFC 3339. */
export const registrationTokenSchema = z.object({
  token_id: z.string(),
  name: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
});

/** What {@link registrationTokenSchema} describes. */
export type RegistrationTokenView = Readonly<z.infer<typeof registrationTokenSchema>>;

/** Initial access tokens as an operator manages them. */
export interface RegistrationTokenOperations {
  /** The token is answered this once. */
  create(
    operator: Actor,
    request: { readonly name: string; readonly days: number },
  ): Promise<{ readonly registration_token: RegistrationTokenView; readonly token: string }>;
  /** Those that have not expired, oldest first. */
  list(): Promise<readonly RegistrationTokenView[]>;
  /** Clients that registered with it stay. @throws CoreError NOT_FOUND */
  revoke(operator: Actor, tokenId: string): Promise<void>;
}
