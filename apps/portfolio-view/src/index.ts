/*
 * The views that an MCP host shows for portfolios, investments and figures: one page per tool, by the MCP Apps extension (SEP-1865).
 *
 *   views.ts          the pages, from the build's files
 *   view-document.ts  the HTML around script and style, and its policy (CSP)
 *   reading.ts        what the answers of all tools have; untrusted.ts reads members of documents that may be anything
 *   answer.ts         validates an answer of rows, and builds the next requests; figure.ts does so for figures
 *   course.ts         a value over time: where its line runs and where it has gaps
 *   allocation.ts     exact sums by type and bank, within one currency
 *   messages/         the texts, by language
 *   ../client/        the script: talks to the host and draws
 */
export { readViews } from "./views.js";
