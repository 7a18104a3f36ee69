import { type ReactNode, useEffect, useRef, useState } from "react";
import { useChange } from "../api/answers.js";
import { faultOf, isAtFields } from "../api/api-problem.js";
import type { AnswerOf, BodyOf, Path } from "../api/paths.js";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { Confirm } from "../parts/confirm.js";
import { Dialog } from "../parts/dialog.js";
import { CheckField, SelectField, TextField } from "../parts/fields.js";
import { partWords } from "../parts/part-words.js";
import { ClientField } from "./client-field.js";
import { ConflictNotice } from "./conflict-notice.js";
import { ConnectorField } from "./connector-field.js";
import { useTypedText } from "./edited-version.js";
import { EventTypesField } from "./event-types-field.js";
import { linesOf } from "./lines-of.js";
import { listWords } from "./list-words.js";

/** A field of a form. A selection of several options is stored with one per line. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  /** `lines`: text of several lines; `checks`: any of the options; `connector`: a connector's id; `client`: a client's reference; `events`: types of events. */
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
    | "events";
  readonly options?: readonly { readonly value: string; readonly label: string; readonly hint?: string }[];
  readonly initial?: string;
  readonly isRequired?: boolean;
  /** The fault, in words, where the server answers that something else has this value already (CONFLICT). */
  readonly taken?: (value: string) => string;
}

/** The values of a form, by field. A check is `yes` or empty. */
export type FormValues = Readonly<Record<string, string>>;

/** A dialog with a form that makes one change. */
export function FormDialog<P extends Path>({
  title,
  lead,
  path,
  fields,
  bodyOf,
  action,
  changes = [],
  version,
  onDone,
  onClose,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly path: P;
  readonly fields: readonly FormField[];
  readonly bodyOf: (values: FormValues) => BodyOf<P>;
  readonly action: string;
  /** Prefixes of further paths whose answers the change affects; sibling paths are always refetched. */
  readonly changes?: readonly string[];
  /**
   * The version of the object that the page shows now: the change is refused if somebody else made one since the dialog was opened. The `initial` of
   * the fields must follow what the page shows.
   */
  readonly version?: number | undefined;
  /** Called after the change instead of {@link onClose}. */
  readonly onDone?: (answer: AnswerOf<P>, body: BodyOf<P>) => void;
  readonly onClose: () => void;
}) {
  const words = useWords(listWords);
  const parts = useWords(partWords);
  const now = Object.fromEntries(fields.map((field) => [field.name, field.initial ?? ""]));
  const { typed: values, type: setValues, ...seen } = useTypedText<FormValues>(version ?? 0, now);
  const [isTried, setTried] = useState(false);
  const change = useChange(path, {
    changes,
    onDone(answer, body) {
      if (onDone) onDone(answer, body);
      else onClose();
    },
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (change.error) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [change.error]);
  const isSaid = isAtFields(
    change.error,
    fields.map(({ name }) => name),
  );
  const missing = fields.filter(({ name, isRequired }) => isRequired && (values[name] ?? "").trim() === "");

  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (missing.length === 0 && !change.isPending)
            change.mutate(version === undefined ? bodyOf(values) : { ...bodyOf(values), version: seen.version });
        }}
      >
        {lead && <p>{lead}</p>}
        {fields.map((field) => (
          <FieldOf
            key={field.name}
            field={field}
            value={values[field.name] ?? ""}
            fault={isTried && missing.includes(field) ? words.required : faultIn(field, change)}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        <ConflictNotice
          seen={seen}
          change={isSaid ? { ...change, error: null } : change}
          now={othersIn(fields, seen.there, words.nothingThere)}
        />
        <div className="actions">
          <Button type="submit" look="first" isBusy={change.isPending}>
            {action}
          </Button>
          <Button onClick={onClose}>{parts.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What the server says of a field, in words where the form has some. */
function faultIn<P extends Path>(
  { name, taken }: FormField,
  { error, variables }: Pick<ReturnType<typeof useChange<P>>, "error" | "variables">,
): string | null {
  const fault = faultOf(error, name);
  const sent = (variables as Readonly<Record<string, unknown>> | undefined)?.[name];
  return fault !== null && error?.code === "CONFLICT" && taken ? taken(String(sent)) : fault;
}

/** The fields that changed since the form was opened. */
function othersIn(fields: readonly FormField[], seen: FormValues, nothing: string) {
  return fields.flatMap(({ name, label, initial = "", options }): [string, string][] => {
    if (initial === (seen[name] ?? "")) return [];
    const shown = options?.find(({ value }) => value === initial)?.label ?? linesOf(initial).join(", ");
    return [[label, shown || nothing]];
  });
}

function FieldOf({
  field: { label, hint, kind = "text", options = [], isRequired },
  value,
  fault,
  onChange,
}: {
  readonly field: FormField;
  readonly value: string;
  readonly fault: string | null;
  readonly onChange: (value: string) => void;
}) {
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
  if (kind === "client") return <ClientField {...{ label, fault, value, onChange }} />;
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

/** Asks for confirmation, then makes one change. With `typed`, the user has to type that text first. */
export function ConfirmChange<P extends Path>({
  path,
  body,
  changes = [],
  onDone,
  ...question
}: Pick<Parameters<typeof Confirm>[0], "title" | "children" | "action" | "typed" | "look" | "onClose"> & {
  readonly path: P;
  readonly body: BodyOf<P>;
  readonly changes?: readonly string[];
  /** Called after the change instead of `onClose`. */
  readonly onDone?: (answer: AnswerOf<P>) => void;
}) {
  const change = useChange(path, {
    changes,
    onDone(answer) {
      if (onDone) onDone(answer);
      else question.onClose();
    },
  });
  return (
    <Confirm {...question} isBusy={change.isPending} problem={change.error} onConfirm={() => change.mutate(body)} />
  );
}
