/**
 * Reads banks' tables, in CSV or fixed columns, by a mapping that is data.
 *
 *   mapping.ts, mapping-value.ts, parse-mapping.ts  the language: its schema and further checks
 *   decoding.ts, records.ts     bytes to lines and columns (iconv-lite, csv-parse)
 *   numbers.ts, dates.ts        number and date formats
 *   reading-values.ts, items.ts resolve a mapping's values once per table; turn a row into an item
 *   reading-cost.ts             estimates the cost of reading a file
 *   walk-file.ts, accounts.ts   go through a file's tables row by row; gather accounts
 *   read-mapped.ts, recognise.ts  the public calls: read, test, find the mapping of a file
 *   draft-mapping.ts, draft-columns.ts, draft-formats.ts, draft-rules.ts, draft-tables.ts
 *                               propose a mapping for a file, and ask what it leaves open
 *   columns.ts                  a mapping as its columns, for an editor; in browsers too
 *   shipped-mappings.ts         mappings of brokers' exports
 */

export { draftMapping } from "./draft-mapping.js";
export type { MappingDraft, QuestionCode } from "./draft-notes.js";
export type { DraftGiven } from "./draft-tables.js";
export type { ColumnRole } from "./header-words.js";
export { type FeedMapping, feedMappingSchema } from "./mapping.js";
export { FeedMappingError, feedMappingJsonSchema, type MappingFault, parseFeedMapping } from "./parse-mapping.js";
export { type MappingTest, readByMapping, readMapped, type TestedRow, testMapping } from "./read-mapped.js";
export { readingCost } from "./reading-cost.js";
export { findMapping, whyUnrecognised } from "./recognise.js";
export { shippedMappings } from "./shipped-mappings.js";
