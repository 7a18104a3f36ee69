/*
 * What an MCP host shows of portfolios and investments: one page for each of the two tools, by the MCP Apps extension (SEP-1865).
 *
 *   views.ts          the pages, from what the build has left
 *   view-document.ts  the HTML around script and style, and its policy
 *   answer.ts         what a tool answered, read with care, and what is asked next
 *   allocation.ts     exact sums by type and bank, within one currency
 *   messages/         the words, by language
 *   ../client/        the script: talks to the host and draws
 */
export { readViews } from "./views.js";
