import type { IncomingMessage } from "node:http";
import { type CoreError, isStorableText } from "@org/core";
import { BodyError, readBytes, requireFormat } from "@org/http";
import type { FieldProblem } from "@org/pages";
import type { CredentialField } from "@org/provider-kit";
import { labelOf } from "./screens/fields.js";
import type { ScreenContext } from "./screens/screen.js";

/** A posted form by field name. A repeated field is a list, which no step accepts. */
export type PostedForm = Readonly<Record<string, string | readonly string[]>>;

/** Maximum size of a form's body. */
export const FORM_BYTES = 64 * 1024;
const MAX_FIELDS = 50;
/** A phone with a poor connection needs less to send a form. */
const MAX_SECONDS = 30;

/** Reads a request's body as a form. @throws BodyError when it is not a form, too large or too slow */
export async function readPostedForm(request: IncomingMessage): Promise<PostedForm> {
  requireFormat(request, { mediaType: "application/x-www-form-urlencoded" });
  const body = await readBytes(request, { maxBytes: FORM_BYTES, maxSeconds: MAX_SECONDS });
  const fields = new URLSearchParams(body.toString("utf8"));
  if (fields.size > MAX_FIELDS) throw new BodyError("too_large");
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const [first = "", ...more] = fields.getAll(name);
      return [name, more.length === 0 ? first : [first, ...more]];
    }),
  );
}

/** One fault of a posted form, without a message. */
export interface FormFault {
  readonly field: string;
  readonly missing: boolean;
}

/** Returns the fields of a form, or its faults: missing, repeated, or not storable as text. */
export function readFields<K extends string>(
  form: PostedForm,
  names: readonly K[],
): { readonly values: Readonly<Record<K, string>> } | { readonly faults: readonly FormFault[] } {
  const faults = names.flatMap((field) => {
    const value = form[field];
    if (value === undefined || value === "") return [{ field, missing: true }];
    return typeof value === "string" && isStorableText(value) ? [] : [{ field, missing: false }];
  });
  if (faults.length > 0) return { faults };
  return { values: Object.fromEntries(names.map((name) => [name, form[name]])) as Record<K, string> };
}

/** Converts the faults that a service found. */
export function faultsOfRefusal(error: CoreError): readonly FormFault[] {
  const faults = error.details ?? [];
  return faults.map(({ field, error_type }) => ({ field, missing: error_type === "RequiredField" }));
}

/** Adds messages to faults, in the order of the fields on their page. `field` is null when the page has no such field. */
export function faultMessages(
  context: ScreenContext,
  faults: readonly FormFault[],
  asked: readonly CredentialField[],
): readonly FieldProblem[] {
  const placeOf = ({ field }: FormFault) => asked.findIndex(({ name }) => name === field);
  const inOrder = faults.toSorted((one, other) => placeOf(one) - placeOf(other));
  return inOrder.map(({ field, missing }) => {
    const message = wordsFor(context, field, missing, asked);
    return message === null ? { field: null, message: context.messages.bankRefused } : { field, message };
  });
}

/** Null when the page has no such field. */
function wordsFor(
  context: ScreenContext,
  name: string,
  missing: boolean,
  asked: readonly CredentialField[],
): string | null {
  const { messages } = context;
  const field = asked.find((one) => one.name === name);
  if (field === undefined) return name !== "answer" ? null : missing ? messages.enterAnswer : messages.unusableValue;
  const { kind, label, pattern } = field;
  if (label === undefined && missing && name === "username") return messages.enterUsername;
  if (label === undefined && missing && name === "password") return messages.enterPassword;
  if (missing) return messages[kind === "choice" ? "chooseField" : "enterField"](labelOf(context, field));
  const hasShape = pattern !== undefined || kind === "number" || kind === "choice";
  return hasShape ? messages.unlikelyValue(labelOf(context, field)) : messages.unusableValue;
}
