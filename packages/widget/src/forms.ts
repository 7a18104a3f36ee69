import type { IncomingMessage } from "node:http";
import { type CoreError, isStorableText } from "@org/core";
import { BodyError, readBytes, requireFormat } from "@org/http";
import type { FieldProblem } from "@org/pages";
import type { Messages } from "./messages/messages.js";

/** A posted form by the names of its fields; a field that came more than once is a list, which no step takes. */
export type Form = Readonly<Record<string, string | readonly string[]>>;

/** The longest body of a form that is taken. */
export const FORM_BYTES = 64 * 1024;
const MOST_FIELDS = 50;
/** A phone on a bad line sends a form in less. */
const MOST_SECONDS = 30;

/** Reads the body of a request as a form. @throws BodyError when it is none, too large or too slow */
export async function readForm(request: IncomingMessage): Promise<Form> {
  requireFormat(request, { mediaType: "application/x-www-form-urlencoded" });
  const body = await readBytes(request, { maxBytes: FORM_BYTES, maxSeconds: MOST_SECONDS });
  const fields = new URLSearchParams(body.toString("utf8"));
  if (fields.size > MOST_FIELDS) throw new BodyError("too_large");
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const [first = "", ...more] = fields.getAll(name);
      return [name, more.length === 0 ? first : [first, ...more]];
    }),
  );
}

/** One thing that is wrong with a posted form, still without words. */
export interface FormFault {
  readonly field: string;
  readonly missing: boolean;
}

/** The fields of a form, or what is wrong with them: not there, there twice, or text that cannot be stored. */
export function readFields<K extends string>(
  form: Form,
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

/** The faults that a service found. */
export function faultsOfRefusal(error: CoreError): readonly FormFault[] {
  const faults = error.details ?? [];
  return faults.map(({ field, error_type }) => ({ field, missing: error_type === "RequiredField" }));
}

/** The faults in words, for the page that the form stood on; `field` is null where no field of that page is at fault. */
export function inWords(messages: Messages, faults: readonly FormFault[]): readonly FieldProblem[] {
  const missing = new Map([
    ["username", messages.enterUsername],
    ["password", messages.enterPassword],
    ["answer", messages.enterAnswer],
  ]);
  return faults.map((fault) => {
    const enter = missing.get(fault.field);
    if (enter === undefined) return { field: null, message: messages.bankRefused };
    return { field: fault.field, message: fault.missing ? enter : messages.unusableValue };
  });
}
