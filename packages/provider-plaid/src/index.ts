/**
 * Investment accounts at the institutions that Plaid reaches. Customers log in on Plaid's own page (Hosted Link).
 *
 *   plaid.ts          the provider: settings, catalogue rows, and dispatch of its calls
 *   plaid-api.ts      the requests, and what Plaid's error codes mean
 *   login.ts          a Link session: there, and back with an Item, or with a repaired one
 *   fetch.ts          the snapshot of an Item: accounts, holdings, pages of transactions
 *   holdings.ts, transactions.ts, transaction-kinds.ts  convert them
 *   notifications.ts  webhooks, signed as JWT
 *   institutions.ts   rows for the catalogue
 */
// biome-ignore lint/style/noDefaultExport: a server takes the default export of a provider's module.
export { plaid as default } from "./plaid.js";
export type { PlaidSettings } from "./settings.js";
