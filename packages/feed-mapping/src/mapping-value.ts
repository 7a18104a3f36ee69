import { z } from "zod";

/** A column by name, by position (from 1), or by a list of alternatives. */
export type ColumnReference = string | number | readonly (string | number)[];
type Texts = string | readonly string[];

/** Where a field's text comes from (exactly one source), and how it is transformed. */
export interface MappingValue {
  readonly column?: ColumnReference | undefined;
  readonly constant?: string | undefined;
  readonly context?: string | undefined;
  readonly file_name?: true | undefined;
  readonly concat?: readonly MappingValue[] | undefined;
  readonly first_of?: readonly MappingValue[] | undefined;
  readonly sum?: readonly MappingValue[] | undefined;
  readonly product?: readonly MappingValue[] | undefined;
  readonly debit?: MappingValue | undefined;
  readonly credit?: MappingValue | undefined;
  readonly lookup?: { readonly table: string; readonly by: MappingValue; readonly take: string } | undefined;
  readonly with?: string | undefined;
  readonly after?: Texts | undefined;
  readonly before?: Texts | undefined;
  readonly map?: Readonly<Record<string, string>> | undefined;
  readonly else?: string | undefined;
  readonly sign?: "plus" | "minus" | "reversed" | undefined;
  readonly minus_when?: MappingCondition | undefined;
  readonly decimal?: Texts | undefined;
  readonly thousands?: Texts | undefined;
  readonly dates?: readonly string[] | undefined;
  readonly optional?: true | undefined;
}

/** A condition on a row: `all`, `any`, `not`, or one test of a column or value. Texts are compared case-insensitively. */
export interface MappingCondition {
  readonly all?: readonly MappingCondition[] | undefined;
  readonly any?: readonly MappingCondition[] | undefined;
  readonly not?: MappingCondition | undefined;
  readonly column?: ColumnReference | undefined;
  readonly value?: MappingValue | undefined;
  readonly is?: Texts | undefined;
  readonly starts?: Texts | undefined;
  readonly ends?: Texts | undefined;
  readonly contains?: Texts | undefined;
  readonly empty?: boolean | undefined;
  readonly number?: "positive" | "negative" | "zero" | undefined;
  readonly optional?: true | undefined;
}

const text = z.string().max(500);
const mark = z.string().min(1).max(100);
const marks = z.union([mark, z.array(mark).min(1).max(200)]);
const columnPart = z.union([z.string().trim().min(1).max(200), z.int().min(1).max(1_000)]);

/** A column by name or position, or by the names that it has in several languages. */
export const columnReference = z.union([columnPart, z.array(columnPart).min(1).max(40)]);
/** Decimal separators. */
export const decimalMarks = z.union([
  z.enum([".", ","]),
  z
    .array(z.enum([".", ","]))
    .min(1)
    .max(2),
]);
/** Thousands separators. A space stands for every kind of space, an apostrophe also for the curved one. */
export const thousandsMarks = z.union([z.enum([".", ",", "'", " ", ""]), z.array(z.enum([".", ",", "'", " "])).max(4)]);

/** A format such as `dd.MM.yyyy`; an asterisk at the end ignores whatever follows. */
export const dateFormat = z
  .string()
  .max(40)
  // The lookaheads leave one way to split a format into parts, so that matching takes linear time.
  .regex(
    /^(?:(?:yyyy|yy)(?!y)|M{1,4}(?!M)|dd?(?!d)|HH(?!H)|mm(?!m)|ss(?!s)|SSS(?!S)|[^A-Za-z*\d])+\*?$/,
    "must be made of yyyy or yy, MM, M, MMM or MMMM, dd or d, perhaps HH, mm, ss and SSS, signs between them, and perhaps * at the end",
  )
  .refine((format) => {
    const letters = (format.match(/([A-Za-z])\1*/g) ?? []).map((part) => part[0]);
    return new Set(letters).size === letters.length && ["y", "M", "d"].every((letter) => letters.includes(letter));
  }, "must have a year, a month and a day, and nothing twice");
const MAX_FORMATS = 12;
/** Formats tried in turn. */
export const dateFormats = z
  .array(dateFormat)
  .min(1)
  .max(MAX_FORMATS)
  .refine(
    (formats) =>
      formats.length > MAX_FORMATS ||
      !formats.some((one) => formats.some((other) => one !== other && swapped(one) === plain(other))),
    "must not hold one format with the day first and the same with the month first: which is meant has to be decided",
  );

function plain(format: string): string {
  return format.replace(/d+/, "d").replace(/(?<!M)M{1,2}(?!M)/, "M");
}

function swapped(format: string): string {
  return plain(format).replace(/[dM](?!M)/g, (letter) => (letter === "d" ? "M" : "d"));
}

const sources = [
  ...["column", "constant", "context", "file_name", "concat", "first_of", "sum", "product", "debit", "lookup"],
] as const;

/** Schema of {@link MappingValue}. */
export const mappingValue: z.ZodType<MappingValue> = z.lazy(() =>
  z
    .strictObject({
      column: columnReference
        .optional()
        .describe("Name in the header, position from 1, or names in several languages."),
      constant: text.optional(),
      context: z.string().max(60).optional().describe("What `context` of the mapping found under this name."),
      file_name: z.literal(true).optional().describe("The name of the file, without folders."),
      concat: z.array(mappingValue).min(1).max(20).optional().describe("Those that say something, joined by `with`."),
      first_of: z.array(mappingValue).min(1).max(20).optional().describe("The first that says something."),
      sum: z.array(mappingValue).min(1).max(10).optional().describe("Exact; parts that say nothing are left out."),
      product: z.array(mappingValue).min(2).max(4).optional().describe("Exact; nothing where a part says nothing."),
      debit: mappingValue.optional().describe("What went out, in a column of its own beside `credit`."),
      credit: mappingValue.optional(),
      lookup: z
        .strictObject({ table: z.string().max(60), by: mappingValue, take: z.string().max(60) })
        .optional()
        .describe("A value of the row of `lookups` that has this key."),
      with: z.string().max(20).optional().describe("Between the parts of `concat`; a space unless said."),
      after: marks.optional().describe("Only what follows the first of these marks; nothing where there is none."),
      before: marks.optional().describe("Only what comes before the nearest of these marks; all where there is none."),
      map: z.record(z.string().max(200), z.string().max(200)).optional().describe("Other words for what is there."),
      else: text.optional().describe("For what `map` does not have; without it such a row is refused."),
      sign: z.enum(["plus", "minus", "reversed"]).optional().describe("Of a number, whatever the file writes."),
      minus_when: mappingCondition.optional().describe("The number is negative where this holds, else positive."),
      decimal: decimalMarks.optional(),
      thousands: thousandsMarks.optional(),
      dates: dateFormats.optional(),
      optional: z.literal(true).optional().describe("The column may be missing in a file; it says nothing then."),
    })
    .superRefine((value, context) => {
      const named = sources.filter((source) => value[source as keyof MappingValue] !== undefined);
      if (named.length !== 1) context.addIssue(`must have exactly one source: ${sources.join(", ")}`);
      if ((value.debit === undefined) !== (value.credit === undefined))
        context.addIssue("must have both debit and credit, or neither");
      if (value.else !== undefined && value.map === undefined) context.addIssue("else belongs to map");
      if (value.sign !== undefined && value.minus_when !== undefined)
        context.addIssue("must have sign or minus_when, not both");
    }),
);

/** Schema of {@link MappingCondition}. */
export const mappingCondition: z.ZodType<MappingCondition> = z.lazy(() =>
  z
    .strictObject({
      all: z.array(mappingCondition).min(1).max(20).optional(),
      any: z.array(mappingCondition).min(1).max(20).optional(),
      not: mappingCondition.optional(),
      column: columnReference.optional(),
      value: mappingValue.optional(),
      is: z.union([text, z.array(text).min(1).max(200)]).optional(),
      starts: marks.optional(),
      ends: marks.optional(),
      contains: marks.optional(),
      empty: z.boolean().optional(),
      number: z.enum(["positive", "negative", "zero"]).optional(),
      optional: z.literal(true).optional(),
    })
    .superRefine((condition, context) => {
      const whole = ["all", "any", "not"].filter((name) => name in condition);
      const tests = ["is", "starts", "ends", "contains", "empty", "number"].filter((name) => name in condition);
      const of = ["column", "value"].filter((name) => name in condition);
      if (
        !(whole.length === 1
          ? tests.length + of.length === 0
          : whole.length === 0 && of.length === 1 && tests.length === 1)
      )
        context.addIssue(
          "must be all, any or not alone; or a column or value with exactly one of is, starts, ends, contains, empty, number",
        );
    }),
);
