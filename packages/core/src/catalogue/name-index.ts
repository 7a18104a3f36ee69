/** Search keys of names, one after the other in a single text: searching that takes a fraction of asking each name. */
export interface NameIndex {
  /** The places of the names that contain a key, in order. */
  matching(key: string): readonly number[];
  /** Whether any name contains a key. */
  has(key: string): boolean;
}

/** No key has it: typed text that does is in no name. */
const END = "\0";

/** @param names search keys ({@link searchKey}), none with NUL */
export function createNameIndex(names: readonly string[]): NameIndex {
  const text = names.join(END);
  const ends = new Uint32Array(names.length);
  let end = -1;
  for (const [place, name] of names.entries()) {
    end += name.length + 1;
    ends[place] = end;
  }
  return {
    matching(key) {
      const places: number[] = [];
      if (names.length === 0 || key.includes(END)) return places;
      let place = 0;
      for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at)) {
        while ((ends[place] as number) < at) place += 1;
        places.push(place);
        at = (ends[place] as number) + 1;
        place += 1;
        if (place === names.length) break;
      }
      return places;
    },
    has: (key) => names.length > 0 && !key.includes(END) && text.includes(key),
  };
}
