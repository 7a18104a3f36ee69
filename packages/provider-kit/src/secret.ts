import { z } from "zod";

/** A string setting that is never shown after it is set: a key, a token, the private key of a certificate. */
export function secret(): z.ZodString {
  return z.string().min(1).meta({ secret: true });
}

/** Shown in place of a secret that is set. */
const SET = "set";

/**
 * Settings as they may be shown: every value that the schema declares as {@link secret} is replaced by `"set"`. If the branches of a union disagree,
 * the value is treated as a secret.
 */
export function maskSettings(schema: z.ZodType, settings: unknown): unknown {
  return walk([schema], settings).shown;
}

/** The secret values in settings, to check that they appear nowhere else. */
export function secretsIn(schema: z.ZodType, settings: unknown): readonly string[] {
  return walk([schema], settings).secrets;
}

/** The parts of zod schemas that hold other schemas. */
interface Parts {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  readonly element?: z.ZodType;
  readonly items?: readonly z.ZodType[];
  readonly rest?: z.ZodType | null;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly getter?: () => z.ZodType;
}

/** Deeper than any settings; a schema may contain itself. */
const MAX_DEPTH = 100;

/** Walks a value along with the schemas that may describe it. */
function walk(
  schemas: readonly z.ZodType[],
  value: unknown,
  depth = 0,
): { readonly shown: unknown; readonly secrets: readonly string[] } {
  const plain = schemas.flatMap((schema) => unwrapped(schema));
  if (depth > MAX_DEPTH) return { shown: SET, secrets: [] };
  if (value !== undefined && value !== null && plain.some(isSecret))
    return { shown: SET, secrets: typeof value === "string" ? [value] : [] };
  if (typeof value !== "object" || value === null) return { shown: value, secrets: [] };
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([key, each]) => {
    const under = plain.flatMap((schema) => childOf(partsOf(schema), key, isList));
    return [key, walk(under, each, depth + 1)] as const;
  });
  return {
    shown: isList
      ? entries.map(([, { shown }]) => shown)
      : Object.fromEntries(entries.map(([k, { shown }]) => [k, shown])),
    secrets: entries.flatMap(([, { secrets }]) => secrets),
  };
}

/** A schema without its wrappers, or its alternatives. A wrapper that is declared a secret itself is kept. */
function unwrapped(schema: z.ZodType, depth = 0): readonly z.ZodType[] {
  const { innerType, options, left, right, in: input, out, getter } = partsOf(schema);
  const within = [innerType, left, right, input, out, ...(options ?? [])].filter((part) => part !== undefined);
  if (getter && depth < MAX_DEPTH) within.push(getter());
  return [schema, ...within.flatMap((part) => unwrapped(part, depth + 1))];
}

function childOf(parts: Parts, key: string, isList: boolean): readonly z.ZodType[] {
  const { shape, catchall, element, items, rest, valueType } = parts;
  const own = isList ? (items?.[Number(key)] ?? element ?? rest) : (shape?.[key] ?? valueType ?? catchall);
  return own ? [own] : [];
}

function partsOf(schema: z.ZodType): Parts {
  return schema._zod.def as unknown as Parts;
}

/** Whether a schema was declared with {@link secret}. Its own copy of zod is asked, since another one may not know it; zod/mini has no `meta()`. */
export function isSecret(schema: z.core.$ZodType): boolean {
  const told = (schema as Partial<z.ZodType>).meta?.() ?? z.globalRegistry.get(schema);
  return told?.secret === true;
}
