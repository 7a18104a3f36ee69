import type { z } from "zod";

/*
 * An optional scalar of a request may also be null, which means the same as leaving it out (contract §11): programs and models send null
 * where they have no value. Lists and dates of a query may not be null: it could be meant as "none", but would match everything.
 */

/** An optional scalar. */
export function optional<S extends z.ZodType>(schema: S) {
  return schema
    .nullable()
    .transform((value): z.output<S> | undefined => value ?? undefined)
    .optional();
}

/** An optional scalar with the default `value`, which its JSON Schema states. */
export function defaulted<S extends z.ZodType>(schema: S, value: z.output<S>) {
  return schema
    .nullable()
    .transform((given): z.output<S> => given ?? value)
    .prefault(value as z.util.NoUndefined<z.input<S>>);
}
