import { type CoreError, isStorableText } from "@org/core";
import type { FieldProblem } from "@org/pages";
import type { Messages } from "./messages/messages.js";

/** One thing that is wrong with a posted form, still without words. */
export interface FormFault {
  readonly field: string;
  readonly missing: boolean;
}

/** The fields of a form, or what is wrong with them: not there, there twice, or text that cannot be stored. */
export function readFields<K extends string>(
  body: unknown,
  names: readonly K[],
): { readonly values: Readonly<Record<K, string>> } | { readonly faults: readonly FormFault[] } {
  const form = (body ?? {}) as Readonly<Record<string, unknown>>;
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
