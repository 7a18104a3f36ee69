import { type ReactNode, useEffect, useRef, useState } from "react";
import { useChange } from "../api/answers.js";
import { isAtFields } from "../api/api-problem.js";
import type { AnswerOf, BodyOf, Path } from "../api/paths.js";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { Confirm } from "../parts/confirm.js";
import { Dialog } from "../parts/dialog.js";
import { partWords } from "../parts/part-words.js";
import { ConflictNotice } from "./conflict-notice.js";
import { useTypedText } from "./edited-version.js";
import { changedIn, type FormField, FormFieldOf, type FormValues, faultIn } from "./form-field.js";
import { listWords } from "./list-words.js";

export type { FormField, FormValues } from "./form-field.js";

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
  question,
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
  /** What these values bring that cannot be undone, to be confirmed before; null = nothing. */
  readonly question?: (values: FormValues) => Pick<Parameters<typeof Confirm>[0], "title" | "effects"> | null;
  /** Called after the change instead of {@link onClose}. */
  readonly onDone?: (answer: AnswerOf<P>, body: BodyOf<P>) => void;
  readonly onClose: () => void;
}) {
  const words = useWords(listWords);
  const parts = useWords(partWords);
  const now = Object.fromEntries(fields.map((field) => [field.name, field.initial ?? ""]));
  const { typed: values, type: setValues, ...seen } = useTypedText<FormValues>(version ?? 0, now);
  const [isTried, setTried] = useState(false);
  const [asked, setAsked] = useState<ReturnType<NonNullable<typeof question>>>(null);
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
    <>
      <Dialog title={title} onClose={onClose}>
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            setTried(true);
            if (missing.length > 0 || change.isPending) return;
            const consequence = question?.(values) ?? null;
            if (consequence) setAsked(consequence);
            else send();
          }}
        >
          {lead && <p>{lead}</p>}
          {fields.map((field) => (
            <FormFieldOf
              key={field.name}
              field={field}
              value={values[field.name] ?? ""}
              values={values}
              fault={isTried && missing.includes(field) ? words.required : faultIn(field, change)}
              onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
            />
          ))}
          <ConflictNotice
            seen={seen}
            change={isSaid ? { ...change, error: null } : change}
            now={changedIn(fields, seen.there, words.nothingThere)}
          />
          <div className="actions">
            <Button type="submit" look="first" isBusy={change.isPending}>
              {action}
            </Button>
            <Button onClick={onClose}>{parts.cancel}</Button>
          </div>
        </form>
      </Dialog>
      {asked && (
        <Confirm
          {...asked}
          action={action}
          onConfirm={() => {
            setAsked(null);
            send();
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );

  function send(): void {
    change.mutate(version === undefined ? bodyOf(values) : { ...bodyOf(values), version: seen.version });
  }
}

/** Asks for confirmation, then makes one change. With `typed`, the user has to type that text first. */
export function ConfirmChange<P extends Path>({
  path,
  body,
  changes = [],
  onDone,
  ...question
}: Pick<Parameters<typeof Confirm>[0], "title" | "effects" | "children" | "action" | "typed" | "look" | "onClose"> & {
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
