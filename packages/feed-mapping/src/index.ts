/**
 * Tables that banks send, as CSV or in fixed columns, read by a mapping that is data.
 *
 *   mapping.ts, mapping-value.ts, parse-mapping.ts  the language: its schema, and what else is checked
 *   decoding.ts, records.ts     bytes to lines and columns (iconv-lite, csv-parse)
 *   numbers.ts, dates.ts        how a file writes them
 *   reading-values.ts, items.ts values of a mapping, resolved once for a table; what a row says
 *   reading-cost.ts             what that takes, before it is done
 *   walk-file.ts, accounts.ts   a file's tables row by row; what they say together
 *   read-mapped.ts, recognise.ts  the calls: read, test, find the mapping of a file
 *   draft-mapping.ts            a proposal made of a file
 *   shipped-mappings.ts         mappings of brokers' exports
 */

export { draftMapping, type MappingDraft } from "./draft-mapping.js";
export { type FeedMapping, feedMappingSchema } from "./mapping.js";
export { FeedMappingError, feedMappingJsonSchema, type MappingFault, parseFeedMapping } from "./parse-mapping.js";
export { type MappingTest, readByMapping, readMapped, type TestedRow, testMapping } from "./read-mapped.js";
export { readingCost } from "./reading-cost.js";
export { findMapping } from "./recognise.js";
export { shippedMappings } from "./shipped-mappings.js";
