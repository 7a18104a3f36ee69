import type { OpenApiDocument } from "../openapi/document.js";

/** The part of JSON Schema that the tools and the API document use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** An operation of the API document from `GET /openapi.json`. */
export interface Operation {
  readonly path: string;
  readonly mediaType: string;
  /** Schema of the body, with references resolved. */
  readonly schema: JsonSchema;
  readonly queryParameters: readonly string[];
}

/** Returns every operation of the API document; all of them are POST. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).map(([path, item]) => {
    const post = item.post as DocumentedPost;
    const [[mediaType, { schema }] = ["", { schema: {} }]] = Object.entries(post.requestBody.content);
    const parameters = post.parameters ?? [];
    return {
      path,
      mediaType,
      schema: inlined(document, schema),
      queryParameters: parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name),
    };
  });
}

/** Returns the alternatives of a schema, each with one type. */
export function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(branchesOf);
  return Array.isArray(schema.type) ? schema.type.map((type: string) => ({ ...schema, type })) : [schema];
}

/** Returns the names of all properties at any depth. */
export function propertyNames(schema: JsonSchema): string[] {
  const own = branchesOf(schema).flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, property]) => [name, ...propertyNames(property)]),
    ...(items ? propertyNames(items) : []),
  ]);
  return [...new Set(own)];
}

interface DocumentedPost {
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}

function inlined<T>(document: OpenApiDocument, part: T): T {
  if (part === null || typeof part !== "object") return part;
  if (Array.isArray(part)) return part.map((item) => inlined(document, item)) as T;
  if ("$ref" in part)
    return inlined(document, document.components.schemas[String(part.$ref).split("/").at(-1) ?? ""] as T);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inlined(document, value)])) as T;
}
