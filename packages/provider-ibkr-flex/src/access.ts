import { z } from "zod";
import { statementRequest } from "./statement-request.js";

/** What later fetches need. */
export const flexAccess = z.object({
  token: z.string(),
  query_id: z.string(),
  user_key: z.string(),
  /** Sorted; null until the first statement has arrived. */
  accounts: z.array(z.string()).nullable(),
  /** The statement requested at the login; the first fetch collects it instead of requesting another one. */
  request: statementRequest.nullable(),
});
export type FlexAccess = z.infer<typeof flexAccess>;

/** The access of an earlier login; null if there is none. */
export function earlierAccess(existing: unknown): FlexAccess | null {
  return flexAccess.safeParse(existing).data ?? null;
}

/**
 * Identifies the customer at the institution by the set of account numbers, so that another token or query for the same accounts is the same
 * customer. A repaired connection keeps its key as long as at least one of its accounts remains, since accounts are opened and closed.
 *
 * Until the first statement the accounts are unknown. The key is then the query, which belongs to one customer, until the fetch with the statement
 * replaces it; in a repair the fetch compares the accounts and refuses others.
 */
export function userKeyOf(accounts: readonly string[] | null, queryId: string, earlier: FlexAccess | null): string {
  if (earlier && (accounts === null || isSame(earlier, accounts, queryId))) return earlier.user_key;
  return accounts === null ? `query ${queryId}` : `accounts ${[...accounts].sort().join(" ")}`;
}

/** Whether a customer is identified only by their query so far. */
export function isProvisional(userKey: string): boolean {
  return userKey.startsWith("query ");
}

/** Whether a statement of these accounts belongs to the access. */
export function isSame(access: FlexAccess, accounts: readonly string[], queryId: string): boolean {
  return access.accounts === null
    ? access.query_id === queryId
    : access.accounts.some((account) => accounts.includes(account));
}
