import { createHash } from "node:crypto";
import type { ReadPart } from "@org/data-feeds";
import type { ReadFeed } from "@org/provider-kit";
import type { Routed, RouteTarget, Routing } from "./routing.js";

type ReadablePart = Extract<ReadPart, { readonly read: ReadFeed }>;

/** What one target gets of a part, and the hash under which it counts there. */
export interface Slice {
  readonly target: RouteTarget;
  readonly name: string;
  readonly sha256: string;
  readonly read: ReadFeed;
}

/** What of a part could not be routed, and why. */
export interface Unrouted {
  readonly account: string | null;
  readonly routing: Extract<Routing, { readonly reason: string }>;
}

/**
 * Cuts a part by account: each portfolio goes to the target that its route names, with its holdings and movements. A part that goes to one target as
 * a whole keeps the hash of its bytes, so that it is recognised as a duplicate however it arrives; a slice has its own hash, made of that one and its
 * accounts.
 */
export async function cutByAccount(
  part: ReadablePart,
  file: string,
  routingOf: (routed: Routed) => Promise<Routing>,
): Promise<{ readonly slices: readonly Slice[]; readonly unrouted: readonly Unrouted[] }> {
  const { read, name, sha256 } = part;
  const portfolios = read.snapshot.portfolios ?? [];
  const names = [...new Set([name, file])];
  const sender = read.sender ?? null;
  const routed: { readonly key: string; readonly account: string; readonly routing: Routing }[] = [];
  for (const { key, ref_account, servicer = null } of portfolios) {
    const account = ref_account ?? key;
    routed.push({ key, account, routing: await routingOf({ account, servicer, sender, names }) });
  }
  // Pages of statements, and content that names no account.
  if (portfolios.length === 0)
    routed.push({ key: "", account: "", routing: await routingOf({ account: null, servicer: sender, sender, names }) });
  const byTarget = new Map<string, { target: RouteTarget; keys: Set<string> }>();
  const unrouted: Unrouted[] = [];
  for (const { key, account, routing } of routed) {
    if ("reason" in routing) unrouted.push({ account: account || null, routing });
    else {
      const id = JSON.stringify(routing.target);
      const found = byTarget.get(id) ?? { target: routing.target, keys: new Set<string>() };
      byTarget.set(id, { ...found, keys: found.keys.add(key) });
    }
  }
  const [only] = byTarget.values();
  if (only && byTarget.size === 1 && unrouted.length === 0)
    return { slices: [{ target: only.target, name, sha256, read }], unrouted };
  const sliceOf = slicer(
    read,
    [...byTarget.values()].map(({ keys }) => keys),
  );
  const slices = [...byTarget.values()].map(({ target, keys }, index) => ({
    target,
    name,
    read: sliceOf(index),
    sha256: createHash("sha256")
      .update(JSON.stringify([sha256, [...keys].sort()]))
      .digest("hex"),
  }));
  if ((read.pages?.length ?? 0) > 0 && portfolios.length > 0)
    unrouted.push({
      account: null,
      routing: { reason: "pages of a statement are beside accounts of several letters", proposals: [] },
    });
  return { slices, unrouted };
}

/**
 * Cuts the content into slices, each given as a set of account keys, and returns slices by index. Each row is visited once, however many slices there
 * are. Lists that the file does not state stay null.
 */
function slicer({ pages: _, ...read }: ReadFeed, slices: readonly ReadonlySet<string>[]): (slice: number) => ReadFeed {
  const slicesOf = new Map<string, number[]>();
  for (const [slice, keys] of slices.entries())
    for (const key of keys) {
      const others = slicesOf.get(key);
      if (others) others.push(slice);
      else slicesOf.set(key, [slice]);
    }
  const cut = <Row>(rows: readonly Row[] | null, keyOf: (row: Row) => string): readonly Row[][] | null => {
    if (rows === null) return null;
    const found: Row[][] = slices.map(() => []);
    for (const row of rows) for (const slice of slicesOf.get(keyOf(row)) ?? []) found[slice]?.push(row);
    return found;
  };
  const { portfolios, holdings, transactions, ...rest } = read.snapshot;
  const portfolioKey = ({ portfolio_key }: { readonly portfolio_key: string }) => portfolio_key;
  const found = {
    portfolios: cut(portfolios, ({ key }) => key),
    holdings: cut(holdings, portfolioKey),
    transactions: cut(transactions, portfolioKey),
  };
  const corrections = cut(read.corrections ?? null, portfolioKey);
  return (slice) => ({
    ...read,
    ...(corrections?.[slice] && { corrections: corrections[slice] }),
    snapshot: {
      ...rest,
      portfolios: found.portfolios?.[slice] ?? null,
      holdings: found.holdings?.[slice] ?? null,
      transactions: found.transactions?.[slice] ?? null,
    },
  });
}
