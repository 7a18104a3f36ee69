import { useLocation } from "@tanstack/react-router";
import { useWords } from "../language/language.js";
import { createKept, useStored } from "../shell/stored.js";
import { Menu } from "./menu.js";
import { partWords } from "./part-words.js";
import type { Column } from "./table-row.js";

const MAX_TABLES = 100;

/** The ids of hidden columns, by table. */
const hidden = createKept("wealth-connect-console-columns", (ids): ids is readonly string[] => Array.isArray(ids));

/**
 * The columns of a table that are shown, and the menu that chooses them; null if there is nothing to choose. The choice is kept in this browser, by
 * the screen and the columns that the table has. The first column, which names the row, and columns without a name of their own stay.
 */
export function useColumnChoice<R>(columns: readonly Column<R>[]) {
  const words = useWords(partWords);
  const screen = useLocation({ select: ({ pathname }) => pathname.split("/")[1] ?? "" });
  const all = useStored(hidden);
  const table = `${screen} ${columns.map(({ id }) => id).join()}`;
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

function keep(table: string, ids: readonly string[]): void {
  const { [table]: _, ...others } = hidden.get();
  const entries = [...Object.entries(others), ...(ids.length > 0 ? [[table, ids] as const] : [])];
  hidden.set(Object.fromEntries(entries.slice(-MAX_TABLES)));
}
