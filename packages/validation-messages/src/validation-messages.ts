/** An issue as zod 4 passes it to an `error` function, reduced to what the messages need. */
export interface RefusedIssue {
  readonly code?: string | undefined;
  readonly input?: unknown;
  readonly [member: string]: unknown;
}

/**
 * Describes what is wrong, to be read after the name of the field: `must be a whole number`. ASCII without quotation marks, as RFC 6749
 * §5.2 requires for OAuth errors. It never repeats the input.
 *
 * Use it as a zod error map: `schema.safeParse(input, { error: zodMessages })`. A message set in the schema takes precedence.
 */
export function zodMessages(issue: RefusedIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${typeName(issue.expected)}`;
    case "invalid_value":
      return issue.input === undefined ? "is required" : `must be ${anyOf(listOf(issue.values))}`;
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    case "invalid_format":
      return formats[String(issue.format)] ?? "is not written as it has to be";
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return "has members that do not belong there";
    case "invalid_key":
      return innerWords(issue.issues) ?? "has a name that is not allowed";
    case "invalid_element":
      return innerWords(issue.issues) ?? "has an entry that is not allowed";
    case "invalid_union":
      return noneOfUnion(issue);
    default:
      return "is not allowed here";
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  bigint: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  set: "a list",
  object: "an object",
  record: "an object",
  map: "an object",
  date: "a date",
  null: "null",
  file: "a file",
};

function typeName(expected: unknown): string {
  if (expected === "never" || expected === "undefined" || expected === "void") return "left out";
  return typeNames[String(expected)] ?? "of another kind";
}

/** Messages for zod's formats. A format that is missing here has a pattern, and a schema with a pattern should set its own message. */
const formats: Readonly<Record<string, string>> = {
  email: "must be an e-mail address",
  url: "must be a URL",
  uuid: "must be a UUID",
  uuidv4: "must be a UUID",
  uuidv6: "must be a UUID",
  guid: "must be a UUID",
  datetime: "must be a date and time, as RFC 3339 has it",
  date: "must be a date that exists, as YYYY-MM-DD",
  time: "must be a time, as hh:mm:ss",
  duration: "must be a duration, as ISO 8601 has it",
  ipv4: "must be an IPv4 address",
  ipv6: "must be an IPv6 address",
  cidrv4: "must be a range of IPv4 addresses",
  cidrv6: "must be a range of IPv6 addresses",
  base64: "must be Base64",
  base64url: "must be Base64url",
  json_string: "must be JSON",
  jwt: "must be a JWT",
  starts_with: "has the wrong prefix",
  ends_with: "has the wrong suffix",
  includes: "lacks something that it has to hold",
};

/** The unit of a size; numbers have none. */
const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
  set: ["entry", "entries"],
  map: ["entry", "entries"],
  record: ["entry", "entries"],
  object: ["entry", "entries"],
  file: ["byte", "bytes"],
};

function tooSmall({ origin, minimum, inclusive, exact }: RefusedIssue): string {
  const unit = units[String(origin)];
  if (!unit)
    return `must be ${exact ? "exactly " : inclusive === false ? "more than " : "at least "}${bound(origin, minimum)}`;
  const least = inclusive === false ? Number(minimum) + 1 : Number(minimum);
  if (exact) return `must have exactly ${counted(least, unit)}`;
  return least === 1 ? "must not be empty" : `must have at least ${counted(least, unit)}`;
}

function tooBig({ origin, maximum, inclusive, exact }: RefusedIssue): string {
  const unit = units[String(origin)];
  if (!unit)
    return `must be ${exact ? "exactly " : inclusive === false ? "less than " : "at most "}${bound(origin, maximum)}`;
  const most = inclusive === false ? Number(maximum) - 1 : Number(maximum);
  return exact ? `must have exactly ${counted(most, unit)}` : `must have at most ${counted(most, unit)}`;
}

function counted(number: number, [one, many]: readonly [string, string]): string {
  return `${number} ${number === 1 ? one : many}`;
}

function bound(origin: unknown, value: unknown): string {
  return origin === "date" ? new Date(Number(value)).toISOString() : String(value);
}

/** For a union of named kinds it lists the names. Otherwise it joins what each option requires of the value itself. */
function noneOfUnion({ options, errors }: RefusedIssue): string {
  const kinds = listOf(options);
  if (kinds.length > 0) return `must be ${anyOf(kinds)}`;
  const wanted = listOf(errors).flatMap((inner) => {
    const [first] = listOf(inner) as readonly { readonly path?: readonly unknown[]; readonly message?: unknown }[];
    const [, rest] = /^must be (.*)$/.exec(first?.path?.length ? "" : String(first?.message)) ?? [];
    return rest === undefined ? [] : [rest];
  });
  return wanted.length > 0 ? `must be ${[...new Set(wanted)].join(" or ")}` : "has none of the forms that are allowed";
}

function innerWords(issues: unknown): string | undefined {
  const [first] = listOf(issues) as readonly { readonly message?: unknown }[];
  return typeof first?.message === "string" ? first.message : undefined;
}

function anyOf(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(", ")}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What the sentences tell apart, by zod's names: for those who put them into other languages and must not miss one. */
export const messageKinds = { types: Object.keys(typeNames), formats: Object.keys(formats), sizes: Object.keys(units) };
