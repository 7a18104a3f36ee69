/*
 * Checks of the arguments of data reads, shared by the MCP tools and the REST API. Each of them describes an argument itself and decides
 * whether it is optional.
 */
import { currencyCode, decimalString } from "@org/provider-kit";
import { z } from "zod";
import { clientRefSchema } from "../schemas/client.js";
import { isStorableText, opaqueId } from "../schemas/identifier.js";

/** A decimal amount as a parameter: a JSON number or a decimal string; the result is always a string. */
const decimalParameter = z.union([
  z.number().refine((value) => Math.abs(value) < 1e15, "must be a decimal number below 10^15, or a decimal string"),
  decimalString,
]);

/** Longest list that an argument takes; a page has at most as many rows. */
export const MAX_LIST = 500;

/** An opaque id (contract §9): an unknown one is `NOT_FOUND`, whatever it looks like. */
export const idArgument = opaqueId;

/** Part of a name, compared without case and accents. */
export const searchArgument = z
  .string("must be a string")
  .max(200, "must have at most 200 characters")
  .refine(isStorableText, "must be text without NUL characters or lone surrogates");

/** A page number, from 1. */
export const pageArgument = wholeNumber(1, 1_000_000);

/** Rows per page. */
export const pageSizeArgument = wholeNumber(1, 500);

/** `true` or `false`. */
export const flagArgument = z.boolean("must be true or false");

/** One bank connection, or a list of them. */
export const connectionsArgument = oneOrMany(idArgument, "credentials tokens");

/** One portfolio, or a list of them. */
export const portfoliosArgument = oneOrMany(idArgument, "portfolio ids");

/** One client's reference, or a list of them: an unknown one is `NOT_FOUND`. */
export const clientsArgument = oneOrMany(
  // Without the description and length of the schema: models read this one with every list of tools.
  z
    .string()
    .refine((text) => clientRefSchema.safeParse(text).success, "must be a reference: 1 to 80 characters of clean text"),
  "client references",
);

/** One currency, or a list of them. */
export const currenciesArgument = oneOrMany(currencyCode, "three-letter currency codes (ISO 4217)");

const ISIN = /^[a-z]{2}[a-z0-9]{9}\d$/i;

/** One ISIN, or a list of them, in upper or lower case. */
export const isinsArgument = oneOrMany(
  z.string().refine((text) => ISIN.test(text), "must be an ISIN: two letters, nine letters or digits, and a digit"),
  "ISINs",
);

/** One of `names`, or a list of them, in upper or lower case. The JSON schema lists the names as given here. */
export function codesArgument(names: readonly string[]) {
  const rule = `must be one of ${names.join(", ")}`;
  const known = new Set(names.map((name) => name.toLowerCase()));
  const code = z
    .string(rule)
    .refine((text) => known.has(text.toLowerCase()), rule)
    .meta({ enum: [...names] });
  return oneOrMany(code, `values ${names.join(", ")}`);
}

/** The minimum balance, inclusive: a number or a decimal string. */
export const minBalanceArgument = z.union(
  decimalParameter.options,
  'must be a decimal number below 10^15, or a decimal string such as "1523.47"',
);

/** The item fields to return. */
export function fieldsArgument<const Names extends readonly [string, ...string[]]>(names: Names) {
  const all = names.join(", ");
  return z
    .array(z.enum(names, `must be one of ${all}`), `must be a list of ${all}`)
    .min(1, `must name at least one of ${all}`)
    .max(MAX_LIST);
}

/** The order of the rows. @param names what the product can be sorted by */
export function sortArgument<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z.enum(names, `must be one of ${names.join(", ")}`);
}

/** What totals are divided by: one of `names`, or two different ones. */
export function groupsArgument<const Names extends readonly [string, ...string[]]>(names: Names) {
  const rule = `must be one of ${names.join(", ")}, or a list of one or two different ones`;
  const group = z.enum(names, rule);
  const groups = z.array(group, rule).min(1, rule).max(2, rule);
  return z.union([group, groups.refine((list) => new Set(list).size === list.length, rule)], rule);
}

/** One value or a list of them. @param what plural noun for the message, such as `strings` */
function oneOrMany<T extends z.ZodType>(value: T, what: string) {
  return z.union(
    [value, z.array(value).min(1).max(MAX_LIST)],
    `must be one of the allowed ${what}, or a list of 1 to ${MAX_LIST} of them`,
  );
}

/** A whole number from `least` to `most`; each error message states both bounds. */
function wholeNumber(least: number, most: number) {
  const rule = `must be a whole number between ${least} and ${most}`;
  return z.int(rule).min(least, rule).max(most, rule);
}
