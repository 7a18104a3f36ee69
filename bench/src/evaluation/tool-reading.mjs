/**
 * What a reader can learn from tools/list: which tool is about a subject, which parameter expresses a condition, and which part of an answer holds
 * what. It uses only names, descriptions and schemas, and knows no tool.
 */
export function readTools(tools) {
  return {
    /**
     * The tool that best matches `subject`; null if none does. @param kind "list" if it must read rows, "object" if it must read one object,
     * "destructive" if it must delete
     */
    about(subject, kind) {
      const wanted = wordsOf(subject);
      const scored = tools
        .filter((tool) => kindOf(tool) === kind)
        .map((tool) => ({ tool, score: scoreOf(wanted, tool) }))
        .toSorted((a, b) => b.score - a.score);
      return scored[0]?.score > 0 ? scored[0].tool : null;
    },
    named: (name) => tools.find((tool) => tool.name === name),
    /** The tool that a text names. */
    in: (text) => tools.find(({ name }) => mentions(text, name)),
  };
}

function kindOf(tool) {
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  if (destructiveHint) return "destructive";
  return readOnlyHint ? (rowSchema(tool) ? "list" : "object") : "other";
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

const small = new Set(["a", "an", "the", "of", "in", "at", "that", "are", "be", "can", "one", "is", "svc"]);

function wordsOf(text) {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return [...new Set(words.filter((word) => !small.has(word)).map((word) => word.replace(/s$/, "")))];
}

/** The schema of a row, if the tool answers rows. */
export function rowSchema({ outputSchema }) {
  return outputSchema?.properties?.items?.items;
}

/**
 * The argument that expresses the condition, as `{name, value}`; null if no parameter does. A parameter's name is better than words of its
 * description, and those better than the meanings of its codes. @param isColumn whether rows have a field of this name
 */
export function argumentFor({ inputSchema }, condition, wanted, isColumn) {
  const parameters = Object.entries(inputSchema.properties ?? {});
  const found = (is) => {
    for (const [name, schema] of parameters) {
      const value = is(name, schema) ? valueFor(schema, wanted) : undefined;
      if (value !== undefined) return { name, value };
    }
    return null;
  };
  const named =
    found((name) => name === condition) ??
    found((name, { type }) => type === "boolean" && sharesWords(condition, name));
  if (named || isColumn) return named;
  return (
    found((_, { description }) => mentions(description, condition)) ??
    found((_, { description = "" }) => sharesWords(condition, description)) ??
    found((_, schema) => codesIn(schema).length > 0)
  );
}

function sharesWords(words, name) {
  const known = wordsOf(name);
  return wordsOf(words).every((word) => known.includes(word));
}

/** The boolean parameter that is about these words, as an argument; null if none is. */
export function switchFor({ inputSchema }, words) {
  const found = Object.entries(inputSchema.properties).find(
    ([name, { type }]) => type === "boolean" && sharesWords(words, name),
  );
  return found ? { [found[0]]: true } : null;
}

/** The argument for rows in the order of a field; null if there is none. @param direction "ascending"; otherwise largest or newest first */
export function orderFor({ inputSchema }, field, direction) {
  for (const [name, schema] of Object.entries(inputSchema.properties)) {
    const codes = codesIn(schema).filter((code) => code.replace(/\W/g, "") === field.replace(/\W/g, ""));
    if (codes.length === 0 || !/\b(sort|order)/i.test(`${name} ${schema.description ?? ""}`)) continue;
    const isWanted = (code) => isDescending(schema, code) === (direction !== "ascending");
    const code = codes.find(isWanted);
    if (code) return { [name]: code };
  }
  return null;
}

/** By what the description says of a code; otherwise by the minus before it. */
function isDescending(schema, code) {
  const said = meaningOf(schema, code);
  if (/\b(largest|newest|latest|descending|highest)\b/i.test(said)) return true;
  if (/\b(smallest|oldest|ascending|lowest)\b/i.test(said)) return false;
  return code.startsWith("-");
}

/** The parameter that divides sums by these fields, as an argument; null if there is none. */
export function groupingFor({ inputSchema }, fields) {
  for (const [name, schema] of Object.entries(inputSchema.properties)) {
    const codes = codesIn(schema);
    if (!/\b(sums?|totals?)(\b|_)/i.test(`${name} ${schema.description ?? ""}`)) continue;
    if (!fields.every((field) => codes.includes(field))) continue;
    const takesOne = [schema, ...(schema.anyOf ?? [])].some(({ type }) => type === "string");
    return { [name]: fields.length === 1 && takesOne ? fields[0] : fields };
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
  if (typeof wanted !== "string") return undefined;
  return codes.find((code) => sharesWords(wanted, meaningOf(schema, code)));
}

/** What a description says of a code: the text between it and the next code, or the end of the sentence. */
function meaningOf({ description = "", ...schema }, code) {
  const codes = codesIn(schema).map(escaped).join("|");
  const said = new RegExp(`(?<![\\w-])${escaped(code)}(?![\\w-])(.*?)(?=(?<![\\w-])(?:${codes})(?![\\w-])|[.;]|$)`);
  return said.exec(description)?.[1] ?? "";
}

function escaped(text) {
  return text.replace(/[.*+?^$()[\]{}|\\]/g, "\\$&");
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

/** The number in an answer whose description mentions these words. */
export function numberSaying({ outputSchema }, words) {
  const parts = Object.entries(outputSchema.properties);
  return parts.find(([, { type, description }]) => type === "integer" && mentions(description, words))?.[0];
}

/** The list of an answer, other than its rows, whose members have these fields. */
export function partWith({ outputSchema }, fields) {
  const parts = Object.entries(outputSchema.properties).filter(([name]) => name !== "items");
  return parts.find(([, { items }]) => fields.every((field) => field in (items?.properties ?? {})))?.[0];
}

/** The field about these words in the members of such a list, by its schema or by what its description names. */
export function memberAbout({ outputSchema }, part, words) {
  const { items, description = "" } = outputSchema.properties[part];
  const named = description.match(/\w+_\w+/g) ?? [];
  return [...Object.keys(items.properties), ...named].find((name) => sharesWords(words, name));
}

/** The object of an answer that is about these words. */
export function partAbout({ outputSchema }, words) {
  const parts = Object.entries(outputSchema.properties);
  return parts.find(([name, { properties }]) => properties && name.replaceAll("_", " ") === words)?.[0];
}

export function mentions(text = "", words) {
  return new RegExp(`(?<![\\w-])${escaped(words)}(?![\\w-])`, "i").test(text);
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
