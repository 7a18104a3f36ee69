import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

/** The address of the screen, which holds its filters and tabs. */
export interface Address {
  /** The variable parts of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters; texts only. */
  readonly search: Readonly<Record<string, string>>;
  /** Changes parameters; an empty text removes one. The page stays where it is scrolled to. With `isStep`, Back returns to the previous address. */
  setSearch(changes: Readonly<Record<string, string>>, isStep?: boolean): void;
  /** Goes to another screen. */
  go(to: string, search?: Readonly<Record<string, string>>): void;
}

/** The current address, and navigation. */
export function useAddress(): Address {
  const navigate = useNavigate();
  const params = useParams({ strict: false }) as Readonly<Record<string, string>>;
  const search = useSearch({ strict: false }) as Readonly<Record<string, string>>;
  const setSearch = useCallback(
    (changes: Readonly<Record<string, string>>, isStep = false) => {
      const change = (before: Readonly<Record<string, string>>) => withChanges(before, changes);
      void navigate({ to: ".", search: change, replace: !isStep, resetScroll: false } as object);
    },
    [navigate],
  );
  const go = useCallback(
    (to: string, wanted: Readonly<Record<string, string>> = {}) => void navigate({ to, search: wanted } as object),
    [navigate],
  );
  return { params, search, setSearch, go };
}

function withChanges(before: Readonly<Record<string, string>>, changes: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ""));
}
