import { createHash } from "node:crypto";

/** A UUIDv8 (RFC 9562 §5.8) of a connection's item: the same connection, kind and key give the same id in every snapshot. */
export function stableId(connectionId: string, kind: string, ...key: readonly string[]): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([connectionId, kind, ...key]))
    .digest("hex");
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** Pairs each item with how many earlier ones share its key, so that genuine twins stay apart and keep their ids. */
export function withOccurrence<T>(items: readonly T[], keyOf: (item: T) => string): (readonly [T, number])[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const key = keyOf(item);
    const occurrence = seen.get(key) ?? 0;
    seen.set(key, occurrence + 1);
    return [item, occurrence] as const;
  });
}
