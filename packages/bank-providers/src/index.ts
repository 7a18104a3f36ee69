/**
 * Ways to a bank. `sandbox/` is a provider with invented banks and data, for trying things out and for tests; `feeds.ts` reads
 * the files that custodians send, one parser per format (`ofx/`). Nothing here knows storage, HTTP or the environment.
 */
export { feedParsers, readFeed } from "./feeds.js";
export { ofxParser } from "./ofx/ofx-parser.js";
export { sandboxCatalogue } from "./sandbox/catalogue.js";
export { createSandboxBanks, type SandboxSurroundings } from "./sandbox/sandbox-banks.js";
