import { hash } from "node:crypto";

/** Counts how often keys occur. */
export interface KeyCounter {
  /** Counts a key and returns how often it had been counted before. */
  add(key: string): number;
  /** How often a key has been counted. */
  of(key: string): number;
}

/**
 * Stores eight bytes of each key's digest instead of the key: the keys of a large file would take hundreds of megabytes, and a collision is
 * practically impossible. The counts are spread over many small tables, so that growing one of them takes about a millisecond.
 */
export function createKeyCounter(): KeyCounter {
  const tables = new Map<number, ReturnType<typeof createTable>>();
  const tableOf = (low: number) => {
    const number = low % TABLES;
    const table = tables.get(number) ?? createTable();
    tables.set(number, table);
    return table;
  };
  return {
    add(key) {
      const [low, high] = digestOf(key);
      return tableOf(low).add(Math.floor(low / TABLES), high);
    },
    of(key) {
      const [low, high] = digestOf(key);
      return tableOf(low).of(Math.floor(low / TABLES), high);
    },
  };
}

const TABLES = 64;

function digestOf(key: string): readonly [low: number, high: number] {
  // As text, which costs half of what a buffer does.
  const digest = hash("sha256", key);
  return [Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8, 16), 16)];
}

/** A hash table with open addressing and linear probing, at most half full. A free place has the count 0. */
function createTable() {
  let places = new Uint32Array(3 * 4);
  let taken = 0;
  const find = (low: number, high: number) => {
    let at = (low * 3) % places.length;
    while (places[at + 2] !== 0 && !(places[at] === low && places[at + 1] === high)) at = (at + 3) % places.length;
    return at;
  };
  const put = (low: number, high: number, count: number) => places.set([low, high, count], find(low, high));
  return {
    of: (low: number, high: number): number => places[find(low, high) + 2] ?? 0,
    add(low: number, high: number): number {
      const before = places[find(low, high) + 2] ?? 0;
      if (before === 0) {
        taken += 1;
        if (taken * 6 > places.length) {
          const old = places;
          places = new Uint32Array(old.length * 2);
          for (let at = 0; at < old.length; at += 3)
            if (old[at + 2] !== 0) put(old[at] ?? 0, old[at + 1] ?? 0, old[at + 2] ?? 0);
        }
      }
      put(low, high, before + 1);
      return before;
    },
  };
}
