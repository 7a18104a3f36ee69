import { useCallback, useEffect, useRef, useState } from "react";
import type { BanksAnswer } from "../src/widget-state.js";
import { useScreen } from "./screen.js";
import type { TypedSoFar } from "./typed-so-far.js";

/** The search as it stands in the fields; empty = everything. */
export interface BankSearch {
  readonly name: string;
  readonly country: string;
}

/** What was found, page after page. */
export interface Banks {
  readonly query: BankSearch;
  /** The last page that came; null until the first one has. */
  readonly found: BanksAnswer | null;
  /** All pages of this search so far. */
  readonly items: BanksAnswer["items"];
  readonly search: (query: BankSearch) => void;
  readonly more: () => void;
}

/** Keys pressed within this time make one question. */
const TYPING_MS = 80;

/** Searches while the name is typed. What was found last stays until the next answer, and a late answer is not taken. */
export function useBanks(typed: TypedSoFar | null): Banks {
  const { client, session } = useScreen();
  const [query, setQuery] = useState<BankSearch>(() => ({
    name: typed?.values.get("name") ?? "",
    country: typed?.values.get("country") ?? "",
  }));
  const [found, setFound] = useState<BanksAnswer | null>(null);
  const [items, setItems] = useState<BanksAnswer["items"]>([]);
  const asking = useRef<AbortController | null>(null);
  const { look } = session;

  const ask = useCallback(
    async (wanted: BankSearch, page: number) => {
      asking.current?.abort();
      asking.current = new AbortController();
      const { signal } = asking.current;
      try {
        const answer = await client.banks({ ...wanted, page }, signal);
        if (signal.aborted) return;
        if (answer === null) return look();
        setFound(answer);
        setItems((before) => (page === 1 ? answer.items : [...before, ...answer.items]));
      } catch {
        // Looking says whether the server can be reached; the next key asks again.
        if (!signal.aborted) look();
      }
    },
    [client, look],
  );

  const first = useRef(true);
  useEffect(() => {
    const timer = setTimeout(() => void ask(query, 1), first.current ? 0 : TYPING_MS);
    first.current = false;
    return () => clearTimeout(timer);
  }, [query, ask]);
  useEffect(() => () => asking.current?.abort(), []);

  return { query, found, items, search: setQuery, more: () => found && void ask(query, found.page + 1) };
}
