import { type OAuthTokens, oauthTokens } from "@org/provider-kit";
import { z } from "zod";
import type { Customer } from "./custody-answers.js";
import { type Bank, isAllowed } from "./settings.js";

/** What a later fetch needs; stored sealed. */
const accessSchema = z.object({
  customer_id: z.string(),
  customer_number: z.string().nullable(),
  /** Null if the client has its own credentials. */
  tokens: oauthTokens.nullable(),
  /** The id of the customer's consent, where each has one. */
  consent_id: z.string().optional(),
});
export type Access = z.infer<typeof accessSchema>;

/** The access to one customer. */
export function accessTo(customer: Customer, tokens: OAuthTokens | null, consent_id: string | null): Access {
  const { id, number } = customer;
  return { customer_id: id, customer_number: number ?? null, tokens, ...(consent_id !== null && { consent_id }) };
}

/** The stored access; null if it no longer fits the bank's settings. */
export function usableAccess(bank: Bank, stored: unknown): Access | null {
  const { data } = accessSchema.safeParse(stored);
  if (data === undefined || (data.tokens !== null) !== (bank.auth.type === "authorization_code")) return null;
  if ((data.consent_id === undefined) !== (bank.consent_header === undefined)) return null;
  return isAllowed(bank, { id: data.customer_id, number: data.customer_number ?? undefined }) ? data : null;
}

/** The customer of a connection's access that is being repaired; null if it cannot be read. */
export function customerOf(stored: unknown): string | null {
  return accessSchema.safeParse(stored).data?.customer_id ?? null;
}
