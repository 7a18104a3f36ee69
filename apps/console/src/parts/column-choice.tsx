import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { useWords } from "../language/language.js";
import { createKept, createStored, useStored } from "../shell/stored.js";
import { Menu } from "./menu.js";
import { partWords } from "./part-words.js";
import type { Column } from "./table-row.js";

const MAX_TABLES = 100;

/** The ids of hidden columns, by table. */
const hidden = createKept("wealth-connect-console-columns", (ids): ids is readonly string[] => Array.isArray(ids));

/** The tables that were on the screen, by its address, since the page was loaded: an empty list has none at the moment. */
const seen = createStored<Readonly<Record<string, readonly string[]>>>({});

/**
 * The columns of a table that are shown, and the menu that chooses them; null if there is nothing to choose. The choice is kept in this browser, by
 * the screen and the columns that the table has. The first column, which names the row, and columns without a name of their own stay.
 */
export function useColumnChoice<R>(columns: readonly Column<R>[]) {
  const words = useWords(partWords);
  const screen = useLocation({ select: ({ pathname }) => pathname.split("/")[1] ?? "" });
  const all = useStored(hidden);
  const table = `${screen} ${columns.map(({ id }) => id).join()}`;
  const address = useListAddress();
  useEffect(() => {
    const tables = seen.get()[address] ?? [];
    if (!tables.includes(table)) seen.set({ ...seen.get(), [address]: [...tables, table] });
  }, [address, table]);
  const without = all[table] ?? [];
  const choosable = columns.slice(1).filter(({ header }) => typeof header === "string" && header !== "");
  return {
    shown: without.length === 0 ? columns : columns.filter(({ id }) => !without.includes(id)),
    menu: choosable.length > 1 && (
      <Menu
        label={words.columns}
        choice="many"
        button={{ look: "plain", icon: "columns", isIconOnly: true }}
        items={choosable.map(({ id, header }) => ({
          label: header as string,
          isChosen: !without.includes(id),
          onSelect: () => keep(table, without.includes(id) ? without.filter((one) => one !== id) : [...without, id]),
        }))}
      />
    ),
  };
}

/** The address of a list: its screen's path, with the tab. */
export function useListAddress(): string {
  return useLocation({
    select: ({ pathname, search }) => {
      const { tab } = search as { readonly tab?: string };
      return tab ? `${pathname}?tab=${tab}` : pathname;
    },
  });
}

/** The ids of hidden columns, by table, of a list; tables that were never there are left out. */
export function useHiddenColumns(address: string): Readonly<Record<string, readonly string[]>> {
  const all = useStored(hidden);
  const tables = useStored(seen)[address] ?? [];
  return Object.fromEntries(tables.map((table) => [table, all[table] ?? []]));
}

/** Hides these columns and shows the others, in each of the tables. */
export function hideColumns(columns: Readonly<Record<string, readonly string[]>>): void {
  for (const [table, ids] of Object.entries(columns)) keep(table, ids);
}

function keep(table: string, ids: readonly string[]): void {
  const { [table]: _, ...others } = hidden.get();
  const entries = [...Object.entries(others), ...(ids.length > 0 ? [[table, ids] as const] : [])];
  hidden.set(Object.fromEntries(entries.slice(-MAX_TABLES)));
}
