import { z } from "zod";
import { statementRequest } from "./statement-request.js";

/** What later fetches need. */
export const flexAccess = z.object({
  token: z.string(),
  query_id: z.string(),
  user_key: z.string(),
  /** Sorted; null until the first statement has come. */
  accounts: z.array(z.string()).nullable(),
  /** The statement that the login has asked for: the first fetch takes it, and asks for no second one. */
  request: statementRequest.nullable(),
});
export type FlexAccess = z.infer<typeof flexAccess>;

/** The access of an earlier login; null where there is none. */
export function earlierAccess(existing: unknown): FlexAccess | null {
  return flexAccess.safeParse(existing).data ?? null;
}

/**
 * Who it is at the institution: the set of account numbers, so that another token or query for the same accounts is the same
 * customer. A connection that is repaired keeps its key as long as it has an account in common with what it had: accounts are
 * opened and closed.
 *
 * Before the first statement the accounts are not known. Then it is the query, which belongs to one customer, until the fetch that
 * brings the statement says who it is; in a repair the fetch compares the accounts, and takes none of others.
 */
export function userKeyOf(accounts: readonly string[] | null, queryId: string, earlier: FlexAccess | null): string {
  if (earlier && (accounts === null || isSame(earlier, accounts, queryId))) return earlier.user_key;
  return accounts === null ? `query ${queryId}` : `accounts ${[...accounts].sort().join(" ")}`;
}

/** Whether a customer is known by their query only. */
export function isProvisional(userKey: string): boolean {
  return userKey.startsWith("query ");
}

/** Whether a statement of these accounts belongs to the access. */
export function isSame(access: FlexAccess, accounts: readonly string[], queryId: string): boolean {
  return access.accounts === null
    ? access.query_id === queryId
    : access.accounts.some((account) => accounts.includes(account));
}
