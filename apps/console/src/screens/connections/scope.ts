import { useAnswer } from "../../api/answers.js";
import type { ApiProblem } from "../../api/api-problem.js";
import type { Connection } from "./connection-parts.js";

/** Whose data are shown: a connection's, a client's, or all of the tenant. */
export type DataOf =
  | {
      readonly connection: Connection;
      /** Opens the dialog with a link for the customer to log in again. */
      readonly onRepair: () => void;
    }
  | { readonly client_ref: string }
  | "all";

/** Whether rows of several banks are shown, each with whose it is. */
export function isOfMany(of: DataOf): boolean {
  return of === "all" || "client_ref" in of;
}

/** What limits a read. */
export interface Scope {
  readonly credentials_token?: string | readonly string[];
  readonly client_ref?: string;
}

/** What limits a read without filters. */
export function scopeOf(of: DataOf): Scope {
  if (of === "all") return {};
  return "client_ref" in of ? { client_ref: of.client_ref } : { credentials_token: of.connection.connection_id };
}

/** The most connections that a read can name, and a search answers at a time. */
const MAX_NAMED = 500;

/** What filters by client and bank leave of the data. */
export interface FilteredScope {
  /** Null while it is not known, and if there is nothing to read. */
  readonly scope: Scope | null;
  /** No connection matches. */
  readonly isEmpty: boolean;
  /** More connections match than a read can name. */
  readonly isTooLarge: boolean;
  readonly problem: ApiProblem | null;
  readonly retry: () => void;
}

/** Reads take no bank, and refuse a client that is not there: its connections are looked up. */
export function useFilteredScope(of: DataOf, { client, bank }: Readonly<Record<string, string>>): FilteredScope {
  const isFiltered = of === "all" && (client !== undefined || bank !== undefined);
  const query = { ...(client !== undefined && { client_ref_in: [client] }), ...(bank !== undefined && { bank }) };
  const found = useAnswer("/data/v1/search-connections", { query, page_size: MAX_NAMED }, { enabled: isFiltered });
  const problem = isFiltered ? found.error : null;
  const shared = { isEmpty: false, isTooLarge: false, problem, retry: () => void found.refetch() };
  if (!isFiltered) return { ...shared, scope: scopeOf(of) };
  if (!found.data) return { ...shared, scope: null };
  const isTooLarge = bank !== undefined && found.data.next_page_token !== null;
  if (isTooLarge) return { ...shared, scope: null, isTooLarge };
  // The search is for a part of the name.
  const theirs = found.data.items.filter((connection) => bank === undefined || connection.bank === bank);
  if (theirs.length === 0) return { ...shared, scope: null, isEmpty: true };
  if (bank === undefined) return { ...shared, scope: { client_ref: client as string } };
  return { ...shared, scope: { credentials_token: theirs.map(({ connection_id }) => connection_id) } };
}
