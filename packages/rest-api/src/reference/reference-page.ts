import { runInSteps, type SessionLanguage, type Steps } from "@org/core";
import { type Html, html, renderDocument } from "@org/pages";
import { afterEachStep, type OpenApiDocument } from "../openapi/document.js";
import { referenceWords, type Words } from "./words.js";

/** The part of a JSON Schema that the page reads. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
}

/** One kind of body, with its schema and example. */
interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Schema & { name?: string; in?: string; required?: boolean; schema?: Schema })[];
  readonly requestBody: { readonly description: string; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

/** Schemas of a single operation are shown with it. The others, which several operations share, are listed once at the end. */
const OWN = /(Request|Response)$/;
/** No schema in the document is nested deeper. */
const MAX_DEPTH = 8;

/**
 * Renders the page at `/reference`: the API document for human readers, with one collapsed section per endpoint. Its texts are the
 * document's, in English. This takes 0.1 s, which is done in steps.
 */
export function referencePage(language: SessionLanguage, document: OpenApiDocument): Promise<string> {
  return runInSteps(renderReference(language, document), afterEachStep);
}

/** A generator of steps. Each endpoint takes one, and so does each shared schema. */
export function* renderReference(language: SessionLanguage, document: OpenApiDocument): Steps<string> {
  const words = referenceWords[language];
  const reader = createReader(document, words);
  const sections = new Map<string, Html[]>();
  for (const [path, { post }] of Object.entries(document.paths)) {
    yield;
    const operation = post as Operation;
    const [family = ""] = operation.tags;
    sections.set(family, [...(sections.get(family) ?? []), reader.operation(path, operation)]);
  }
  const shapes: Html[] = [];
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (OWN.test(name)) continue;
    yield;
    shapes.push(html`<details id="${name}"><summary><code>${name}</code></summary>
${linesOf(schema.description).map((line) => html`<p>${line}</p>`)}
${reader.shape(schema as Schema)}</details>
`);
  }
  yield;
  return renderDocument({
    language,
    title: words.title,
    body: html`<div class="reference"><h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<nav aria-label="${words.families}">${[...sections.keys()].map((family) => html`<a href="#${family}">${family}</a> `)}<a href="#shapes">${words.shapes}</a></nav>
<div${language !== "en" && html` lang="en"`}>
${[...sections].map(
  ([family, operations]) => html`<section aria-labelledby="${family}"><h2 id="${family}">${family}</h2>
${operations}</section>
`,
)}<section aria-labelledby="shapes"><h2 id="shapes">${words.shapes}</h2>
${shapes}</section></div>
<p class="foot"><a class="reach" href="${document.servers[0]?.url ?? ""}/">${words.back}</a></p></div>`,
  });
}

function createReader(document: OpenApiDocument, words: Words) {
  return { operation, shape };

  function operation(path: string, { operationId, summary, description, ...rest }: Operation): Html {
    const scopes = rest.security.flatMap(({ oauth2 = [] }) => oauth2);
    const [[mediaType, { schema = {}, example }] = ["", {} as Media]] = Object.entries(rest.requestBody.content);
    const answer = rest.responses[200]?.content?.["application/json"];
    const refusals = Object.keys(rest.responses).filter((status) => status !== "200");
    const given = (place: string) => rest.parameters.filter((parameter) => parameter.in === place);
    return html`<details id="${operationId}"><summary><code>${path}</code> <small>${summary}</small></summary>
${description !== undefined && html`<p>${description}</p>`}
<dl class="facts">
<dt>${words.scopes}</dt><dd>${scopes.length === 0 ? words.noScope : scopes.map((scope) => html`<code>${scope}</code> `)}</dd>
<dt>${words.errors}</dt><dd>${refusals.join(", ")}</dd>
</dl>
${(["query", "header"] as const).map(
  (place) =>
    given(place).length > 0 &&
    html`<h3>${place === "query" ? words.query : words.headers}</h3>
<ul class="shape">${given(place).map(({ name = "", required = false, description: text, schema: of = {} }) => field(name, { ...of, ...(text !== undefined && { description: text }) }, required, 0))}</ul>`,
)}
<h3>${words.body}</h3>
<p class="quiet"><code>${mediaType}</code>. ${rest.requestBody.description}</p>
${shape(schema)}
${mediaType === "application/json" && html`<h3>${words.example}</h3><pre><code>${curl(path, example ?? exampleOf(schema, 0))}</code></pre>`}
<h3>${words.answer}</h3>
${answer?.schema !== undefined && shape(answer.schema)}
${answer?.example !== undefined && html`<pre><code>${JSON.stringify(answer.example, null, 2)}</code></pre>`}
</details>
`;
  }

  /** Renders the fields of an object, or the type of anything else. */
  function shape(schema: Schema, depth = 0): Html | null {
    const { properties, required = [] } = own(schema);
    if (depth > MAX_DEPTH) return null;
    if (properties !== undefined)
      return html`<ul class="shape">${Object.entries(properties).map(([name, property]) => field(name, property, required.includes(name), depth))}</ul>`;
    const kind = kindOf(schema);
    return kind === "" ? null : html`<p>${link(schema) ?? kind}</p>`;
  }

  function field(name: string, schema: Schema, isRequired: boolean, depth: number): Html {
    const notes = [
      kindOf(schema),
      rangeOf(schema),
      isRequired && words.required,
      isNullable(schema) && words.orNull,
      schema.default !== undefined && `${words.otherwise} ${JSON.stringify(schema.default)}`,
    ].filter(Boolean);
    const text = own(schema).description;
    const inner = itemOf(schema);
    return html`<li><code>${name}</code> <small class="quiet">${notes.join(", ")}</small>${link(inner)}${text !== undefined && html`<br>${text}`}${fieldsIn(inner, depth)}</li>`;
  }

  function fieldsIn(schema: Schema, depth: number): Html | null {
    return shared(schema) === null && own(schema).properties !== undefined ? shape(schema, depth + 1) : null;
  }

  /** Links to a shared schema. */
  function link(schema: Schema): Html | null {
    const name = shared(schema);
    return name === null ? null : html` <a class="reach" href="#${name}">${name}</a>`;
  }

  function shared({ $ref }: Schema): string | null {
    const name = $ref?.split("/").at(-1) ?? "";
    return name === "" || OWN.test(name) ? null : name;
  }

  /** Resolves the reference to a single operation's schema; returns any other schema as it is. */
  function own(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    return { ...((document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) as Schema), ...schema };
  }

  /** Returns the items of a list, or the object of a choice. */
  function itemOf(schema: Schema): Schema {
    if (schema.items) return itemOf(schema.items);
    const parts = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== "null");
    const found = parts.find(
      (part) => part.$ref !== undefined || part.properties !== undefined || part.items !== undefined,
    );
    return found ? itemOf(found) : schema;
  }

  function kindOf(schema: Schema): string {
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
    const parts = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== "null");
    if (parts) return [...new Set(parts.map(kindOf))].join(" | ");
    if (schema.items) return `list of ${kindOf(schema.items)}`;
    if (schema.$ref !== undefined) return own({ $ref: schema.$ref }).enum ? "string" : "object";
    return [schema.type ?? []]
      .flat()
      .filter((type) => type !== "null")
      .join(" | ");
  }

  /** Bounds of a number. */
  function rangeOf({ minimum, maximum, anyOf = [] }: Schema): string {
    if (minimum !== undefined && maximum !== undefined) return `${minimum}–${maximum}`;
    return anyOf.map(rangeOf).find((range) => range !== "") ?? "";
  }

  function isNullable({ type, anyOf = [], oneOf = [] }: Schema): boolean {
    return [type].flat().includes("null") || [...anyOf, ...oneOf].some((part) => part.type === "null");
  }

  function curl(path: string, example: unknown): string {
    const body = JSON.stringify(example).replaceAll("'", "'\\''");
    return `curl -s ${document.servers[0]?.url}${path} -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' -d '${body}'`;
  }

  /** Returns the document's example or, without one, the required fields. */
  function exampleOf(schema: Schema, depth: number): unknown {
    const { examples, properties, required = [], default: fallback, ...rest } = own(schema);
    if (examples?.[0] !== undefined) return examples[0];
    if (rest.const !== undefined) return rest.const;
    if (rest.enum) return rest.enum[0];
    if (fallback !== undefined && depth > 0) return fallback;
    const [choice] = (rest.anyOf ?? rest.oneOf ?? []).filter(({ type }) => type !== "null");
    if (choice) return exampleOf(choice, depth);
    if (properties || depth === 0)
      return Object.fromEntries(required.map((name) => [name, exampleOf(properties?.[name] ?? {}, depth + 1)]));
    if (rest.items) return [exampleOf(rest.items, depth + 1)];
    const type = [rest.type].flat()[0];
    return type === "integer" || type === "number" ? 1 : type === "boolean" ? true : type === "object" ? {} : "…";
  }
}

/** Lines of a description; a list in it has a line for each item. */
function linesOf(description = ""): readonly string[] {
  return description === "" ? [] : description.split("\n").map((line) => line.replace(/^- /, ""));
}
