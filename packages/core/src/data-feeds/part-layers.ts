import type { ReadablePart } from "./feed-delivery.js";

/**
 * Parts that can be published at once, one layer after the other. Each account is in them in the order of the parts, and in one layer as of
 * one day: the movements of a day belong between its statement and the one before. A thousand files of as many accounts are one layer.
 */
export function layersOf<Part extends Pick<ReadablePart, "read">>(
  parts: readonly Part[],
): readonly (readonly Part[])[] {
  const layers: Part[][] = [];
  /** The last layer that states an account, and as of which day; null where none has told more than movements. */
  const stated = new Map<string, { readonly layer: number; readonly day: string | null }>();
  for (const part of parts) {
    const { snapshot } = part.read;
    const accounts = (snapshot.portfolios ?? []).map(({ key, as_of = snapshot.as_of, holdings_unknown }) => ({
      key,
      day: holdings_unknown ? null : as_of.toISOString().slice(0, "YYYY-MM-DD".length),
    }));
    let layer = 0;
    for (const { key, day } of accounts) {
      const before = stated.get(key);
      if (before) layer = Math.max(layer, isApart(before.day, day) ? before.layer + 1 : before.layer);
    }
    for (const { key, day } of accounts) {
      const before = stated.get(key);
      stated.set(key, { layer, day: day ?? (before?.layer === layer ? before.day : null) });
    }
    const others = layers[layer];
    if (others) others.push(part);
    else layers.push([part]);
  }
  return layers;
}

function isApart(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}
