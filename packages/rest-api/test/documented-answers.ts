import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { OpenApiDocument } from "../src/index.js";

interface DocumentedResponse {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content: { readonly "application/json": { readonly schema: { readonly $ref: string } } };
}

/** A fault in one row is often in each. */
const MAX_FAULTS = 3;

/** Checks that an answer is documented for its path: its status, every field of its body, its trace id. */
export function documentedAnswers(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: "api", components: { schemas: closed(document.components.schemas) } });
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (ref: string) => {
    const known = validators.get(ref) ?? ajv.compile({ $ref: `api${ref}` });
    validators.set(ref, known);
    return known;
  };

  return (path: string, answer: { status: number; headers: Headers; body: unknown }) => {
    expect(answer.headers.get("x-trace-id"), path).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.headers.get("content-type"), path).toBe("application/json; charset=utf-8");
    const operation = document.paths[path]?.post as { responses: Record<string, object> } | undefined;
    if (!operation) return;
    const response = resolved(document, operation.responses[answer.status]);
    expect(response, `${answer.status} of ${path}`).toBeDefined();
    const validate = validatorOf((response as DocumentedResponse).content["application/json"].schema.$ref);
    validate(answer.body);
    const faults = (validate.errors ?? []).map(({ instancePath, message, params }) => ({
      instancePath,
      message,
      params,
    }));
    expect(faults.slice(0, MAX_FAULTS), `${answer.status} of ${path}`).toEqual([]);
  };
}

/** Resolves a reference in the document; returns any other object as it is. */
function resolved(document: OpenApiDocument, part: object | undefined): unknown {
  if (!part || !("$ref" in part)) return part;
  return String(part.$ref)
    .split("/")
    .slice(1)
    .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document);
}

/** Returns the same schemas without additional properties: an answer must not contain more than the document says. */
function closed<T>(schema: T): T {
  if (schema === null || typeof schema !== "object") return schema;
  if (Array.isArray(schema)) return schema.map(closed) as T;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const open = "properties" in copy && "type" in copy && !("additionalProperties" in copy);
  return (open ? { ...copy, additionalProperties: false } : copy) as T;
}
