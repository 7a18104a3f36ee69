import type { Steps } from "@org/provider-kit";
import type { CatalogueConnector } from "../schemas/connector.js";
import { institutionSchema } from "../schemas/connector-requests.js";

/** The ids of an institution's connectors: its ways, in the order in which people are offered them. */
export type Ways = readonly string[];

/** Connectors of one step. */
const STEP = 1_000;

/**
 * Finds the connectors that reach the same institution, and returns the ways of each connector that has others, by its id. It takes place in
 * steps.
 *
 * An operator's decision (`institution` in the row) counts before everything else. Without one, connectors are of one institution if their rows
 * prove it: the same LEI, BIC or domain, or one names the other by its provider's own name. Names prove nothing. Nor does:
 * - a value that two rows of one provider have, because the provider tells them apart;
 * - a BIC or domain where the LEI differs, and a domain where bank code or country of the BIC differ.
 * @param providers in the order in which their ways are offered; those that are not named, such as letters, come last
 */
export function* institutionsOf(
  connectors: readonly CatalogueConnector[],
  providers: readonly string[],
): Steps<ReadonlyMap<string, Ways>> {
  const proofs = new Map<Proof["kind"], Map<string, CatalogueConnector[]>>(PROOFS.map((kind) => [kind, new Map()]));
  const groups = new Map<CatalogueConnector, Group>();
  for (const [index, connector] of connectors.entries()) {
    if (index % STEP === 0) yield;
    const stated = statedOf(connector);
    if (stated === null && connector.provider_ref === null) continue;
    groups.set(connector, { connectors: [connector], ...factsOf(stated) });
    for (const { kind, value } of proofsOf(connector, stated)) {
      const found = proofs.get(kind)?.get(value);
      if (found) found.push(connector);
      else proofs.get(kind)?.set(value, [connector]);
    }
  }
  for (const [kind, values] of proofs) {
    yield;
    for (const together of values.values()) join(together, kind, groups);
  }
  const ways = new Map<string, Ways>();
  const rank = new Map(providers.map((name, index) => [name, index]));
  for (const { connectors: found } of new Set(groups.values())) {
    if (found.length === 1) continue;
    const ids = inOrder(found, rank).map(({ id }) => id);
    for (const id of ids) ways.set(id, ids);
  }
  return ways;
}

/** What proves that two connectors reach the same institution, the strongest first. */
const PROOFS = ["decided", "reference", "lei", "bic", "domain"] as const;
interface Proof {
  readonly kind: (typeof PROOFS)[number];
  readonly value: string;
}

interface Group {
  readonly connectors: CatalogueConnector[];
  readonly lei: string | undefined;
  /** Bank code and country of the BIC. Its branch may be a bank of its own, as with cooperative banks, or one of many. */
  readonly bank: string | undefined;
}

/** Characters of a BIC. */
const BANK_AND_COUNTRY = 6;

type Stated = ReturnType<typeof institutionSchema.parse>;

/** What a row says of its institution; null if that is nothing, or nothing that can be used. */
function statedOf({ metadata }: CatalogueConnector): Stated | null {
  if (metadata.identifiers === undefined && metadata.institution === undefined) return null;
  const { success, data } = institutionSchema.safeParse(metadata);
  return success ? data : null;
}

function factsOf(stated: Stated | null): Pick<Group, "lei" | "bank"> {
  return { lei: stated?.identifiers?.lei, bank: stated?.identifiers?.bic?.slice(0, BANK_AND_COUNTRY) };
}

function proofsOf({ provider, provider_ref }: CatalogueConnector, stated: Stated | null): readonly Proof[] {
  if (typeof stated?.institution === "string") return [{ kind: "decided", value: stated.institution }];
  const { bic, lei, domain, ...references } = stated?.identifiers ?? {};
  const values = { lei, bic, domain };
  const own = provider_ref === null ? {} : { [provider]: provider_ref };
  return [
    ...(["lei", "bic", "domain"] as const).flatMap((kind) => {
      const value = values[kind];
      return value === undefined ? [] : [{ kind, value }];
    }),
    ...Object.entries({ ...references, ...own }).map(([of, name]) => ({
      kind: "reference" as const,
      value: JSON.stringify([of, name]),
    })),
  ];
}

/** Joins the groups of connectors that have a value in common, where that proves something. */
function join(
  together: readonly CatalogueConnector[],
  kind: Proof["kind"],
  groups: Map<CatalogueConnector, Group>,
): void {
  if (together.length === 1) return;
  const isDecided = kind === "decided";
  if (!isDecided && new Set(together.map(({ provider }) => provider)).size < together.length) return;
  const [first, ...others] = together as [CatalogueConnector, ...CatalogueConnector[]];
  for (const other of others) {
    const [one, two] = [groups.get(first) as Group, groups.get(other) as Group];
    if (one === two || (!isDecided && contradict(one, two))) continue;
    const joined: Group = {
      connectors: [...one.connectors, ...two.connectors],
      lei: one.lei ?? two.lei,
      bank: one.bank ?? two.bank,
    };
    for (const connector of joined.connectors) groups.set(connector, joined);
  }
}

function contradict(one: Group, other: Group): boolean {
  const differs = (a: string | undefined, b: string | undefined) => a !== undefined && b !== undefined && a !== b;
  if (differs(one.lei, other.lei)) return true;
  if (one.lei === undefined || other.lei === undefined) if (differs(one.bank, other.bank)) return true;
  const providers = new Set(one.connectors.map(({ provider }) => provider));
  return other.connectors.some(({ provider }) => providers.has(provider));
}

function inOrder(
  connectors: readonly CatalogueConnector[],
  rank: ReadonlyMap<string, number>,
): readonly CatalogueConnector[] {
  const places = new Map(
    connectors.map((connector) => [
      connector,
      [statedOf(connector)?.way ?? Number.POSITIVE_INFINITY, rank.get(connector.provider) ?? rank.size] as const,
    ]),
  );
  return connectors.toSorted((a, b) => {
    const [one, other] = [places.get(a) as readonly [number, number], places.get(b) as readonly [number, number]];
    // Two of the same place differ by no number, also where both are infinite.
    return (one[0] === other[0] ? 0 : one[0] - other[0]) || one[1] - other[1] || (a.id < b.id ? -1 : 1);
  });
}
