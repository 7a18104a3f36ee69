import { type ReactNode, useEffect, useRef, useState } from "react";
import { useChange } from "../api/answers.js";
import { isAtFields } from "../api/api-problem.js";
import type { AnswerOf, BodyOf, Path } from "../api/paths.js";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { partWords } from "../parts/part-words.js";
import { ConflictNotice } from "./conflict-notice.js";
import { useTypedText } from "./edited-version.js";
import { changedIn, type FormField, FormFieldOf, type FormValues, faultIn } from "./form-field.js";
import { listWords } from "./list-words.js";

/** A field of a step. */
export interface StepField extends FormField {
  /** Whether what was chosen so far needs it; left out: always. */
  readonly isShown?: (values: FormValues) => boolean;
  /** Whether it stands among what hardly anybody changes, which is closed at first. */
  readonly isRare?: boolean;
}

/** One step of a form. */
export interface FormStep {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly fields: readonly StepField[];
  /** What stands below its fields, such as a test of what was typed. */
  readonly below?: (values: FormValues, set: (name: string, value: string) => void) => ReactNode;
}

/**
 * A dialog with a form in steps that makes one change at its end. Enter goes on, Back keeps what was typed, and a refusal leads to the step with the
 * field that it names.
 */
export function SteppedDialog<P extends Path>({
  title,
  path,
  steps,
  rare,
  bodyOf,
  action,
  version,
  changes,
  onDone,
  onClose,
}: {
  readonly title: string;
  readonly path: P;
  readonly steps: readonly FormStep[];
  /** The heading of the rare fields. */
  readonly rare?: string;
  /** Gets the values of the fields that are shown. */
  readonly bodyOf: (values: FormValues) => BodyOf<P>;
  readonly action: string;
  /** As in `FormDialog`; 0 for what is new. */
  readonly version?: number;
  readonly changes?: readonly string[];
  readonly onDone: (answer: AnswerOf<P>) => void;
  readonly onClose: () => void;
}) {
  const words = useWords(listWords);
  const parts = useWords(partWords);
  const fields = steps.flatMap((step) => step.fields);
  const now = Object.fromEntries(fields.map(({ name, initial = "" }) => [name, initial]));
  const { typed, type, ...seen } = useTypedText<FormValues>(version ?? 0, now);
  const [at, setAt] = useState(0);
  const [isTried, setTried] = useState(false);
  const change = useChange(path, { onDone, ...(changes && { changes }) });
  const form = useRef<HTMLFormElement>(null);
  const { error } = change;

  const shownIn = (step: FormStep | undefined) => step?.fields.filter(({ isShown }) => isShown?.(typed) ?? true) ?? [];
  const values = Object.fromEntries(
    steps.flatMap(shownIn).map(({ name }): [string, string] => [name, typed[name] ?? ""]),
  );
  const missingIn = (step: FormStep | undefined) =>
    shownIn(step).filter(({ name, isRequired }) => isRequired && (values[name] ?? "").trim() === "");
  const step = steps[at];
  const missing = missingIn(step);
  const rest = shownIn(step).filter(({ isRare }) => isRare);
  const isLast = at === steps.length - 1;
  const refused = steps.findIndex((each) => shownIn(each).some((field) => faultIn(field, change) !== null));

  useEffect(() => {
    if (error && refused >= 0) setAt(refused);
  }, [error]);
  useEffect(() => {
    const fault = error && form.current?.querySelector<HTMLElement>("[aria-invalid]");
    const field = form.current?.querySelector<HTMLElement>(".step :is(input, select, textarea):not(details *)");
    const button = form.current?.querySelector<HTMLElement>(".actions .first");
    (fault || field || button)?.focus();
  }, [at, error]);

  const set = (name: string, value: string) => type((before) => ({ ...before, [name]: value }));
  const goTo = (wanted: number) => {
    const stop = steps.findIndex((each, index) => index < wanted && missingIn(each).length > 0);
    setTried(stop >= 0);
    setAt(stop >= 0 ? stop : wanted);
  };
  const control = (field: StepField) => (
    <FormFieldOf
      key={field.name}
      field={field}
      value={typed[field.name] ?? ""}
      values={typed}
      fault={isTried && missing.includes(field) ? words.required : faultIn(field, change)}
      onChange={(value) => set(field.name, value)}
    />
  );
  const isSaid = isAtFields(
    error,
    fields.map(({ name }) => name),
  );

  return (
    <Dialog title={title} onClose={onClose}>
      <ol className="steps">
        {steps.map((each, index) => (
          <li key={each.title} aria-current={index === at ? "step" : undefined}>
            <button type="button" onClick={() => goTo(index)}>
              {each.title}
            </button>
          </li>
        ))}
      </ol>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isLast || missing.length > 0) {
            if (missing.length > 0) {
              setTried(true);
              requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
            } else goTo(at + 1);
          } else if (!change.isPending)
            change.mutate(version === undefined ? bodyOf(values) : { ...bodyOf(values), version: seen.version });
        }}
      >
        <div className="step" key={at}>
          {step?.lead && <p>{step.lead}</p>}
          {shownIn(step)
            .filter(({ isRare }) => !isRare)
            .map(control)}
          {step?.below?.(values, set)}
          {rest.length > 0 && (
            <details open={rest.some((field) => faultIn(field, change) !== null)}>
              <summary>{rare}</summary>
              {rest.map(control)}
            </details>
          )}
        </div>
        <ConflictNotice
          seen={seen}
          change={isSaid ? { ...change, error: null } : change}
          now={changedIn(fields, seen.there, words.nothingThere)}
        />
        <div className="actions">
          <Button type="submit" look="first" isBusy={change.isPending}>
            {isLast ? action : words.next}
          </Button>
          {at > 0 && <Button onClick={() => setAt(at - 1)}>{words.back}</Button>}
          <Button onClick={onClose}>{parts.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
