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
