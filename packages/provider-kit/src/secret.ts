import { z } from "zod";

/** A string of the settings that is never shown again once it is set: a key, a token, a certificate's private key. */
export function secret(): z.ZodString {
  return z.string().min(1).meta({ secret: true });
}

/** What stands for a secret that is set. */
const SET = "set";

/**
 * Settings as they may be shown: every value that the schema calls a {@link secret} is `"set"`. Where two branches of a union
 * disagree, it is one.
 */
export function maskSettings(schema: z.ZodType, settings: unknown): unknown {
  return walk([schema], settings).shown;
}

/** The secrets of settings, to look for where none may be. */
export function secretsIn(schema: z.ZodType, settings: unknown): readonly string[] {
  return walk([schema], settings).secrets;
}

/** What schemas of zod are made of, as far as they hold other schemas. */
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

/** Deeper than any settings are: a schema may contain itself. */
const MAX_DEPTH = 100;

/** A value with the schemas that it may be held against. */
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

/** A schema without what is around it, or its alternatives; a wrapper that is itself called a secret stays. */
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

function isSecret(schema: z.ZodType): boolean {
  return schema.meta()?.secret === true;
}
