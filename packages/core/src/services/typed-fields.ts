import type { CredentialField } from "@org/provider-kit";
import { type Fault, invalidValue } from "../errors.js";
import { isStorableText } from "../schemas/identifier.js";

/** What a customer typed, by name of the field. */
export type TypedFields = Readonly<Record<string, string>>;

const MOST_CHARACTERS = 500;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/**
 * What was typed into fields of a bank, as the bank gets it: nothing that was not asked for, and nothing for a field that may stay
 * empty and did; or what is wrong with it.
 */
export function readTypedFields(
  asked: readonly CredentialField[],
  typed: TypedFields,
): { readonly values: TypedFields; readonly faults: readonly Fault[] } {
  const given = asked.flatMap((field) => {
    const value = Object.hasOwn(typed, field.name) ? (typed[field.name] ?? "") : "";
    return isEmpty(field, value) ? [] : [{ field, value }];
  });
  const missing = asked.filter(
    ({ name, required }) => required !== false && !given.some(({ field }) => field.name === name),
  );
  return {
    values: Object.fromEntries(given.map(({ field, value }) => [field.name, value])),
    faults: [
      ...missing.map(({ name }): Fault => ({ field: name, error_type: "RequiredField", message: "is required" })),
      ...given.flatMap(({ field, value }) => {
        const rule = brokenRule(field, value);
        return rule === null ? [] : [invalidValue(field.name, rule)];
      }),
    ],
  };
}

/** What is wrong with a text that a customer typed; null when nothing is. */
export function textRule(value: string): string | null {
  return value.length > MOST_CHARACTERS || !isStorableText(value)
    ? `must be text of at most ${MOST_CHARACTERS} characters`
    : null;
}

/** Blanks may be a secret. */
function isEmpty({ kind, name }: CredentialField, value: string): boolean {
  return value === "" || (kind !== "secret" && name !== "password" && value.trim() === "");
}

function brokenRule({ kind, options = [], pattern }: CredentialField, value: string): string | null {
  const fault = textRule(value);
  if (fault !== null) return fault;
  if (kind === "choice" && !options.some((option) => option.value === value)) return "must be one of the options";
  if (kind === "number" && !NUMBER.test(value)) return "must be a number";
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, "u").test(value)) return `must match ${pattern}`;
  return null;
}
