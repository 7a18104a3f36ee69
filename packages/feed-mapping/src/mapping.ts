import { holdingSubtypes, holdingTypes, portfolioTypes, transactionKinds } from "@org/provider-kit";
import { z } from "zod";
import { dateFormats, decimalMarks, mappingCondition, mappingValue, thousandsMarks } from "./mapping-value.js";

/** The fields of a row. Numbers: units, price, cash, value, fees, taxes, gross, cost, accrued_interest. */
export const fieldNames = [
  ...(["date", "settlement_date", "description", "name", "key", "currency"] as const),
  ...([
    "units",
    "price",
    "price_currency",
    "price_unit",
    "cash",
    "value",
    "gross",
    "cost",
    "accrued_interest",
  ] as const),
  ...(["fees", "fees_currency", "taxes", "taxes_currency"] as const),
  ...(["isin", "cusip", "sedol", "wkn", "valor", "figi", "ticker", "mic"] as const),
  ...(["kind", "type", "subtype"] as const),
] as const;
export type FieldName = (typeof fieldNames)[number];

const name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, "must be 1 to 60 of a-z, 0-9, - and _");
const fields = z.partialRecord(z.enum(fieldNames), mappingValue);
const lines = z.int().min(0).max(200);

const rule = z.strictObject({
  when: mappingCondition.optional().describe("Left out: every row that comes this far."),
  is: z.enum(["holding", "transaction", "cash", "ignored"]).describe("cash: what an account has of a currency."),
  kind: z.enum(transactionKinds).optional(),
  type: z.enum(holdingTypes).optional(),
  subtype: z.enum(holdingSubtypes).optional(),
  values: fields.optional().describe("In place of those of the table and of the mapping."),
  goes_on: z.literal(true).optional().describe("The row goes on to the rules below: it says several things."),
});

const table = z
  .strictObject({
    section: z.string().min(1).max(100).optional().describe("Which table of a file that holds several."),
    recognise: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(40)
      .optional()
      .describe("Names in its header, which begins it, in a file with several tables one below the other."),
    header: z.boolean().optional().describe("Whether it begins with the names of its columns; true unless said."),
    columns: z
      .array(
        z.strictObject({
          name: z.string().trim().min(1).max(200),
          from: z.int().min(1).max(100_000).optional().describe("First character, from 1, in a file of fixed columns."),
          length: z.int().min(1).max(10_000).optional(),
        }),
      )
      .min(1)
      .max(1_000)
      .optional()
      .describe("Of a table without a header: its columns in order; in a file of fixed columns where each is."),
    values: fields.optional(),
    rows: z.array(rule).min(1).max(200).describe("The first whose `when` holds says what a row is."),
    unmatched: z
      .enum(["refused", "ignored", "left_out"])
      .optional()
      .describe(
        "Rows that no rule takes; refused unless said. What is ignored is counted in a warning, what is left out has one each.",
      ),
  })
  .superRefine((value, context) => {
    if (value.header === false && !value.columns)
      context.addIssue({ code: "custom", path: ["columns"], message: "is required where there is no header" });
    if (value.recognise && (value.section !== undefined || value.header === false))
      context.addIssue({
        code: "custom",
        path: ["recognise"],
        message: "belongs to a table with a header, without sections",
      });
  });

const contextValue = z
  .strictObject({
    line: z.string().min(1).max(200).optional().describe("What follows this beginning of a line above the table."),
    section: z.string().min(1).max(100).optional(),
    when: mappingCondition.optional(),
    take: mappingValue.optional(),
  })
  .refine(
    (value) => (value.line === undefined) !== (value.take === undefined),
    "must have exactly one of line and take",
  );

/** Schema of a mapping, which describes how a bank's table is read (docs/reference/feed-mappings.md). */
export const feedMappingSchema = z
  .strictObject({
    language: z.literal(1).describe("The version of this language."),
    name: name.describe("Unique among the mappings of a connector; the format of its files is `mapping:<name>`."),
    title: z.string().min(1).max(200),
    recognise: z
      .strictObject({
        header: z
          .array(z.union([z.string().min(1).max(200), z.array(z.string().min(1).max(200)).min(1)]))
          .min(1)
          .max(40)
          .optional(),
        line: z.string().min(1).max(200).optional().describe("How one of the first 200 lines begins."),
      })
      .refine(({ header, line }) => header !== undefined || line !== undefined, "must have header or line"),
    encoding: z
      .enum([
        ...(["utf-8", "utf-16", "auto", "windows-1250", "windows-1251", "windows-1252", "windows-1253"] as const),
        ...([
          "windows-1254",
          "windows-1257",
          "iso-8859-1",
          "iso-8859-2",
          "iso-8859-15",
          "macintosh",
          "cp437",
          "cp850",
        ] as const),
      ])
      .optional()
      .describe(
        "utf-8 unless said. auto: UTF-8 where the bytes are that, else windows-1252. A mark at the beginning wins.",
      ),
    delimiter: z
      .string()
      .min(1)
      .max(3)
      .refine((sign) => !/["\r\n\0]/.test(sign), "must not be a quote or the end of a line")
      .optional()
      .describe("Between columns; left out in a file of fixed columns."),
    quote: z.enum(['"', "'", ""]).optional().describe('" unless said; empty: there is none.'),
    loose_quotes: z.literal(true).optional().describe("Quotes may stand within a text that is not quoted."),
    skip: z
      .strictObject({
        first: z
          .union([lines, z.literal("header")])
          .optional()
          .describe("Lines above the table; header: until its header comes."),
        after_header: lines.optional(),
        last: lines.optional().describe("Lines at the end that say something, such as totals."),
      })
      .optional(),
    sections: z
      .strictObject({
        column: z.int().min(1).max(10).describe("The column that names the table of each line."),
        mark: z.int().min(1).max(10).describe("The column that says what the line is in its table."),
        header: z.array(z.string().max(60)).min(1).max(10),
        data: z.array(z.string().max(60)).min(1).max(10),
        unread: z
          .enum(["refused", "ignored"])
          .optional()
          .describe("Tables that `tables` does not name; ignored unless said."),
      })
      .optional()
      .describe("A file with several tables, such as Interactive Brokers' activity statement."),
    ragged: z.literal(true).optional().describe("Lines may end before the last columns."),
    decimal: decimalMarks.optional().describe(". unless said."),
    thousands: thousandsMarks.optional(),
    strip: z
      .array(z.string().min(1).max(10))
      .max(20)
      .optional()
      .describe("What goes from numbers, such as a sign of a currency."),
    empty: z.array(z.string().max(40)).max(20).optional().describe("What stands for nothing, such as - or N/A."),
    dates: dateFormats.optional().describe("yyyy-MM-dd unless said."),
    account: z
      .strictObject({
        number: mappingValue.optional().describe("Left out: the account of the connection that the file is for."),
        name: mappingValue.optional(),
        currency: mappingValue.optional(),
        type: z.enum(portfolioTypes).optional().describe("S unless said."),
      })
      .optional(),
    as_of: mappingValue
      .optional()
      .describe("The day that holdings are stated for; left out: the latest day of the rows."),
    context: z.record(name, contextValue).optional().describe("What is said once for the whole file."),
    lookups: z
      .record(
        name,
        z.strictObject({
          section: z.string().min(1).max(100),
          key: mappingValue,
          values: z.record(name, mappingValue),
        }),
      )
      .optional(),
    values: fields.optional(),
    tables: z.array(table).min(1).max(40),
  })
  .superRefine((mapping, context) => {
    const at = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
    if (mapping.sections && mapping.delimiter === undefined) at(["delimiter"], "is required with sections");
    for (const [index, { section, columns }] of mapping.tables.entries()) {
      const path = ["tables", index];
      if ((section !== undefined) !== (mapping.sections !== undefined))
        at([...path, "section"], mapping.sections ? "is required with sections" : "belongs to sections");
      const isFixed = columns?.every(({ from, length }) => from !== undefined && length !== undefined) ?? false;
      if (mapping.delimiter === undefined && !isFixed)
        at([...path, "columns"], "is required, each with from and length, where there is no delimiter");
    }
    if (!mapping.sections && mapping.tables.length > 1)
      for (const [index, { recognise }] of mapping.tables.entries())
        if (!recognise)
          at(["tables", index, "recognise"], "is required where there are several tables without sections");
  });

export type FeedMapping = z.output<typeof feedMappingSchema>;
export type MappingTable = FeedMapping["tables"][number];
export type MappingRule = MappingTable["rows"][number];
export type Fields = NonNullable<FeedMapping["values"]>;
