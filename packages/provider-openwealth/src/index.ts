/**
 * Banks that provide accounts, positions and transactions through OpenWealth Custody Services, versions 1.1, 1.2, 2.0 and 3.2.
 *
 *   openwealth.ts       the provider: settings, catalogue rows, and dispatch of its calls
 *   settings.ts         the banks, as an operator configures them
 *   open-bank.ts        a bank with its tokens, which the kit keeps
 *   versions.ts         what one version has otherwise than the others
 *   login.ts            by customer number or id of a consent (our own credentials), or by redirect (authorization code with PKCE)
 *   fetch.ts            a customer's snapshot: accounts, position-list.ts, transactions by day
 *   custody-api.ts      the requests; custody-answers.ts reads the answers of 3.2, statement-answers.ts those of older versions
 *   placement.ts        in which account a transaction moved what, where an old version does not say it
 *   holdings.ts, transactions.ts (transaction-kinds.ts)  convert them to the snapshot
 */
// biome-ignore lint/style/noDefaultExport: a server takes the default export of a provider's module.
export { openWealth as default } from "./openwealth.js";
export type { OpenWealthSettings } from "./settings.js";
