import type { Actor } from "@org/core";
import { z } from "zod";

/** An initial access token (RFC 7591 §3) as an operator sees it, without the token itself. Times are RFC 3339. */
export const registrationTokenSchema = z.object({
  token_id: z.string(),
  name: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
});

/** A token in the format of {@link registrationTokenSchema}. */
export type RegistrationTokenView = Readonly<z.infer<typeof registrationTokenSchema>>;

/** Manages initial access tokens for operators. */
export interface RegistrationTokenOperations {
  /** The token is returned only here. */
  create(
    operator: Actor,
    request: { readonly name: string; readonly days: number },
  ): Promise<{ readonly registration_token: RegistrationTokenView; readonly token: string }>;
  /** Unexpired tokens, oldest first. */
  list(): Promise<readonly RegistrationTokenView[]>;
  /** Clients that registered with it stay registered. @throws CoreError NOT_FOUND */
  revoke(operator: Actor, tokenId: string): Promise<void>;
}
