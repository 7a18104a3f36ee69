/** Puts things together that have a name in common, directly or through others (a union-find). */
export function createGroups() {
  const into: number[] = [];
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
  return {
    /** Adds something with these names; returns its number, from 0 on. */
    add(names: Iterable<string>): number {
      const member = into.length;
      into.push(member);
      for (const name of names) {
        const other = known.get(name);
        if (other === undefined) known.set(name, member);
        else into[rootOf(member)] = rootOf(other);
      }
      return member;
    },
    /** Which group something is in now: the number of one of its members. */
    groupOf: rootOf,
  };
}
