import { type CoreError, invalid, invalidAll, invalidValue } from "@org/core";
import { type JsonError, jsonFaults, MAX_JSON_NAMES, MAX_VALUES, parseJson } from "@org/http";

/**
 * Parses a request's body: one JSON object in UTF-8 that is safe to check and to store.
 * @throws CoreError VALIDATION_ERROR on `body`, or on the path of every unsafe value
 */
export function parseJsonObject(bytes: Buffer): object {
  const parsed = parseJson(bytes);
  if ("error" in parsed) throw refusalOf(parsed.error);
  const { value } = parsed;
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw refusedBody("must be a JSON object");
  const faults = jsonFaults(value);
  if (faults.length > 0) throw invalidAll(faults.map(({ path, rule }) => invalidValue(path, rule)));
  return value;
}

/** Makes the error for a body as a whole, rather than for a field in it. */
export function refusedBody(rule: string): CoreError {
  return invalid(invalidValue("body", rule));
}

function refusalOf(error: JsonError): CoreError {
  switch (error.code) {
    case "empty":
      return invalid({ field: "body", error_type: "RequiredField", message: "is required" });
    case "not_utf8":
      return refusedBody("must be UTF-8");
    case "too_many_values":
      return refusedBody(`must hold at most ${MAX_VALUES} values`);
    case "too_many_names":
      return refusedBody(`must hold at most ${MAX_JSON_NAMES} different names of fields`);
    case "not_json":
      return refusedBody(
        `must be valid JSON${error.position === null ? "" : ` (fault at position ${error.position})`}`,
      );
  }
}
