import { hash } from "node:crypto";
import { memoize } from "@org/provider-kit";

export function portfolioIdOf(connectionId: string, key: string): string {
  return stableId(connectionId, "portfolio", key);
}

/** Ids of portfolios and holdings, see {@link rowIds}. */
export type RowIds = ReturnType<typeof rowIds>;

/** Computes the ids of portfolios and holdings once each, because many rows refer to the same ones. */
export function rowIds(connectionId: string) {
  const holding = memoize((keys) => stableId(connectionId, "holding", ...(JSON.parse(keys) as string[])));
  return {
    portfolio: memoize((key) => portfolioIdOf(connectionId, key)),
    holding: (portfolioKey: string, key: string) => holding(JSON.stringify([portfolioKey, key])),
  };
}

/** A UUIDv8 (RFC 9562 §5.8) of a connection's item: the same connection, kind and key give the same id in every snapshot. */
export function stableId(connectionId: string, kind: string, ...key: readonly string[]): string {
  const digest = hash("sha256", JSON.stringify([connectionId, kind, ...key]));
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
