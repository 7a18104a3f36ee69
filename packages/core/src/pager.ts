import { invalid, invalidValue } from "./errors.js";
import type { Runtime } from "./ports/runtime.js";

/**
 * Opaque page tokens. A token has the id after which a query continues and is bound to that query, so that a damaged token, or one of
 * another query, is refused instead of answered with wrong rows.
 */
export interface PageTokens {
  issue(query: unknown, after: string): string;
  /** The id to continue after; null if the token does not belong to this query. */
  read(query: unknown, token: string): string | null;
}

export function createPageTokens(mac: Runtime["mac"]): PageTokens {
  const sign = (query: unknown, after: string) => mac("page-token", JSON.stringify([query, after])).slice(0, 32);
  return {
    issue: (query, after) => `${Buffer.from(after, "utf8").toString("base64url")}.${sign(query, after)}`,
    read(query, token) {
      const [place = "", signature = ""] = token.split(".");
      const after = Buffer.from(place, "base64url").toString("utf8");
      return token === `${place}.${signature}` && signature === sign(query, after) ? after : null;
    },
  };
}

/** A page of a list in the order of a key. */
export interface KeysetPage<Row> {
  readonly rows: readonly Row[];
  /** Null on the last page. */
  readonly next_page_token: string | null;
}

/**
 * Pages of lists in the order of a key. A page continues after the last row of the one before, so that rows added meanwhile do not shift
 * it.
 * @returns a function that answers one page; it throws CoreError VALIDATION_ERROR on `page_token` for a token of another query
 */
export function createPager(mac: Runtime["mac"]) {
  const tokens = createPageTokens(mac);
  return async function page<Row, Key>(list: {
    /** Identifies the list. */
    readonly query: unknown;
    readonly token: string | null | undefined;
    readonly size: number;
    /** At most `limit` rows after `after`. */
    readonly rows: (after: Key | null, limit: number) => readonly Row[] | Promise<readonly Row[]>;
    /** A row's key as text; `readKey` parses it, and returns null if it is not a key. */
    readonly keyOf: (row: Row) => string;
    readonly readKey: (text: string) => Key | null;
  }): Promise<KeysetPage<Row>> {
    const place = list.token == null ? null : tokens.read(list.query, list.token);
    const after = place === null ? null : list.readKey(place);
    if (list.token != null && after === null)
      throw invalid(invalidValue("page_token", "must be the next_page_token of the same query"));
    // One extra row shows whether there is a next page.
    const read = list.rows(after, list.size + 1);
    const found = read instanceof Promise ? await read : read;
    const rows = found.slice(0, list.size);
    const last = rows.at(-1);
    const more = last !== undefined && found.length > list.size;
    return { rows, next_page_token: more ? tokens.issue(list.query, list.keyOf(last)) : null };
  };
}
