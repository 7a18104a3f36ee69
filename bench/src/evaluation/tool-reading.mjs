/**
 * What a reader can learn from tools/list: which tool is about a subject, which parameter expresses a condition, and which part of an answer holds
 * what. It uses only names, descriptions and schemas, and knows no tool.
 */
export function readTools(tools) {
  return {
    /** The read-only tool that best matches `subject`; null if none does. @param isList whether it must answer a list of rows */
    about(subject, isList) {
      const wanted = wordsOf(subject);
      const scored = tools
        .filter((tool) => tool.annotations?.readOnlyHint && isList === (rowSchema(tool) !== undefined))
        .map((tool) => ({ tool, score: scoreOf(wanted, tool) }))
        .toSorted((a, b) => b.score - a.score);
      return scored[0]?.score > 0 ? scored[0].tool : null;
    },
    named: (name) => tools.find((tool) => tool.name === name),
    /** The tool that a text names. */
    in: (text) => tools.find(({ name }) => mentions(text, name)),
  };
}

/** Name, title and the start of the description each say what a tool is about. */
function scoreOf(wanted, { name, title = "", description = "" }) {
  const lead = description.split(/[.:,(]/)[0];
  return [name, title, lead].reduce((sum, text) => sum + likeness(wanted, wordsOf(text)), 0);
}

function likeness(wanted, words) {
  const common = wanted.filter((word) => words.includes(word)).length;
  return common === 0 ? 0 : (2 * common) / (wanted.length + words.length);
}

const small = new Set(["a", "an", "the", "of", "in", "that", "are", "be", "can", "one", "is", "svc"]);

function wordsOf(text) {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return [...new Set(words.filter((word) => !small.has(word)).map((word) => word.replace(/s$/, "")))];
}

/** The schema of a row, if the tool answers rows. */
export function rowSchema({ outputSchema }) {
  return outputSchema?.properties?.items?.items;
}

/** The argument that expresses the condition, as `{name, value}`; null if no parameter does. */
export function argumentFor({ inputSchema }, condition, wanted) {
  const parameters = Object.entries(inputSchema.properties ?? {});
  const exact = parameters.find(([name]) => name === condition);
  if (exact) return { name: condition, value: valueFor(exact[1], wanted) ?? wanted };
  for (const [name, schema] of parameters) {
    if (!mentions(schema.description, condition)) continue;
    const value = valueFor(schema, wanted);
    if (value !== undefined) return { name, value };
  }
  return null;
}

/** The value for a parameter: a code if the schema lists codes and the description explains them, otherwise the wanted value itself. */
function valueFor(schema, wanted) {
  if (Array.isArray(wanted)) {
    const values = wanted.map((one) => valueFor(schema, one));
    return values.includes(undefined) ? undefined : values;
  }
  const codes = codesIn(schema);
  if (typeof wanted === "boolean") {
    if (schema.type !== "boolean") return undefined;
    return /^leaves out/i.test(schema.description ?? "") ? !wanted : wanted;
  }
  if (schema.type === "boolean" || schema.type === "integer") return undefined;
  if (codes.length === 0 || codes.includes(wanted)) return wanted;
  return codes.find((code) => mentions(schema.description, `${code} ${wanted}`));
}

function codesIn(schema) {
  return [schema, schema.items, ...(schema.anyOf ?? [])].flatMap((one) => one?.enum ?? one?.items?.enum ?? []);
}

/**
 * The parameter that takes the ids of another tool's rows, and the field of such a row that holds the id: the parameter whose description names that
 * tool, otherwise one with the name of a field.
 */
export function linkTo({ inputSchema }, other) {
  const fields = Object.keys(rowSchema(other)?.properties ?? {});
  const parameters = Object.entries(inputSchema.properties ?? {});
  const said = parameters.find(([, { description }]) => mentions(description, other.name));
  const field = said && (fields.includes(said[0]) ? said[0] : fieldIn(said[1], fields));
  if (field) return { parameter: said[0], field };
  const [alike] = parameters.find(([name]) => fields.includes(name)) ?? [];
  return alike ? { parameter: alike, field: alike } : null;
}

/** The field that a parameter's description names. */
export function fieldIn({ description }, fields) {
  return fields.find((name) => mentions(description, name));
}

export function takesLists({ inputSchema }, parameter) {
  const schema = inputSchema.properties[parameter];
  return [schema, ...(schema.anyOf ?? [])].some((one) => one.type === "array");
}

/** The part of the answer whose description mentions these words. */
export function partSaying({ outputSchema }, words) {
  return Object.entries(outputSchema.properties).find(([, { description }]) => mentions(description, words))?.[0];
}

export function mentions(text = "", words) {
  return new RegExp(`(?<![\\w-])${words.replace(/[.*+?^$()[\]{}|\\]/g, "\\$&")}(?![\\w-])`, "i").test(text);
}

/** The same tools, reduced to names and types. */
export function withoutWords(tools) {
  return tools.map(({ name, annotations, inputSchema, outputSchema }) => ({
    name,
    annotations,
    inputSchema: bare(inputSchema),
    outputSchema: bare(outputSchema),
  }));
}

function bare(schema) {
  if (Array.isArray(schema)) return schema.map(bare);
  if (schema === null || typeof schema !== "object") return schema;
  const entries = Object.entries(schema).filter(([name, value]) => !isWords(name, value));
  return Object.fromEntries(entries.map(([name, value]) => [name, bare(value)]));
}

/** A property may itself be named `description`; its value is then a schema. */
function isWords(name, value) {
  return (name === "description" && typeof value === "string") || name === "examples";
}
