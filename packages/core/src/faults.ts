import { zodMessages } from "@org/validation-messages";
import type { z } from "zod";
import { CoreError, type Fault, invalidAll } from "./errors.js";

/**
 * Checks `input` against `schema` and returns the parsed value.
 * @param at path of the input in the request, such as `configuration`; empty for the body itself
 * @throws CoreError VALIDATION_ERROR with one fault per problem
 */
export function parseOrRefuse<S extends z.ZodType>(schema: S, input: unknown, at = ""): z.output<S> {
  const result = checkInput(schema, input);
  if (result.success) return result.data;
  throw invalidAll(faultsOf(result.error, input, at));
}

/** Checks `input` against `schema`; the messages come from `@org/validation-messages`. */
export function checkInput<S extends z.ZodType>(schema: S, input: unknown): z.ZodSafeParseResult<z.output<S>> {
  return schema.safeParse(input, { error: zodMessages });
}

/** Runs a check that refuses by throwing; adds its faults to `faults` and returns null instead. */
export function collectFaults<T>(faults: Fault[], check: () => T): T | null {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof CoreError) || !error.details) throw error;
    faults.push(...error.details);
    return null;
  }
}

/**
 * Turns an error of {@link checkInput} into faults as in S2 §7: a missing value is RequiredField, a key that is not allowed is
 * UnknownField.
 */
export function faultsOf(error: z.ZodError, input: unknown, at = ""): Fault[] {
  return error.issues.flatMap((issue) => faultsOfIssue(issue, input, at));
}

function faultsOfIssue(issue: z.core.$ZodIssue, input: unknown, at: string): Fault[] {
  const field = dotted(at, issue.path);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      field: dotted(at, [...issue.path, key]),
      error_type: "UnknownField",
      message: "is not a field here",
    }));
  if (issue.code === "invalid_union") {
    const best = issue.errors.flat().find((inner) => inner.path.length > 0);
    if (best) return faultsOfIssue({ ...best, path: [...issue.path, ...best.path] }, input, at);
  }
  if (valueAt(input, issue.path) === undefined) return [{ field, error_type: "RequiredField", message: "is required" }];
  return [{ field, error_type: "InvalidValue", message: issue.message, rule: issue.message }];
}

function dotted(at: string, path: readonly PropertyKey[]): string {
  let text = at;
  for (const step of path) text += typeof step === "number" ? `[${step}]` : `${text === "" ? "" : "."}${String(step)}`;
  return text === "" ? "body" : text;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}
