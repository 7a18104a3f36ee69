import type { z } from "zod";

/*
 * Scalars of a request that may be left out may also be null, which is the same (contract §11): programs and models send it for what
 * they have no value for. Lists and dates of a query may not: there null could be meant as "none", and would find everything.
 */

/** A scalar that may be left out. */
export function optional<S extends z.ZodType>(schema: S) {
  return schema
    .nullable()
    .transform((value): z.output<S> | undefined => value ?? undefined)
    .optional();
}

/** A scalar that is `value` where it is left out. */
export function defaulted<S extends z.ZodType>(schema: S, value: z.output<S>) {
  return schema
    .nullish()
    .transform((given): z.output<S> => given ?? value)
    .meta({ default: value });
}
