/**
 * Banks that provide accounts, positions and transactions through OpenWealth Custody Services 3.2.
 *
 *   openwealth.ts       the provider: settings, catalogue rows, and dispatch of its calls
 *   settings.ts         the banks, as an operator configures them
 *   open-bank.ts        a bank with its tokens, which the kit keeps
 *   login.ts            by customer number (the client's credentials), or by redirect (authorization code with PKCE)
 *   fetch.ts            a customer's snapshot: accounts, position-list.ts, transactions by day
 *   custody-api.ts      the requests; custody-answers.ts reads the answers
 *   holdings.ts, transactions.ts  convert them to the snapshot
 */
// biome-ignore lint/style/noDefaultExport: a server takes the default export of a provider's module.
export { openWealth as default } from "./openwealth.js";
export type { OpenWealthSettings } from "./settings.js";
