import type { OpenApiDocument } from "../src/index.js";

/** The part of JSON Schema that the API document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The schema of the JSON body of a path, its references replaced by what they refer to; undefined when it takes no JSON. */
export function requestSchema(document: OpenApiDocument, path: string): JsonSchema | undefined {
  const operation = document.paths[path]?.post as Operation | undefined;
  const schema = operation?.requestBody.content["application/json"]?.schema;
  return schema && inlined(document, schema);
}

interface Operation {
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

function inlined<T>(document: OpenApiDocument, part: T): T {
  if (part === null || typeof part !== "object") return part;
  if (Array.isArray(part)) return part.map((item) => inlined(document, item)) as T;
  if ("$ref" in part)
    return inlined(document, document.components.schemas[String(part.$ref).split("/").at(-1) ?? ""] as T);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inlined(document, value)])) as T;
}

/** The alternatives of a schema, each with one type. */
export function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(branchesOf);
  return Array.isArray(schema.type) ? schema.type.map((type: string) => ({ ...schema, type })) : [schema];
}

export function typesOf({ type }: JsonSchema): readonly string[] {
  return type === undefined ? [] : [type].flat();
}

/** Texts that break a pattern or a format, and nothing else. */
export function formatBreakers({ pattern, format }: JsonSchema): readonly string[] {
  const texts = ["neither this nor that", "http://", "a@b@c", "2026-02-30"];
  if (pattern) return texts.filter((text) => !new RegExp(pattern, "u").test(text)).slice(0, 1);
  return format ? texts.slice(0, 1) : [];
}
