/**
 * What a reader of tools/list can know: which tool is about a subject, which parameter expresses a condition, which part of an
 * answer holds what. All of it is found in names, descriptions and schemas; no tool is known here.
 */
export function readTools(tools) {
  return {
    /** The harmless tool that is most about `subject`; null when none is. @param isList whether it has to answer a list of rows */
    about(subject, isList) {
      const wanted = wordsOf(subject);
      const scored = tools
        .filter((tool) => tool.annotations?.readOnlyHint && isList === (rowSchema(tool) !== undefined))
        .map((tool) => ({ tool, score: scoreOf(wanted, tool) }))
        .toSorted((a, b) => b.score - a.score);
      return scored[0]?.score > 0 ? scored[0].tool : null;
    },
    named: (name) => tools.find((tool) => tool.name === name),
    /** The tool that a text tells to call. */
    in: (text) => tools.find(({ name }) => mentions(text, name)),
  };
}

/** Title, name, and the beginning of the description each say what a tool is about. */
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

/** Schema of a row, where the tool answers rows. */
export function rowSchema({ outputSchema }) {
  return outputSchema?.properties?.items?.items;
}

/** Argument that expresses the condition, as `{name, value}`; null when no parameter does. */
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

/** What to give for it: a code where the schema lists codes and the description says what they mean; else what was wanted. */
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
 * Parameter that takes what rows of another tool are named by, and the field of such a row that holds it: the one whose
 * description names that tool, else one that is called like a field.
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

/** Which of the fields a parameter's description says it takes. */
export function fieldIn({ description }, fields) {
  return fields.find((name) => mentions(description, name));
}

export function takesLists({ inputSchema }, parameter) {
  const schema = inputSchema.properties[parameter];
  return [schema, ...(schema.anyOf ?? [])].some((one) => one.type === "array");
}

/** Name of the part of the answer that its description says holds this. */
export function partSaying({ outputSchema }, words) {
  return Object.entries(outputSchema.properties).find(([, { description }]) => mentions(description, words))?.[0];
}

export function mentions(text = "", words) {
  return new RegExp(`(?<![\\w-])${words.replace(/[.*+?^$()[\]{}|\\]/g, "\\$&")}(?![\\w-])`, "i").test(text);
}

/** The same tools with names and types only. */
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

/** A property may be called `description` too: then it is a schema. */
function isWords(name, value) {
  return (name === "description" && typeof value === "string") || name === "examples";
}
