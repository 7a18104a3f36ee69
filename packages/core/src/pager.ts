import { invalid, invalidValue } from "./errors.js";
import type { Runtime } from "./ports/runtime.js";

/**
 * Opaque page tokens: they say after which id a query goes on and are bound to that query, so that a damaged token, or one of
 * another query, is refused rather than answered with wrong rows.
 */
export interface PageTokens {
  issue(query: unknown, after: string): string;
  /** The id to go on after, or null when the token is not one of this query. */
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

/** A page of a list that goes on where the one before ended. */
export interface KeysetPage<Row> {
  readonly rows: readonly Row[];
  /** Null on the last page. */
  readonly next_page_token: string | null;
}

/**
 * Pages of lists in the order of a key: a page goes on behind the last row of the one before, so that rows that come meanwhile
 * shift nothing.
 * @returns what answers one page; it throws CoreError VALIDATION_ERROR on `page_token` for a token that is not one of `query`
 */
export function createPager(mac: Runtime["mac"]) {
  const tokens = createPageTokens(mac);
  return async function page<Row, Key>(list: {
    /** What tells lists apart. */
    readonly query: unknown;
    readonly token: string | null | undefined;
    readonly size: number;
    /** At most `limit` rows behind `after`. */
    readonly rows: (after: Key | null, limit: number) => readonly Row[] | Promise<readonly Row[]>;
    /** A row's key as text, and back; null for what is no key. */
    readonly keyOf: (row: Row) => string;
    readonly readKey: (text: string) => Key | null;
  }): Promise<KeysetPage<Row>> {
    const place = list.token == null ? null : tokens.read(list.query, list.token);
    const after = place === null ? null : list.readKey(place);
    if (list.token != null && after === null)
      throw invalid(invalidValue("page_token", "must be the next_page_token of the same query"));
    // One more tells whether there is a page behind this one.
    const found = await list.rows(after, list.size + 1);
    const rows = found.slice(0, list.size);
    const last = rows.at(-1);
    const more = last !== undefined && found.length > list.size;
    return { rows, next_page_token: more ? tokens.issue(list.query, list.keyOf(last)) : null };
  };
}
