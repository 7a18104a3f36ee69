/**
 * Bank connections that come with the server. `sandbox/` is a provider with invented banks and data, for trials and tests. `feeds.ts` reads the
 * files that custodians send, one format per folder (`ofx/`, `camt/`, `mt515/` to `mt940/`, `flex/`); `markup/` parses SGML and XML, `swift/`
 * SWIFT messages. This package knows nothing of storage, HTTP or the environment.
 */
export { camt052Format, camt053Format, camt054Format } from "./camt/camt-format.js";
export { type FeedReading, feedFormats, readFeed, recognisesFeed } from "./feeds.js";
export { type FlexResponse, flexFormat, readFlexResponse, readFlexStatement } from "./flex/flex-format.js";
export { type FlexQueryFault, FlexQueryRefusal, type LackingField } from "./flex/query-refusal.js";
export { mt535Format } from "./mt535/mt535-format.js";
export { mt940Format, mt942Format, mt950Format } from "./mt940/mt940-format.js";
export { ofxFormat } from "./ofx/ofx-format.js";
export { readRates } from "./rates/read-rates.js";
export {
  judgeLoginForm,
  SANDBOX_LOGIN_PATH,
  type SandboxAuthorization,
  sandboxAuthorizationOf,
} from "./sandbox/authorization.js";
export { sandboxCatalogue } from "./sandbox/catalogue.js";
export { sandboxLoginPage, sandboxLostPage } from "./sandbox/login-page.js";
export type { LoginProblem } from "./sandbox/login-words.js";
export { createSandboxBanks, type SandboxRuntime } from "./sandbox/sandbox-banks.js";
export { sandboxProvider } from "./sandbox/sandbox-provider.js";
