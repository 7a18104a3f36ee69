import { choiceField, type FieldProblem, type Html, html, textField } from "@org/pages";
import { type CredentialField, isSecretField } from "@org/provider-kit";
import { inLanguage, type ScreenContext, scripted } from "./screen.js";

/** The fields that a bank asks for, in its own words if it has any. Previously typed values are not shown again. */
export function fieldControls(
  context: ScreenContext,
  fields: readonly CredentialField[],
  problems: readonly FieldProblem[],
): Html {
  return html`${fields.map((field) => fieldOf(context, field, problems))}`;
}

/** Name of a field, in the form and in its problems. */
export function labelOf({ messages, language }: ScreenContext, { name, label }: CredentialField): string {
  if (label !== undefined) return inLanguage(label, language);
  return name === "username" || name === "password" ? messages[name] : name;
}

/** Whether a bank asks for user name and password without its own labels for them. */
export function isUsual(fields: readonly CredentialField[]): boolean {
  return fields.length > 0 && fields.every(({ name, label }) => label === undefined && name in usualAutocomplete);
}

function fieldOf(context: ScreenContext, field: CredentialField, problems: readonly FieldProblem[]): Html {
  const { messages, language } = context;
  const { name, kind, required = true } = field;
  const own = labelOf(context, field);
  const shared = {
    name,
    label: required ? own : messages.optional(own),
    ...(field.hint === undefined ? {} : { hint: inLanguage(field.hint, language) }),
  };
  if (kind === "choice") {
    const options = (field.options ?? []).map(({ value, label }) => ({ value, label: inLanguage(label, language) }));
    return choiceField({ ...shared, options, unchosen: messages.chooseOne, required }, problems);
  }
  const secret = isSecretField(field);
  const typed = textField(
    {
      ...shared,
      type: secret ? "password" : "text",
      autocomplete: field.autocomplete ?? usualAutocomplete[name] ?? "off",
      ...(kind === "number" && { keys: "decimal" as const }),
    },
    problems,
  );
  const words = field.label === undefined && name === "password" ? messages.showPassword : messages.showSecret(own);
  const reveal = html`<label class="reveal"><input type="checkbox" data-reveals="${name}">${words}</label>`;
  return html`${typed}${secret && scripted(reveal)}`;
}

const usualAutocomplete: Readonly<Partial<Record<string, string>>> = {
  username: "username",
  password: "current-password",
};
