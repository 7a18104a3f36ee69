/** The first ones of several lists, in turn one of each, `most` in all: a long list leaves room for the others. */
export function fairShare<T>(lists: Iterable<readonly T[]>, most: number): T[] {
  const taken: T[] = [];
  let open = [...lists];
  for (let turn = 0; open.length > 0; turn += 1) {
    open = open.filter((list) => list.length > turn);
    for (const list of open) {
      if (taken.length === most) return taken;
      taken.push(list[turn] as T);
    }
  }
  return taken;
}
