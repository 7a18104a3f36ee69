/**
 * Ways to a bank. `sandbox/` is a provider with invented banks and data, for trying things out and for tests; `feeds.ts` reads
 * the files that custodians send, one parser per format (`ofx/`, `camt/`, `mt535/`, `flex/`; `markup/` reads the SGML and XML of
 * three of them). Nothing here knows storage, HTTP or the environment.
 */
export { camtParser } from "./camt/camt-parser.js";
export { feedParsers, readFeed } from "./feeds.js";
export { type FlexResponse, flexParser, readFlexResponse } from "./flex/flex-parser.js";
export { type FlexQueryFault, FlexQueryRefusal } from "./flex/query-refusal.js";
export { mt535Parser } from "./mt535/mt535-parser.js";
export { ofxParser } from "./ofx/ofx-parser.js";
export {
  judgeLoginForm,
  SANDBOX_LOGIN_PATH,
  type SandboxAuthorization,
  sandboxAuthorizationOf,
} from "./sandbox/authorization.js";
export { sandboxCatalogue } from "./sandbox/catalogue.js";
export { createSandboxBanks, type SandboxRuntime } from "./sandbox/sandbox-banks.js";
export { sandboxProvider } from "./sandbox/sandbox-provider.js";
