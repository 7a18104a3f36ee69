import type { ReactNode } from "react";
import type { useChange } from "../api/answers.js";
import { faultOf } from "../api/api-problem.js";
import type { Path } from "../api/paths.js";
import { CheckField, SelectField, TextField } from "../parts/fields.js";
import { ClientField, ClientsField } from "./client-field.js";
import { ConnectorField } from "./connector-field.js";
import { EventTypesField } from "./event-types-field.js";
import { linesOf } from "./lines-of.js";

/** What the control of a field gets. */
export interface FieldControl {
  readonly label: string;
  readonly fault: string | null;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field of a form. A selection of several options is stored with one per line. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  /** `lines`: text of several lines; `checks`: any of the options; `connector`: a connector's id; `client`: a client's reference; `clients`: several; `events`: types of events. */
  readonly kind?:
    | "text"
    | "lines"
    | "choice"
    | "check"
    | "checks"
    | "number"
    | "secret"
    | "connector"
    | "client"
    | "clients"
    | "events";
  readonly options?: readonly { readonly value: string; readonly label: string; readonly hint?: string }[];
  readonly initial?: string;
  readonly isRequired?: boolean;
  /** Whose clients a `client` or `clients` is, for operators: the tenant that the form has. */
  readonly tenant?: (values: FormValues) => string | undefined;
  /** A control of the form's own instead of one by `kind`. */
  readonly control?: (field: FieldControl) => ReactNode;
  /** The fault, in words, where the server answers that something else has this value already (CONFLICT). */
  readonly taken?: (value: string) => string;
}

/** The values of a form, by field. A check is `yes` or empty. */
export type FormValues = Readonly<Record<string, string>>;

/** The control of a field, by its kind. */
export function FormFieldOf({
  field: { label, hint, kind = "text", options = [], isRequired, tenant, control },
  value,
  values,
  fault,
  onChange,
}: {
  readonly field: FormField;
  readonly value: string;
  /** Of all fields of the form. */
  readonly values: FormValues;
  readonly fault: string | null;
  readonly onChange: (value: string) => void;
}) {
  if (control) return control({ label, fault, value, onChange });
  if (kind === "choice")
    return (
      <SelectField {...{ label, hint, fault, value, onChange }} options={options.map((option) => ({ ...option }))} />
    );
  if (kind === "check")
    return <CheckField {...{ label, hint }} checked={value !== ""} onChange={(isOn) => onChange(isOn ? "yes" : "")} />;
  if (kind === "checks") {
    const chosen = linesOf(value);
    return (
      <fieldset className="checks">
        <legend>{label}</legend>
        {hint && <p className="hint">{hint}</p>}
        {options.map((option) => (
          <CheckField
            key={option.value}
            label={option.label}
            hint={option.hint}
            checked={chosen.includes(option.value)}
            onChange={(isOn) =>
              onChange([...chosen.filter((one) => one !== option.value), ...(isOn ? [option.value] : [])].join("\n"))
            }
          />
        ))}
        {fault && <p className="fault">{fault}</p>}
      </fieldset>
    );
  }
  if (kind === "connector")
    return <ConnectorField {...{ label, fault, value, onChange }} required={isRequired ?? false} />;
  if (kind === "events") return <EventTypesField {...{ label, fault, value, onChange }} />;
  if (kind === "client") return <ClientField {...{ label, fault, value, onChange }} tenantId={tenant?.(values)} />;
  if (kind === "clients")
    return <ClientsField {...{ label, hint, fault, value, onChange }} tenantId={tenant?.(values)} />;
  const type = { number: "number", secret: "password" }[kind as string] ?? "text";
  return (
    <TextField
      {...{ label, hint, fault, value, onChange, type }}
      required={isRequired ?? false}
      autoComplete={kind === "secret" ? "new-password" : "off"}
      {...(kind === "lines" && { rows: 4 })}
    />
  );
}

/** What the server says of a field, in words where the form has some. */
export function faultIn<P extends Path>(
  { name, taken }: FormField,
  { error, variables }: Pick<ReturnType<typeof useChange<P>>, "error" | "variables">,
): string | null {
  const fault = faultOf(error, name);
  const sent = (variables as Readonly<Record<string, unknown>> | undefined)?.[name];
  return fault !== null && error?.code === "CONFLICT" && taken ? taken(String(sent)) : fault;
}

/** The fields that changed since the form was opened. */
export function changedIn(fields: readonly FormField[], seen: FormValues, nothing: string) {
  return fields.flatMap(({ name, label, initial = "", options }): [string, string][] => {
    if (initial === (seen[name] ?? "")) return [];
    const shown = options?.find(({ value }) => value === initial)?.label ?? linesOf(initial).join(", ");
    return [[label, shown || nothing]];
  });
}
