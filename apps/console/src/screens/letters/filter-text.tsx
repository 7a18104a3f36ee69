import { type InputHTMLAttributes, useEffect, useState } from "react";
import { useAddress } from "../../parts/address.js";
import { TextField } from "../../parts/fields.js";

const PAUSE_MS = 350;

/** A text filter: the address is updated after a pause, or on Enter. */
export function FilterText({
  name,
  label,
  ...rest
}: { readonly name: string; readonly label: string } & Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "placeholder" | "inputMode"
>) {
  const { search, setSearch } = useAddress();
  const kept = search[name] ?? "";
  const [text, setText] = useState(kept);
  // Back or a link changed the address.
  useEffect(() => setText((before) => (before.trim() === kept ? before : kept)), [kept]);
  useEffect(() => {
    if (text.trim() === kept) return;
    const timer = setTimeout(() => setSearch({ [name]: text.trim() }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, kept, name, setSearch]);
  return (
    <TextField
      {...rest}
      type="search"
      label={label}
      value={text}
      onChange={setText}
      maxLength={200}
      onKeyDown={({ key }) => {
        if (key === "Enter") setSearch({ [name]: text.trim() }, true);
      }}
    />
  );
}
