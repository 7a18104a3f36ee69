import { createHmac, timingSafeEqual } from "node:crypto";
import { type Html, html } from "./html.js";

/** One problem with what a person entered. */
export interface FieldProblem {
  /** Name and element id of the field; null when it concerns no single field. */
  readonly field: string | null;
  readonly message: string;
}

/** Common members of all form fields. */
interface Field {
  /** Also its element id, which the summary of problems links to. */
  readonly name: string;
  readonly label: string;
  /** Explains below the label what to enter. */
  readonly hint?: string;
}

/** A text field of a form. */
export interface TextField extends Field {
  readonly type: "text" | "password" | "search";
  /** What browsers and password managers may fill in: a token of HTML's `autocomplete` such as `username`, or `off`. */
  readonly autocomplete: string;
  /** The keyboard that a phone shows, if not the letters. It does not restrict the input. */
  readonly keys?: "numeric" | "decimal";
  /** Initial value. Omit it for secrets, so that they are never sent back. */
  readonly value?: string;
}

/** A field with a few values to choose from. */
export interface ChoiceField extends Field {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** The first entry while nothing is chosen, such as `Choose one`. */
  readonly unchosen: string;
  /** Whether a choice is required. */
  readonly required: boolean;
}

/** Up to this many required options are shown as radio buttons; more options, or an optional choice, become a drop-down list. */
const MAX_VISIBLE_CHOICES = 5;

/** A labelled text field with its hint and its error, both associated with it for screen readers. */
export function textField(field: TextField, problems: readonly FieldProblem[] = []): Html {
  const { name, label, type, autocomplete, keys, value } = field;
  const { notes, ties } = notesOf(field, problems);
  return html`<label for="${name}">${label}</label>
${notes}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${
    keys !== undefined && html` inputmode="${keys}"`
  } autocapitalize="none" spellcheck="false"${value === undefined ? null : html` value="${value}"`}${ties}>`;
}

/** A labelled choice of one value, with its hint and its error. Nothing is preselected. */
export function choiceField(field: ChoiceField, problems: readonly FieldProblem[] = []): Html {
  const { name, label, options, unchosen, required } = field;
  const { notes, ties } = notesOf(field, problems);
  if (required && options.length <= MAX_VISIBLE_CHOICES) {
    // The first has the field's id, which the problem summary links to.
    const idOf = (index: number) => (index === 0 ? name : `${name}-${index + 1}`);
    const choices = options.map(
      (option, index) =>
        html`<label class="choice"><input type="radio" id="${idOf(index)}" name="${name}" value="${option.value}"><span>${option.label}</span></label>
`,
    );
    return html`<fieldset role="radiogroup"${ties}><legend class="label">${label}</legend>
${notes}
<div class="choices">${choices}</div></fieldset>`;
  }
  return html`<label for="${name}">${label}</label>
${notes}
<select id="${name}" name="${name}"${ties}><option value="">${unchosen}</option>${options.map(
    (option) => html`<option value="${option.value}">${option.label}</option>`,
  )}</select>`;
}

/** The hint and error of a field, and the attributes that associate them with the field. */
function notesOf({ name, hint }: Field, problems: readonly FieldProblem[]): { notes: Html; ties: Html } {
  const fault = problems.find((problem) => problem.field === name);
  const describedBy = [hint !== undefined && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(" ");
  return {
    notes: html`${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault ? html`<p class="fault" id="${name}-fault">${fault.message}</p>` : null}`,
    ties: html`${fault ? html` aria-invalid="true"` : null}${describedBy !== "" && html` aria-describedby="${describedBy}"`}`,
  };
}

/**
 * Starts a page that has problems: screen readers announce it immediately, and each problem links to its field. Null when there
 * is none.
 */
export function problemSummary(heading: string, problems: readonly FieldProblem[]): Html | null {
  if (problems.length === 0) return null;
  const items = problems.map(({ field, message }) =>
    field === null ? html`<li>${message}</li>` : html`<li><a href="#${field}">${message}</a></li>`,
  );
  return html`<div class="problem" role="alert"><h2>${heading}</h2><ul>${items}</ul></div>`;
}

/** The token of a form. Only the browser whose cookie holds `browserSecret` can get it, and it is valid for no other `form`. */
export function formToken(browserSecret: string, form: string): string {
  return createHmac("sha256", browserSecret).update(`csrf:${form}`).digest("base64url");
}

/** Whether a form came from a page that this browser was given. Without a browser secret it did not. */
export function isFormToken(candidate: unknown, browserSecret: string | null, form: string): boolean {
  if (browserSecret === null || typeof candidate !== "string") return false;
  const expected = Buffer.from(formToken(browserSecret, form));
  const given = Buffer.from(candidate);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
