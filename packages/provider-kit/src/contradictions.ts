import { isDeepStrictEqual } from "node:util";
import type { FetchedSnapshot, NamedTransaction } from "./snapshot.js";
import type { Steps } from "./steps.js";

/**
 * The first thing that a snapshot's transactions say in two ways: one key with different content, or a correction that leads nowhere. One row in a
 * step. The rows themselves have been checked.
 */
export function* contradictionsIn(snapshot: FetchedSnapshot): Steps<readonly string[]> {
  const { transactions, corrected = [], withdrawn = [] } = snapshot;
  if (transactions === null) {
    const lone = (["corrected", "withdrawn", "complete_from"] as const).find((name) => snapshot[name] !== undefined);
    return lone === undefined ? [] : [`snapshot.${lone}: needs snapshot.transactions, which is null`];
  }
  const places = new Map<string, number>();
  for (const [index, row] of transactions.entries()) {
    yield;
    if (row.key === null) continue;
    const name = nameOf(row, row.key);
    const place = places.get(name);
    if (place === undefined) places.set(name, index);
    else if (!isDeepStrictEqual(transactions[place], row))
      return [
        `snapshot.transactions.${index}.key: is that of snapshot.transactions.${place}, which says something else`,
      ];
  }
  const former = new Set<string>();
  const correcting = new Set<string>();
  for (const [index, one] of corrected.entries()) {
    yield;
    const [name, by] = [nameOf(one, one.key), nameOf(one, one.by)];
    const fault = faultOf({ name, by }, { places, former, correcting });
    if (fault !== null) return [`snapshot.corrected.${index}.${fault}`];
    former.add(name);
    correcting.add(by);
  }
  for (const [index, one] of withdrawn.entries()) {
    yield;
    if (former.has(nameOf(one, one.key)))
      return [`snapshot.withdrawn.${index}.key: is corrected in the same snapshot; withdraw its correction instead`];
  }
  return [];
}

function faultOf(
  { name, by }: { readonly name: string; readonly by: string },
  known: {
    readonly places: ReadonlyMap<string, number>;
    readonly former: ReadonlySet<string>;
    readonly correcting: ReadonlySet<string>;
  },
): string | null {
  if (!known.places.has(by)) return "by: is the key of no transaction in this portfolio";
  if (known.former.has(name)) return "key: is corrected twice";
  if (known.correcting.has(by)) return "by: corrects two transactions";
  if (known.former.has(by)) return "by: is corrected before it; a correction of a correction comes after it";
  return null;
}

function nameOf({ portfolio_key }: Pick<NamedTransaction, "portfolio_key">, key: string): string {
  return JSON.stringify([portfolio_key, key]);
}
