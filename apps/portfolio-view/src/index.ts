/*
 * The views that an MCP host shows for portfolios and investments: one page per tool, by the MCP Apps extension (SEP-1865).
 *
 *   views.ts          the pages, from the build's files
 *   view-document.ts  the HTML around script and style, and its policy (CSP)
 *   answer.ts         validates a tool's answer, and builds the next requests
 *   allocation.ts     exact sums by type and bank, within one currency
 *   messages/         the texts, by language
 *   ../client/        the script: talks to the host and draws
 */
export { readViews } from "./views.js";
