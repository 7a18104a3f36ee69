/** One bank connection and how far its data can be trusted. */
export interface Source {
  readonly credentials_token: string;
  readonly bank: string;
  readonly as_of: string | null;
  readonly state: "ok" | "pending" | "stale" | "error";
  readonly message: string | null;
}

/** What the answers of all tools have. */
export interface Paged {
  readonly rows: readonly { readonly id: string | null }[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  /** The connections that the server listed: those that are not up to date, or those that the call named. */
  readonly sources: readonly Source[];
  /** How many connections were read, and how many of them are up to date. */
  readonly connections: number;
  readonly upToDate: number;
  readonly snapshot: string | null;
}

/** How the answers of a tool are read, and what to ask for next. */
export interface Reading<A extends Paged> {
  /** The answer, or the server's refusal; null if it is neither. */
  readResult(result: unknown): A | { readonly refusal: string } | null;
  /** Whether an answer has all rows with everything that is shown, so that nothing has to be fetched. */
  isWhole(result: unknown, answer: A): boolean;
  /** Arguments for a page of the same query. */
  pageRequest(
    args: Readonly<Record<string, unknown>>,
    page: number,
    snapshot: string | null,
    pageSize: number,
  ): Record<string, unknown>;
  /** Connections whose rows are shown but which the server did not list. */
  unnamedConnections(answer: A): readonly string[];
  /** Pages that are read without being asked for. */
  readonly ownPages: number;
}

/** The sources of both, without duplicates; the later one wins. */
export function mergeSources(before: readonly Source[], later: readonly Source[]): readonly Source[] {
  return [...new Map([...before, ...later].map((source) => [source.credentials_token, source])).values()];
}
