import "./settings.css";
import { type ReactNode, useRef, useState } from "react";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { CheckField, SelectField, TextField } from "../parts/fields.js";
import { type SettingNames, type Texts, useSettingNames } from "./setting-names.js";
import {
  asKind,
  beginningOf,
  below,
  type Control,
  controlFor,
  nameOfKind,
  resolved,
  type Schema,
  STORED,
  withMember,
} from "./settings-model.js";
import { settingsWords } from "./settings-words.js";

/** The class of a field whose text cannot be read yet, or was not added, so that nothing is sent without it. */
export const NOT_READ = "not-read";

/** What all settings of a form share. */
interface Form {
  readonly root: Schema;
  readonly names: SettingNames;
  /** What the server says of the setting at a path, or null. */
  readonly faultAt: (path: string) => string | null;
  /** Whether a name that was typed and not added is a fault: something was to be sent without it. */
  readonly isIncomplete: boolean;
}

interface Setting<Value = unknown> {
  readonly form: Form;
  readonly schema: Schema;
  readonly path: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly value: Value;
  /** Undefined takes it away. */
  readonly onChange: (value: unknown) => void;
}

/** Settings as fields, by their JSON Schema. What has no field is edited as JSON in its place. */
export function SettingsForm({
  of,
  schema,
  value,
  path,
  faultAt,
  isIncomplete,
  onChange,
}: {
  /** Whose settings they are, for their names; or the names of values. */
  readonly of: string | Texts;
  readonly schema: Schema;
  readonly value: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly faultAt: Form["faultAt"];
  readonly isIncomplete: boolean;
  readonly onChange: (value: unknown) => void;
}) {
  const form = { root: schema, names: useSettingNames(of), faultAt, isIncomplete };
  const control = controlFor(schema, value, schema);
  const setting = { form, schema, path, value, onChange, label: "", isRequired: true };
  return control.kind === "group" ? <Members {...setting} members={control.members} /> : <SettingField {...setting} />;
}

function SettingField(setting: Setting) {
  const { form, path, value, label, isRequired, onChange } = setting;
  const words = useWords(settingsWords);
  const schema = resolved(setting.schema, form.root);
  const control = controlFor(schema, value, form.root);
  const fault = form.faultAt(path);
  const hint = form.names.hintOf(path, schema);
  const field = { label: isRequired ? label : words.optional(label), hint, fault, required: isRequired };
  const usual = schema.default === undefined ? null : String(schema.default);
  switch (control.kind) {
    case "fixed":
      return null;
    case "text":
      if (control.isSecret) return <SecretField {...field} {...{ value, onChange }} isLong={control.isLong} />;
      return (
        <TextField
          {...field}
          autoComplete="off"
          spellCheck={false}
          value={typeof value === "string" ? value : ""}
          {...(usual !== null && { placeholder: usual })}
          {...(control.isLong && { rows: 4, className: "code" })}
          onChange={(text) => onChange(text === "" ? undefined : text)}
        />
      );
    case "number":
      return (
        <TextField
          {...field}
          type="number"
          step="any"
          value={typeof value === "number" ? String(value) : ""}
          {...(usual !== null && { placeholder: usual })}
          onChange={(text) => onChange(text === "" ? undefined : Number(text))}
        />
      );
    case "check":
      return (
        <CheckField
          {...{ label, hint, onChange }}
          checked={typeof value === "boolean" ? value : schema.default === true}
        />
      );
    case "choice":
      return (
        <SelectField
          {...field}
          value={value === undefined ? "" : String(value)}
          options={[
            { value: "", label: usual === null ? words.notChosen : words.usual(form.names.valueOf(usual)) },
            ...control.options.map((one) => ({ value: String(one), label: form.names.valueOf(String(one)) })),
          ]}
          onChange={(text) => onChange(control.options.find((one) => String(one) === text))}
        />
      );
    case "json":
      return <JsonMember {...field} {...{ value, onChange }} />;
    default:
      return <Surrounded {...setting} schema={schema} hint={hint} fault={fault} control={control} />;
  }
}

/** What has parts, in a frame. What may be left out is there after a click only. */
function Surrounded({
  control,
  hint,
  fault,
  ...setting
}: Setting & {
  readonly control: Extract<Control, { kind: "group" | "list" | "named" | "kinds" }>;
  readonly hint: ReactNode;
  readonly fault: string | null;
}) {
  const { form, schema, value, label, isRequired, onChange } = setting;
  const words = useWords(settingsWords);
  const isThere = value !== undefined || isRequired;
  return (
    <fieldset className="setting">
      <legend>{isRequired ? label : words.optional(label)}</legend>
      {hint && <p className="hint">{hint}</p>}
      {fault && control.kind !== "kinds" && <p className="fault">{fault}</p>}
      {!isThere && <Button onClick={() => onChange(beginningOf(schema, form.root))}>{words.add(label)}</Button>}
      {isThere && control.kind === "group" && <Members {...setting} members={control.members} />}
      {isThere && control.kind === "list" && <Elements {...setting} element={control.element} />}
      {isThere && control.kind === "named" && <NamedElements {...setting} element={control.element} />}
      {isThere && control.kind === "kinds" && <Kinds {...setting} fault={fault} control={control} />}
      {!isRequired && isThere && (
        <Button look="plain" onClick={() => onChange(undefined)}>
          {words.remove(label)}
        </Button>
      )}
    </fieldset>
  );
}

function Members({
  form,
  path,
  value,
  onChange,
  members,
}: Setting & { readonly members: Extract<Control, { kind: "group" }>["members"] }) {
  return members.map(({ name, schema, isRequired }) => (
    <SettingField
      key={name}
      {...{ form, schema, isRequired }}
      path={below(path, name)}
      label={form.names.labelOf(name, resolved(schema, form.root))}
      value={(value as Readonly<Record<string, unknown>> | undefined)?.[name]}
      onChange={(made) => onChange(withMember(value, name, made))}
    />
  ));
}

/** A list that needs an element begins with one, which counts once something is typed in it. */
function Elements({ form, schema, path, value, label, onChange, element }: Setting & { readonly element: Schema }) {
  const words = useWords(settingsWords);
  const begun = Number(schema.minItems) > 0 && value === undefined ? [beginningOf(element, form.root)] : [];
  const list = Array.isArray(value) ? (value as readonly unknown[]) : begun;
  // A row keeps its fields when one before it goes.
  const keys = useRef<number[]>([]);
  const next = useRef(0);
  while (keys.current.length < list.length) keys.current.push(next.current++);
  return (
    <>
      {list.map((each, index) => {
        const name = titleOf(each) ?? `${label} ${index + 1}`;
        return (
          <div className="setting-row" key={keys.current[index]}>
            <SettingField
              {...{ form, schema: element, value: each, label: name, isRequired: true }}
              path={below(path, index)}
              onChange={(made) => onChange(list.with(index, made ?? beginningOf(element, form.root)))}
            />
            <Button
              look="plain"
              onClick={() => {
                keys.current.splice(index, 1);
                onChange(list.filter((_, at) => at !== index));
              }}
            >
              {words.remove(name)}
            </Button>
          </div>
        );
      })}
      <Button onClick={() => onChange([...list, beginningOf(element, form.root)])}>{words.addTo(label)}</Button>
    </>
  );
}

/** Values under names of one's own: a name is given once, when it is added. */
function NamedElements({ form, path, value, label, onChange, element }: Setting & { readonly element: Schema }) {
  const words = useWords(settingsWords);
  const [name, setName] = useState("");
  const named = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isOpen = name.trim() !== "";
  const isTaken = Object.hasOwn(named, name.trim());
  const open = form.isIncomplete && isOpen ? words.notAdded : null;
  return (
    <>
      {Object.entries(named).map(([each, its]) => (
        <div className="setting-row" key={each}>
          <SettingField
            {...{ form, schema: element, value: its, label: each, isRequired: true }}
            path={below(path, each)}
            onChange={(made) => onChange({ ...named, [each]: made ?? beginningOf(element, form.root) })}
          />
          <Button look="plain" onClick={() => onChange(withMember(named, each, undefined))}>
            {words.remove(each)}
          </Button>
        </div>
      ))}
      <TextField
        label={words.nameOf(label)}
        value={name}
        fault={isTaken ? words.taken : open}
        onChange={setName}
        {...(isOpen && { className: NOT_READ })}
      />
      <Button
        reason={!isOpen || isTaken ? words.nameFirst : null}
        onClick={() => {
          onChange({ ...named, [name.trim()]: beginningOf(element, form.root) });
          setName("");
        }}
      >
        {words.addTo(label)}
      </Button>
    </>
  );
}

/** One of several kinds: which comes first, then what it takes. */
function Kinds({
  control: { kinds, chosen },
  fault,
  ...setting
}: Setting & {
  readonly fault: string | null;
  readonly control: Extract<Control, { kind: "kinds" }>;
}) {
  const { form, value, onChange } = setting;
  const words = useWords(settingsWords);
  const kind = kinds[chosen];
  return (
    <>
      <SelectField
        label={words.kind}
        fault={fault}
        value={String(chosen)}
        options={[
          ...(chosen < 0 ? [{ value: "-1", label: words.notChosen }] : []),
          ...kinds.map((each, at) => ({ value: String(at), label: form.names.valueOf(nameOfKind(each, form.root)) })),
        ]}
        onChange={(at) => {
          const made = kinds[Number(at)];
          if (made) onChange(asKind(made, value, form.root));
        }}
      />
      {kind && <Inside {...setting} schema={kind} />}
    </>
  );
}

/** The value of a chosen kind, without a frame of its own. */
function Inside(setting: Setting) {
  const control = controlFor(setting.schema, setting.value, setting.form.root);
  return control.kind === "group" ? <Members {...setting} members={control.members} /> : <SettingField {...setting} />;
}

/** A secret that is stored is never shown: it stays unless another is typed. */
function SecretField({
  value,
  hint,
  isLong,
  onChange,
  ...field
}: {
  readonly label: string;
  readonly hint: ReactNode;
  readonly fault: string | null;
  readonly required: boolean;
  readonly value: unknown;
  readonly isLong: boolean;
  readonly onChange: (value: unknown) => void;
}) {
  const words = useWords(settingsWords);
  const [wasStored] = useState(value === STORED);
  const isStored = value === STORED;
  return (
    <TextField
      {...field}
      hint={isStored ? words.stays : hint}
      required={field.required && !isStored}
      value={isStored || typeof value !== "string" ? "" : value}
      placeholder={isStored ? "••••••••" : ""}
      spellCheck={false}
      autoComplete="new-password"
      {...(isLong ? { rows: 4, className: "code masked" } : { type: "password" })}
      onChange={(text) => onChange(text === "" ? (wasStored ? STORED : undefined) : text)}
    />
  );
}

/** A member for which there is no field. Text that is no JSON is kept here until it is some. */
function JsonMember({
  value,
  label,
  hint,
  fault,
  onChange,
}: {
  readonly label: string;
  readonly hint: ReactNode;
  readonly fault: string | null;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}) {
  const words = useWords(settingsWords);
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const read = text.trim() === "" ? undefined : readJson(text);
  return (
    <TextField
      {...{ label, hint }}
      fault={read === null ? words.noJson : fault}
      rows={4}
      className={`code ${read === null ? NOT_READ : ""}`}
      spellCheck={false}
      value={text}
      onChange={(typed) => {
        setText(typed);
        const made = typed.trim() === "" ? undefined : readJson(typed);
        if (made !== null) onChange(made?.value);
      }}
    />
  );
}

function readJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** What people call an element of a list: its name. */
function titleOf(element: unknown): string | null {
  const { name } = (typeof element === "object" && element !== null ? element : {}) as { readonly name?: unknown };
  return typeof name === "string" && name.trim() !== "" ? name : null;
}
