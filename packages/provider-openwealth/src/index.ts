/**
 * Banks that give accounts, positions and transactions by OpenWealth Custody Services 3.2.
 *
 *   openwealth.ts       the provider: settings, catalogue rows, and which call goes where
 *   settings.ts         the banks, as an operator writes them down
 *   login.ts            by customer number (credentials of the client), or by redirect (authorization code with PKCE)
 *   token-endpoint.ts   OAuth 2.0 against a bank; grants.ts keeps a token usable while a fetch goes on
 *   fetch.ts            a customer's snapshot: accounts, position-list.ts, transactions by day
 *   custody-api.ts      one request of the description; custody-answers.ts is what is read of the answers
 *   holdings.ts, transactions.ts  what they become
 */
// biome-ignore lint/style/noDefaultExport: a server takes the default export of a provider's module.
export { openWealth as default } from "./openwealth.js";
export type { OpenWealthSettings } from "./settings.js";
