import { createHmac, timingSafeEqual } from "node:crypto";
import { type Html, html } from "./html.js";

/** One thing that is wrong with what a person typed. */
export interface FieldProblem {
  /** Name and element id of the field; null when no field of the page is at fault. */
  readonly field: string | null;
  readonly message: string;
}

/** What every field of a form has. */
interface Field {
  /** Also its element id, which the summary of problems links to. */
  readonly name: string;
  readonly label: string;
  /** Says below the label what belongs here. */
  readonly hint?: string;
}

/** A text field of a form. */
export interface TextField extends Field {
  readonly type: "text" | "password" | "search";
  /** What browsers and password managers may fill in: a token of HTML's `autocomplete` such as `username`, or `off`. */
  readonly autocomplete: string;
  /** Which keys a phone shows at first, where it is not letters. Anything can be typed all the same. */
  readonly keys?: "numeric" | "decimal";
  /** What it holds at first. Leave it out for secrets: what was typed is not sent back. */
  readonly value?: string;
}

/** A field with a few values to choose one from. */
export interface ChoiceField extends Field {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Stands first in the list where nothing is chosen yet, such as `Choose one`. */
  readonly unchosen: string;
  /** Whether one has to be chosen. */
  readonly required: boolean;
}

/** So many options are shown side by side; more of them, or one that may be left out, are a list to open. */
const MAX_VISIBLE_CHOICES = 5;

/** A labelled text field with its hint and its error, both tied to it for screen readers. */
export function textField(field: TextField, problems: readonly FieldProblem[] = []): Html {
  const { name, label, type, autocomplete, keys, value } = field;
  const { notes, ties } = notesOf(field, problems);
  return html`<label for="${name}">${label}</label>
${notes}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${
    keys !== undefined && html` inputmode="${keys}"`
  } autocapitalize="none" spellcheck="false"${value === undefined ? null : html` value="${value}"`}${ties}>`;
}

/** A labelled choice of one of several values, with its hint and its error. Nothing is chosen at first. */
export function choiceField(field: ChoiceField, problems: readonly FieldProblem[] = []): Html {
  const { name, label, options, unchosen, required } = field;
  const { notes, ties } = notesOf(field, problems);
  if (required && options.length <= MAX_VISIBLE_CHOICES) {
    // The first has the field's id, to which the summary of problems leads.
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

/** What is said of a field beside its label, and the attributes that tie it to the field. */
function notesOf({ name, hint }: Field, problems: readonly FieldProblem[]): { notes: Html; ties: Html } {
  const fault = problems.find((problem) => problem.field === name);
  const describedBy = [hint !== undefined && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(" ");
  return {
    notes: html`${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault ? html`<p class="fault" id="${name}-fault">${fault.message}</p>` : null}`,
    ties: html`${fault ? html` aria-invalid="true"` : null}${describedBy !== "" && html` aria-describedby="${describedBy}"`}`,
  };
}

/** Leads the page when something is wrong: read out at once, each problem a link to its field. Null when nothing is. */
export function problemSummary(heading: string, problems: readonly FieldProblem[]): Html | null {
  if (problems.length === 0) return null;
  const items = problems.map(({ field, message }) =>
    field === null ? html`<li>${message}</li>` : html`<li><a href="#${field}">${message}</a></li>`,
  );
  return html`<div class="problem" role="alert"><h2>${heading}</h2><ul>${items}</ul></div>`;
}

/** The token of a form: only a browser that holds `browserSecret`, in a cookie, can be given it, and it fits no other `form`. */
export function formToken(browserSecret: string, form: string): string {
  return createHmac("sha256", browserSecret).update(`csrf:${form}`).digest("base64url");
}

/** Whether a form came from a page that this browser was given. A browser without a secret was given none. */
export function isFormToken(candidate: unknown, browserSecret: string | null, form: string): boolean {
  if (browserSecret === null || typeof candidate !== "string") return false;
  const expected = Buffer.from(formToken(browserSecret, form));
  const given = Buffer.from(candidate);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
