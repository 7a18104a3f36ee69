import { type InputHTMLAttributes, type ReactNode, useId } from "react";
import { useLanguage, useWords } from "../language/language.js";
import { faultSaid } from "../sentences/refusals.js";
import { partWords } from "./part-words.js";

interface Named {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with it; null or left out if nothing is. */
  readonly fault?: string | null;
}

/** The frame of a field: label, hint, fault, and the control, which gets the ids that connect them. */
export function Field({
  label,
  hint,
  fault = null,
  children,
}: Named & {
  readonly children: (control: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
  }) => ReactNode;
}) {
  const id = useId();
  const { kinds } = useWords(partWords);
  const language = useLanguage();
  /** For a fault without a message the server names only the kind. */
  const said =
    fault === null ? null : ((kinds as Readonly<Record<string, string>>)[fault] ?? faultSaid(language, fault));
  const described = [hint ? `${id}-hint` : "", fault ? `${id}-fault` : ""].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": fault ? true : undefined })}
      {said && (
        <p className="fault" id={`${id}-fault`}>
          {said}
        </p>
      )}
    </div>
  );
}

type Input = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange">;

/** A line of text, or with `rows` a box of several lines, which Ctrl or ⌘ with Enter sends. */
export function TextField({
  label,
  hint,
  fault,
  value,
  onChange,
  rows,
  ...rest
}: Named & Input & { readonly value: string; readonly onChange: (value: string) => void; readonly rows?: number }) {
  return (
    <Field label={label} hint={hint} fault={fault ?? null}>
      {(control) =>
        rows === undefined ? (
          <input type="text" {...rest} {...control} value={value} onChange={({ target }) => onChange(target.value)} />
        ) : (
          <textarea
            {...control}
            rows={rows}
            spellCheck={rest.spellCheck}
            required={rest.required}
            placeholder={rest.placeholder}
            className={rest.className}
            value={value}
            onChange={({ target }) => onChange(target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
        )
      }
    </Field>
  );
}

/** A choice of one option. */
export function SelectField<V extends string>({
  label,
  hint,
  fault,
  value,
  options,
  onChange,
}: Named & {
  readonly value: V;
  /** Those of one `family`, which stand together, are under its heading. */
  readonly options: readonly Option<V>[];
  readonly onChange: (value: V) => void;
}) {
  const families = new Map<string, Option<V>[]>();
  for (const option of options)
    families.set(option.family ?? "", [...(families.get(option.family ?? "") ?? []), option]);
  const drawn = (some: readonly Option<V>[]) =>
    some.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ));
  return (
    <Field label={label} hint={hint} fault={fault ?? null}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value as V)}>
          {[...families].map(([family, some]) =>
            family === "" ? (
              drawn(some)
            ) : (
              <optgroup key={family} label={family}>
                {drawn(some)}
              </optgroup>
            ),
          )}
        </select>
      )}
    </Field>
  );
}

interface Option<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly family?: string;
}

/** Yes or no. */
export function CheckField({
  label,
  hint,
  checked,
  onChange,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="field check">
      <label>
        <input
          type="checkbox"
          checked={checked}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
