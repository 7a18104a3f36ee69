import { createHmac, timingSafeEqual } from "node:crypto";
import { type Html, html } from "./html.js";

/** One thing that is wrong with what a person typed. */
export interface FieldProblem {
  /** Name and element id of the field; null when no field of the page is at fault. */
  readonly field: string | null;
  readonly message: string;
}

/** A text field of a form. */
export interface TextField {
  /** Also its element id, which the summary of problems links to. */
  readonly name: string;
  readonly label: string;
  readonly type: "text" | "password" | "search";
  readonly autocomplete: "username" | "current-password" | "one-time-code" | "off";
  /** Says below the label what belongs here. */
  readonly hint?: string;
  /** What it holds at first. Leave it out for secrets: what was typed is not sent back. */
  readonly value?: string;
}

/** A labelled text field with its hint and its error, both tied to it for screen readers. */
export function textField(field: TextField, problems: readonly FieldProblem[] = []): Html {
  const { name, label, type, autocomplete, hint, value } = field;
  const fault = problems.find((problem) => problem.field === name);
  const describedBy = [hint !== undefined && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(" ");
  return html`<label for="${name}">${label}</label>
${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault ? html`<p class="fault" id="${name}-fault">${fault.message}</p>` : null}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false"${
    value === undefined ? null : html` value="${value}"`
  }${fault ? html` aria-invalid="true"` : null}${describedBy !== "" && html` aria-describedby="${describedBy}"`}>`;
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
