/**
 * Loads the providers and formats that settings name, by path or package name (resolve-module.ts). For programs that run them; authors of providers
 * do not need it.
 */
export { loadDefaultExport, moduleFault } from "./load-module.js";
export { type LoadedProviders, loadProviders } from "./load-providers.js";
export { resolveModule } from "./resolve-module.js";
