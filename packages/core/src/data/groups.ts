/** Groups things that share a name, directly or through others (union-find). */
export function createGroups() {
  const into: number[] = [];
  /** Size of each group, at the index of its root. */
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
    /** Adds a thing with these names and returns its number, counted from 0. */
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
    /** The group that currently has this name, and its size; null if no group has it. */
    withName(name: string): { readonly group: number; readonly size: number } | null {
      const member = known.get(name);
      if (member === undefined) return null;
      const group = rootOf(member);
      return { group, size: sizes[group] as number };
    },
    /** The group that a thing is currently in, identified by the number of one of its members. */
    groupOf: rootOf,
  };
}
