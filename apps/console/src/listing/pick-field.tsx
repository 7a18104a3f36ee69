import { useEffect, useId, useState } from "react";
import { TextField } from "../parts/fields.js";

/** Something to choose: what people read, and the id that is sent. */
export interface Proposal {
  readonly id: string;
  readonly name: string;
}

/**
 * A field in which people type a part of a name and choose: it shows the name, with the id where several have that name, and keeps the id. What is
 * typed and never chosen is kept as it is, since it may be an id.
 */
export function PickField({
  label,
  hint,
  placeholder,
  fault,
  value,
  required = false,
  proposals,
  onSearch,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly placeholder?: string;
  readonly fault?: string | null;
  /** The id. */
  readonly value: string;
  readonly required?: boolean;
  readonly proposals: readonly Proposal[];
  /** The text to search by; empty once something is chosen. */
  readonly onSearch: (text: string) => void;
  readonly onChange: (id: string) => void;
}) {
  const list = useId();
  const [shown, setShown] = useState({ text: value, id: value });
  const offered = proposals.map(({ id, name }) => {
    const isAmbiguous = proposals.some((other) => other.name === name && other.id !== id);
    return { id, text: isAmbiguous ? `${name} (${id})` : name };
  });
  // A name that was typed before its proposal arrived is chosen, too.
  const late = offered.find(({ id, text }) => text === value && id !== value);
  useEffect(() => {
    if (!late) return;
    setShown(late);
    onSearch("");
    onChange(late.id);
  }, [late, onSearch, onChange]);
  const known = proposals.find(({ id }) => id === value)?.name ?? value;
  return (
    <>
      <TextField
        {...{ label, hint, required, list }}
        {...(placeholder !== undefined && { placeholder })}
        fault={fault ?? null}
        value={shown.id === value && shown.text !== value ? shown.text : known}
        spellCheck={false}
        autoComplete="off"
        onChange={(text) => {
          const chosen = offered.find((proposal) => proposal.text === text);
          const id = chosen?.id ?? text;
          setShown({ text, id });
          onSearch(chosen ? "" : text.trim());
          onChange(id);
        }}
      />
      <datalist id={list}>
        {offered.map(({ id, text }) => (
          <option key={id} value={text} />
        ))}
      </datalist>
    </>
  );
}
