import { type Html, html } from "../html.js";
import type { FieldProblem } from "./page.js";

/** A labelled text field with its error. `name` is also the element id that the error summary links to. */
export function textField(
  field: {
    readonly name: string;
    readonly label: string;
    readonly type: "text" | "password" | "search";
    readonly autocomplete: "username" | "current-password" | "one-time-code" | "off";
    readonly value?: string;
  },
  problems: readonly FieldProblem[],
): Html {
  const { name, label, type, autocomplete, value } = field;
  const fault = problems.find((problem) => problem.field === name);
  return html`<label for="${name}">${label}</label>
${fault ? html`<p class="fault" id="${name}-fault">${fault.message}</p>` : null}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false"${
    value === undefined ? null : html` value="${value}"`
  }${fault ? html` aria-invalid="true" aria-describedby="${name}-fault"` : null}>`;
}
