import { Fragment, type ReactNode, useEffect, useState } from "react";
import { useWords } from "../language/language.js";
import { useAddress } from "../parts/address.js";
import type { Column, Sort } from "../parts/data-table.js";
import { SelectField, TextField } from "../parts/fields.js";
import { ClientField } from "./client-field.js";
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

/** Fields for the filters of a list. */
export function FilterBar({ filters }: { readonly filters: readonly Filter[] }) {
  const { search, setSearch } = useAddress();
  const words = useWords(listWords);
  return (
    <search className="filters" aria-label={words.filters}>
      {filters.map((filter) =>
        filter.kind === "choice" ? (
          <SelectField
            key={filter.name}
            label={filter.label}
            value={search[filter.name] ?? ""}
            options={[{ value: "", label: filter.none ?? words.all }, ...offered(filter, search[filter.name])]}
            onChange={(value) => setSearch({ [filter.name]: value })}
          />
        ) : filter.kind === "own" ? (
          <Fragment key={filter.name}>
            {filter.control({
              label: filter.label,
              value: search[filter.name] ?? "",
              onChange: (value) => setSearch({ [filter.name]: value }),
            })}
          </Fragment>
        ) : (
          <TypedFilter
            key={filter.name}
            {...filter}
            value={search[filter.name] ?? ""}
            onChange={(value) => setSearch({ [filter.name]: value })}
          />
        ),
      )}
      <SavedViews names={[...filters.map(({ name }) => name), "sort"]} />
    </search>
  );
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
