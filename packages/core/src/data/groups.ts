/** Puts things together that have a name in common, directly or through others (a union-find). */
export function createGroups() {
  const into: number[] = [];
  /** Of the groups, at the number that stands for them. */
  const sizes: number[] = [];
  const known = new Map<string, number>();
  const rootOf = (member: number): number => {
    let root = member;
    for (let next = into[root]; next !== undefined && next !== root; next = into[root]) root = next;
    for (let at = member; at !== root; ) {
      const next = into[at] ?? root;
      into[at] = root;
      at = next;
    }
    return root;
  };
  const join = (root: number, other: number) => {
    if (root === other) return;
    into[root] = other;
    sizes[other] = (sizes[other] as number) + (sizes[root] as number);
  };
  return {
    /** Adds something with these names; returns its number, from 0 on. */
    add(names: Iterable<string>): number {
      const member = into.length;
      into.push(member);
      sizes.push(1);
      for (const name of names) {
        const other = known.get(name);
        if (other === undefined) known.set(name, member);
        else join(rootOf(member), rootOf(other));
      }
      return member;
    },
    /** The group that has this name now, and how many are in it; null where none has it. */
    withName(name: string): { readonly group: number; readonly size: number } | null {
      const member = known.get(name);
      if (member === undefined) return null;
      const group = rootOf(member);
      return { group, size: sizes[group] as number };
    },
    /** Which group something is in now: the number of one of its members. */
    groupOf: rootOf,
  };
}
