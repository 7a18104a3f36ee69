import { type ReactNode, useEffect, useState } from "react";
import { usePerson } from "../api/session.js";
import { useWords } from "../language/language.js";
import { useAddress } from "../parts/address.js";
import { Button } from "../parts/button.js";
import type { Column, Sort } from "../parts/data-table.js";
import { SelectField, TextField } from "../parts/fields.js";
import { ClientField, ClientFilter } from "./client-field.js";
import { listWords } from "./list-words.js";
import { SavedViews } from "./saved-views.js";

/** A filter of a list; its value is kept in the address under `name`. */
export type Filter =
  | {
      readonly kind: "text" | "date" | "client";
      readonly name: string;
      readonly label: string;
      readonly placeholder?: string;
    }
  | Own
  | Choice;

/** A filter with a control of its own. */
interface Own {
  readonly kind: "own";
  readonly name: string;
  readonly label: string;
  readonly control: (filter: {
    readonly label: string;
    readonly value: string;
    readonly onChange: (value: string) => void;
  }) => ReactNode;
}

interface Choice {
  readonly kind: "choice";
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly family?: string }[];
  /** Label of the empty choice; `All` by default. */
  readonly none?: string;
}

const WHILE_TYPING_MS = 300;

/** The active filters by name, and a function that clears them; null while none is set. */
export function useFilters(filters: readonly Filter[]): {
  readonly values: Readonly<Record<string, string>>;
  readonly clear: (() => void) | null;
} {
  const { search, setSearch } = useAddress();
  const set = filters.filter(({ name }) => (search[name] ?? "") !== "");
  return {
    values: Object.fromEntries(set.map(({ name }) => [name, search[name] ?? ""])),
    clear: set.length === 0 ? null : () => setSearch(Object.fromEntries(set.map(({ name }) => [name, ""]))),
  };
}

/** The order of a list, kept in the address. @param usual the server's own order, by the name that the columns have for it */
export function useSort(columns: readonly Pick<Column<never>, "sorts">[], usual = ""): Sort {
  const { search, setSearch } = useAddress();
  const sorts = columns.flatMap((column) => column.sorts ?? []);
  return {
    value: sorts.find((sort) => sort === search.sort) ?? usual,
    onChange: (value) => setSearch({ sort: value === usual ? "" : value }),
    usual,
  };
}

/**
 * The order that the server is asked for, kept in the address. @param orders the server's names by what the headings call them, the usual one first
 */
export function useOrder<Order extends string>(orders: Readonly<Record<string, Order>>) {
  const names = Object.keys(orders);
  const sort = useSort([{ sorts: names }], names[0]);
  return {
    sort,
    order: orders[sort.value] as Order,
    /** Those of a heading. */
    sortsOf: (id: string) => names.filter((name) => name === id || name === `-${id}`),
  };
}

/** Fields for the filters of a list. A narrow screen has room for the first; the others come on demand, or when the address sets one. */
export function FilterBar({ filters }: { readonly filters: readonly Filter[] }) {
  const { search } = useAddress();
  const words = useWords(listWords);
  const [first, ...others] = filters;
  const set = others.filter(({ name }) => search[name]).length;
  const [hasMore, setMore] = useState(set > 0);
  return (
    <search className="filters" aria-label={words.filters}>
      {first && <FilterField filter={first} />}
      {others.length > 0 && (
        <Button icon="filter" className="narrow-only" aria-expanded={hasMore} onClick={() => setMore(!hasMore)}>
          {words.moreFilters(set)}
        </Button>
      )}
      <div className="filters others" hidden={!hasMore}>
        {others.map((filter) => (
          <FilterField key={filter.name} filter={filter} />
        ))}
      </div>
      <SavedViews names={[...filters.map(({ name }) => name), "sort"]} />
    </search>
  );
}

function FilterField({ filter }: { readonly filter: Filter }) {
  const { audience } = usePerson();
  const { search, setSearch } = useAddress();
  const words = useWords(listWords);
  const value = search[filter.name] ?? "";
  const onChange = (changed: string) => setSearch({ [filter.name]: changed });
  if (filter.kind === "own") return filter.control({ label: filter.label, value, onChange });
  if (filter.kind === "client" && audience === "tenant")
    return <ClientFilter {...{ label: filter.label, value, onChange }} />;
  if (filter.kind !== "choice") return <TypedFilter {...{ ...filter, value, onChange }} />;
  const options = [{ value: "", label: filter.none ?? words.all }, ...offered(filter, value)];
  return <SelectField label={filter.label} {...{ value, options, onChange }} />;
}

/** The options of a choice, and its value, which may come from an address or from data that have changed. */
function offered({ options }: Choice, value = "") {
  return value === "" || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }];
}

/** A text filter that is applied when the user stops typing. */
export function TypedFilter({
  label,
  kind,
  placeholder,
  value,
  onChange,
}: {
  readonly label: string;
  readonly kind: "text" | "date" | "client";
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), WHILE_TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  if (kind === "client") return <ClientField label={label} hint={null} value={text} onChange={setText} />;
  return (
    <TextField
      label={label}
      type={kind === "date" ? "date" : "search"}
      value={text}
      onChange={setText}
      {...(placeholder !== undefined && { placeholder })}
    />
  );
}
